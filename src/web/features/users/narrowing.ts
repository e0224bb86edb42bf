/** What a person's list is narrowed to, as it stands in the address. What makes no sense there narrows nothing. */
export interface Narrowing {
  wd: string
  status: string
  /** One of `periods`; empty for all times or for days of one's own. */
  time: string
  /** Days, yyyy-MM-dd. */
  from: string
  to: string
}

export const periods: Record<string, { title: string; days: number }> = {
  week: { title: '一周内', days: 7 },
  month: { title: '一个月内', days: 30 },
  quarter: { title: '三个月内', days: 90 },
  half: { title: '半年内', days: 183 },
  year: { title: '一年内', days: 365 },
}

/** In the form alone: the days are then chosen one by one. */
export const ownDays = 'days'

const longestWords = 100
const dayMs = 86_400_000

export function readNarrowing(params: URLSearchParams, statuses: object = {}): Narrowing {
  const given = (name: string) => params.get(name) ?? ''
  const time = Object.hasOwn(periods, given('time')) ? given('time') : ''
  return {
    wd: given('wd').trim().slice(0, longestWords),
    status: Object.hasOwn(statuses, given('status')) ? given('status') : '',
    time,
    from: time === '' ? dayIn(given('from')) : '',
    to: time === '' ? dayIn(given('to')) : '',
  }
}

export function isNarrowed(narrowing: Narrowing): boolean {
  return Object.values(narrowing).some((value) => value !== '')
}

/** The address that says the same; one begins at its first page. */
export function addressOf(narrowing: Partial<Narrowing>): string {
  const pairs = Object.entries(narrowing).filter(([, value]) => value !== '' && value !== ownDays)
  return `?${new URLSearchParams(pairs)}`
}

/** From and to, as the interface is asked. */
export function timesOf({ time, from, to }: Narrowing, now: number): string[] {
  const period = periods[time]
  if (period) return [new Date(now - period.days * dayMs).toISOString()]
  if (to !== '') return [from || '1970-01-01', to]
  return from === '' ? [] : [from]
}

function dayIn(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
}
