import type { MetaDescriptor } from 'react-router'
import { addressWith, type ArticleQuery } from '#web/features/articles/browse/article-query.ts'
import { feedLink } from '#web/features/articles/feed-link.ts'
import { absoluteOn, breadcrumbList } from '#web/lib/seo.ts'

interface Described {
  /** From the root to the category; empty for all of them. */
  path: readonly { id: number; title: string }[]
  query: ArticleQuery
}

/** One address for each page of a category; the list in another order is a view of it. */
export function articleListMeta({ path, query }: Described, domain: string): MetaDescriptor[] {
  const absolute = absoluteOn(domain)
  const to = (category: number, page = 1) => addressWith({ category, tab: 'latest', page: 1 }, { page })
  const steps = [
    { name: '首页', path: '/' },
    { name: '文章', path: '/article' },
    ...path.map(({ id, title }) => ({ name: title, path: to(id) })),
  ]
  const here = path.at(-1)
  const page = query.tab === 'latest' ? query.page : 1
  return [
    { tagName: 'link', rel: 'canonical', href: absolute(to(query.category, page)) },
    ...(here ? [feedLink({ category: here.id }, here.title)] : []),
    breadcrumbList(steps, absolute),
  ]
}
