import { type Ctx, transaction } from '#server/context.ts'
import { enqueue, jobKey } from '#server/jobs.ts'
import type { ConversionDeps } from './convert.ts'
import { renditionPrefix } from './storage-keys.ts'

const retryMs = 60_000

/** Removes everything that was converted from a content that nothing refers to any more. */
export async function removeRendition(
  ctx: Ctx,
  { observer, pageImages }: Pick<ConversionDeps, 'observer' | 'pageImages'>,
  hash: string,
): Promise<void> {
  const before = ctx.now()
  if (!(await deleteUnused(ctx, observer, hash))) return
  const prefix = renditionPrefix(hash)
  const keys: string[] = []
  // The same content may have been uploaded again meanwhile: its conversion has a later revision.
  for await (const { key } of ctx.storage.list(prefix))
    if (Number(key.slice(prefix.length).split('/')[0]) <= before) keys.push(key)
  await ctx.storage.remove(keys)
  await pageImages.evict(hash)
}

/** False while a document or an upload needs it, or a job works on it. */
async function deleteUnused(ctx: Ctx, observer: ConversionDeps['observer'], hash: string): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    // The write locks the row: a request for the same content waits, and then creates a new one.
    await ctx.db.updateTable('rendition').set({ updated_at: ctx.now() }).where('hash', '=', hash).execute()
    if (await observer.isUsed(ctx, hash)) return false
    if (await isJobRunning(ctx, hash)) {
      await enqueue(ctx, 'renditions.remove', { hash }, { runAt: ctx.now() + retryMs })
      return false
    }
    await ctx.db.deleteFrom('rendition').where('hash', '=', hash).execute()
    return true
  })
}

async function isJobRunning({ db }: Ctx, hash: string): Promise<boolean> {
  const keys = [
    jobKey('renditions.convert', { hash }),
    jobKey('renditions.prerender', { hash, revision: 0, from: 1 }),
    jobKey('renditions.extract-table', { hash, revision: 0 }),
  ]
  // The key of an extraction goes on with the revision.
  const extraction = jobKey('renditions.extract-text', { hash, revision: 0, from: 1 }).replace(/0$/, '%')
  const job = await db
    .selectFrom('job')
    .select('id')
    .where('state', '=', 'running')
    .where((where) => where.or([where('key', 'in', keys), where('key', 'like', extraction)]))
    .executeTakeFirst()
  return job !== undefined
}
