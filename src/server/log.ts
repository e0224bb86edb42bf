import { type DestinationStream, pino } from 'pino'

export type Logger = ReturnType<typeof openLog>

/** One JSON line per event, with `level`, `time` and `msg`. Bodies, queries, headers and IP addresses are never logged. */
export function openLog(level: string, to: DestinationStream = (output ??= bufferedOutput())) {
  const options = {
    level,
    base: null,
    serializers: { error: serializeError },
    timestamp: formatTimestamp,
    formatters: { level: (name: string) => ({ level: name }) },
  }
  return pino(options, to)
}

/** All loggers of the process share it. */
let output: DestinationStream | undefined

let formattedAt = 0
let formatted = ''

/** Cached, as many lines have the same time. */
function formatTimestamp(): string {
  const now = Date.now()
  if (now !== formattedAt) formatted = `,"time":"${new Date(now).toISOString()}"`
  formattedAt = now
  return formatted
}

const flushMs = 500
const flushLength = 16 * 1024

/**
 * Buffers lines: a write for each would cost a busy site more than its pages do, and pino's stream measures its whole
 * buffer at every write. The buffer is also flushed at exit and at a crash.
 */
function bufferedOutput(): DestinationStream {
  const stream = pino.destination({ dest: 1, sync: false })
  let lines = ''
  const flush = () => {
    if (lines) stream.write(lines)
    lines = ''
  }
  setInterval(flush, flushMs).unref()
  process.once('exit', () => {
    flush()
    stream.flushSync()
  })
  return {
    write(line) {
      lines += line
      if (lines.length >= flushLength) flush()
    },
  }
}

/** Other properties that database and mail clients add to an error may contain what users wrote. */
function serializeError(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  const { type, message, stack, code, table, constraint } = pino.stdSerializers.err(error)
  return { type, message, stack, code, table, constraint }
}
