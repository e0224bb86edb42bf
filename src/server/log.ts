import { type DestinationStream, pino } from 'pino'

export type Logger = ReturnType<typeof openLog>

/** One JSON line per event, with `level`, `time` and `msg`. Bodies, queries, headers and addresses are never handed to it. */
export function openLog(level: string, to?: DestinationStream) {
  const options = {
    level,
    base: null,
    serializers: { error: withoutValues },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (name: string) => ({ level: name }) },
  }
  return to ? pino(options, to) : pino(options)
}

/** What went wrong and where. The rest that databases and mail servers hang on an error may be what people wrote. */
function withoutValues(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  const { type, message, stack, code, table, constraint } = pino.stdSerializers.err(error)
  return { type, message, stack, code, table, constraint }
}
