import { ReviewStatus } from '#shared/enums.ts'
import type { Viewer } from '#server/context.ts'

export interface ArticleAccess {
  user_id: number
  status: ReviewStatus
  deleted_at: number | null
}

/** Whether a viewer may know of an article. Articles in the recycle bin show nowhere else. */
export function canSee(viewer: Viewer, article: ArticleAccess): boolean {
  if (article.deleted_at !== null) return false
  return isPublic(article) || owns(viewer, article) || seesUnpublished(viewer)
}

export function isPublic({ status, deleted_at }: Pick<ArticleAccess, 'status' | 'deleted_at'>): boolean {
  return deleted_at === null && status === ReviewStatus.Approved
}

/** It was public before its deletion, so the deletion is no secret. */
export function wasPublic({ status, deleted_at }: Pick<ArticleAccess, 'status' | 'deleted_at'>): boolean {
  return deleted_at !== null && isPublic({ status, deleted_at: null })
}

export function owns(viewer: Viewer, { user_id }: Pick<ArticleAccess, 'user_id'>): boolean {
  return viewer.id !== 0 && viewer.id === user_id
}

/** Staff who see pending and rejected articles of all authors. */
export function seesUnpublished(viewer: Viewer): boolean {
  return (
    viewer.can('ArticleAPI/ListArticle') ||
    viewer.can('ArticleAPI/GetArticle') ||
    viewer.can('ArticleAPI/CheckArticles')
  )
}

/** Articles are reviewed unless their author manages articles, is trusted, or is in a group that may write without review. */
export function isReviewed(viewer: Viewer): boolean {
  if (canManage(viewer) || viewer.isTrusted) return false
  const groups = viewer.groups.filter(({ enable_article }) => enable_article)
  return groups.every(({ enable_article_approval }) => enable_article_approval === 1)
}

export function canManage(viewer: Viewer): boolean {
  return viewer.can('ArticleAPI/CreateArticle') || viewer.can('ArticleAPI/UpdateArticle')
}
