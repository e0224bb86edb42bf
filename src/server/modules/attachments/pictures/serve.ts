import type { Ctx } from '#server/context.ts'
import { fileResponse } from '#server/http/files/ranges.ts'
import { openContent } from '../attachments.store.ts'

const types: Record<string, string> = {
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
}

/** Uploaded images and videos. Documents have no address here, even if their hash is known. */
export async function servePicture(ctx: Ctx, request: Request, file: string): Promise<Response | undefined> {
  const [, hash = '', ext = ''] = /^([0-9a-f]{64})(\.[a-z0-9]+)$/.exec(file) ?? []
  const type = types[ext]
  if (!hash || !type) return undefined
  const rows = await ctx.db
    .selectFrom('attachment')
    .select(['path', 'size', 'enable', 'deleted_at'])
    .where('hash', '=', hash)
    .execute()
  const attachment = rows.find(({ path, deleted_at }) => deleted_at === null && path === new URL(request.url).pathname)
  if (!attachment || rows.some(({ enable }) => enable === 0)) return undefined
  return fileResponse(request, {
    type,
    size: attachment.size,
    etag: hash,
    cache: 'public, max-age=31536000, immutable',
    open: (range) => openContent(ctx, hash, range),
  })
}
