import { type DestinationStream, pino } from 'pino'

export type Logger = ReturnType<typeof openLog>

/** One JSON line per event, with `level`, `time` and `msg`. Bodies, queries, headers and addresses are never handed to it. */
export function openLog(level: string, to: DestinationStream = (output ??= gathered())) {
  const options = {
    level,
    base: null,
    serializers: { error: withoutValues },
    timestamp: stamp,
    formatters: { level: (name: string) => ({ level: name }) },
  }
  return pino(options, to)
}

/** One for the process, however many write to it. */
let output: DestinationStream | undefined

let stampedAt = 0
let stamped = ''

/** Many lines have the same time: it is written out once. */
function stamp(): string {
  const now = Date.now()
  if (now !== stampedAt) stamped = `,"time":"${new Date(now).toISOString()}"`
  stampedAt = now
  return stamped
}

const flushMs = 500
const flushAt = 16 * 1024

/**
 * A write for each line would cost a busy site more than the pages do, and the stream beneath measures all it holds for each
 * piece it is handed. What is gathered is also written at the end, and at a crash.
 */
function gathered(): DestinationStream {
  const stream = pino.destination({ dest: 1, sync: false })
  let lines = ''
  const pass = () => {
    if (lines) stream.write(lines)
    lines = ''
  }
  setInterval(pass, flushMs).unref()
  process.once('exit', () => {
    pass()
    stream.flushSync()
  })
  return {
    write(line) {
      lines += line
      if (lines.length >= flushAt) pass()
    },
  }
}

/** What went wrong and where. The rest that databases and mail servers hang on an error may be what people wrote. */
function withoutValues(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  const { type, message, stack, code, table, constraint } = pino.stdSerializers.err(error)
  return { type, message, stack, code, table, constraint }
}
