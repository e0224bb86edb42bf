import type { Ctx } from '#server/context.ts'
import type { Prepared } from '#server/convert/converter.ts'
import { coverKey } from './storage-keys.ts'
import type { Rendition } from './renditions.queries.ts'

const coverWidth = 420

interface CoverOf {
  rendition: Rendition
  book: Prepared
  signal: AbortSignal
}

export async function addCover(ctx: Ctx, { rendition: { hash, revision }, book, signal }: CoverOf): Promise<void> {
  if (!(await drawCover(ctx, { hash, revision, book, signal }))) return
  await ctx.db
    .updateTable('rendition')
    .set({ has_cover: 1 })
    .where('hash', '=', hash)
    .where('revision', '=', revision)
    .execute()
  ctx.emit('rendition.changed', { hash })
}

interface Drawing {
  hash: string
  revision: number
  book: Prepared
  signal: AbortSignal
}

/** A document without a cover is still a document. */
export async function drawCover(ctx: Ctx, { hash, revision, book, signal }: Drawing): Promise<boolean> {
  try {
    const cover = await ctx.converter.picture(book, 1, coverWidth, { urgency: 1, signal })
    await ctx.storage.put(coverKey(hash, revision), cover)
    return true
  } catch (error) {
    ctx.log.warn({ hash, error }, 'no cover')
    return false
  }
}
