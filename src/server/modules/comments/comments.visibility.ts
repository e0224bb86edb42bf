import type { ExpressionBuilder } from 'kysely'
import type { Viewer } from '#server/context.ts'
import type { Tables } from '#server/db/tables.ts'

type Where = ExpressionBuilder<Tables, 'comment'>

/** Said by what is left out: nearly all comments are approved, so an index over the status would only make a detour. */
export function isApproved(where: Where) {
  return where('status', 'not in', [0, 2])
}

/** `isSeen`, for lists. Empty places belong to nobody, and neither does anything to who is not logged in. */
export function isSeenBy(viewer: Viewer, where: Where) {
  if (viewer.id === 0) return isApproved(where)
  return where.or([isApproved(where), where.and([where('status', '=', 0), where('user_id', '=', viewer.id)])])
}
