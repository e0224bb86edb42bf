import { publicStatuses } from '#shared/document-status.ts'
import { previewPages } from '#shared/preview.ts'
import type { Ctx, Viewer } from '#server/context.ts'

interface Owned {
  user_id: number
  status: number
  deleted_at: number | null
}

/** Whether a viewer may know of a document. What is in the recycle bin is only there. */
export function canSee(viewer: Viewer, document: Owned): boolean {
  if (document.deleted_at !== null) return false
  if (isPublic(document)) return true
  return owns(viewer, document) || viewer.can('DocumentAPI/ListDocument')
}

/** Nothing about the document itself keeps anybody away; the site may. */
export function isPublic({ status, deleted_at }: Pick<Owned, 'status' | 'deleted_at'>): boolean {
  return deleted_at === null && (publicStatuses as readonly number[]).includes(status)
}

/** Everybody could see it before it was deleted, so everybody may know that it was. */
export function wasPublic({ status, deleted_at }: Pick<Owned, 'status' | 'deleted_at'>): boolean {
  return deleted_at !== null && isPublic({ status, deleted_at: null })
}

/** May read beyond what visitors may look at: it is theirs, or theirs to judge. */
export function readsAll(viewer: Viewer, document: Pick<Owned, 'user_id'>): boolean {
  return owns(viewer, document) || viewer.can('DocumentAPI/GetDocument')
}

/** How many pages this viewer may look at, by the limits of this moment. */
export function previewOf(
  { viewer, settings }: Pick<Ctx, 'viewer' | 'settings'>,
  document: { user_id: number; pages: number },
): number {
  return readsAll(viewer, document) ? document.pages : previewPages(document.pages, settings.converter)
}

/**
 * Whether no page is withheld from this viewer: `made` is how many its content has. Without pages of its own yet a document
 * withholds all of them, though others with the same content may have been read long ago.
 */
export function readsEveryPage(
  ctx: Pick<Ctx, 'viewer' | 'settings'>,
  { user_id, pages }: { user_id: number; pages: number },
  made: number,
): boolean {
  const most = Math.max(pages, made)
  return readsAll(ctx.viewer, { user_id }) || (pages > 0 && previewOf(ctx, { user_id, pages: most }) >= most)
}

export function owns(viewer: Viewer, { user_id }: Pick<Owned, 'user_id'>): boolean {
  return viewer.id !== 0 && viewer.id === user_id
}

/** What a member uploads or rewrites is reviewed, unless one of their groups is trusted. */
export function isReviewed(viewer: Viewer): boolean {
  return viewer.groups.every(({ enable_document_review }) => enable_document_review === 1)
}
