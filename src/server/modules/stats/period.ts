import { type RawBuilder, sql } from 'kysely'
import type { stats } from '#shared/contract/stats.ts'
import type { Input } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { dayStart, parseLocalTime, toDay, toLocalDay } from '#server/days.ts'

/** Days in the site's time zone, from the start of the first to the end of the last. */
export interface Period {
  from: number
  /** The start of the day after the last. */
  to: number
}

const longestDays = 366

/** The days that were asked for, up to today; of a longer period the last ones. */
export function toPeriod(now: number, { first, last, days }: Input<typeof stats.reads>): Period {
  const end = Math.min(parseLocalTime(last, 'start') ?? now, now)
  const start = parseLocalTime(first, 'start') ?? dayStart(end, days - 1)
  const from = Math.min(Math.max(start, dayStart(end, longestDays - 1)), dayStart(end))
  return { from, to: dayStart(end, -1) }
}

/** The first and the last day of the period that was asked for. */
export function daysCounted({ now }: Ctx, input: Input<typeof stats.reads>): { first: string; last: string } {
  const { from, to } = toPeriod(now(), input)
  return { first: toLocalDay(from), last: toLocalDay(to - 1) }
}

/** The days of a period as yyyymmdd. */
export function daysOf({ from, to }: Period): number[] {
  const days: number[] = []
  for (let start = from; start < to; start = dayStart(start, -1)) days.push(toDay(start))
  return days
}

const quarterMs = 15 * 60_000

/**
 * The quarter of an hour of a time, to group by: the database does not know where the site's days end, and in every time zone
 * they end with a quarter.
 */
export function quarterOf(column: string): RawBuilder<number> {
  return sql<number>`${sql.ref(column)} / ${sql.lit(quarterMs)}`
}

/** The day of a quarter, as yyyymmdd. */
export function dayOfQuarter(quarter: number): number {
  return toDay(quarter * quarterMs)
}

/** 20261115 as 2026-11-15. */
export function toIsoDate(day: number): string {
  return String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
}

/** As a whole number: PostgreSQL's sums of them are decimals. */
export function sumOf(value: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`cast(coalesce(sum(${value}), 0) as bigint)`
}

/** The sum over all rows, beside each. */
export function overAll(value: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`cast(sum(${value}) over () as bigint)`
}
