import type { ExpressionBuilder } from 'kysely'
import type { comments } from '#shared/contract/social.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx, Viewer } from '#server/context.ts'
import { among } from '#server/db/in-list.ts'
import { listRows } from '#server/db/list.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { type CommentRow, presentComments } from './comments.present.ts'
import { withoutIdlePlaces } from './comments.removal.ts'
import { isSeenBy } from './comments.visibility.ts'
import { getTarget } from './comments.targets.ts'

const sizes = { min: 1, max: 50, default: 20 }
/** So many answers of a thread are shown: the latest, so that everybody sees what was just said. */
const mostAnswers = 200

/** What was said of a document or article, thread by thread, with one's own that still wait for review. */
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
    .where((where) => opens(where, ctx.viewer))
  const { total, rows } = await listRows(
    query,
    { page, size, wd: '', order: '' },
    { order: [['id', order === 'oldest' ? 'asc' : 'desc']], sizes },
  )
  const answers = await answersTo(ctx, rows)
  const presented = await presentComments(ctx, [...rows, ...answers])
  const roots = presented.slice(0, rows.length)
  const rootIds = new Map(answers.map(({ id, root_id }) => [id, root_id]))
  const replies = Map.groupBy(presented.slice(rows.length), ({ id }) => rootIds.get(id))
  return { total, shown, comment: roots.map((root) => ({ ...root, reply: replies.get(root.id) ?? [] })) }
}

/** A thread is opened by what the viewer sees, or by the empty place of what was deleted, if there is an answer to see. */
function opens(where: ExpressionBuilder<Tables, 'comment'>, viewer: Viewer) {
  const answer = where
    .selectFrom('comment as answer')
    .select('answer.id')
    .whereRef('answer.root_id', '=', 'comment.id')
    .where('answer.is_deleted', '=', 0)
    .where((where) =>
      where.or([
        where('answer.status', 'not in', [0, 2]),
        where.and([where('answer.status', '=', 0), where('answer.user_id', '=', viewer.id)]),
      ]),
    )
  return where.or([
    where.and([where('is_deleted', '=', 0), isSeenBy(viewer, where)]),
    where.and([where('is_deleted', '=', 1), where.exists(answer)]),
  ])
}

/** Of each thread the latest that say something, and the empty places above them. The oldest first. */
async function answersTo({ db, viewer }: Ctx, roots: readonly CommentRow[]): Promise<CommentRow[]> {
  const [first, ...others] = roots.map(({ id }) => latestAnswers(db, viewer, id))
  if (!first) return []
  const said = await others.reduce((all, some) => all.unionAll(some), first).execute()
  const places = await placesAbove(db, viewer, said)
  return withoutIdlePlaces([...places, ...said]).toSorted((a, b) => a.id - b.id)
}

function latestAnswers(db: Db, viewer: Viewer, rootId: number) {
  const some = db
    .selectFrom('comment')
    .selectAll()
    .where('root_id', '=', rootId)
    .whereRef('id', '<>', 'root_id')
    .where('is_deleted', '=', 0)
    .where((where) => isSeenBy(viewer, where))
    .orderBy('id', 'desc')
    .limit(mostAnswers)
  return db.selectFrom(some.as('thread')).selectAll()
}

/** What was answered and then deleted, and what that had answered in turn. */
async function placesAbove(db: Db, viewer: Viewer, answers: readonly CommentRow[]): Promise<CommentRow[]> {
  const parents = answers.filter((row) => row.parent_id !== row.root_id).map(({ parent_id }) => parent_id)
  if (parents.length === 0) return []
  return db
    .withRecursive('place', (with_) =>
      with_
        .selectFrom('comment')
        .select(['id', 'parent_id'])
        .where(among(db, 'id', parents))
        .where('is_deleted', '=', 1)
        .union(
          with_
            .selectFrom('comment')
            .innerJoin('place', 'place.parent_id', 'comment.id')
            .select(['comment.id', 'comment.parent_id'])
            .where('comment.is_deleted', '=', 1),
        ),
    )
    .selectFrom('comment')
    .selectAll()
    .where('id', 'in', (where) => where.selectFrom('place').select('place.id'))
    .whereRef('id', '<>', 'root_id')
    .where((where) => isSeenBy(viewer, where))
    .execute()
}
