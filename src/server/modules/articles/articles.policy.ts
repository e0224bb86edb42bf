import type { Viewer } from '#server/context.ts'

interface Written {
  user_id: number
  status: number
  deleted_at: number | null
}

/** Whether a viewer may know of an article. What is in the recycle bin is only there. */
export function canSee(viewer: Viewer, article: Written): boolean {
  if (article.deleted_at !== null) return false
  return isPublic(article) || owns(viewer, article) || judges(viewer)
}

export function isPublic({ status, deleted_at }: Pick<Written, 'status' | 'deleted_at'>): boolean {
  return deleted_at === null && status === 1
}

/** Everybody could read it before it was deleted, so everybody may know that it was. */
export function wasPublic({ status, deleted_at }: Pick<Written, 'status' | 'deleted_at'>): boolean {
  return deleted_at !== null && isPublic({ status, deleted_at: null })
}

export function owns(viewer: Viewer, { user_id }: Pick<Written, 'user_id'>): boolean {
  return viewer.id !== 0 && viewer.id === user_id
}

/** Sees what waits for review and what was rejected, whoever wrote it. */
export function judges(viewer: Viewer): boolean {
  return viewer.can('ArticleAPI/ListArticle') || viewer.can('ArticleAPI/GetArticle')
}

/** What a member writes is reviewed, unless they manage articles or a group that lets them write trusts them. */
export function isReviewed(viewer: Viewer): boolean {
  if (manages(viewer)) return false
  const letting = viewer.groups.filter(({ enable_article }) => enable_article)
  return letting.every(({ enable_article_approval }) => enable_article_approval === 1)
}

export function manages(viewer: Viewer): boolean {
  return viewer.can('ArticleAPI/CreateArticle') || viewer.can('ArticleAPI/UpdateArticle')
}
