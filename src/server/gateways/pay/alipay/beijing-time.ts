/** Alipay's times are Beijing's, which has no daylight saving time, whatever the server's zone is. */
const offsetMs = 8 * 3_600_000
const timePattern = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/

/** `yyyy-MM-dd HH:mm:ss` */
export function beijingTime(at: number): string {
  return new Date(at + offsetMs).toISOString().slice(0, 19).replace('T', ' ')
}

export function parseBeijingTime(text = ''): number | null {
  const [, day, time] = timePattern.exec(text) ?? []
  const at = Date.parse(`${day}T${time}+08:00`)
  return Number.isNaN(at) ? null : at
}
