import { AttachmentType } from '#shared/enums.ts'
import { rm } from 'node:fs/promises'
import { type Ctx, transaction, type MemberCtx } from '#server/context.ts'
import { withReceivedFile } from '#server/http/api/multipart.ts'
import {
  validateContent,
  validateFileName,
  validateSize,
  documentLimit,
  assertCanUpload,
  assertUploadQuotaLeft,
  consumeUploadQuota,
} from '../attachments.policy.ts'
import {
  addAttachment,
  storeContent,
  type LocalFile,
  explainDiskFull,
  assertNotBanned,
  uploaderOf,
} from '../attachments.store.ts'

/** An upload of one file in a form; `replaced` is the document whose file it is to replace, 0 for a new one. */
export async function receiveDocument(
  ctx: MemberCtx,
  request: Request,
  { folder, replaced }: { folder: string; replaced: number },
): Promise<number> {
  assertCanUpload(ctx)
  await assertUploadQuotaLeft(ctx, replaced)
  const received = withReceivedFile(request, { folder, limit: documentLimit(ctx) }, async (file) => {
    const named = validateFileName(ctx, file.name)
    validateSize(ctx, file.size)
    await storeDocument(ctx, file, named.ext)
    return transaction(ctx, async (ctx) => {
      await consumeUploadQuota(ctx, file.size, replaced)
      return addDocumentFile(ctx, file, named)
    })
  })
  return explainDiskFull(received)
}

/** Validates a file and moves it into the storage. */
async function storeDocument(ctx: Ctx, file: LocalFile, ext: string): Promise<void> {
  await assertNotBanned(ctx, file.hash)
  await validateContent(ctx, { path: file.path, size: file.size, ext })
  await storeContent(ctx, file)
  await rm(file.path, { force: true })
}

/** Call it in a transaction. */
export function addDocumentFile(
  ctx: MemberCtx,
  { hash, size }: { hash: string; size: number },
  { name, ext }: { name: string; ext: string },
): Promise<number> {
  ctx.emit('file.uploaded', { hash, ext, userId: ctx.viewer.id })
  return addAttachment(ctx, { hash, size, name, ext, ...uploaderOf(ctx), type: AttachmentType.Document })
}
