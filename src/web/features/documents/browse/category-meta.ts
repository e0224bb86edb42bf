import type { MetaDescriptor } from 'react-router'
import { isNarrowed, searchWith, type ListQuery } from '#web/features/documents/browse/list-query.ts'
import { categoryPath } from '#web/lib/paths.ts'
import { absoluteOn, breadcrumbList } from '#web/lib/seo.ts'

interface Described {
  /** From the root to the category; empty for all of them. */
  path: readonly { id: number; title: string }[]
  query: ListQuery
}

/** One address for each page of a category; narrowed or sorted lists are views of it. */
export function categoryMeta({ path, query }: Described, domain: string): MetaDescriptor[] {
  const absolute = absoluteOn(domain)
  const here = path.at(-1)
  const isPlain = !isNarrowed(query) && query.sort === 'default'
  const search = isPlain ? searchWith(query, { page: query.page }) : ''
  const steps = [
    { name: '首页', path: '/' },
    { name: '全部分类', path: categoryPath() },
    ...path.map(({ id, title }) => ({ name: title, path: categoryPath({ id }) })),
  ]
  return [
    { tagName: 'link', rel: 'canonical', href: absolute(categoryPath(here) + search) },
    breadcrumbList(steps, absolute),
  ]
}
