import { errors } from '#shared/errors.ts'
import { formatTime } from '#shared/format.ts'
import type { Ctx } from '#server/context.ts'
import { fileResponse } from '#server/http/files/ranges.ts'
import { findViewerOfSession } from '#server/modules/access/access.viewer.ts'
import { parseExportLink } from './link.ts'

/** The archive behind a link, for the member whose session it was given to. */
export async function serveExport(ctx: Ctx, token: string, request: Request): Promise<Response> {
  const link = await parseExportLink(ctx, token)
  const viewer = link && (await findViewerOfSession(ctx, link.sessionId))
  const row =
    viewer &&
    (await ctx.db
      .selectFrom('data_export')
      .selectAll()
      .where('id', '=', link.exportId)
      .where('user_id', '=', viewer.id)
      .where('state', '=', 'ready')
      .where('expires_at', '>', ctx.now())
      .executeTakeFirst())
  const response =
    row &&
    (await fileResponse(request, {
      size: row.size,
      type: 'application/zip',
      open: (range) => ctx.storage.read(row.storage_key, range),
      etag: row.storage_key,
      cache: 'private, no-store',
      name: `${ctx.settings.system.sitename}-${viewer.username}-${formatTime(row.created_at).slice(0, 10)}.zip`,
    }))
  if (!response) throw errors.privacy.exportGone()
  return response
}
