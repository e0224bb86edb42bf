import { kindFilters, type KindFilter } from '#shared/document-kinds.ts'
import { languageIn, oneOf, queryString } from '#web/features/documents/browse/address.ts'
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

export function readQuery(params: URLSearchParams): ListQuery {
  return {
    ext: oneOf(kindFilters, params.get('ext')) ?? '',
    fee: oneOf(fees, params.get('fee_type')) ?? '',
    language: languageIn(params),
    sort: oneOf(sorts, params.get('sort')) ?? 'default',
    page: pageOf(params),
  }
}

/** The query with something changed, as it stands in an address. Whatever changes, one begins at the first page. */
export function searchWith(query: ListQuery, change: Partial<ListQuery> = {}): string {
  const { ext, fee, language, sort, page } = { ...query, page: 1, ...change }
  return queryString({
    ext,
    fee_type: fee,
    language,
    sort: sort === 'default' ? '' : sort,
    page: page > 1 ? String(page) : '',
  })
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
