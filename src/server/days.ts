/** The calendar day in the site's time zone, as yyyymmdd. */
export function toDay(now: number): number {
  const date = new Date(now)
  return date.getFullYear() * 10_000 + (date.getMonth() + 1) * 100 + date.getDate()
}

/** The calendar day in the site's time zone, as yyyy-mm-dd. */
export function toLocalDay(at: number): string {
  return String(toDay(at)).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
}

/** The start of the day that many days before. By the calendar, as a day with a clock change has no 24 hours. */
export function dayStart(now: number, daysBefore = 0): number {
  const date = new Date(now)
  date.setDate(date.getDate() - daysBefore)
  return date.setHours(0, 0, 0, 0)
}

/** `yyyy-MM-dd HH:mm:ss` in the site's time zone, or a day, of which `edge` is meant; undefined for anything else. */
export function parseLocalTime(text: string | undefined, edge: 'start' | 'end'): number | undefined {
  if (!text) return undefined
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text)
  const ms = Date.parse(isDay ? `${text} ${edge === 'start' ? '00:00:00.000' : '23:59:59.999'}` : text)
  return Number.isNaN(ms) ? undefined : ms
}
