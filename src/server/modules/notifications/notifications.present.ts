import { sql } from 'kysely'
import type { Notification } from '#shared/contract/notifications.ts'
import { ContentType, ReviewStatus } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { bit } from '#server/db/tables/column.ts'
import type { Db } from '#server/db/open.ts'
import { commentHref } from '#server/modules/comments/comments.rewards.ts'
import { findVisibleTargets, type Target } from '#server/modules/comments/comments.targets.ts'
import { findNames } from '#server/modules/users/authors.ts'
import { findFollowed } from './news.ts'
import { type NotificationParams, type NotificationRow, toParams } from './notifications.add.ts'
import { describe, type Facts, isAnswerable } from './sentences.ts'

/** The number of things that are named of a group. */
const maxNamed = 3

/**
 * The first rows of groups as their member sees them now: nothing is told of what was deleted or hidden since. The number
 * of queries is the same however many there are. The viewer must be the member.
 */
export async function presentNotifications(ctx: Ctx, heads: readonly NotificationRow[]): Promise<Notification[]> {
  if (heads.length === 0) return []
  const groups = await findGroups(
    ctx.db,
    heads.map(({ id }) => id),
  )
  const latest = new Map(heads.map((head) => [head.id, groups.get(head.id)?.latest ?? head]))
  const rows = [...latest.values()]
  const many = heads.flatMap(({ id }) => ((groups.get(id)?.events ?? 1) > 1 ? [id] : []))
  const named = await findNamed(ctx.db, many)
  const refs = [...rows, ...[...named.values()].flat()].flatMap((row) => toRef(row) ?? [])
  const [targetOf, names, comments, reports, orders, followed] = await Promise.all([
    findVisibleTargets(ctx, refs),
    findNames(
      ctx,
      rows.map(({ actor_id }) => actor_id),
    ),
    findComments(
      ctx.db,
      rows.map(({ comment_id }) => comment_id),
    ),
    findReports(ctx, rows),
    findOrders(ctx, rows),
    findFollowed(ctx, heads),
  ])
  return heads.map((head) => {
    const row = latest.get(head.id) ?? head
    const ref = toRef(row)
    const target = ref && targetOf(ref)
    const params = toParams(row)
    const group = groups.get(head.id)
    const facts: Facts = {
      settings: ctx.settings,
      kind: head.kind,
      params,
      isArticle: row.content_type === ContentType.Article,
      target: target && { title: target.title, href: hrefOf(target, row, params) },
      // A comment that cannot be seen any more is told of without its author.
      actor: row.comment_id === 0 || comments.has(row.comment_id) ? (names.get(row.actor_id)?.username ?? '') : '',
      actors: group?.actors ?? 0,
      events: group?.events ?? 1,
      credits: group?.credits ?? row.credits,
      comment: comments.get(row.comment_id) ?? '',
      isGone: row.content_type !== null && (!target || (row.comment_id > 0 && !comments.has(row.comment_id))),
      named: (named.get(head.id) ?? [row]).map((one) => {
        const ref = toRef(one)
        return { title: (ref && targetOf(ref)?.title) ?? '', params: toParams(one) }
      }),
      report: reports.get(params.report ?? 0),
      order: orders.get(params.order ?? 0),
      ...followed(head),
    }
    return {
      id: head.id,
      kind: head.kind,
      ...describe(facts),
      can_answer: isAnswerable(params),
      is_read: head.read_at !== null,
      created_at: head.latest_at,
    }
  })
}

interface Group {
  /** The newest event that the member can still see, or the newest of all. */
  latest: NotificationRow
  /** Different members, and events, of what can still be seen. */
  actors: number
  events: number
  credits: number
}

/** Of the groups with these first rows. Events whose comment is hidden or deleted do not count. */
async function findGroups(db: Db, headIds: readonly number[]): Promise<Map<number, Group>> {
  const groups = await db
    .selectFrom('notification')
    .leftJoin('comment', (join) =>
      join
        .onRef('comment.id', '=', 'notification.comment_id')
        .on('comment.is_deleted', '=', 0)
        .on('comment.status', '=', ReviewStatus.Approved),
    )
    .select(({ fn }) => [
      fn.coalesce('notification.group_id', 'notification.id').as('head'),
      fn.max('notification.id').as('latest'),
      fn.count<number>('notification.actor_id').distinct().as('actors'),
      fn.countAll<number>().as('events'),
      fn.sum<number>('notification.credits').as('credits'),
    ])
    .where(({ or }) => or([inList(db, 'notification.id', headIds), inList(db, 'notification.group_id', headIds)]))
    .where('notification.deleted_at', 'is', null)
    .where((where) => where.or([where('notification.comment_id', '=', 0), where('comment.id', 'is not', null)]))
    .groupBy(({ fn }) => fn.coalesce('notification.group_id', 'notification.id'))
    .execute()
  const rows = await db
    .selectFrom('notification')
    .selectAll()
    .where(
      inList(
        db,
        'id',
        groups.map(({ latest }) => latest),
      ),
    )
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    groups.flatMap(({ head, latest, actors, events, credits }) => {
      const row = byId.get(latest)
      return row ? [[head, { latest: row, actors, events, credits }] as const] : []
    }),
  )
}

/** The latest of each of these groups. */
async function findNamed(db: Db, headIds: readonly number[]): Promise<Map<number, NotificationRow[]>> {
  if (headIds.length === 0) return new Map()
  const head = sql<number>`coalesce(group_id, id)`
  const ranked = db
    .selectFrom('notification')
    .selectAll()
    .select([head.as('head'), sql<number>`row_number() over (partition by ${head} order by id desc)`.as('place')])
    .where(({ or }) => or([inList(db, 'id', headIds), inList(db, 'group_id', headIds)]))
    .where('deleted_at', 'is', null)
  const rows = await db
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('place', '<=', maxNamed)
    .orderBy('id', 'desc')
    .execute()
  return Map.groupBy(rows, (row) => row.head)
}

function toRef({ content_type, content_id }: NotificationRow) {
  return content_type === null ? undefined : { type: content_type, document_id: content_id }
}

function hrefOf(target: Target, { comment_id }: NotificationRow, { comment = 0, outcome }: NotificationParams): string {
  const id = comment_id || (outcome === 'approved' ? comment : 0)
  return id > 0 ? commentHref(target, id) : target.href
}

/** The texts of comments that can be seen. */
async function findComments(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const commentIds = ids.filter((id) => id > 0)
  if (commentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('comment')
    .select(['id', 'content'])
    .where(inList(db, 'id', commentIds))
    .where('is_deleted', '=', 0)
    .where('status', '=', ReviewStatus.Approved)
    .execute()
  return new Map(rows.map(({ id, content }) => [id, content]))
}

async function findReports(
  { db, viewer }: Ctx,
  rows: readonly NotificationRow[],
): Promise<Map<number, Facts['report']>> {
  const ids = rows.flatMap((row) => toParams(row).report ?? [])
  if (ids.length === 0) return new Map()
  const reports = await db
    .selectFrom('report')
    .select(['id', 'outcome', 'answer'])
    .where(inList(db, 'id', ids))
    .where('user_id', '=', viewer.id)
    .where('status', '=', bit(true))
    .execute()
  return new Map(reports.map(({ id, ...report }) => [id, report]))
}

/** Members' own; what they answer is about takes staff to the order. */
async function findOrders({ db, viewer }: Ctx, rows: readonly NotificationRow[]): Promise<Map<number, Facts['order']>> {
  const ids = rows.flatMap((row) => toParams(row).order ?? [])
  if (ids.length === 0) return new Map()
  const orders = await db
    .selectFrom('order')
    .select(['id', 'order_no', 'product_name', 'payment_method'])
    .where(inList(db, 'id', ids))
    .$if(!viewer.can('OrderAPI/ListOrder'), (query) =>
      query.where('user_id', '=', viewer.id).where('is_hidden', '=', 0),
    )
    .execute()
  return new Map(orders.map(({ id, ...order }) => [id, order]))
}
