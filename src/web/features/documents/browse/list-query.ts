import { kindFilters, type KindFilter } from '#shared/document-kinds.ts'
import { pageOf } from '#web/ui/pagination.tsx'

/** What a list of documents is narrowed to and sorted by. All of it stands in the address. */
export interface ListQuery {
  ext: KindFilter | ''
  fee: Fee
  language: string
  sort: Sort
  page: number
}

export type Fee = '' | 'free' | 'charge'
export type Sort = keyof typeof sorts

export const pageSize = 10

/** Further than this nobody may leaf. */
const deepest = 10_000

export const fees: Record<Fee, string> = { '': '全部', free: '免费', charge: '付费' }

/** What can be read comes first; the other orders show everything that is there. */
export const sorts = {
  default: { title: '默认', order: 'id desc', status: [2] },
  latest: { title: '最新', order: 'id desc', status: [] },
  view: { title: '浏览', order: 'view_count desc', status: [] },
  recommend: { title: '推荐', order: 'recommend_at desc', status: [] },
  favorite: { title: '收藏', order: 'favorite_count desc', status: [] },
  download: { title: '下载', order: 'download_count desc', status: [] },
  pages: { title: '页数', order: 'pages desc', status: [] },
} satisfies Record<string, { title: string; order: string; status: number[] }>

/** What makes no sense in an address narrows nothing. */
export function readQuery(params: URLSearchParams): ListQuery {
  const word = (name: string) => params.get(name) ?? ''
  return {
    ext: oneOf(kindFilters, word('ext')) ?? '',
    fee: oneOf(fees, word('fee_type')) ?? '',
    language: /^[A-Za-z0-9-]{1,16}$/.test(word('language')) ? word('language') : '',
    sort: oneOf(sorts, word('sort')) ?? 'default',
    page: pageOf(params),
  }
}

/** The query with something changed, as it stands in an address. Whatever changes, one begins at the first page. */
export function searchWith(query: ListQuery, change: Partial<ListQuery> = {}): string {
  const { ext, fee, language, sort, page } = { ...query, page: 1, ...change }
  const pairs = [
    ['ext', ext],
    ['fee_type', fee],
    ['language', language],
    ['sort', sort === 'default' ? '' : sort],
    ['page', page > 1 ? String(page) : ''],
  ].filter(([, value]) => value !== '')
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}

export function isNarrowed({ ext, fee, language }: ListQuery): boolean {
  return ext !== '' || fee !== '' || language !== ''
}

/** The same, as the interface is asked. */
export function askOf({ ext, fee, language, sort, page }: ListQuery, category: number | undefined) {
  const { order, status } = sorts[sort]
  return {
    page,
    size: pageSize,
    order,
    status: [...status],
    ext,
    fee_type: fee,
    language: language === '' ? [] : [language],
    category_id: category === undefined ? [] : [category],
  }
}

export function reachable(total: number): number {
  return Math.min(total, deepest)
}

function oneOf<T extends object>(table: T, key: string): keyof T | undefined {
  return Object.hasOwn(table, key) ? (key as keyof T) : undefined
}
