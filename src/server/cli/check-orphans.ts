import type { Ctx } from '../context.ts'
import { enqueue } from '../jobs.ts'
import { removeOrphans } from '../modules/attachments/attachments.sweep.ts'
import type { StoredObject } from '../storage/storage.ts'

const day = 24 * 60 * 60 * 1000
const batchSize = 500

/** Files in the storage, at least a day old, that no row refers to. */
export async function* findOrphans(ctx: Ctx): AsyncGenerator<StoredObject> {
  const isOld = ({ modifiedAt }: StoredObject) => modifiedAt < ctx.now() - day
  for await (const batch of inBatches(ctx.storage.list('files/'))) {
    const old = batch.filter(isOld)
    const known = await knownFiles(ctx, old.map(toHash))
    yield* old.filter((stored) => !known.has(toHash(stored)))
  }
  for await (const batch of inBatches(ctx.storage.list('renditions/'))) {
    const old = batch.filter(isOld)
    const known = await knownRenditions(ctx, old.map(toHash))
    yield* old.filter((stored) => !isPartOf(known.get(toHash(stored)), stored))
  }
}

type Removal = 'removed' | 'queued' | 'kept'

/** By the site's own rules, so that an upload of the same content at this moment is safe. Gives the result for each key. */
export async function removeFiles(ctx: Ctx, orphans: readonly StoredObject[]): Promise<Map<string, Removal>> {
  await removeOrphans(ctx)
  const renditionFiles = orphans.filter(({ key }) => key.startsWith('renditions/'))
  const known = await knownRenditions(ctx, renditionFiles.map(toHash))
  // Earlier revisions of existing renditions are removed file by file, the others as a whole.
  await ctx.storage.remove(renditionFiles.filter((stored) => known.has(toHash(stored))).map(({ key }) => key))
  const unknown = new Set(renditionFiles.map(toHash).filter((hash) => !known.has(hash)))
  for (const hash of unknown) await enqueue(ctx, 'renditions.remove', { hash })
  const results = new Map<string, Removal>()
  for (const stored of orphans) {
    const isQueued = stored.key.startsWith('renditions/') && unknown.has(toHash(stored))
    results.set(stored.key, isQueued ? 'queued' : (await ctx.storage.find(stored.key)) ? 'kept' : 'removed')
  }
  return results
}

interface KnownRendition {
  state: string
  revision: number
}

/** During a conversion its files have no row yet. */
function isPartOf(rendition: KnownRendition | undefined, { key }: StoredObject): boolean {
  if (!rendition) return false
  return rendition.state !== 'done' || Number(key.split('/')[4]) === rendition.revision
}

/** `files/ab/cd/<hash>` and `renditions/ab/cd/<hash>/…`. */
function toHash({ key }: StoredObject): string {
  return key.split('/')[3] ?? ''
}

async function knownFiles({ db }: Ctx, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await db.selectFrom('stored_file').select('hash').where('hash', 'in', hashes).execute()
  return new Set(rows.map(({ hash }) => hash))
}

async function knownRenditions({ db }: Ctx, hashes: readonly string[]): Promise<Map<string, KnownRendition>> {
  const known = new Map<string, KnownRendition>()
  const all = [...new Set(hashes)]
  for (let from = 0; from < all.length; from += batchSize) {
    const rows = await db
      .selectFrom('rendition')
      .select(['hash', 'state', 'revision'])
      .where('hash', 'in', all.slice(from, from + batchSize))
      .execute()
    for (const { hash, ...rendition } of rows) known.set(hash, rendition)
  }
  return known
}

async function* inBatches(all: AsyncIterable<StoredObject>): AsyncGenerator<StoredObject[]> {
  let batch: StoredObject[] = []
  for await (const stored of all) {
    if (batch.push(stored) < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
