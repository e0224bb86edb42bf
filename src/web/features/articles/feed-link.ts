import type { MetaDescriptor } from 'react-router'

/** Where programs learn of new articles, of a category or by a person; those of all are named on every page. */
export function feedLink(of: { category: number } | { user: number }, name: string): MetaDescriptor {
  const narrowed = 'category' in of ? `category_id=${of.category}` : `user_id=${of.user}`
  return {
    tagName: 'link',
    rel: 'alternate',
    type: 'application/atom+xml',
    title: `最新文章 · ${name}`,
    href: `/feed/article?${narrowed}`,
  }
}
