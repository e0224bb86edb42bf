import { ContentType } from '#shared/enums.ts'
import { kindFilters, type KindFilter } from '#shared/document-kinds.ts'
import { fees, type Fee } from '#web/features/documents/browse/list-query.ts'
import { parseContentType, parseLanguage, parseKey, toQueryString } from '#web/features/lists/query-params.ts'
import { parsePage } from '#web/ui/navigation/pagination.tsx'

/** The words, filters, order and page of a search, as in the address. */
export interface SearchQuery {
  words: string
  type: ContentType
  ext: KindFilter | ''
  fee: Fee
  /** 0 for all. */
  category: number
  language: string
  sort: SearchSort
  duration: Duration
  page: number
}

export type SearchSort = { [T in ContentType]: keyof (typeof searchSorts)[T] }[ContentType]
export type Duration = keyof typeof durations

/** The page size of the API. */
export const hitsPerPage = 10

export const searchSorts = {
  [ContentType.Document]: { default: '综合', latest: '最新', pages: '页数', size: '大小' },
  [ContentType.Article]: { default: '综合', latest: '最新', view_count: '浏览', comment_count: '评论' },
}

export const durations = {
  all: { title: '全部', days: 0 },
  day: { title: '一天', days: 1 },
  week: { title: '一周', days: 7 },
  month: { title: '一月', days: 30 },
  quarter: { title: '三月', days: 90 },
  half: { title: '半年', days: 183 },
  year: { title: '一年', days: 365 },
}

const maxWordsLength = 200

/** The query keys of the address. */
export const searchQueryKeys = ['wd', 'type', 'ext', 'fee_type', 'category_id', 'language', 'sort', 'duration', 'page']

export function parseSearch(params: URLSearchParams): SearchQuery {
  const category = params.get('category_id') ?? ''
  const type = parseContentType(params)
  const sorts: Partial<Record<SearchSort, string>> = searchSorts[type]
  return {
    words: (params.get('wd') ?? '').trim().slice(0, maxWordsLength).toWellFormed(),
    type,
    ...parseFileFilters(type, params),
    category: /^[1-9]\d{0,14}$/.test(category) ? Number(category) : 0,
    sort: parseKey(sorts, params.get('sort')) ?? 'default',
    duration: parseKey(durations, params.get('duration')) ?? 'all',
    page: parsePage(params),
  }
}

/** Only documents have a format, a price and a language. */
function parseFileFilters(type: ContentType, params: URLSearchParams): Pick<SearchQuery, 'ext' | 'fee' | 'language'> {
  if (type === ContentType.Article) return { ext: '', fee: '', language: '' }
  return {
    ext: parseKey(kindFilters, params.get('ext')) ?? '',
    fee: parseKey(fees, params.get('fee_type')) ?? '',
    language: parseLanguage(params),
  }
}

/** The address of the changed search. Any change leads to the first page. */
export function searchUrl(query: SearchQuery, change: Partial<SearchQuery> = {}): string {
  const { words, type, ext, fee, category, language, sort, duration, page } = { ...query, page: 1, ...change }
  const params = toQueryString({
    wd: words,
    type: String(type),
    ext,
    fee_type: fee,
    category_id: category > 0 ? String(category) : '',
    language,
    sort: sort === 'default' ? '' : sort,
    duration: duration === 'all' ? '' : duration,
    page: page > 1 ? String(page) : '',
  })
  return `/search${params}`
}

const unfiltered = { ext: '', fee: '', category: 0, language: '', duration: 'all' } as const

export function withoutFilters(query: SearchQuery): string {
  return searchUrl(query, unfiltered)
}

export function countFilters({ ext, fee, category, language, duration }: SearchQuery): number {
  return [ext !== '', fee !== '', category > 0, language !== '', duration !== 'all'].filter(Boolean).length
}

export function toDocumentRequest(
  { words, ext, fee, category, language, sort, duration, page }: SearchQuery,
  now: number,
) {
  const { days } = durations[duration]
  return {
    wd: words,
    page,
    ext,
    fee_type: fee,
    category_id: category > 0 ? [category] : [],
    language: language === '' ? [] : [language],
    sort: sort === 'default' ? '' : sort,
    created_at: days > 0 ? [new Date(now - days * dayMs).toISOString()] : [],
  }
}

export function toArticleRequest(query: SearchQuery, now: number) {
  const { ext: _ext, fee_type: _fee, language: _language, ...request } = toDocumentRequest(query, now)
  return request
}

const dayMs = 86_400_000
