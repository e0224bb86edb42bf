import { ReviewStatus } from '#shared/enums.ts'
import type { ExpressionBuilder } from 'kysely'
import type { Viewer } from '#server/context.ts'
import type { Tables } from '#server/db/tables.ts'

type Where = ExpressionBuilder<Tables, 'comment'>

/** By exclusion: nearly all comments are approved, so that an index over the status would only cost. */
export function isApproved(where: Where) {
  return where('status', 'not in', [ReviewStatus.Pending, ReviewStatus.Rejected])
}

/** `canSee` as a condition for lists. A visitor's id is 0, as is the author's of a tombstone. */
export function isVisibleTo(viewer: Viewer, where: Where) {
  if (viewer.id === 0) return isApproved(where)
  return where.or([
    isApproved(where),
    where.and([where('status', '=', ReviewStatus.Pending), where('user_id', '=', viewer.id)]),
  ])
}
