import { createHash } from 'node:crypto'
import { ContentType, Punishment, ReviewStatus } from '#shared/enums.ts'
import { NotificationKind } from '#shared/notification-kinds.ts'
import { OutlayState } from '#shared/outlays.ts'
import type { Ctx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import type { DurableListeners, DurablePayload } from '#server/durable-events.ts'
import { findRootId } from '#server/modules/access/access.queries.ts'
import { findTargets } from '#server/modules/comments/comments.targets.ts'
import { failureMessage } from '#server/modules/renditions/failures.ts'
import {
  addNotification,
  type NotificationRow,
  removeSuperseded,
  toParams,
  withdrawNotification,
} from './notifications.add.ts'

/** Each event of another module, and whom it notifies. An event may come twice: `addNotification` tells by its key. */
export const notificationListeners = {
  'comments.published': [notifyOfComments],
  'comments.reviewed': [notifyOfCommentReview],
  'content.reviewed': [notifyOfReview],
  'collections.reviewed': [notifyOfCollectionReview],
  'documents.conversion-failed': [notifyOfFailure],
  'document.sold': [notifyOfSale],
  'order.handled': [notifyBuyer],
  'outlays.asked': [notifyOwner],
  'outlays.decided': [notifyAsker],
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
    const shared = { userId, kind: NotificationKind.CommentReview, eventKey: `comment-review:${key}:${id}` }
    const former = { ...shared, isMeant: (row: NotificationRow) => toParams(row).comment === id }
    if (status === ReviewStatus.Pending) {
      await withdrawNotification(ctx, former)
      continue
    }
    const outcome = status === ReviewStatus.Approved ? 'approved' : 'rejected'
    await removeSuperseded(ctx, former)
    await addNotification(ctx, {
      ...shared,
      groupKey: decisionKey('comment-review', outcome, reason),
      actorId: reviewer,
      content: { type, id: document_id },
      params: { outcome, reason, comment: id },
    })
  }
}

/** Unread decisions of one kind are one notice, with their common reason: a reviewer decides about many at once. */
function decisionKey(about: string, outcome: string, reason: string): string {
  return [about, outcome, createHash('sha256').update(reason).digest('base64url').slice(0, 16)].join(':')
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
    const shared = { userId: target.user_id, kind, eventKey: `review:${key}:${id}` }
    const former = { ...shared, isMeant: (row: NotificationRow) => row.content_type === type && row.content_id === id }
    if (outcome === 'reopened') {
      await withdrawNotification(ctx, former)
      continue
    }
    await removeSuperseded(ctx, former)
    await addNotification(ctx, {
      ...shared,
      groupKey: decisionKey(`review:${type}`, outcome, reason),
      actorId: reviewer,
      content: { type, id },
      params: { outcome, reason },
    })
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
    const shared = { userId, kind: NotificationKind.CollectionReview, eventKey: `collection-review:${key}:${id}` }
    const former = { ...shared, isMeant: (row: NotificationRow) => toParams(row).collection === id }
    if (status === ReviewStatus.Pending) {
      await withdrawNotification(ctx, former)
      continue
    }
    const outcome = status === ReviewStatus.Approved ? 'approved' : 'rejected'
    await removeSuperseded(ctx, former)
    await addNotification(ctx, {
      ...shared,
      groupKey: decisionKey('collection-review', outcome, reason),
      actorId: reviewer,
      params: { outcome, reason, collection: id },
    })
  }
}

async function notifyOfFailure(ctx: Ctx, { key, ids }: DurablePayload<'documents.conversion-failed'>): Promise<void> {
  const { db } = ctx
  const documents = await db
    .selectFrom('document')
    .leftJoin('rendition', 'rendition.hash', 'document.hash')
    .select(['document.id', 'document.user_id', 'document.pages', 'rendition.reason'])
    .where(inList(db, 'document.id', ids))
    .execute()
  for (const { id, user_id: userId, pages, reason } of documents) {
    const shared = { userId, eventKey: `conversion:${key}:${id}`, contentId: id }
    const isMeant = ({ content_type, content_id }: NotificationRow) =>
      content_type === ContentType.Document && content_id === id
    // It was approved before its conversion ended, or has failed before.
    await removeSuperseded(ctx, {
      ...shared,
      kind: NotificationKind.DocumentReview,
      isMeant: (row) => isMeant(row) && toParams(row).outcome === 'approved',
      // One that could be read for a while was approved indeed.
      evenRead: pages === 0,
    })
    await removeSuperseded(ctx, { ...shared, kind: NotificationKind.ConversionFailure, isMeant })
    await addNotification(ctx, {
      userId,
      eventKey: shared.eventKey,
      kind: NotificationKind.ConversionFailure,
      groupKey: 'conversion',
      content: { type: ContentType.Document, id },
      params: { reason: failureMessage(reason ?? '') },
    })
  }
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
  { key, order: id, staff, ...params }: DurablePayload<'order.handled'>,
): Promise<void> {
  const order = await ctx.db.selectFrom('order').select('user_id').where('id', '=', id).executeTakeFirst()
  if (!order) return
  await addNotification(ctx, {
    userId: order.user_id,
    actorId: staff,
    kind: NotificationKind.Order,
    eventKey: `order:${key}`,
    params: { order: id, ...params },
  })
}

async function notifyOwner(ctx: Ctx, { id }: DurablePayload<'outlays.asked'>): Promise<void> {
  const [outlay, owner] = [await findOutlay(ctx, id), await findRootId(ctx.db)]
  if (!outlay || owner === undefined) return
  await addNotification(ctx, {
    userId: owner,
    actorId: outlay.user_id,
    kind: NotificationKind.Outlay,
    eventKey: `outlay:${id}`,
    params: { outcome: 'asked', money: outlay.money, reason: outlay.title },
  })
}

async function notifyAsker(ctx: Ctx, { id }: DurablePayload<'outlays.decided'>): Promise<void> {
  const outlay = await findOutlay(ctx, id)
  if (!outlay) return
  const outcome = outlay.state === OutlayState.Refused ? 'refused' : 'approved'
  const reason = [outlay.title, outlay.remark].filter(Boolean).join('。')
  await addNotification(ctx, {
    userId: outlay.user_id,
    actorId: outlay.decided_by,
    kind: NotificationKind.Outlay,
    eventKey: `outlay-decided:${id}`,
    params: { outcome, money: outlay.money, reason },
  })
}

function findOutlay({ db }: Ctx, id: number) {
  return db.selectFrom('outlay').selectAll().where('id', '=', id).executeTakeFirst()
}

function notifyOfVipEnd(ctx: Ctx, { card, user, end }: DurablePayload<'vip.ending'>): Promise<void> {
  const kind = NotificationKind.VipEnding
  return addNotification(ctx, { userId: user, kind, eventKey: `vip:${card}`, params: { end } })
}

async function notifyReporters(ctx: Ctx, { key, ids }: DurablePayload<'reports.decided'>): Promise<void> {
  const { db } = ctx
  const reports = await db
    .selectFrom('report')
    .select(['id', 'user_id', 'document_id', 'handled_user_id', 'outcome', 'answer'])
    .where(inList(db, 'id', ids))
    .execute()
  for (const { id, user_id: userId, document_id, handled_user_id: actorId, outcome, answer } of reports)
    await addNotification(ctx, {
      userId,
      actorId,
      kind: NotificationKind.ReportDecision,
      eventKey: `report:${key}:${id}`,
      groupKey: decisionKey('report', String(outcome), answer),
      content: { type: ContentType.Document, id: document_id },
      params: { report: id },
    })
}

/** A disabled account cannot log in to read it. */
async function notifyPunished(ctx: Ctx, { ids, staff: actorId }: DurablePayload<'users.punished'>): Promise<void> {
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
      actorId,
      kind: NotificationKind.Punishment,
      eventKey: `punishment:${id}`,
      groupKey: decisionKey('punishment', String(end_time ?? ''), reason),
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
