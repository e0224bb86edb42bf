import { unpreviewableReason } from '#shared/conversion.ts'
import { ContentType, ReplacementStatus } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { publish } from '#server/durable-events.ts'
import { failureMessage } from '#server/modules/renditions/failures.ts'
import { foldCopies } from '../documents.copies.ts'
import { moveDocuments } from '../documents.status.ts'
import { endReplacement, findWaiting, type ReplacementRow, retireFile } from './replacements.queries.ts'

/**
 * From here on readers see the new file. Its pages are set by the caller, from its rendition. Call it with the document
 * locked. The text that the owner has written in place of the former file's is not that of the new one.
 */
export async function publishFile(ctx: Ctx, replacement: ReplacementRow): Promise<ReplacementRow> {
  const { id, document_id, attachment_id, hash, ext, size } = replacement
  const former = await ctx.db
    .selectFrom('document')
    .leftJoin('attachment', 'attachment.id', 'document.attachment_id')
    .select(['document.attachment_id', 'document.hash', 'document.ext', 'document.size', 'attachment.name'])
    .select('document.title')
    .where('document.id', '=', document_id)
    .executeTakeFirst()
  if (!former) return replacement
  await ctx.db
    .updateTable('document')
    .set({ attachment_id, hash, ext, size, pages: 0, width: 0, height: 0, content: '', updated_at: ctx.now() })
    .where('id', '=', document_id)
    .execute()
  await foldCopies(ctx.db, [document_id], [former.hash])
  await retireFile(ctx, former.attachment_id)
  await ctx.db.deleteFrom('document_relate').where('document_id', '=', document_id).execute()
  ctx.emit('document.changed', { ids: [document_id] })
  return ctx.db
    .updateTable('document_replacement')
    .set({
      status: ReplacementStatus.Published,
      former_name: former.name ?? `${former.title}${former.ext}`,
      former_ext: former.ext,
      former_size: former.size,
      ended_at: ctx.now(),
      updated_at: ctx.now(),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * What the end of a conversion means to the files that wait for it, with their documents locked: after this the published
 * ones are among the documents of the content. A file that cannot be converted replaces nothing, unless its format never
 * has a preview.
 */
export async function publishWaiting(ctx: Ctx, hash: string, event: 'succeed' | 'fail'): Promise<void> {
  const waiting = await findWaiting(ctx.db, { hash })
  if (waiting.length === 0) return
  const reason = event === 'fail' ? await findFailure(ctx, hash) : ''
  for (const replacement of waiting) {
    if (event === 'fail' && reason !== unpreviewableReason) await fail(ctx, replacement, reason)
    else if (replacement.status === ReplacementStatus.Converting) {
      await publishFile(ctx, replacement)
      // A document that has its pages knows no failure: the new file has none.
      if (event === 'fail') await moveDocuments(ctx, [replacement.document_id], 'reconvert')
    }
  }
}

/** Publishes it at once if its content is converted already; otherwise the end of the conversion does. */
export async function publishIfConverted(ctx: Ctx, replacement: ReplacementRow): Promise<ReplacementRow> {
  const rendition = await ctx.db
    .selectFrom('rendition')
    .select(['state', 'pages', 'width', 'height'])
    .where('hash', '=', replacement.hash)
    .executeTakeFirst()
  if (rendition?.state !== 'done') return replacement
  const published =
    replacement.status === ReplacementStatus.Published ? replacement : await publishFile(ctx, replacement)
  const { pages, width, height } = rendition
  await ctx.db.updateTable('document').set({ pages, width, height }).where('id', '=', replacement.document_id).execute()
  await moveDocuments(ctx, [replacement.document_id], 'succeed')
  return published
}

async function fail(ctx: Ctx, replacement: ReplacementRow, reason: string): Promise<void> {
  await endReplacement(ctx, replacement, { status: ReplacementStatus.Failed, reason })
  await publish(ctx, 'content.reviewed', {
    key: ctx.id(),
    type: ContentType.Document,
    ids: [replacement.document_id],
    outcome: 'file-failed',
    reason: failureMessage(reason),
    reviewer: 0,
  })
}

async function findFailure({ db }: Ctx, hash: string): Promise<string> {
  const row = await db.selectFrom('rendition').select('reason').where('hash', '=', hash).executeTakeFirst()
  return row?.reason ?? ''
}
