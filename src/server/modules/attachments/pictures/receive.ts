import { createHash, randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AttachmentType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { type ReceivedFile, withReceivedFile } from '#server/http/api/multipart.ts'
import { cleanFileName } from '../file-names.ts'
import { addAttachment, keepContent, type NewAttachment, orDiskFull, refuseBanned } from '../attachments.store.ts'
import { encodePicture, firstBytes } from './encode.ts'
import { refuseIllustrator, takeIllustration } from './policy.ts'

const megabyte = 1024 * 1024

const pictureUses = {
  avatar: { type: 1, limit: 2 * megabyte, side: 512, as: 'webp' },
  article: { type: 3, limit: 10 * megabyte, side: 4096 },
  banner: { type: 5, limit: 10 * megabyte, side: 4096 },
  category: { type: 6, limit: 10 * megabyte, side: 4096 },
  config: { type: 7, limit: 10 * megabyte, side: 4096 },
} as const satisfies Record<string, { type: AttachmentType; limit: number; side: number; as?: 'webp' }>
export type PictureUse = keyof typeof pictureUses

const videoLimit = 100 * megabyte

/** A picture from a form, drawn anew and kept under its content. */
export async function receivePicture(
  ctx: MemberCtx,
  request: Request,
  use: PictureUse,
  folder: string,
): Promise<number> {
  const { type, limit, ...wanted } = pictureUses[use]
  if (use === 'article') await refuseIllustrator(ctx)
  const received = withReceivedFile(request, { folder, limit }, async (file) => {
    const { bytes, ...drawn } = await encodePicture(file.path, wanted)
    const hash = createHash('sha256').update(bytes).digest('hex')
    const about = { ...drawn, ...naming(file, hash, drawn.ext), hash, size: bytes.length, type }
    await refuseBanned(ctx, hash)
    await withTemporary(folder, bytes, (path) => keepContent(ctx, { hash, size: bytes.length, path }))
    return keepers[use](ctx, about)
  })
  return orDiskFull(received)
}

/** A film for an article, as it is; its first bytes say whether it is one. */
export async function receiveVideo(ctx: MemberCtx, request: Request, folder: string): Promise<number> {
  await refuseIllustrator(ctx)
  const received = withReceivedFile(request, { folder, limit: videoLimit }, async (file) => {
    const ext = await videoExt(file.path)
    await refuseBanned(ctx, file.hash)
    await keepContent(ctx, file)
    return illustrate(ctx, { ...naming(file, file.hash, ext), hash: file.hash, size: file.size, ext, type: 3 })
  })
  return orDiskFull(received)
}

const keepers: Record<PictureUse, (ctx: MemberCtx, about: NewAttachment) => Promise<number>> = {
  avatar: becomeAvatar,
  article: illustrate,
  banner: addAttachment,
  category: addAttachment,
  config: addAttachment,
}

/** For an article that is being written; who gives up writing it has used some of the day's share all the same. */
function illustrate(ctx: MemberCtx, about: NewAttachment): Promise<number> {
  return transaction(ctx, async (ctx) => {
    await takeIllustration(ctx, about.size)
    return addAttachment(ctx, about)
  })
}

/** Those before it retire: nobody looks at them any more. */
function becomeAvatar(ctx: MemberCtx, about: NewAttachment): Promise<number> {
  return transaction(ctx, async (ctx) => {
    const userId = ctx.viewer.id
    const now = ctx.now()
    await ctx.db
      .updateTable('attachment')
      .set({ deleted_at: now })
      .where('type', '=', pictureUses.avatar.type)
      .where('type_id', '=', userId)
      .where('deleted_at', 'is', null)
      .execute()
    const id = await addAttachment(ctx, { ...about, typeId: userId })
    await ctx.db.updateTable('user').set({ avatar: about.path, updated_at: now }).where('id', '=', userId).execute()
    ctx.emit('user.changed', { id: userId })
    return id
  })
}

function naming({ name }: ReceivedFile, hash: string, ext: string): { name: string; path: string } {
  return { name: cleanFileName(name) || `图片${ext}`, path: `/uploads/${hash.slice(0, 2)}/${hash}${ext}` }
}

async function videoExt(path: string): Promise<string> {
  const head = (await firstBytes(path)).toString('latin1')
  if (/^[^]{4}ftyp(?!qt|heic|avif|mif1)/.test(head)) return '.mp4'
  if (head.startsWith('\x1aE\xdf\xa3') && head.includes('webm')) return '.webm'
  throw errors.uploads.notVideo()
}

async function withTemporary(folder: string, bytes: Uint8Array, work: (path: string) => Promise<void>): Promise<void> {
  const path = join(folder, randomUUID())
  try {
    await writeFile(path, bytes)
    await work(path)
  } finally {
    await rm(path, { force: true })
  }
}
