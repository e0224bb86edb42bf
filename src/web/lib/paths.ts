/** Where what belongs to a category is listed; of all of them, if none is named. */
export function categoryPath(category?: { id: number; type?: number }): string {
  if (!category) return '/category'
  return category.type === 1 ? `/article?category_id=${category.id}` : `/category/${category.id}`
}

/** Where a document is read. */
export function documentPath({ uuid }: { uuid: string }): string {
  return `/document/${uuid}`
}

/** Where an article is read. */
export function articlePath({ identifier }: { identifier: string }): string {
  return `/article/${encodeURIComponent(identifier)}`
}
