import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { errors } from '#shared/errors.ts'

interface Schedule {
  start_time: number | null
  end_time: number | null
}

export function assertEndsAfterStart({ start_time, end_time }: Schedule): void {
  if (start_time !== null && end_time !== null && end_time <= start_time) throw errors.schedule.backward()
}

/** Enabled, started and not ended. A time that is not set is no bound. */
export function isRunning(now: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`enable = 1
    and (start_time is null or start_time <= ${now})
    and (end_time is null or end_time > ${now})`
}
