import type { MetaDescriptor } from 'react-router'
import { isNarrowed, searchWith, type ListQuery } from '#web/features/documents/browse/list-query.ts'
import { categoryPath } from '#web/lib/paths.ts'
import { absoluteOn, breadcrumbList, pageMeta, type Known } from '#web/lib/seo.ts'

interface Described {
  /** From the root to the category; empty for all of them. */
  path: readonly { id: number; title: string; description: string; cover: string }[]
  query: ListQuery
  /** How many are on this page. */
  rows: number
}

/** One address for each page of a category; narrowed or sorted lists are views of it. */
export function categoryMeta({ path, query, rows }: Described, site: Known | undefined): MetaDescriptor[] {
  const absolute = absoluteOn(site?.settings.system.domain ?? '')
  const here = path.at(-1)
  const isPlain = !isNarrowed(query) && query.sort === 'default'
  const search = isPlain ? searchWith(query, { page: query.page }) : ''
  const steps = [
    { name: '首页', path: '/' },
    { name: '全部分类', path: categoryPath() },
    ...path.map(({ id, title }) => ({ name: title, path: categoryPath({ id }) })),
  ]
  const names = path.map(({ title }) => title).toReversed()
  const turned = query.page > 1 ? `（第 ${query.page} 页）` : ''
  return [
    ...pageMeta(site, {
      title: (names.join(' – ') || '全部分类') + turned,
      description: here?.description ?? '',
      path: categoryPath(here) + search,
      image: here?.cover ?? '',
      isHidden: query.page > 1 && rows === 0,
    }),
    breadcrumbList(steps, absolute),
  ]
}
