import type { MetaDescriptor } from 'react-router'
import { articleListPath, type ArticleQuery } from '#web/features/articles/browse/article-query.ts'
import { feedLink } from '#web/features/articles/feed-link.ts'
import { absoluteUrls, breadcrumbList, pageMeta, type SeoSite } from '#web/domain/seo.ts'

interface ArticleListPage {
  /** From the root to the category; empty for all categories. */
  path: readonly { id: number; title: string; description: string; cover: string }[]
  query: ArticleQuery
  /** The number of articles on this page. */
  rows: number
}

/** The canonical address leaves out the order. */
export function articleListMeta({ path, query, rows }: ArticleListPage, site: SeoSite | undefined): MetaDescriptor[] {
  const absolute = absoluteUrls(site?.settings.system.domain ?? '')
  const to = (category: number, page = 1) => articleListPath({ category, tab: 'latest', page: 1 }, { page })
  const steps = [
    { name: '首页', path: '/' },
    { name: '文章', path: '/article' },
    ...path.map(({ id, title }) => ({ name: title, path: to(id) })),
  ]
  const category = path.at(-1)
  const page = query.tab === 'latest' ? query.page : 1
  const pageSuffix = query.page > 1 ? `（第 ${query.page} 页）` : ''
  return [
    ...pageMeta(site, {
      title: [...path.map(({ title }) => title).toReversed(), '文章'].join(' – ') + pageSuffix,
      description: category?.description ?? '',
      path: to(query.category, page),
      image: category?.cover ?? '',
      isHidden: query.page > 1 && rows === 0,
    }),
    ...(category ? [feedLink({ category: category.id }, category.title)] : []),
    breadcrumbList(steps, absolute),
  ]
}
