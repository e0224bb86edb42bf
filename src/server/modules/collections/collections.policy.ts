import { CollectionVisibility } from '#shared/collections.ts'
import { Punishment, ReviewStatus } from '#shared/enums.ts'
import type { MemberCtx, Viewer } from '#server/context.ts'
import { assertNotPunished } from '#server/modules/access/access.policy.ts'
import { isReviewed as isCommentReviewed } from '#server/modules/comments/comments.policy.ts'

interface CollectionAccess {
  user_id: number
  visibility: CollectionVisibility
  status: ReviewStatus
}

/** Whether a viewer who knows its address may read a collection. */
export function canSee(viewer: Viewer, collection: CollectionAccess): boolean {
  if (owns(viewer, collection) || seesAll(viewer)) return true
  return collection.status === ReviewStatus.Approved && collection.visibility !== CollectionVisibility.Private
}

/** In lists for everyone; it can be followed. */
export function isPublic({ status, visibility }: Omit<CollectionAccess, 'user_id'>): boolean {
  return status === ReviewStatus.Approved && visibility === CollectionVisibility.Public
}

export function owns(viewer: Viewer, { user_id }: Pick<CollectionAccess, 'user_id'>): boolean {
  return viewer.id !== 0 && viewer.id === user_id
}

/** Staff who decide about collections. */
export function seesAll(viewer: Viewer): boolean {
  return viewer.can('CollectionAPI/ListCollection') || viewer.can('CollectionAPI/CheckCollection')
}

/** What others read is a public text as a comment is; a collection for oneself is like a favorite. */
export function assertCanWrite(ctx: MemberCtx, visibility: CollectionVisibility): void {
  if (visibility === CollectionVisibility.Private) assertNotPunished(ctx, Punishment.Disabled)
  else assertNotPunished(ctx, Punishment.Disabled, Punishment.NoComment)
}

export function assertCanCollect(ctx: MemberCtx): void {
  assertNotPunished(ctx, Punishment.Disabled, Punishment.NoFavorite)
}

/** Members whose comments are reviewed have the texts of their collections reviewed. */
export function isReviewed(viewer: Viewer): boolean {
  return !viewer.can('CollectionAPI/CheckCollection') && isCommentReviewed(viewer)
}

/** The status after its owner has written a new text; a rejected collection is reviewed again after any edit. */
export function statusAfterEdit(
  viewer: Viewer,
  { status, isRewritten }: { status: ReviewStatus; isRewritten: boolean },
): ReviewStatus {
  if (status === ReviewStatus.Rejected) return ReviewStatus.Pending
  return isRewritten && isReviewed(viewer) ? ReviewStatus.Pending : status
}
