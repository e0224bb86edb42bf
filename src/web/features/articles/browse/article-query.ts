import { ReviewStatus } from '#shared/enums.ts'
import { parsePage } from '#web/ui/navigation/pagination.tsx'

/** The category, order and page of the list of articles, as in the address. */
export interface ArticleQuery {
  /** 0 for all categories; -1 for an invalid one. */
  category: number
  tab: Tab
  page: number
}

export type Tab = 'latest' | 'popular'

export const pageSize = 10

export const tabs: Record<Tab, { title: string; order: string }> = {
  latest: { title: '最新', order: 'id desc' },
  popular: { title: '最热', order: 'view_count desc' },
}

/** The API returns no rows beyond this. */
const maxReachable = 100_000

/** The query keys of the address. */
export const articleQueryKeys = ['category_id', 'tab', 'page']

export function parseArticleQuery(params: URLSearchParams): ArticleQuery {
  return {
    category: parseCategory(params.get('category_id') ?? ''),
    tab: params.get('tab') === 'popular' ? 'popular' : 'latest',
    page: parsePage(params),
  }
}

/** An invalid category is not found, rather than all categories. */
function parseCategory(word: string): number {
  if (word === '' || word === '0') return 0
  return /^[1-9]\d{0,8}$/.test(word) ? Number(word) : -1
}

/** The address of the changed query. Any change leads to the first page. */
export function articleListPath(query: ArticleQuery, change: Partial<ArticleQuery> = {}): string {
  const { category, tab, page } = { ...query, page: 1, ...change }
  const params = new URLSearchParams()
  if (category > 0) params.set('category_id', String(category))
  if (tab !== 'latest') params.set('tab', tab)
  if (page > 1) params.set('page', String(page))
  return params.size > 0 ? `/article?${params}` : '/article'
}

export function toRequest({ category, tab, page }: ArticleQuery) {
  const { order } = tabs[tab]
  return { page, size: pageSize, order, status: [ReviewStatus.Approved], category_id: category > 0 ? [category] : [] }
}

export function reachableTotal(total: number): number {
  return Math.min(total, maxReachable)
}
