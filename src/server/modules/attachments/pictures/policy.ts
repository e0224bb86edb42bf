import { errors } from '#shared/errors.ts'
import { formatSize } from '#shared/format.ts'
import type { MemberCtx } from '#server/context.ts'
import { takeDaily, usedToday } from '#server/modules/access/quotas.ts'
import { refuseSilenced, refuseWriter } from '#server/modules/users/users.writing.ts'

/** What one member may put into articles in a day. Those who manage the site may more. */
const mostFiles = 200
const mostBytes = 500 * 1024 * 1024

/** Pictures and films for articles come from who may write them, and who has not sent too many today. */
export async function refuseIllustrator(ctx: MemberCtx): Promise<void> {
  if (isTrusted(ctx)) return refuseSilenced(ctx)
  refuseWriter(ctx)
  if ((await usedToday(ctx, 'article.files', ctx.viewer.id)) >= mostFiles) throw errors.uploads.quotaCount(mostFiles)
  if ((await usedToday(ctx, 'article.bytes', ctx.viewer.id)) >= mostBytes)
    throw errors.uploads.quotaSize(formatSize(mostBytes))
}

/** Belongs into the transaction that records the upload: if that fails, nothing has been used. */
export async function takeIllustration(ctx: MemberCtx, bytes: number): Promise<void> {
  if (isTrusted(ctx)) return
  const who = ctx.viewer.id
  if (!(await takeDaily(ctx, { kind: 'article.files', who, limit: mostFiles })))
    throw errors.uploads.quotaCount(mostFiles)
  if (!(await takeDaily(ctx, { kind: 'article.bytes', who, limit: mostBytes, amount: bytes })))
    throw errors.uploads.quotaSize(formatSize(mostBytes))
}

function isTrusted({ viewer }: MemberCtx): boolean {
  return viewer.can('upload/article')
}
