import { publicStatuses, type DocumentStatus } from '#shared/document-status.ts'
import { Visibility } from '#shared/enums.ts'
import { previewPages } from '#shared/preview.ts'
import type { Ctx, Viewer } from '#server/context.ts'

/** What decides who may know of a document: see `visibility/visibility.policy.ts`. */
export interface DocumentAccess {
  user_id: number
  status: DocumentStatus
  visibility: Visibility
  deleted_at: number | null
}

/** Staff who see pending, rejected, disabled and private documents of all owners. */
export function seesUnpublished(viewer: Viewer): boolean {
  return viewer.can('DocumentAPI/ListDocument') || viewer.can('DocumentAPI/CheckDocument')
}

/** Whether viewers that it is meant for may see it, by its status. */
export function isPublished({ status, deleted_at }: Pick<DocumentAccess, 'status' | 'deleted_at'>): boolean {
  return deleted_at === null && (publicStatuses as readonly number[]).includes(status)
}

/** For everyone, by the document alone; the site may be closed or require a login. Counters count these. */
export function isPublic(document: Omit<DocumentAccess, 'user_id'>): boolean {
  return document.visibility === Visibility.Public && isPublished(document)
}

/** It was public before its deletion, so the deletion is no secret. */
export function wasPublic(document: Omit<DocumentAccess, 'user_id'>): boolean {
  return document.deleted_at !== null && isPublic({ ...document, deleted_at: null })
}

/** Its owner and reviewers: no limit is meant for them. */
export function oversees(viewer: Viewer, document: Pick<DocumentAccess, 'user_id'>): boolean {
  return owns(viewer, document) || viewer.can('DocumentAPI/GetDocument') || viewer.can('DocumentAPI/CheckDocument')
}

/** A document of which it is known whether this viewer has paid for it: see `documents.paid.ts`. */
export interface ReadDocument {
  user_id: number
  isPaidFor: boolean
}

/** Viewers who have paid for a document, or oversee it, read beyond the preview. */
export function readsAll(viewer: Viewer, document: ReadDocument): boolean {
  return document.isPaidFor || oversees(viewer, document)
}

/** How many pages this viewer may read, by the current preview limits. */
export function countVisiblePages(
  { viewer, settings }: Pick<Ctx, 'viewer' | 'settings'>,
  document: ReadDocument & { pages: number; price: number },
): number {
  return readsAll(viewer, document) ? document.pages : previewPages(document, settings)
}

/**
 * Whether no page is withheld from this viewer. A document that has no pages yet withholds all of them, even if its content
 * has been converted for another document.
 */
export function readsEveryPage(
  ctx: Pick<Ctx, 'viewer' | 'settings'>,
  document: ReadDocument & { pages: number; price: number },
  renditionPages: number,
): boolean {
  const allPages = Math.max(document.pages, renditionPages)
  return (
    readsAll(ctx.viewer, document) ||
    (document.pages > 0 && countVisiblePages(ctx, { ...document, pages: allPages }) >= allPages)
  )
}

/** Whether this viewer has to pay for the pages beyond the preview, and reads them then: also of what cannot be downloaded. */
export function sellsRest(
  ctx: Pick<Ctx, 'viewer' | 'settings'>,
  document: ReadDocument & { pages: number; price: number },
): boolean {
  const { pages, price } = document
  const isSold = price > 0 && ctx.settings.download.enable_paid_reading
  return isSold && pages > 0 && !readsEveryPage(ctx, document, pages)
}

export function owns(viewer: Viewer, { user_id }: Pick<DocumentAccess, 'user_id'>): boolean {
  return viewer.id !== 0 && viewer.id === user_id
}

/** Documents are reviewed unless their owner is in a group that publishes without review. */
export function isReviewed(viewer: Viewer): boolean {
  return !viewer.isTrusted && viewer.groups.every(({ enable_document_review }) => enable_document_review === 1)
}
