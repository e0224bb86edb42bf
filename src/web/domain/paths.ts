import { ContentType } from '#shared/enums.ts'

/** The list of a category; without one, of all categories. */
export function categoryPath(category?: { id: number; type?: ContentType }): string {
  if (!category) return '/category'
  return category.type === ContentType.Article ? `/article?category_id=${category.id}` : `/category/${category.id}`
}

export function documentPath({ uuid }: { uuid: string }): string {
  return `/document/${uuid}`
}

export function articlePath({ identifier }: { identifier: string }): string {
  return `/article/${encodeURIComponent(identifier)}`
}

export function collectionPath({ uuid }: { uuid: string }): string {
  return `/collection/${uuid}`
}

export function searchPath(words: string, type: ContentType = ContentType.Document): string {
  return `/search?${new URLSearchParams({ wd: words, type: String(type) })}`
}

export function announcementPath({ id }: { id: number }): string {
  return `/announcement/${id}`
}

export function topicPath({ id }: { id: number }): string {
  return `/topic/${id}`
}

/** The path of an address on the site's domain: this page may be open under another name, which serves the file too. */
export function downloadPath(url: string): string {
  return new URL(url, 'http://any').pathname
}
