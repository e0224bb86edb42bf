import { errors } from '#shared/errors.ts'
import type { MemberCtx, Viewer } from '#server/context.ts'
import { refusePunished } from '#server/modules/access/access.policy.ts'

/** Members of groups that may comment, unless a punishment keeps them from it. */
export function refuseCommenter(ctx: MemberCtx): void {
  refusePunished(ctx, 1, 2)
  if (!ctx.viewer.groups.some(({ enable_comment }) => enable_comment)) throw errors.comments.denied()
}

/** What a member says is reviewed, unless one of the groups that let them comment trusts them, or they are the ones who review. */
export function isReviewed(viewer: Viewer): boolean {
  if (viewer.can('CommentAPI/CheckComment')) return false
  const letting = viewer.groups.filter(({ enable_comment }) => enable_comment)
  return letting.every(({ enable_comment_approval }) => enable_comment_approval === 1)
}

/** Approved, or one's own that still waits. */
export function isSeen(viewer: Viewer, { status, user_id }: { status: number; user_id: number }): boolean {
  return status === 1 || (status === 0 && viewer.id !== 0 && user_id === viewer.id)
}
