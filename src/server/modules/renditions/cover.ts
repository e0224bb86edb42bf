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
  if (!(await renderCover(ctx, { hash, revision, source, signal }))) return
  await ctx.db
    .updateTable('rendition')
    .set({ has_cover: 1 })
    .where('hash', '=', hash)
    .where('revision', '=', revision)
    .execute()
  ctx.emit('rendition.changed', { hash })
}

/** False when it cannot be rendered: a document needs no cover. */
export async function renderCover(
  ctx: Ctx,
  { hash, revision, source, signal }: CoverRequest & { hash: string; revision: number },
): Promise<boolean> {
  try {
    const cover = await ctx.converter.renderImage(source, 1, coverWidth, {
      priority: RenderPriority.FirstPages,
      signal,
    })
    await ctx.storage.put(coverKey(hash, revision), cover)
    return true
  } catch (error) {
    ctx.log.warn({ hash, error }, 'no cover')
    return false
  }
}
