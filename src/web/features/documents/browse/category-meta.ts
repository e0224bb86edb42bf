import type { MetaDescriptor } from 'react-router'
import { categoryAddress } from '#web/features/documents/browse/category-address.ts'
import { isNarrowed, searchWith, type ListQuery } from '#web/features/documents/browse/list-query.ts'

interface Described {
  /** From the root to the category; empty for all of them. */
  path: readonly { id: number; title: string }[]
  query: ListQuery
}

/** One address for each page of a category; narrowed or sorted lists are views of it. */
export function categoryMeta({ path, query }: Described, domain: string): MetaDescriptor[] {
  const absolute = (address: string) => domain.replace(/\/+$/, '') + address
  const here = path.at(-1)
  const isPlain = !isNarrowed(query) && query.sort === 'default'
  const search = isPlain ? searchWith(query, { page: query.page }) : ''
  const steps = [
    { name: '首页', address: '/' },
    { name: '全部分类', address: '/category' },
    ...path.map(({ id, title }) => ({ name: title, address: categoryAddress({ id }) })),
  ]
  return [
    { tagName: 'link', rel: 'canonical', href: absolute(categoryAddress(here) + search) },
    {
      'script:ld+json': {
        '@context': 'https://schema.org',
        '@type': 'BreadcrumbList',
        itemListElement: steps.map(({ name, address }, place) => ({
          '@type': 'ListItem',
          position: place + 1,
          name,
          item: absolute(address),
        })),
      },
    },
  ]
}
