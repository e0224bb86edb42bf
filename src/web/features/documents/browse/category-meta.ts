import type { MetaDescriptor } from 'react-router'
import { hasFilters, toQuery, type ListQuery } from '#web/features/documents/browse/list-query.ts'
import { categoryPath } from '#web/domain/paths.ts'
import { absoluteUrls, breadcrumbList, pageMeta, type SeoSite } from '#web/domain/seo.ts'

interface CategoryPage {
  /** From the root to the category; empty for all categories. */
  path: readonly { id: number; title: string; description: string; cover: string }[]
  query: ListQuery
  /** The number of documents on this page. */
  rows: number
  /** The address without a query. */
  listPath: string
  /** Of the list of all categories. */
  title: string
}

/** The canonical address leaves out filters and order. */
export function categoryMeta(
  { path, query, rows, listPath, title }: CategoryPage,
  site: SeoSite | undefined,
): MetaDescriptor[] {
  const absolute = absoluteUrls(site?.settings.system.domain ?? '')
  const category = path.at(-1)
  const isPlain = !hasFilters(query) && query.sort === 'default'
  const search = isPlain ? toQuery(query, { page: query.page }) : ''
  const steps = [
    { name: '首页', path: '/' },
    path.length > 0 ? { name: '全部分类', path: categoryPath() } : { name: title, path: listPath },
    ...path.map(({ id, title }) => ({ name: title, path: categoryPath({ id }) })),
  ]
  const names = path.map(({ title }) => title).toReversed()
  const pageSuffix = query.page > 1 ? `（第 ${query.page} 页）` : ''
  return [
    ...pageMeta(site, {
      title: (names.join(' – ') || title) + pageSuffix,
      description: category?.description ?? '',
      path: listPath + search,
      image: category?.cover ?? '',
      isHidden: query.page > 1 && rows === 0,
    }),
    breadcrumbList(steps, absolute),
  ]
}
