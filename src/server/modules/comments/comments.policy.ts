import { ReviewStatus, Punishment } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { MemberCtx, Viewer } from '#server/context.ts'
import { assertNotPunished } from '#server/modules/access/access.policy.ts'

/** Members of groups that may comment, unless a punishment forbids it. */
export function assertCanComment(ctx: MemberCtx): void {
  assertNotPunished(ctx, Punishment.Disabled, Punishment.NoComment)
  if (!ctx.viewer.groups.some(({ enable_comment }) => enable_comment)) throw errors.comments.denied()
}

/** Comments are reviewed unless their author reviews comments, or is in a group that may comment without review. */
export function isReviewed(viewer: Viewer): boolean {
  if (viewer.can('CommentAPI/CheckComment') || viewer.isTrusted) return false
  const groups = viewer.groups.filter(({ enable_comment }) => enable_comment)
  return groups.every(({ enable_comment_approval }) => enable_comment_approval === 1)
}

/** Approved, or pending and the viewer's own. */
export function canSee(viewer: Viewer, { status, user_id }: { status: ReviewStatus; user_id: number }): boolean {
  return (
    status === ReviewStatus.Approved || (status === ReviewStatus.Pending && viewer.id !== 0 && user_id === viewer.id)
  )
}
