import { errors } from '#shared/errors.ts'
import { formatSize } from '#shared/format.ts'
import type { MemberCtx } from '#server/context.ts'
import { takeDaily } from '#server/modules/access/quotas.ts'
import { manages } from './articles.policy.ts'

/** What one member may publish and write in a day. Those who manage articles may more. */
const mostArticles = 50
const mostBytes = 20 * 1024 * 1024

/** Belongs, like what follows, into the transaction that keeps the text: if that fails, nothing has been used. */
export async function takeArticle(ctx: MemberCtx, content: string): Promise<void> {
  if (manages(ctx.viewer)) return
  if (!(await takeDaily(ctx, { kind: 'article.new', who: ctx.viewer.id, limit: mostArticles })))
    throw errors.articles.quotaCount(mostArticles)
  await takeText(ctx, content)
}

export async function takeText(ctx: MemberCtx, content: string): Promise<void> {
  if (manages(ctx.viewer)) return
  const amount = Buffer.byteLength(content)
  if (!(await takeDaily(ctx, { kind: 'article.text', who: ctx.viewer.id, limit: mostBytes, amount })))
    throw errors.articles.quotaSize(formatSize(mostBytes))
}
