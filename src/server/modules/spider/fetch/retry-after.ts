const maxWaitMs = 24 * 60 * 60 * 1000

/** The time that a `Retry-After` header asks to wait until, in seconds or as a date; undefined when it says nothing. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? ''
  const at = /^\d+$/.test(value) ? now + Number(value) * 1000 : parseHttpDate(value)
  return at === undefined ? undefined : Math.min(Math.max(at, now), now + maxWaitMs)
}

/** In one of the three forms of RFC 9110; the third has no time zone. */
function parseHttpDate(value: string): number | undefined {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(value)) return undefined
  const at = Date.parse(value.endsWith(' GMT') ? value : `${value} GMT`)
  return Number.isNaN(at) ? undefined : at
}
