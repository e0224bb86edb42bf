import type { Ctx } from '../context.ts'
import { enqueue } from '../jobs/queue.ts'
import { removeOrphans } from '../modules/attachments/attachments.sweep.ts'
import type { Stored } from '../storage/storage.ts'

const day = 24 * 60 * 60 * 1000
const batch = 500

/** Things in the storage, a day old at least, that no row knows. */
export async function* orphans(ctx: Ctx): AsyncGenerator<Stored> {
  const isOld = ({ changedAt }: Stored) => changedAt < ctx.now() - day
  for await (const found of inBatches(ctx.storage.list('files/'))) {
    const old = found.filter(isOld)
    const known = await knownFiles(ctx, old.map(hashOf))
    yield* old.filter((stored) => !known.has(hashOf(stored)))
  }
  for await (const found of inBatches(ctx.storage.list('renditions/'))) {
    const old = found.filter(isOld)
    const known = await knownRenditions(ctx, old.map(hashOf))
    yield* old.filter((stored) => !isPartOf(known.get(hashOf(stored)), stored))
  }
}

type Removal = 'removed' | 'queued' | 'kept'

/** By the site's own rules: whoever brings the same content at this moment is not hurt. Tells what became of each key. */
export async function removeAll(ctx: Ctx, found: readonly Stored[]): Promise<Map<string, Removal>> {
  await removeOrphans(ctx)
  const made = found.filter(({ key }) => key.startsWith('renditions/'))
  const known = await knownRenditions(ctx, made.map(hashOf))
  // Earlier revisions of what is shown are nobody's any more; what no rendition has goes with all that was made of it.
  await ctx.storage.remove(made.filter((stored) => known.has(hashOf(stored))).map(({ key }) => key))
  const unknown = new Set(made.map(hashOf).filter((hash) => !known.has(hash)))
  for (const hash of unknown) await enqueue(ctx, { kind: 'rendition.remove', payload: { hash }, key: `remove:${hash}` })
  const ends = new Map<string, Removal>()
  for (const stored of found) {
    const isQueued = stored.key.startsWith('renditions/') && unknown.has(hashOf(stored))
    ends.set(stored.key, isQueued ? 'queued' : (await ctx.storage.find(stored.key)) ? 'kept' : 'removed')
  }
  return ends
}

interface Shown {
  state: string
  revision: number
}

/** While a content is being converted, what comes of it has no row yet. */
function isPartOf(rendition: Shown | undefined, { key }: Stored): boolean {
  if (!rendition) return false
  return rendition.state !== 'done' || Number(key.split('/')[4]) === rendition.revision
}

/** `files/ab/cd/<hash>` and `renditions/ab/cd/<hash>/…`. */
function hashOf({ key }: Stored): string {
  return key.split('/')[3] ?? ''
}

async function knownFiles({ db }: Ctx, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await db.selectFrom('stored_file').select('hash').where('hash', 'in', hashes).execute()
  return new Set(rows.map(({ hash }) => hash))
}

async function knownRenditions({ db }: Ctx, hashes: readonly string[]): Promise<Map<string, Shown>> {
  const known = new Map<string, Shown>()
  const all = [...new Set(hashes)]
  for (let from = 0; from < all.length; from += batch) {
    const rows = await db
      .selectFrom('rendition')
      .select(['hash', 'state', 'revision'])
      .where('hash', 'in', all.slice(from, from + batch))
      .execute()
    for (const { hash, ...shown } of rows) known.set(hash, shown)
  }
  return known
}

async function* inBatches(all: AsyncIterable<Stored>): AsyncGenerator<Stored[]> {
  let found: Stored[] = []
  for await (const stored of all) {
    if (found.push(stored) < batch) continue
    yield found
    found = []
  }
  if (found.length > 0) yield found
}
