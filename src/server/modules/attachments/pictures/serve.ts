import { AttachmentType } from '#shared/enums.ts'
import { isOpenSite } from '#shared/settings.ts'
import type { Ctx } from '#server/context.ts'
import { admit } from '#server/http/api/admit.ts'
import { fileResponse } from '#server/http/files/ranges.ts'
import { openContent } from '../attachments.store.ts'

const types: Record<string, string> = {
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
}

/**
 * Uploaded images and videos, for those who may see the site. The pictures of the settings (logo, icon, QR code …) are for
 * everybody, as the settings are: the login page shows them. Documents have no address here, even if their hash is known.
 */
export async function servePicture(ctx: Ctx, request: Request, file: string): Promise<Response | undefined> {
  const [, hash = '', ext = ''] = /^([0-9a-f]{64})(\.[a-z0-9]+)$/.exec(file) ?? []
  const type = types[ext]
  if (!hash || !type) return undefined
  const rows = await ctx.db
    .selectFrom('attachment')
    .select(['type', 'path', 'size', 'enable', 'deleted_at'])
    .where('hash', '=', hash)
    .execute()
  const { pathname } = new URL(request.url)
  const attachments = rows.filter(({ path, deleted_at }) => deleted_at === null && path === pathname)
  const isOfSettings = attachments.some(({ type }) => type === AttachmentType.Setting)
  if (!isOfSettings) admit('public', ctx)
  const [attachment] = attachments
  if (!attachment || rows.some(({ enable }) => enable === 0)) return undefined
  return fileResponse(request, {
    type,
    size: attachment.size,
    etag: hash,
    cache: isOfSettings ? 'public, max-age=31536000, immutable' : cacheControl(ctx),
    open: (range) => openContent(ctx, hash, range),
  })
}

/**
 * What only a session opens is asked for again, as the session may end. Shared caches (`s-maxage`) keep nothing for long: the
 * site may be closed one day.
 */
function cacheControl({ settings }: Ctx): string {
  return isOpenSite(settings) ? 'public, max-age=31536000, s-maxage=3600, immutable' : 'private, no-cache'
}
