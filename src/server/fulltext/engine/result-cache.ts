import { LRUCache } from 'lru-cache'
import type { SearchHit } from '../fulltext.ts'
import type { CandidateBatch } from './candidates.ts'

/** The results of one query, before the visibility filter: they depend on the index alone and are shared by all callers. */
export interface CachedResults {
  /** All batches from the first one on, however often it is called; the search continues where no caller has been yet. */
  batches(): AsyncGenerator<CandidateBatch>
  /** By id of the entry. */
  qualities: Map<number, number>
  metadataBonuses: Map<number, number>
  /** By id of the entry and the last page that may be quoted. */
  hits: Map<string, SearchHit>
}

export interface ResultCache {
  /** `search` runs when the query is not cached. */
  get(key: string, search: () => AsyncGenerator<CandidateBatch>): CachedResults
  delete(key: string): void
}

/** Some ten megabytes. */
const maxQueries = 1000
const maxCandidates = 1_000_000

/**
 * Makes the next page of results, another filter and a query that many visitors type cheap. A change of the index version
 * clears it; NaN, which equals nothing, disables it.
 */
export function createResultCache(version: () => number): ResultCache {
  const cache = new LRUCache<string, CachedResults>({ max: maxQueries, maxSize: maxCandidates })
  let cachedVersion = Number.NaN

  const create = (key: string, search: () => AsyncGenerator<CandidateBatch>): CachedResults => {
    let size = 1
    const onBatch = ({ candidates }: CandidateBatch) => {
      size += candidates.length
      // Setting an unchanged value would keep its old size.
      if (cache.peek(key) === results && cache.delete(key)) cache.set(key, results, { size })
    }
    const batches = replayable(search(), { onBatch, onError: () => cache.delete(key) })
    const results = { batches, qualities: new Map(), metadataBonuses: new Map(), hits: new Map() }
    cache.set(key, results, { size })
    return results
  }
  return {
    delete: (key) => void cache.delete(key),
    get(key, search) {
      const current = version()
      if (current !== cachedVersion) cache.clear()
      cachedVersion = current
      return cache.get(key) ?? create(key, search)
    },
  }
}

/** Typed arrays take a quarter of the memory. */
interface PackedBatch extends Omit<CandidateBatch, 'candidates'> {
  ids: Float64Array
  pages: Uint16Array
}

function pack({ candidates, ...batch }: CandidateBatch): PackedBatch {
  const ids = new Float64Array(candidates.length)
  const pages = new Uint16Array(candidates.length)
  for (const [index, candidate] of candidates.entries()) {
    ids[index] = candidate.id
    pages[index] = candidate.pages
  }
  return { ...batch, ids, pages }
}

function unpack({ ids, pages, ...batch }: PackedBatch): CandidateBatch {
  return { ...batch, candidates: Array.from(ids, (id, index) => ({ id, pages: pages[index] ?? 1 })) }
}

interface ReplayOptions {
  onBatch: (batch: CandidateBatch) => void
  onError: () => void
}

interface StoredBatch {
  packed: PackedBatch
  /** For the first reader, which need not unpack it. */
  original: CandidateBatch | undefined
}

/** A generator that can be read many times, also concurrently: batches are stored, and the source is read once. */
function replayable(source: AsyncGenerator<CandidateBatch>, { onBatch, onError }: ReplayOptions) {
  const stored: Promise<StoredBatch | undefined>[] = []
  const readNext = async (): Promise<StoredBatch | undefined> => {
    try {
      const { done, value } = await source.next()
      if (done) return undefined
      onBatch(value)
      return { packed: pack(value), original: value }
    } catch (error) {
      onError()
      throw error
    }
  }
  return async function* replay(): AsyncGenerator<CandidateBatch> {
    for (let index = 0; ; index++) {
      const batch = await (stored[index] ??= readNext())
      if (!batch) return
      const candidates = batch.original ?? unpack(batch.packed)
      batch.original = undefined
      yield candidates
    }
  }
}
