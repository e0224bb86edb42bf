import { rm } from 'node:fs/promises'
import { transaction, type MemberCtx } from '#server/context.ts'
import { withReceivedFile } from '#server/http/api/multipart.ts'
import {
  acceptContent,
  acceptName,
  acceptSize,
  documentLimit,
  refuseUploader,
  refuseUsedUp,
  takeUploadQuota,
} from '../attachments.policy.ts'
import { addAttachment, keepContent, type LocalFile, orDiskFull, refuseBanned } from '../attachments.store.ts'

/** The plain way: one file in one form. */
export async function receiveDocument(ctx: MemberCtx, request: Request, folder: string): Promise<number> {
  refuseUploader(ctx)
  await refuseUsedUp(ctx)
  const received = withReceivedFile(request, { folder, limit: documentLimit(ctx) }, async (file) => {
    const named = acceptName(ctx, file.name)
    acceptSize(ctx, file.size)
    await keepDocument(ctx, file, named.ext)
    return transaction(ctx, async (ctx) => {
      await takeUploadQuota(ctx, file.size)
      return addDocumentFile(ctx, file, named)
    })
  })
  return orDiskFull(received)
}

/** Looks at a whole file and puts it where it is kept. Afterwards it is no longer where it was, whatever came of it. */
async function keepDocument(ctx: MemberCtx, file: LocalFile, ext: string): Promise<void> {
  await refuseBanned(ctx, file.hash)
  await acceptContent(ctx, { path: file.path, size: file.size, ext })
  await keepContent(ctx, file)
  await rm(file.path, { force: true })
}

export function addDocumentFile(
  ctx: MemberCtx,
  { hash, size }: { hash: string; size: number },
  { name, ext }: { name: string; ext: string },
): Promise<number> {
  return addAttachment(ctx, { hash, size, name, ext, type: 2 })
}
