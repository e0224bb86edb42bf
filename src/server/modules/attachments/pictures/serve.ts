import { AttachmentType } from '#shared/enums.ts'
import { isOpenSite } from '#shared/settings.ts'
import type { Ctx, Viewer } from '#server/context.ts'
import { admit } from '#server/http/api/admit.ts'
import { fileResponse } from '#server/http/files/ranges.ts'
import { findViewerOfSession } from '#server/modules/access/access.viewer.ts'
import { readPictureCookie } from '#server/modules/auth/sessions.ts'
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
 * everybody, as the settings are: the login page shows them. Those of payments are for the buyer and for staff who see
 * orders; for all others they do not exist. Documents have no address here, even if their hash is known.
 */
export async function servePicture(ctx: Ctx, request: Request, file: string): Promise<Response | undefined> {
  const [, hash = '', ext = ''] = /^([0-9a-f]{64})(\.[a-z0-9]+)$/.exec(file) ?? []
  const type = types[ext]
  if (!hash || !type) return undefined
  const rows = await ctx.db
    .selectFrom('attachment')
    .select(['type', 'user_id', 'path', 'size', 'enable', 'deleted_at'])
    .where('hash', '=', hash)
    .execute()
  const { pathname } = new URL(request.url)
  const attachments = rows.filter(({ path, deleted_at }) => deleted_at === null && path === pathname)
  const isOfSettings = attachments.some(({ type }) => type === AttachmentType.Setting)
  const isPrivate = attachments.every((one) => one.type === AttachmentType.PaymentProof)
  const viewer = isPrivate || !isOpenSite(ctx.settings) ? await findPictureViewer(ctx, request) : ctx.viewer
  if (!isOfSettings) admit('public', { ...ctx, viewer })
  const [attachment] = attachments
  if (!attachment || rows.some(({ enable }) => enable === 0)) return undefined
  if (isPrivate && !maySeeProof(viewer, attachments)) return undefined
  return fileResponse(request, {
    type,
    size: attachment.size,
    etag: hash,
    cache: isOfSettings ? 'public, max-age=31536000, immutable' : isPrivate ? privateCache : cacheControl(ctx),
    open: (range) => openContent(ctx, hash, range),
  })
}

/**
 * What only a session opens is asked for again, as the session may end. Shared caches (`s-maxage`) keep nothing for long: the
 * site may be closed one day.
 */
function cacheControl({ settings }: Ctx): string {
  return isOpenSite(settings) ? 'public, max-age=31536000, s-maxage=3600, immutable' : privateCache
}

const privateCache = 'private, no-cache'

function maySeeProof(viewer: Viewer, proofs: readonly { user_id: number }[]): boolean {
  const isStaff = viewer.can('OrderAPI/ListOrder') || viewer.can('OrderAPI/GetOrder')
  return isStaff || (viewer.id > 0 && proofs.some(({ user_id }) => user_id === viewer.id))
}

/** A browser sends no token for a picture, but a cookie. */
async function findPictureViewer(ctx: Ctx, { headers }: Request): Promise<Viewer> {
  if (ctx.viewer.id !== 0) return ctx.viewer
  return findViewerOfSession(ctx, readPictureCookie(ctx.keys, headers.get('cookie') ?? ''))
}
