const offsetMs = 8 * 3_600_000

/** RFC 3339 with the offset of Beijing. */
export function toBeijingTime(at: number): string {
  return `${new Date(at + offsetMs).toISOString().slice(0, 19)}+08:00`
}

/** `yyyy-mm-dd HH:MM:SS` as bills have it; undefined for anything else. */
export function parseBeijingTime(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined
  const at = Date.parse(`${text.replace(' ', 'T')}+08:00`)
  return Number.isNaN(at) ? undefined : at
}
