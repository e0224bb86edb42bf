import { errors } from '#shared/errors.ts'
import { formatSize } from '#shared/format.ts'
import type { MemberCtx } from '#server/context.ts'
import { consumeQuota } from '#server/modules/access/quotas.ts'
import { canManage } from '../articles.policy.ts'

/** Limits per member; managers of articles are exempt. */
const maxArticlesPerDay = 50
const maxBytesPerDay = 20 * 1024 * 1024

/**
 * Call this and `consumeTextQuota` before the content is sanitized, and outside of the transaction that writes the article:
 * an attempt that fails counts too.
 */
export async function consumeArticleQuota(ctx: MemberCtx, content: string): Promise<void> {
  if (canManage(ctx.viewer)) return
  if (!(await consumeQuota(ctx, { quota: 'article.new', subject: ctx.viewer.id, limit: maxArticlesPerDay })))
    throw errors.articles.quotaCount(maxArticlesPerDay)
  await consumeTextQuota(ctx, content)
}

export async function consumeTextQuota(ctx: MemberCtx, content: string): Promise<void> {
  if (canManage(ctx.viewer)) return
  const amount = Buffer.byteLength(content)
  if (!(await consumeQuota(ctx, { quota: 'article.text', subject: ctx.viewer.id, limit: maxBytesPerDay, amount })))
    throw errors.articles.quotaSize(formatSize(maxBytesPerDay))
}
