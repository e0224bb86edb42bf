import { ReviewStatus } from '#shared/enums.ts'
import type { ExpressionBuilder } from 'kysely'
import type { comments } from '#shared/contract/comments.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx, Viewer } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { listRows } from '#server/db/list.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { type CommentRow, presentComments } from './comments.present.ts'
import { dropUnneededTombstones } from './comments.tombstones.ts'
import { isVisibleTo } from './comments.visibility.ts'
import { getTarget } from './comments.targets.ts'

const sizes = { min: 1, max: 50, default: 20 }
/** Per thread: the latest, so that a new reply is always in the list. */
const maxReplies = 200

/** The comments of a document or article by thread, with the viewer's own pending ones. */
export async function listThreads(
  ctx: Ctx,
  { document_id, type, page, size, order }: Input<typeof comments.threads>,
): Promise<Reply<typeof comments.threads>> {
  const { comment_count: shown } = await getTarget(ctx, { type, document_id })
  const query = ctx.db
    .selectFrom('comment')
    .selectAll()
    .where('type', '=', type)
    .where('document_id', '=', document_id)
    .whereRef('root_id', '=', 'id')
    .where((where) => isThreadVisible(where, ctx.viewer))
  const { total, rows } = await listRows(
    query,
    { page, size, wd: '', order: '' },
    { order: [['id', order === 'oldest' ? 'asc' : 'desc']], sizes },
  )
  const replyRows = await findReplies(ctx, rows)
  const presented = await presentComments(ctx, [...rows, ...replyRows])
  const roots = presented.slice(0, rows.length)
  const rootIds = new Map(replyRows.map(({ id, root_id }) => [id, root_id]))
  const replies = Map.groupBy(presented.slice(rows.length), ({ id }) => rootIds.get(id))
  return { total, shown, comment: roots.map((root) => ({ ...root, reply: replies.get(root.id) ?? [] })) }
}

/** A thread whose root the viewer may see, or whose root is a tombstone above a reply that the viewer may see. */
function isThreadVisible(where: ExpressionBuilder<Tables, 'comment'>, viewer: Viewer) {
  const reply = where
    .selectFrom('comment as reply')
    .select('reply.id')
    .whereRef('reply.root_id', '=', 'comment.id')
    .where('reply.is_deleted', '=', 0)
    .where((where) =>
      where.or([
        where('reply.status', 'not in', [ReviewStatus.Pending, ReviewStatus.Rejected]),
        where.and([where('reply.status', '=', ReviewStatus.Pending), where('reply.user_id', '=', viewer.id)]),
      ]),
    )
  return where.or([
    where.and([where('is_deleted', '=', 0), isVisibleTo(viewer, where)]),
    where.and([where('is_deleted', '=', 1), where.exists(reply)]),
  ])
}

/** The latest replies of each thread and the tombstones above them, the oldest first. */
async function findReplies({ db, viewer }: Ctx, roots: readonly CommentRow[]): Promise<CommentRow[]> {
  const [first, ...others] = roots.map(({ id }) => latestReplies(db, viewer, id))
  if (!first) return []
  const replies = await others.reduce((query, other) => query.unionAll(other), first).execute()
  const tombstones = await findTombstonesAbove(db, viewer, replies)
  return dropUnneededTombstones([...tombstones, ...replies]).toSorted((a, b) => a.id - b.id)
}

function latestReplies(db: Db, viewer: Viewer, rootId: number) {
  const latest = db
    .selectFrom('comment')
    .selectAll()
    .where('root_id', '=', rootId)
    .whereRef('id', '<>', 'root_id')
    .where('is_deleted', '=', 0)
    .where((where) => isVisibleTo(viewer, where))
    .orderBy('id', 'desc')
    .limit(maxReplies)
  return db.selectFrom(latest.as('thread')).selectAll()
}

/** Deleted parents of these replies, and their deleted ancestors. */
async function findTombstonesAbove(db: Db, viewer: Viewer, replies: readonly CommentRow[]): Promise<CommentRow[]> {
  const parentIds = replies.filter((row) => row.parent_id !== row.root_id).map(({ parent_id }) => parent_id)
  if (parentIds.length === 0) return []
  return db
    .withRecursive('tombstone', (with_) =>
      with_
        .selectFrom('comment')
        .select(['id', 'parent_id'])
        .where(inList(db, 'id', parentIds))
        .where('is_deleted', '=', 1)
        .union(
          with_
            .selectFrom('comment')
            .innerJoin('tombstone', 'tombstone.parent_id', 'comment.id')
            .select(['comment.id', 'comment.parent_id'])
            .where('comment.is_deleted', '=', 1),
        ),
    )
    .selectFrom('comment')
    .selectAll()
    .where('id', 'in', (where) => where.selectFrom('tombstone').select('tombstone.id'))
    .whereRef('id', '<>', 'root_id')
    .where((where) => isVisibleTo(viewer, where))
    .execute()
}
