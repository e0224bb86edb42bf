import type { documents } from '#shared/contract/documents.ts'
import {
  type DocumentEvent,
  DocumentStatus,
  documentStatusLabels,
  eventToward,
  failedStatuses,
} from '#shared/document-status.ts'
import type { Input } from '#shared/endpoint.ts'
import { ContentType, RecommendAction } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { describeInput } from '#server/audit-text.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { isPublished } from '../documents.policy.ts'
import { publish } from '#server/durable-events.ts'
import { moveAllDocuments, moveDocuments } from '../documents.status.ts'
import { reconvertContents } from './reconvert.ts'

interface StatusChange {
  ids: readonly number[]
  status: DocumentStatus
  reason?: string
  /** What the reviewer has seen; another status by now is a conflict. Empty for any. */
  from?: readonly DocumentStatus[]
  /** The files that the reviewer has seen; another file by now is a conflict. Empty for any. */
  attachmentIds?: readonly number[]
}

export async function checkDocuments(
  ctx: MemberCtx,
  { id, status, reason, from, attachment_id }: Input<typeof documents.review>,
): Promise<void> {
  const event = eventToward[status]
  ctx.audit?.({ act: event && acts[event], change: describeInput({ reason }) })
  await setStatus(ctx, { ids: id, status, reason, from, attachmentIds: attachment_id })
}

const acts: Partial<Record<DocumentEvent, string>> = {
  approve: '通过了文档',
  enable: '启用了文档',
  reject: '不通过文档',
  disable: '禁用了文档',
  review: '退回了待审核：',
}

/** Brings documents to the status that staff want. Those that have it already are left alone. */
export async function setStatus(
  ctx: MemberCtx,
  { ids, status, reason = '', from = [], attachmentIds = [] }: StatusChange,
): Promise<void> {
  const event = eventToward[status]
  if (!event) throw errors.request.invalid(`不能把文档设为“${documentStatusLabels[status]}”`)
  await transaction(ctx, async (ctx) => {
    const rows = await ctx.db
      .selectFrom('document')
      .select(['id', 'status', 'deleted_at', 'hash', 'ext'])
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
    if (rows.length === 0) throw errors.documents.notFound()
    // To approve a document whose conversion failed is to retry it.
    const reconverted = rows.filter(
      ({ status }) => event === 'reconvert' || (event === 'approve' && failedStatuses.includes(status)),
    )
    const moved = rows.filter((row) => !reconverted.includes(row) && !hasStatusOf[event]?.(row)).map(({ id }) => id)
    await reconvertContents(ctx, reconverted)
    await lockRows(ctx, 'document', ids)
    if (from.length > 0) await assertUndecided(ctx, ids, from)
    if (attachmentIds.length > 0) await assertSameFiles(ctx, ids, attachmentIds)
    await moveDocuments(
      ctx,
      reconverted.map(({ id }) => id),
      'reconvert',
    )
    const rejectReason = event === 'reject' ? reason : ''
    await moveAllDocuments(ctx, moved, event, { reason: rejectReason })
    const told = event === 'reject' || event === 'disable' ? reason : ''
    await publishReview(ctx, moved, { event, reason: told })
    if (event === 'approve' || event === 'enable') await failUnconvertible(ctx, moved)
  })
}

export async function recommendDocuments(
  ctx: MemberCtx,
  { id, type }: Input<typeof documents.recommend>,
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'document', id)
    let query = ctx.db
      .updateTable('document')
      .set({ recommend_at: type === RecommendAction.Withdraw ? null : ctx.now(), updated_at: ctx.now() })
      .where('id', 'in', id)
      .where('deleted_at', 'is', null)
    if (type === RecommendAction.Recommend) query = query.where('recommend_at', 'is', null)
    await query.execute()
    ctx.emit('document.changed', { ids: id })
  })
}

/** Two reviewers may have the same document before them. Call it with the documents locked. */
async function assertUndecided(
  { db }: MemberCtx,
  ids: readonly number[],
  from: readonly DocumentStatus[],
): Promise<void> {
  const decided = await db
    .selectFrom('document')
    .select('status')
    .where('id', 'in', ids)
    .where('status', 'not in', from)
    .executeTakeFirst()
  if (decided) throw errors.review.decided(documentStatusLabels[decided.status])
}

/** The owner may have replaced a file that a reviewer has before them. Call it with the documents locked. */
async function assertSameFiles(
  { db }: MemberCtx,
  ids: readonly number[],
  attachmentIds: readonly number[],
): Promise<void> {
  const replaced = await db
    .selectFrom('document')
    .select('id')
    .where(inList(db, 'id', ids))
    .where('deleted_at', 'is', null)
    .where('attachment_id', 'not in', attachmentIds)
    .executeTakeFirst()
  if (replaced) throw errors.review.replaced()
}

type StatusRow = { status: DocumentStatus; deleted_at: number | null }

/** Whether a document is where an event would bring it. */
const hasStatusOf: Partial<Record<DocumentEvent, (row: StatusRow) => boolean>> = {
  approve: isPublished,
  enable: isPublished,
  disable: ({ status }) => status === DocumentStatus.Disabled,
  review: ({ status }) => status === DocumentStatus.InReview || status === DocumentStatus.FailedInReview,
  reject: ({ status }) => status === DocumentStatus.Rejected,
}

/** A document whose conversion has failed already would wait for it for ever. */
async function failUnconvertible(ctx: MemberCtx, ids: readonly number[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom('document')
    .innerJoin('rendition', 'rendition.hash', 'document.hash')
    .select('document.id')
    .where('document.id', 'in', [0, ...ids])
    .where('document.status', '=', DocumentStatus.Pending)
    .where('rendition.state', '=', 'failed')
    .execute()
  await moveDocuments(
    ctx,
    rows.map(({ id }) => id),
    'fail',
  )
}

/** What a decision of staff means to the owner. */
const outcomes = {
  approve: 'approved',
  enable: 'approved',
  reject: 'rejected',
  disable: 'disabled',
  review: 'reopened',
} as const

/** The listener tells their owners. Call it in the transaction of the review. */
async function publishReview(
  ctx: MemberCtx,
  ids: number[],
  { event, reason }: { event: DocumentEvent; reason: string },
): Promise<void> {
  const outcome = (outcomes as Partial<Record<DocumentEvent, (typeof outcomes)[keyof typeof outcomes]>>)[event]
  if (!outcome || ids.length === 0) return
  const type = ContentType.Document
  await publish(ctx, 'content.reviewed', { key: ctx.id(), type, ids, outcome, reason, reviewer: ctx.viewer.id })
}
