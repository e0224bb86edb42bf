import { RenderPriority } from '#server/convert/converter.ts'
import type { Ctx } from '#server/context.ts'
import type { RenderSource } from '#server/convert/converter.ts'
import type { Rendition } from './renditions.queries.ts'
import { coverKey } from './storage-keys.ts'

const coverWidth = 420

interface CoverRequest {
  source: RenderSource
  signal: AbortSignal
}

export async function addCover(
  ctx: Ctx,
  { rendition: { hash, revision }, source, signal }: CoverRequest & { rendition: Rendition },
): Promise<void> {
  const cover = await renderCover(ctx, { hash, revision, source, signal })
  if (!cover) return
  await ctx.db
    .updateTable('rendition')
    .set({ has_cover: 1, cover_tint: cover.tint })
    .where('hash', '=', hash)
    .where('revision', '=', revision)
    .execute()
  ctx.emit('rendition.changed', { hash })
}

/** Undefined when it cannot be rendered or has nothing on it: a document needs no cover. */
export async function renderCover(
  ctx: Ctx,
  { hash, revision, source, signal }: CoverRequest & { hash: string; revision: number },
): Promise<{ tint: string } | undefined> {
  try {
    const image = await ctx.converter.renderCover(source, coverWidth, { priority: RenderPriority.FirstPages, signal })
    if (!image) return undefined
    await ctx.storage.put(coverKey(hash, revision), image.webp)
    return { tint: image.tint }
  } catch (error) {
    ctx.log.warn({ hash, error }, 'no cover')
    return undefined
  }
}
