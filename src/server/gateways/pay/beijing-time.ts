/** The times and days of providers are Beijing's, which has no daylight saving time, whatever the server's zone is. */

const offsetMs = 8 * 3_600_000

/** `yyyy-mm-dd HH:MM:SS` */
export function toBeijingTime(at: number): string {
  return new Date(at + offsetMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** `yyyy-mm-dd` */
export function toBeijingDay(at: number): string {
  return toBeijingTime(at).slice(0, 10)
}

/** When a day (`yyyy-mm-dd`) begins there. */
export function startOfBeijingDay(day: string): number {
  return Date.parse(`${day}T00:00:00+08:00`)
}

/** Of `yyyy-mm-dd HH:MM:SS`, with or without a fraction of a second; null for anything else. */
export function parseBeijingTime(text = ''): number | null {
  const [, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)?$/.exec(text) ?? []
  const at = Date.parse(`${day}T${time}+08:00`)
  return Number.isNaN(at) ? null : at
}
