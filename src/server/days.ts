/** The calendar day at the site, as yyyymmdd. */
export function dayOf(now: number): number {
  const date = new Date(now)
  return date.getFullYear() * 10_000 + (date.getMonth() + 1) * 100 + date.getDate()
}

/** When the day began that lies so many days before. By the calendar: days in which clocks are changed have no 24 hours. */
export function dayStart(now: number, daysBefore = 0): number {
  const date = new Date(now)
  date.setDate(date.getDate() - daysBefore)
  return date.setHours(0, 0, 0, 0)
}
