import { ContentType, Punishment, ReviewStatus } from '#shared/enums.ts'
import { NotificationKind } from '#shared/notification-kinds.ts'
import type { Ctx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import type { DurableListeners, DurablePayload } from '#server/durable-events.ts'
import { findTargets } from '#server/modules/comments/comments.targets.ts'
import { addNotification, withdrawNotification } from './notifications.add.ts'

/** Each event of another module, and whom it notifies. An event may come twice: `addNotification` tells by its key. */
export const notificationListeners = {
  'comments.published': [notifyOfComments],
  'comments.reviewed': [notifyOfCommentReview],
  'content.reviewed': [notifyOfReview],
  'collections.reviewed': [notifyOfCollectionReview],
  'documents.conversion-failed': [notifyOfFailure],
  'document.sold': [notifyOfSale],
  'order.handled': [notifyBuyer],
  'vip.ending': [notifyOfVipEnd],
  'reports.decided': [notifyReporters],
  'users.punished': [notifyPunished],
  'users.deleted': [deleteNotifications],
} satisfies DurableListeners

/** The author of the comment that was replied to, and the owner of the document or article: each of them once. */
async function notifyOfComments(ctx: Ctx, { ids }: DurablePayload<'comments.published'>): Promise<void> {
  const { db } = ctx
  const comments = await db
    .selectFrom('comment')
    .leftJoin('comment as parent', 'parent.id', 'comment.parent_id')
    .select(['comment.id', 'comment.type', 'comment.document_id', 'comment.user_id', 'comment.parent_id'])
    .select('parent.user_id as parent_user_id')
    .where(inList(db, 'comment.id', ids))
    .orderBy('comment.id')
    .execute()
  const targetOf = await findTargets(db, comments)
  for (const comment of comments) {
    const target = targetOf(comment)
    if (!target) continue
    const shared = {
      actorId: comment.user_id,
      content: { type: comment.type, id: comment.document_id },
      commentId: comment.id,
    }
    const repliedTo = comment.parent_user_id ?? 0
    await addNotification(ctx, {
      ...shared,
      userId: repliedTo,
      kind: NotificationKind.Reply,
      eventKey: `reply:${comment.id}`,
      groupKey: `reply:${comment.parent_id}`,
    })
    if (target.user_id === repliedTo) continue
    await addNotification(ctx, {
      ...shared,
      userId: target.user_id,
      kind: NotificationKind.Comment,
      eventKey: `comment:${comment.id}`,
      groupKey: `comment:${comment.type}:${comment.document_id}`,
    })
  }
}

async function notifyOfCommentReview(
  ctx: Ctx,
  { key, ids, status, reason, reviewer }: DurablePayload<'comments.reviewed'>,
): Promise<void> {
  const { db } = ctx
  const comments = await db
    .selectFrom('comment')
    .select(['id', 'user_id', 'type', 'document_id'])
    .where(inList(db, 'id', ids))
    .execute()
  for (const { id, user_id: userId, type, document_id } of comments) {
    const shared = { userId, kind: NotificationKind.CommentReview, groupKey: `comment-review:${id}` }
    if (status === ReviewStatus.Pending) {
      await withdrawNotification(ctx, shared)
      continue
    }
    await addNotification(ctx, {
      ...shared,
      actorId: reviewer,
      eventKey: `comment-review:${key}:${id}`,
      content: { type, id: document_id },
      params: { outcome: status === ReviewStatus.Approved ? 'approved' : 'rejected', reason, comment: id },
    })
  }
}

async function notifyOfReview(
  ctx: Ctx,
  { key, type, ids, outcome, reason, reviewer }: DurablePayload<'content.reviewed'>,
): Promise<void> {
  const targetOf = await findTargets(
    ctx.db,
    ids.map((document_id) => ({ type, document_id })),
  )
  for (const id of ids) {
    const target = targetOf({ type, document_id: id })
    if (!target) continue
    const kind = type === ContentType.Article ? NotificationKind.ArticleReview : NotificationKind.DocumentReview
    const shared = { userId: target.user_id, kind, groupKey: `review:${type}:${id}` }
    if (outcome === 'reopened') {
      await withdrawNotification(ctx, shared)
      continue
    }
    const params = { outcome, reason }
    const eventKey = `review:${key}:${id}`
    await addNotification(ctx, { ...shared, actorId: reviewer, eventKey, content: { type, id }, params })
  }
}

async function notifyOfCollectionReview(
  ctx: Ctx,
  { key, ids, status, reason, reviewer }: DurablePayload<'collections.reviewed'>,
): Promise<void> {
  const rows = await ctx.db
    .selectFrom('collection')
    .select(['id', 'user_id'])
    .where(inList(ctx.db, 'id', ids))
    .execute()
  for (const { id, user_id: userId } of rows) {
    const shared = { userId, kind: NotificationKind.CollectionReview, groupKey: `collection-review:${id}` }
    if (status === ReviewStatus.Pending) {
      await withdrawNotification(ctx, shared)
      continue
    }
    const outcome = status === ReviewStatus.Approved ? 'approved' : 'rejected'
    const params = { outcome, reason, collection: id }
    await addNotification(ctx, { ...shared, actorId: reviewer, eventKey: `collection-review:${key}:${id}`, params })
  }
}

async function notifyOfFailure(ctx: Ctx, { key, ids }: DurablePayload<'documents.conversion-failed'>): Promise<void> {
  const { db } = ctx
  const documents = await db
    .selectFrom('document')
    .select(['id', 'user_id'])
    .where(inList(db, 'id', ids))
    .execute()
  for (const { id, user_id: userId } of documents)
    await addNotification(ctx, {
      userId,
      kind: NotificationKind.ConversionFailure,
      eventKey: `conversion:${key}:${id}`,
      groupKey: `conversion:${id}`,
      content: { type: ContentType.Document, id },
    })
}

function notifyOfSale(
  ctx: Ctx,
  { order, document, author, buyer, credits }: DurablePayload<'document.sold'>,
): Promise<void> {
  return addNotification(ctx, {
    userId: author,
    actorId: buyer,
    kind: NotificationKind.Sale,
    eventKey: `sale:${order}`,
    groupKey: `sale:${document}`,
    content: { type: ContentType.Document, id: document },
    credits,
  })
}

async function notifyBuyer(
  ctx: Ctx,
  { key, order: id, outcome, money, credits, reason }: DurablePayload<'order.handled'>,
): Promise<void> {
  const order = await ctx.db.selectFrom('order').select('user_id').where('id', '=', id).executeTakeFirst()
  if (!order) return
  await addNotification(ctx, {
    userId: order.user_id,
    kind: NotificationKind.Order,
    eventKey: `order:${key}`,
    params: { order: id, outcome, money, credits, reason },
  })
}

function notifyOfVipEnd(ctx: Ctx, { card, user, end }: DurablePayload<'vip.ending'>): Promise<void> {
  const kind = NotificationKind.VipEnding
  return addNotification(ctx, { userId: user, kind, eventKey: `vip:${card}`, params: { end } })
}

async function notifyReporters(ctx: Ctx, { key, ids }: DurablePayload<'reports.decided'>): Promise<void> {
  const { db } = ctx
  const reports = await db
    .selectFrom('report')
    .select(['id', 'user_id', 'document_id', 'handled_user_id'])
    .where(inList(db, 'id', ids))
    .execute()
  for (const { id, user_id: userId, document_id, handled_user_id: actorId } of reports)
    await addNotification(ctx, {
      userId,
      actorId,
      kind: NotificationKind.ReportDecision,
      eventKey: `report:${key}:${id}`,
      content: { type: ContentType.Document, id: document_id },
      params: { report: id },
    })
}

/** A disabled account cannot log in to read it. */
async function notifyPunished(ctx: Ctx, { ids }: DurablePayload<'users.punished'>): Promise<void> {
  const { db } = ctx
  const punishments = await db
    .selectFrom('punishment')
    .select(['id', 'user_id', 'type', 'reason', 'end_time'])
    .where(inList(db, 'id', ids))
    .where('type', '<>', Punishment.Disabled)
    .execute()
  for (const { id, user_id: userId, type, reason, end_time } of punishments)
    await addNotification(ctx, {
      userId,
      kind: NotificationKind.Punishment,
      eventKey: `punishment:${id}`,
      params: { punishment: type, reason, end: end_time },
    })
}

async function deleteNotifications({ db }: Ctx, { ids }: DurablePayload<'users.deleted'>): Promise<void> {
  for (const table of ['notification', 'notification_choice'] as const)
    await db
      .deleteFrom(table)
      .where(inList(db, 'user_id', ids))
      .execute()
}
