import { DocumentStatus } from '#shared/document-status.ts'
import { kindFilters, type KindFilter } from '#shared/document-kinds.ts'
import { parseLanguage, parseKey, toQueryString } from '#web/features/lists/query-params.ts'
import { parsePage } from '#web/ui/navigation/pagination.tsx'

/** The filters, order and page of a list of documents, as in the address. */
export interface ListQuery {
  ext: KindFilter | ''
  fee: Fee
  language: string
  sort: Sort
  page: number
}

export type Fee = '' | 'free' | 'charge' | 'vip'
export type Sort = keyof typeof sorts

export const pageSize = 10

/** The API returns no rows beyond this. */
const maxReachable = 10_000

export const fees: Record<Fee, string> = { '': '全部', free: '免费', charge: '付费', vip: 'VIP' }

/** VIP is a choice only where the owner sells it. */
export function offeredFees({ vip }: { vip: { enable: boolean } }): [Fee, string][] {
  const all = Object.entries(fees) as [Fee, string][]
  return all.filter(([fee]) => fee !== 'vip' || vip.enable)
}

/** The default order lists converted documents only; the others list all. */
export const sorts = {
  default: { title: '默认', order: 'id desc', status: [DocumentStatus.Converted] },
  latest: { title: '最新', order: 'id desc', status: [] },
  view: { title: '浏览', order: 'view_count desc', status: [] },
  recommend: { title: '推荐', order: 'recommend_at desc', status: [] },
  favorite: { title: '收藏', order: 'favorite_count desc', status: [] },
  download: { title: '下载', order: 'download_count desc', status: [] },
  pages: { title: '页数', order: 'pages desc', status: [] },
} satisfies Record<string, { title: string; order: string; status: DocumentStatus[] }>

/** The query keys of the address. */
export const listQueryKeys = ['ext', 'fee_type', 'language', 'sort', 'page']

export function parseListQuery(params: URLSearchParams): ListQuery {
  return {
    ext: parseKey(kindFilters, params.get('ext')) ?? '',
    fee: parseKey(fees, params.get('fee_type')) ?? '',
    language: parseLanguage(params),
    sort: parseKey(sorts, params.get('sort')) ?? 'default',
    page: parsePage(params),
  }
}

/** The changed query. Any change leads to the first page. */
export function toQuery(query: ListQuery, change: Partial<ListQuery> = {}): string {
  const { ext, fee, language, sort, page } = { ...query, page: 1, ...change }
  return toQueryString({
    ext,
    fee_type: fee,
    language,
    sort: sort === 'default' ? '' : sort,
    page: page > 1 ? String(page) : '',
  })
}

export function hasFilters({ ext, fee, language }: ListQuery): boolean {
  return ext !== '' || fee !== '' || language !== ''
}

export function toRequest({ ext, fee, language, sort, page }: ListQuery, category: number | undefined) {
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

export function reachableTotal(total: number): number {
  return Math.min(total, maxReachable)
}
