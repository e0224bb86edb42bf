import type { MetaDescriptor } from 'react-router'
import { addressWith, type ArticleQuery } from '#web/features/articles/browse/article-query.ts'
import { feedLink } from '#web/features/articles/feed-link.ts'
import { absoluteOn, breadcrumbList, pageMeta, type Known } from '#web/lib/seo.ts'

interface Described {
  /** From the root to the category; empty for all of them. */
  path: readonly { id: number; title: string; description: string; cover: string }[]
  query: ArticleQuery
  /** How many are on this page. */
  rows: number
}

/** One address for each page of a category; the list in another order is a view of it. */
export function articleListMeta({ path, query, rows }: Described, site: Known | undefined): MetaDescriptor[] {
  const absolute = absoluteOn(site?.settings.system.domain ?? '')
  const to = (category: number, page = 1) => addressWith({ category, tab: 'latest', page: 1 }, { page })
  const steps = [
    { name: '首页', path: '/' },
    { name: '文章', path: '/article' },
    ...path.map(({ id, title }) => ({ name: title, path: to(id) })),
  ]
  const here = path.at(-1)
  const page = query.tab === 'latest' ? query.page : 1
  const turned = query.page > 1 ? `（第 ${query.page} 页）` : ''
  return [
    ...pageMeta(site, {
      title: [...path.map(({ title }) => title).toReversed(), '文章'].join(' – ') + turned,
      description: here?.description ?? '',
      path: to(query.category, page),
      image: here?.cover ?? '',
      isHidden: query.page > 1 && rows === 0,
    }),
    ...(here ? [feedLink({ category: here.id }, here.title)] : []),
    breadcrumbList(steps, absolute),
  ]
}
