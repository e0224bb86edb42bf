import { ContentType, ReviewStatus } from '#shared/enums.ts'
import type { comments } from '#shared/contract/comments.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { listRows, type ListRules, within } from '#server/db/list.ts'
import { type CommentRow, presentComments } from './comments.present.ts'
import { dropUnneededTombstones } from './comments.tombstones.ts'
import { isApproved } from './comments.visibility.ts'
import { hasVisibleTarget, filterVisible } from './comments.targets.ts'

type ListParams = Input<typeof comments.list>

/** The comments of a document or article come in one page: the latest so many. */
const maxPerTarget = 1000
/** How far visitors may page, and how far comments are counted for them. */
const maxDepth = 10_000

const staffRules: ListRules = {
  search: ['content'],
  order: [['id', 'desc']],
  sortable: ['created_at', 'updated_at', 'comment_count', 'status', 'user_id'],
}
const visitorRules: ListRules = {
  order: [['id', 'desc']],
  sizes: { min: 1, max: 100, default: 20 },
  maxOffset: maxDepth,
}

/** Managers of comments see all. Members see all of their own, others visible ones, on targets that they may see. */
export async function listComments(ctx: Ctx, input: ListParams): Promise<Reply<typeof comments.list>> {
  const isStaff = ctx.viewer.can('CommentAPI/ListComment')
  const { total, rows } = await (input.document_id > 0
    ? listOfTarget(ctx, input, isStaff)
    : listPage(ctx, input, isStaff))
  return { total, comment: await presentComments(ctx, rows, { titles: input.with_document_title, forStaff: isStaff }) }
}

type CommentPage = Promise<{ total: number; rows: CommentRow[] }>

/** Not paged: clients build the threads themselves. */
async function listOfTarget(ctx: Ctx, input: ListParams, isStaff: boolean): CommentPage {
  const { document_id, type, order } = input
  const targets = (type.length > 0 ? type : [ContentType.Document]).map((type) => ({ type, document_id }))
  const visible = isStaff ? targets : await filterVisible(ctx, targets)
  if (visible.length === 0) return { total: 0, rows: [] }
  const types = visible.map((target) => target.type)
  const query = selectMatching(ctx, input, isStaff).where('document_id', '=', document_id).where('type', 'in', types)
  const rows = await query.orderBy('id', 'desc').limit(maxPerTarget).execute()
  const comments = dropUnneededTombstones(rows)
  const total = rows.length < maxPerTarget ? comments.length : await countToDepth(ctx, query)
  const isOldestFirst = /^\s*(id|created_at)\s+asc\b/i.test(order)
  return { total, rows: isOldestFirst ? comments.toReversed() : comments }
}

async function listPage(ctx: Ctx, input: ListParams, isStaff: boolean): CommentPage {
  // Tombstones mean something only in their thread.
  let query = selectMatching(ctx, input, isStaff).where('is_deleted', '=', 0)
  if (input.type.length > 0) query = query.where('type', 'in', input.type)
  if (isStaff) return listRows(query, input, staffRules)
  const visible = query.where((where) => hasVisibleTarget(ctx.viewer, where))
  // Ids grow with time, and have an index.
  const order = input.order.replaceAll('created_at', 'id')
  return listRows(visible, { ...input, order }, { ...visitorRules, count: () => countToDepth(ctx, visible) })
}

function selectMatching({ db, viewer }: Ctx, { user_id, parent_id, status, created_at }: ListParams, isStaff: boolean) {
  let query = db.selectFrom('comment').selectAll()
  if (isStaff) query = query.where(within('created_at', created_at))
  if (user_id > 0) query = query.where('user_id', '=', user_id)
  if (parent_id.length > 0) query = query.where('parent_id', 'in', parent_id)
  if (status.length > 0) query = query.where('status', 'in', status)
  if (isStaff || (viewer.id !== 0 && user_id === viewer.id)) return query
  // A scalar subquery, not `exists`: PostgreSQL would join all comments with all threads before it takes a page.
  return query
    .where((where) => isApproved(where))
    .where(
      (where) => where.selectFrom('comment as root').select('root.status').whereRef('root.id', '=', 'comment.root_id'),
      '=',
      ReviewStatus.Approved,
    )
}

async function countToDepth({ db }: Ctx, query: ReturnType<typeof selectMatching>): Promise<number> {
  const { total } = await db
    .selectFrom(query.clearSelect().select('id').limit(maxDepth).as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}
