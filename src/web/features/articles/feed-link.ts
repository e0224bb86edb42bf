import type { MetaDescriptor } from 'react-router'

/** The feed of a category or an author; the shell links the feed of all articles. */
export function feedLink(source: { category: number } | { user: number }, name: string): MetaDescriptor {
  const query = 'category' in source ? `category_id=${source.category}` : `user_id=${source.user}`
  return {
    tagName: 'link',
    rel: 'alternate',
    type: 'application/atom+xml',
    title: `最新文章 · ${name}`,
    href: `/feed/article?${query}`,
  }
}
