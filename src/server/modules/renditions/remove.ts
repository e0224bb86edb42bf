import { type Ctx, transaction } from '#server/context.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { renditionPrefix } from './storage-keys.ts'
import type { Pictures } from './page-images.ts'

const laterMs = 60_000

/** Removes what was made of a content that nobody uses any more. */
export async function removeRendition(ctx: Ctx, pictures: Pictures, hash: string): Promise<void> {
  const before = ctx.now()
  if (!(await forgetUnused(ctx, hash))) return
  const prefix = renditionPrefix(hash)
  const keys: string[] = []
  // The same content may have come back meanwhile: what is made of it now has a later revision.
  for await (const { key } of ctx.storage.list(prefix))
    if (Number(key.slice(prefix.length).split('/')[0]) <= before) keys.push(key)
  await ctx.storage.remove(keys)
  await pictures.drop(hash)
}

/** False while a document or a file somebody has uploaded needs it, or somebody still works on it. */
async function forgetUnused(ctx: Ctx, hash: string): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    // The write holds the row: who wants it at this moment waits, and then makes a new one.
    await ctx.db.updateTable('rendition').set({ updated_at: ctx.now() }).where('hash', '=', hash).execute()
    if (await isUsed(ctx, hash)) return false
    if (await isWorkedOn(ctx, hash)) {
      const again = { kind: 'rendition.remove', payload: { hash }, key: `remove:${hash}`, runAt: ctx.now() + laterMs }
      await enqueue(ctx, again)
      return false
    }
    await ctx.db.deleteFrom('rendition').where('hash', '=', hash).execute()
    return true
  })
}

async function isUsed({ db }: Ctx, hash: string): Promise<boolean> {
  const document = await db.selectFrom('document').select('id').where('hash', '=', hash).executeTakeFirst()
  if (document) return true
  const attachment = await db
    .selectFrom('attachment')
    .select('id')
    .where('hash', '=', hash)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return attachment !== undefined
}

async function isWorkedOn({ db }: Ctx, hash: string): Promise<boolean> {
  const job = await db
    .selectFrom('job')
    .select('id')
    .where('state', '=', 'running')
    .where((where) =>
      where.or([where('key', 'in', [`convert:${hash}`, `draw:${hash}`]), where('key', 'like', `read:${hash}:%`)]),
    )
    .executeTakeFirst()
  return job !== undefined
}
