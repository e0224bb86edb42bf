import { JobPriority } from '#server/jobs/queue.ts'
import { createHash } from 'node:crypto'
import type { Ctx } from '#server/context.ts'
import type { EntryKind, IndexedEntry, Metadata } from '#server/fulltext/fulltext.ts'
import { enqueue } from '#server/jobs.ts'

/** Keeps the full-text index in step with one kind of content. */
export interface Indexer<S extends SourceEntry = SourceEntry> {
  kind: EntryKind
  /** Ids of what should be indexed, ascending, after this one. */
  listIds(ctx: Ctx, after: number, limit: number): Promise<number[]>
  readSources(ctx: Ctx, ids: readonly number[]): Promise<Map<number, S>>
  /** Only the last batch of pages carries the version, so that an interrupted run starts again. */
  putPages(ctx: Ctx, source: S, force: boolean): Promise<void>
}

/** An entry as it should be indexed; the versions are fingerprints of what it is made from. */
export interface SourceEntry {
  id: number
  metadata: Pick<Metadata, 'title' | 'keywords' | 'description' | 'quality'>
  metadataVersion: string
  /** Empty while its text is not extracted. */
  pagesVersion: string
}

const batchSize = 200
const maxRounds = 5
const indexJobs = { document: 'search.index-documents', article: 'search.index-articles' } as const
const checkJobs = { document: 'search.check-documents', article: 'search.check-articles' } as const

export function fingerprintMetadata(metadata: SourceEntry['metadata']): string {
  return createHash('sha256').update(JSON.stringify(metadata)).digest('base64url').slice(0, 16)
}

/** Enqueues the indexing of rows that have changed. */
export async function enqueueIndexing(ctx: Ctx, kind: EntryKind, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += batchSize)
    await enqueue(ctx, indexJobs[kind], { id: ids.slice(from, from + batchSize) }, { priority: JobPriority.Index })
}

/** Idempotent. */
export async function indexEntries<S extends SourceEntry>(
  ctx: Ctx,
  indexer: Indexer<S>,
  ids: readonly number[],
  { force = false } = {},
): Promise<void> {
  const errors: unknown[] = []
  for (const id of ids) {
    try {
      await indexEntry(ctx, indexer, id, force)
    } catch (error) {
      // An entry whose text cannot be read does not keep the others out of the index.
      ctx.log.warn({ kind: indexer.kind, id, error }, 'not indexed')
      errors.push(error)
    }
  }
  if (errors.length > 0 && errors.length === ids.length) throw errors[0]
}

/** Compares the index with the content, one range of ids at a time, and indexes the difference. */
export async function checkEntries<S extends SourceEntry>(
  ctx: Ctx,
  indexer: Indexer<S>,
  { from, all }: { from: number; all: boolean },
): Promise<void> {
  const { kind } = indexer
  const sourceIds = await indexer.listIds(ctx, from, batchSize)
  // A site without content need not open its index.
  if (from === 0 && sourceIds.length === 0) return
  const indexed = await ctx.search.list(kind, { after: from, limit: batchSize })
  const indexedIds = indexed.map(({ id }) => id)
  const ends = [sourceIds, indexedIds].filter((ids) => ids.length === batchSize).map((ids) => ids.at(-1) ?? from)
  const last = ends.length > 0 ? Math.min(...ends) : Number.MAX_SAFE_INTEGER
  const ids = [...new Set([...sourceIds, ...indexedIds])].filter((id) => id <= last)
  const versions = new Map(indexed.map((entry) => [entry.id, entry]))
  const sources = await indexer.readSources(ctx, ids)
  const stale = ids.filter((id) => all || isStale(sources.get(id), versions.get(id)))
  await indexEntries(ctx, indexer, stale, { force: all }).catch((error: unknown) =>
    ctx.log.warn({ error }, 'none indexed'),
  )
  if (ends.length > 0) return enqueue(ctx, checkJobs[kind], { from: last, all })
  if (all) await enqueue(ctx, 'search.optimize', {})
}

/** Checks everything from the start; `all` indexes everything again, changed or not. */
export async function enqueueIndexCheck(ctx: Ctx, { all = false } = {}): Promise<void> {
  for (const kind of Object.values(checkJobs)) await enqueue(ctx, kind, { from: 0, all })
}

type Versions = Pick<IndexedEntry, 'metadataVersion' | 'pagesVersion'>

/** Until it is up to date: the content may change meanwhile, and the event of that may have reached another process. */
async function indexEntry<S extends SourceEntry>(
  ctx: Ctx,
  indexer: Indexer<S>,
  id: number,
  force: boolean,
): Promise<void> {
  const { kind } = indexer
  let indexed = force ? undefined : await findVersions(ctx, kind, id)
  for (let round = 0; round < maxRounds; round++) {
    const source = (await indexer.readSources(ctx, [id])).get(id)
    if (!source) return ctx.search.remove(kind, [id])
    const { metadata, metadataVersion, pagesVersion } = source
    const isMetadataStale = indexed?.metadataVersion !== metadataVersion
    const arePagesStale = pagesVersion !== '' && indexed?.pagesVersion !== pagesVersion
    if (!isMetadataStale && !arePagesStale) return
    if (isMetadataStale)
      await ctx.search.putMetadata({ kind, id, ...metadata, version: metadataVersion, ...(force && { force }) })
    if (arePagesStale) await indexer.putPages(ctx, source, force)
    indexed = { metadataVersion, pagesVersion: arePagesStale ? pagesVersion : (indexed?.pagesVersion ?? '') }
  }
}

async function findVersions(ctx: Ctx, kind: EntryKind, id: number): Promise<Versions | undefined> {
  const [entry] = await ctx.search.list(kind, { after: id - 1, limit: 1 })
  return entry?.id === id ? entry : undefined
}

function isStale(source: SourceEntry | undefined, indexed: Versions | undefined): boolean {
  if (!source || !indexed) return Boolean(source) !== Boolean(indexed)
  const isMetadataStale = source.metadataVersion !== indexed.metadataVersion
  return isMetadataStale || (source.pagesVersion !== '' && source.pagesVersion !== indexed.pagesVersion)
}
