import { pageOf } from '#web/ui/pagination.tsx'

/** What the list of articles is narrowed to and sorted by. All of it stands in the address. */
export interface ArticleQuery {
  /** 0 for all of them; -1 where the address makes no sense. */
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

/** Further than this nobody may leaf. */
const deepest = 100_000

export function readQuery(params: URLSearchParams): ArticleQuery {
  return {
    category: categoryIn(params.get('category_id') ?? ''),
    tab: params.get('tab') === 'popular' ? 'popular' : 'latest',
    page: pageOf(params),
  }
}

/** An address that names no category there can be names none that is found, rather than all of them. */
function categoryIn(word: string): number {
  if (word === '' || word === '0') return 0
  return /^[1-9]\d{0,8}$/.test(word) ? Number(word) : -1
}

/** The query with something changed, as an address. Whatever changes, one begins at the first page. */
export function addressWith(query: ArticleQuery, change: Partial<ArticleQuery> = {}): string {
  const { category, tab, page } = { ...query, page: 1, ...change }
  const words = new URLSearchParams()
  if (category > 0) words.set('category_id', String(category))
  if (tab !== 'latest') words.set('tab', tab)
  if (page > 1) words.set('page', String(page))
  return words.size > 0 ? `/article?${words}` : '/article'
}

/** The same, as the interface is asked. */
export function askOf({ category, tab, page }: ArticleQuery) {
  const { order } = tabs[tab]
  return { page, size: pageSize, order, status: [1], category_id: category > 0 ? [category] : [] }
}

export function reachable(total: number): number {
  return Math.min(total, deepest)
}
