import type { comments } from '#shared/contract/social.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { listRows, type ListRules } from '#server/db/list.ts'
import { type CommentRow, presentComments } from './comments.present.ts'
import { withoutIdlePlaces } from './comments.removal.ts'
import { isApproved } from './comments.visibility.ts'
import { ofVisibleTarget, visibleTargets } from './comments.targets.ts'

type Asked = Input<typeof comments.list>

/** Of one document or article all are given at once: so many, the latest. */
const mostOfOne = 1000
/** How far visitors may leaf, and how far it is counted for them. */
const deepest = 10_000

const forStaff: ListRules = {
  search: ['content'],
  order: [['id', 'desc']],
  sortable: ['created_at', 'updated_at', 'comment_count', 'status', 'user_id'],
}
const forVisitors: ListRules = { order: [['id', 'desc']], sizes: { min: 1, max: 100, default: 20 }, deepest }

/** Those who manage comments see all, members all of their own; others what is shown. Of what they may not see, nobody sees any. */
export async function listComments(ctx: Ctx, input: Asked): Promise<Reply<typeof comments.list>> {
  const isStaff = ctx.viewer.can('CommentAPI/ListComment')
  const { total, rows } = await (input.document_id > 0 ? wholeOf(ctx, input, isStaff) : pageOf(ctx, input, isStaff))
  return { total, comment: await presentComments(ctx, rows, { titles: input.with_document_title, ip: isStaff }) }
}

type Listed = Promise<{ total: number; rows: CommentRow[] }>

/** Paging is not asked for here: who shows a page of a document builds the threads themselves. */
async function wholeOf(ctx: Ctx, input: Asked, isStaff: boolean): Listed {
  const { document_id, type, order } = input
  const names = (type.length > 0 ? type : [0]).map((type) => ({ type, document_id }))
  const seen = isStaff ? names : await visibleTargets(ctx, names)
  if (seen.length === 0) return { total: 0, rows: [] }
  const types = seen.map((name) => name.type)
  const query = fitting(ctx, input, isStaff).where('document_id', '=', document_id).where('type', 'in', types)
  const rows = await query.orderBy('id', 'desc').limit(mostOfOne).execute()
  const shown = withoutIdlePlaces(rows)
  const total = rows.length < mostOfOne ? shown.length : await countFew(ctx, query)
  const oldestFirst = /^\s*(id|created_at)\s+asc\b/i.test(order)
  return { total, rows: oldestFirst ? shown.toReversed() : shown }
}

async function pageOf(ctx: Ctx, input: Asked, isStaff: boolean): Listed {
  // Empty places mean something only among the answers to them.
  let query = fitting(ctx, input, isStaff).where('is_deleted', '=', 0)
  if (input.type.length > 0) query = query.where('type', 'in', input.type)
  if (isStaff) return listRows(query, input, forStaff)
  const seen = query.where((where) => ofVisibleTarget(ctx.viewer, where))
  // Comments are as old as their numbers say, and by these they are found.
  const order = input.order.replaceAll('created_at', 'id')
  return listRows(seen, { ...input, order }, { ...forVisitors, count: () => countFew(ctx, seen) })
}

function fitting({ db, viewer }: Ctx, { user_id, parent_id, status }: Asked, isStaff: boolean) {
  let query = db.selectFrom('comment').selectAll()
  if (user_id > 0) query = query.where('user_id', '=', user_id)
  if (parent_id.length > 0) query = query.where('parent_id', 'in', parent_id)
  if (status.length > 0) query = query.where('status', 'in', status)
  if (isStaff || (viewer.id !== 0 && user_id === viewer.id)) return query
  // A value and not an existence: PostgreSQL would match all comments with all threads before it looks at a page.
  return query
    .where((where) => isApproved(where))
    .where(
      (where) => where.selectFrom('comment as root').select('root.status').whereRef('root.id', '=', 'comment.root_id'),
      '=',
      1,
    )
}

async function countFew({ db }: Ctx, query: ReturnType<typeof fitting>): Promise<number> {
  const few = query.clearSelect().select('id').limit(deepest).as('few')
  const counted = await db
    .selectFrom(few)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return counted.total
}
