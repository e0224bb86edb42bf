import type { replacements } from '#shared/contract/document-files.ts'
import { DocumentStatus, documentStatusLabels, whyUnreplaceable } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { ReplacementStatus } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { JobPriority } from '#server/jobs/queue.ts'
import { assertCanUpload } from '#server/modules/attachments/attachments.policy.ts'
import { assertNotBanned } from '#server/modules/attachments/attachments.store.ts'
import { requestRendition } from '#server/modules/renditions/request.ts'
import { isReviewed } from '../documents.policy.ts'
import { moveDocuments } from '../documents.status.ts'
import { claimFile, findUnusedFiles, type StoredDocumentFile } from '../publishing/insert.ts'
import { endReplacement, findWaiting, type ReplacementRow } from './replacements.queries.ts'
import { canReplaceAny, getReplaceable } from './replacing.policy.ts'
import { presentReplacements } from './replacements.present.ts'
import { publishFile, publishIfConverted } from './publish-file.ts'

/**
 * A new file for a document that keeps its id, address, comments, favourites and sales. Readers see the former file until
 * the new one is approved, where uploads are reviewed, and converted. The same limits apply as to an upload.
 */
export async function replaceFile(
  ctx: MemberCtx,
  { document_id, attachment_id }: Input<typeof replacements.create>,
): Promise<Reply<typeof replacements.create>> {
  assertCanUpload(ctx)
  const document = await getReplaceable(ctx, document_id)
  const [file] = await findUnusedFiles(ctx, [attachment_id])
  if (!file) throw errors.documents.noFiles()
  const row = await transaction(ctx, async (ctx) => {
    await assertNotBanned(ctx, file.hash)
    // Before the document is locked: the end of a conversion locks the rendition first.
    const { state } = await requestRendition(ctx, file, { priority: JobPriority.Upload, owner: ctx.viewer.id })
    await lockRows(ctx, 'document', [document.id])
    const { hash, status } = await getReplaceable(ctx, document.id)
    const why = whyUnreplaceable({ status })
    if (why && status === DocumentStatus.InReview) throw errors.documents.replacedInReview(why)
    if (why) throw errors.documents.statusDenied({ status: documentStatusLabels[status], why })
    if (hash === file.hash) throw errors.documents.sameFile()
    await claimFile(ctx, { attachmentId: file.id, documentId: document.id })
    for (const waiting of await findWaiting(ctx.db, { documentId: document.id }))
      await endReplacement(ctx, waiting, { status: ReplacementStatus.Superseded })
    ctx.audit?.({ ids: [document.id], change: `新文件: ${file.name}` })
    return begin(ctx, { documentId: document.id, documentStatus: status, file, isConverted: state === 'done' })
  })
  const [replacement] = await presentReplacements(ctx, [row])
  if (!replacement) throw errors.documents.replacementUnknown()
  return replacement
}

interface Beginning {
  documentId: number
  documentStatus: DocumentStatus
  file: StoredDocumentFile
  isConverted: boolean
}

async function begin(
  ctx: MemberCtx,
  { documentId, documentStatus, file, isConverted }: Beginning,
): Promise<ReplacementRow> {
  const isUnpublished = documentStatus === DocumentStatus.Rejected || documentStatus === DocumentStatus.FailedInReview
  const waitsForReview = !isUnpublished && isReviewed(ctx.viewer) && !canReplaceAny(ctx.viewer)
  const row = await ctx.db
    .insertInto('document_replacement')
    .values({
      document_id: documentId,
      user_id: ctx.viewer.id,
      status: waitsForReview ? ReplacementStatus.InReview : ReplacementStatus.Converting,
      attachment_id: file.id,
      hash: file.hash,
      name: file.name,
      ext: file.ext,
      size: file.size,
      ended_at: null,
      created_at: ctx.now(),
      updated_at: ctx.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (waitsForReview) return row
  // Only reviewers see it, and they shall see what they decide about.
  if (isUnpublished) {
    const published = await publishFile(ctx, row)
    await moveDocuments(ctx, [documentId], 'review')
    if (isConverted) await publishIfConverted(ctx, published)
    return published
  }
  return isConverted ? publishIfConverted(ctx, row) : row
}
