import { kindFilters, type KindFilter } from '#shared/document-kinds.ts'
import { languageIn, oneOf, queryString } from '#web/features/documents/browse/address.ts'
import { pageOf } from '#web/ui/pagination.tsx'

/** What is looked for, narrowed to and sorted by. All of it stands in the address. */
export interface SearchQuery {
  words: string
  /** 0 for documents, 1 for articles. */
  type: 0 | 1
  ext: KindFilter | ''
  /** 0 for all. */
  category: number
  language: string
  sort: SearchSort
  duration: Duration
  page: number
}

export type SearchSort = keyof (typeof searchSorts)[0] | keyof (typeof searchSorts)[1]
export type Duration = keyof typeof durations

/** As many as the interface gives at a time. */
export const foundPerPage = 10

/** By what is looked for. */
export const searchSorts = [
  { default: '综合', latest: '最新', pages: '页数', size: '大小' },
  { default: '综合', latest: '最新', view_count: '浏览', comment_count: '评论' },
] as const

export const durations = {
  all: { title: '全部', days: 0 },
  day: { title: '一天', days: 1 },
  week: { title: '一周', days: 7 },
  month: { title: '一月', days: 31 },
  quarter: { title: '三月', days: 92 },
  half: { title: '半年', days: 183 },
  year: { title: '一年', days: 366 },
}

const longestWords = 200

export function readSearch(params: URLSearchParams): SearchQuery {
  const category = params.get('category_id') ?? ''
  const type = params.get('type') === '1' ? 1 : 0
  const sorts: Partial<Record<SearchSort, string>> = searchSorts[type]
  return {
    words: (params.get('wd') ?? '').trim().slice(0, longestWords).toWellFormed(),
    type,
    ...filesIn(type, params),
    category: /^[1-9]\d{0,14}$/.test(category) ? Number(category) : 0,
    sort: oneOf(sorts, params.get('sort')) ?? 'default',
    duration: oneOf(durations, params.get('duration')) ?? 'all',
    page: pageOf(params),
  }
}

/** Only documents have a format and a language. */
function filesIn(type: 0 | 1, params: URLSearchParams): Pick<SearchQuery, 'ext' | 'language'> {
  if (type === 1) return { ext: '', language: '' }
  return { ext: oneOf(kindFilters, params.get('ext')) ?? '', language: languageIn(params) }
}

/** The address of the search with something changed. Whatever changes, one begins at the first page. */
export function searchAddress(query: SearchQuery, change: Partial<SearchQuery> = {}): string {
  const { words, type, ext, category, language, sort, duration, page } = { ...query, page: 1, ...change }
  const address = queryString({
    wd: words,
    type: String(type),
    ext,
    category_id: category > 0 ? String(category) : '',
    language,
    sort: sort === 'default' ? '' : sort,
    duration: duration === 'all' ? '' : duration,
    page: page > 1 ? String(page) : '',
  })
  return `/search${address}`
}

const unfiltered = { ext: '', category: 0, language: '', duration: 'all' } as const

/** The same words among everything. */
export function withoutFilters(query: SearchQuery): string {
  return searchAddress(query, unfiltered)
}

export function countFilters({ ext, category, language, duration }: SearchQuery): number {
  return [ext !== '', category > 0, language !== '', duration !== 'all'].filter(Boolean).length
}

/** The same, as the interface is asked for documents. */
export function askOf({ words, ext, category, language, sort, duration, page }: SearchQuery, now: number) {
  const { days } = durations[duration]
  return {
    wd: words,
    page,
    ext,
    category_id: category > 0 ? [category] : [],
    language: language === '' ? [] : [language],
    sort: sort === 'default' ? '' : sort,
    created_at: days > 0 ? [new Date(now - days * dayMs).toISOString()] : [],
  }
}

export function askForArticles(query: SearchQuery, now: number) {
  const { ext: _ext, language: _language, ...asked } = askOf(query, now)
  return asked
}

const dayMs = 86_400_000
