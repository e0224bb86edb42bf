import { createHash, randomUUID } from 'node:crypto'
import { rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AttachmentType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { formatSize } from '#shared/format.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { type ReceivedFile, withReceivedFile } from '#server/http/api/multipart.ts'
import { cleanFileName } from '../file-names.ts'
import {
  addAttachment,
  storeContent,
  type NewAttachment,
  explainDiskFull,
  assertNotBanned,
  uploaderOf,
} from '../attachments.store.ts'
import { removeReplaced } from '../attachments.sweep.ts'
import { encodePicture, firstBytes } from './encode.ts'
import {
  assertAvatarQuotaLeft,
  assertCanIllustrate,
  assertPaymentProofQuotaLeft,
  consumeAvatarQuota,
  consumeIllustrationQuota,
  consumePaymentProofQuota,
} from './policy.ts'

const megabyte = 1024 * 1024

const pictureUses = {
  avatar: { type: AttachmentType.Avatar, limit: 2 * megabyte, side: 512, as: 'webp' },
  article: { type: AttachmentType.Article, limit: 10 * megabyte, side: 4096 },
  banner: { type: AttachmentType.Banner, limit: 10 * megabyte, side: 4096 },
  category: { type: AttachmentType.CategoryCover, limit: 10 * megabyte, side: 4096 },
  config: { type: AttachmentType.Setting, limit: 10 * megabyte, side: 4096 },
  order: { type: AttachmentType.PaymentProof, limit: 10 * megabyte, side: 2048 },
} as const satisfies Record<string, { type: AttachmentType; limit: number; side: number; as?: 'webp' }>
export type PictureUse = keyof typeof pictureUses

const videoLimit = 100 * megabyte

/** Re-encodes an image from a form and stores it. */
export async function receivePicture(
  ctx: MemberCtx,
  request: Request,
  use: PictureUse,
  folder: string,
): Promise<number> {
  const { limit } = pictureUses[use]
  if (use === 'article') await assertCanIllustrate(ctx)
  if (use === 'avatar') await assertAvatarQuotaLeft(ctx)
  if (use === 'order') await assertPaymentProofQuotaLeft(ctx)
  const received = withReceivedFile(request, { folder, limit }, async (file) => {
    const picture = await storePicture(ctx, file, use, folder)
    return recorders[use](ctx, { ...picture, ...uploaderOf(ctx) })
  })
  return explainDiskFull(received)
}

/** Re-encodes a fetched picture of an article and stores it. Returns its path on this site. */
export async function keepCrawledPicture(
  ctx: Ctx,
  { ownerId, ...file }: { path: string; name: string; ownerId: number },
): Promise<string> {
  const { size } = await stat(file.path)
  const { limit } = pictureUses.article
  if (size > limit) throw errors.uploads.tooLarge(formatSize(limit))
  const picture = await explainDiskFull(storePicture(ctx, file, 'article', dirname(file.path)))
  await addAttachment(ctx, { ...picture, userId: ownerId, ip: '' })
  return picture.path
}

async function storePicture(ctx: Ctx, file: Pick<ReceivedFile, 'path' | 'name'>, use: PictureUse, folder: string) {
  const { type, limit: _limit, ...encodeOptions } = pictureUses[use]
  const { bytes, ...picture } = await encodePicture(file.path, encodeOptions)
  const hash = createHash('sha256').update(bytes).digest('hex')
  await assertNotBanned(ctx, hash)
  await withTemporary(folder, bytes, (path) => storeContent(ctx, { hash, size: bytes.length, path }))
  return { ...picture, ...toNameAndPath(file, hash, picture.ext), hash, size: bytes.length, type }
}

/** Stores a video for an article as it is, if it has the magic number of one. */
export async function receiveVideo(ctx: MemberCtx, request: Request, folder: string): Promise<number> {
  await assertCanIllustrate(ctx)
  const received = withReceivedFile(request, { folder, limit: videoLimit }, async (file) => {
    const ext = await videoExt(file.path)
    await assertNotBanned(ctx, file.hash)
    await storeContent(ctx, file)
    return illustrate(ctx, {
      ...toNameAndPath(file, file.hash, ext),
      hash: file.hash,
      size: file.size,
      ext,
      ...uploaderOf(ctx),
      type: AttachmentType.Article,
    })
  })
  return explainDiskFull(received)
}

const recorders: Record<PictureUse, (ctx: MemberCtx, attachment: NewAttachment) => Promise<number>> = {
  avatar: setAvatar,
  article: illustrate,
  banner: addAttachment,
  category: addAttachment,
  config: addAttachment,
  order: addPaymentProof,
}

/** Consumes the quota of the day even if the article is never published. */
function illustrate(ctx: MemberCtx, attachment: NewAttachment): Promise<number> {
  return transaction(ctx, async (ctx) => {
    await consumeIllustrationQuota(ctx, attachment.size)
    return addAttachment(ctx, attachment)
  })
}

/** A picture of a payment outside the site, for staff to look at. */
function addPaymentProof(ctx: MemberCtx, attachment: NewAttachment): Promise<number> {
  return transaction(ctx, async (ctx) => {
    await consumePaymentProofQuota(ctx)
    return addAttachment(ctx, attachment)
  })
}

/** The previous avatar is deleted at once, so that changing it again and again does not fill the disk. */
async function setAvatar(ctx: MemberCtx, attachment: NewAttachment): Promise<number> {
  const { id, replaced } = await transaction(ctx, async (ctx) => {
    const userId = ctx.viewer.id
    await consumeAvatarQuota(ctx)
    const replaced = await ctx.db
      .deleteFrom('attachment')
      .where('type', '=', pictureUses.avatar.type)
      .where('type_id', '=', userId)
      // A row that bans its content stays.
      .where('enable', '=', 1)
      .returning(['hash', 'created_at'])
      .execute()
    const id = await addAttachment(ctx, { ...attachment, typeId: userId })
    await ctx.db
      .updateTable('user')
      .set({ avatar: attachment.path, updated_at: ctx.now() })
      .where('id', '=', userId)
      .execute()
    // The same picture again is kept; looking whether it may go would make other uploads of it fail.
    return { id, replaced: replaced.filter(({ hash }) => hash !== attachment.hash) }
  })
  await removeReplaced(ctx, replaced).catch((error: unknown) =>
    ctx.log.warn({ error }, 'a replaced avatar is left to the sweep'),
  )
  return id
}

function toNameAndPath(
  { name }: Pick<ReceivedFile, 'name'>,
  hash: string,
  ext: string,
): { name: string; path: string } {
  return { name: cleanFileName(name) || `图片${ext}`, path: `/uploads/${hash.slice(0, 2)}/${hash}${ext}` }
}

async function videoExt(path: string): Promise<string> {
  const head = (await firstBytes(path)).toString('latin1')
  if (/^[^]{4}ftyp(?!qt|heic|avif|mif1)/.test(head)) return '.mp4'
  if (head.startsWith('\x1aE\xdf\xa3') && head.includes('webm')) return '.webm'
  throw errors.uploads.notVideo()
}

export async function withTemporary<T>(
  folder: string,
  bytes: Uint8Array,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(folder, randomUUID())
  try {
    await writeFile(path, bytes)
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}
