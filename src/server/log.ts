import { pino } from 'pino'

export type Logger = ReturnType<typeof openLog>

/** One JSON line per event. Bodies, queries, headers and addresses are never handed to it. */
export function openLog(level: string) {
  return pino({ level, base: null, serializers: { error: pino.stdSerializers.err } })
}
