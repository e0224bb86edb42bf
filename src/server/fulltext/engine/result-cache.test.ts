import { expect, test } from 'vitest'
import type { CandidateBatch } from './candidates.ts'
import { type CachedResults, createResultCache } from './result-cache.ts'

const batch = (...ids: number[]): CandidateBatch => ({
  candidates: ids.map((id) => ({ id, pages: 1 })),
  matchedIn: 'pages',
  weight: 1,
})

async function readIds(results: CachedResults, limit = Infinity): Promise<number[]> {
  const ids: number[] = []
  for await (const { candidates } of results.batches()) {
    ids.push(...candidates.map(({ id }) => id))
    if (ids.length >= limit) break
  }
  return ids
}

/** A search that counts the batches read from it. */
function searchOf(...batches: CandidateBatch[]) {
  let count = 0
  const search = async function* () {
    for (const next of batches) {
      count++
      yield next
    }
  }
  return { search, count: () => count }
}

test('a cached query continues where the last reader stopped', async () => {
  const cache = createResultCache(() => 1)
  const { search, count } = searchOf(batch(9, 8), batch(7), batch(6))
  expect(await readIds(cache.get('春天', search), 2)).toEqual([9, 8])
  expect(count()).toBe(1)
  expect(await readIds(cache.get('春天', search))).toEqual([9, 8, 7, 6])
  expect(await readIds(cache.get('春天', search))).toEqual([9, 8, 7, 6])
  expect(count()).toBe(3)
})

test('concurrent readers share the work, and each gets all batches in order', async () => {
  const cache = createResultCache(() => 1)
  const { search, count } = searchOf(batch(3), batch(2), batch(1))
  const readers = [cache.get('春天', search), cache.get('春天', search)].map((results) => readIds(results))
  expect(await Promise.all(readers)).toEqual([
    [3, 2, 1],
    [3, 2, 1],
  ])
  expect(count()).toBe(3)
})

test('a new version of the index clears the cache, and NaN disables it', async () => {
  let version = 1
  const cache = createResultCache(() => version)
  expect(await readIds(cache.get('春天', searchOf(batch(1)).search))).toEqual([1])
  expect(await readIds(cache.get('春天', searchOf(batch(2)).search))).toEqual([1])
  version = 2
  expect(await readIds(cache.get('春天', searchOf(batch(2)).search))).toEqual([2])
  version = Number.NaN
  expect(await readIds(cache.get('春天', searchOf(batch(3)).search))).toEqual([3])
  expect(await readIds(cache.get('春天', searchOf(batch(4)).search))).toEqual([4])
})

test('a failed query is not cached', async () => {
  const cache = createResultCache(() => 1)
  const failing = async function* (): AsyncGenerator<CandidateBatch> {
    yield await Promise.reject<CandidateBatch>(new Error('interrupted'))
  }
  await expect(readIds(cache.get('春天', failing))).rejects.toThrow('interrupted')
  expect(await readIds(cache.get('春天', searchOf(batch(1)).search))).toEqual([1])
})

test('the least recently used queries are evicted, by the number of their candidates', async () => {
  const cache = createResultCache(() => 1)
  const large = Array.from({ length: 100_000 }, (_, index) => index)
  const first = searchOf(batch(...large))
  await readIds(cache.get('第一', first.search))
  for (let n = 0; n < 8; n++) await readIds(cache.get(`其他${n}`, searchOf(batch(...large)).search))
  await readIds(cache.get('第一', first.search))
  expect(first.count()).toBe(1)
  for (let n = 0; n < 12; n++) await readIds(cache.get(`更多${n}`, searchOf(batch(...large)).search))
  await readIds(cache.get('第一', first.search))
  expect(first.count()).toBe(2)
})
