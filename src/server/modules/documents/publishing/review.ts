import type { documents } from '#shared/contract/documents.ts'
import { eventToward, type DocumentEvent, documentStatusLabels, type DocumentStatus } from '#shared/document-status.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { holdDocuments } from '../documents.locks.ts'
import { isPublic } from '../documents.policy.ts'
import { startOver } from './reconvert.ts'
import { moveDocuments, moveOrRefuse } from '../documents.status.ts'

export async function checkDocuments(ctx: MemberCtx, input: Input<typeof documents.check>): Promise<void> {
  await applyWish(ctx, input.id, input.status, input.reason)
}

/** Brings documents to where a person wants them. Those that are there already are left alone. */
export async function applyWish(ctx: MemberCtx, ids: readonly number[], wish: number, reason = ''): Promise<void> {
  const event = eventToward[wish]
  if (!event) throw errors.request.invalid(`不能把文档设为“${documentStatusLabels[wish as DocumentStatus]}”`)
  await transaction(ctx, async (ctx) => {
    const rows = await ctx.db
      .selectFrom('document')
      .select(['id', 'status', 'deleted_at', 'hash', 'ext'])
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute()
    if (rows.length === 0) throw errors.documents.notFound()
    // To approve what could not be converted is to try again.
    const again = rows.filter(({ status }) => event === 'reconvert' || (event === 'approve' && status === 3))
    const moving = rows.filter((row) => !again.includes(row) && !isThere[event]?.(row)).map(({ id }) => id)
    await startOver(ctx, again)
    await holdDocuments(ctx, ids)
    await moveDocuments(
      ctx,
      again.map(({ id }) => id),
      'reconvert',
    )
    await moveOrRefuse(ctx, moving, event, { reason: event === 'reject' ? reason : '' })
    if (event === 'approve' || event === 'enable') await catchUp(ctx, moving)
  })
}

export async function recommendDocuments(
  ctx: MemberCtx,
  { id, type }: Input<typeof documents.recommend>,
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await holdDocuments(ctx, id)
    let query = ctx.db
      .updateTable('document')
      .set({ recommend_at: type === 0 ? null : ctx.now(), updated_at: ctx.now() })
      .where('id', 'in', id)
      .where('deleted_at', 'is', null)
    if (type === 1) query = query.where('recommend_at', 'is', null)
    await query.execute()
    ctx.emit('document.changed', { ids: id })
  })
}

const isThere: Partial<Record<DocumentEvent, (row: { status: number; deleted_at: number | null }) => boolean>> = {
  approve: isPublic,
  enable: isPublic,
  disable: ({ status }) => status === 4,
  review: ({ status }) => status === 6,
  reject: ({ status }) => status === 7,
}

/** What waits for a conversion that has already failed would wait for ever. */
async function catchUp(ctx: MemberCtx, ids: readonly number[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom('document')
    .innerJoin('rendition', 'rendition.hash', 'document.hash')
    .select('document.id')
    .where('document.id', 'in', [0, ...ids])
    .where('document.status', '=', 0)
    .where('rendition.state', '=', 'failed')
    .execute()
  await moveDocuments(
    ctx,
    rows.map(({ id }) => id),
    'fail',
  )
}
