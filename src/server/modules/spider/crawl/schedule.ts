import type { SpiderRule } from '#shared/contract/spider.ts'
import { SpiderSchedule } from '#shared/spider.ts'

const hourMs = 60 * 60_000
const days: Partial<Record<SpiderSchedule, number>> = { [SpiderSchedule.Daily]: 1, [SpiderSchedule.Weekly]: 7 }

/** Null when it is only run by hand. By the calendar, as a day with a clock change has no 24 hours. */
export function nextRunAt(schedule: SpiderSchedule, from: number): number | null {
  if (schedule === SpiderSchedule.Hourly) return from + hourMs
  const later = days[schedule]
  if (!later) return null
  const date = new Date(from)
  return date.setDate(date.getDate() + later)
}

/** Whether the source is not to be requested at this hour of the site's time zone. */
export function isQuiet({ quiet_from, quiet_to }: Pick<SpiderRule, 'quiet_from' | 'quiet_to'>, now: number): boolean {
  const hour = new Date(now).getHours()
  if (quiet_from <= quiet_to) return hour >= quiet_from && hour < quiet_to
  return hour >= quiet_from || hour < quiet_to
}
