/** The filters of a user's list, as in the address. Invalid values are ignored. */
export interface ListFilters {
  wd: string
  status: string
  /** One of `periods`; empty for all times or custom dates. */
  time: string
  /** Dates, yyyy-MM-dd. */
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

/** An option of the form that shows the two date inputs; it is not part of the address. */
export const customDates = 'days'

const maxWordsLength = 100
const dayMs = 86_400_000

export function parseFilters(params: URLSearchParams, statuses: object = {}): ListFilters {
  const get = (name: string) => params.get(name) ?? ''
  const time = Object.hasOwn(periods, get('time')) ? get('time') : ''
  return {
    wd: get('wd').trim().slice(0, maxWordsLength),
    status: Object.hasOwn(statuses, get('status')) ? get('status') : '',
    time,
    from: time === '' ? parseDate(get('from')) : '',
    to: time === '' ? parseDate(get('to')) : '',
  }
}

export function hasFilters(filters: ListFilters): boolean {
  return Object.values(filters).some((value) => value !== '')
}

/** Leads to the first page. */
export function toQuery(filters: Partial<ListFilters>): string {
  const pairs = Object.entries(filters).filter(([, value]) => value !== '' && value !== customDates)
  return `?${new URLSearchParams(pairs)}`
}

/** The `created_at` parameter of list requests: from, and to if limited. */
export function toTimeRange({ time, from, to }: ListFilters, now: number): string[] {
  const period = periods[time]
  if (period) return [new Date(now - period.days * dayMs).toISOString()]
  if (to !== '') return [from || '1970-01-01', to]
  return from === '' ? [] : [from]
}

function parseDate(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
}
