import { rm, utimes } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { diskStorage } from './disk.ts'
import type { Storage, StoredObject } from './storage.ts'

interface LocalCache {
  /** The path of the copy; downloaded with `fetch` if it is not cached. */
  get(key: string, fetch: () => Promise<Readable | undefined>): Promise<string | undefined>
  /** Moves a local file into the cache; `path` is gone afterwards, even after an error. */
  add(key: string, path: string): Promise<void>
  evict(keys: readonly string[]): Promise<void>
}

/** A copy that was requested recently may still be read. */
const inUseMs = 10 * 60 * 1000

/** Copies of remote objects on the local disk: an LRU cache of at most `budget` bytes. */
export async function openLocalCache(folder: string, budget: number): Promise<LocalCache> {
  const disk = await diskStorage(folder)
  const downloads = new Map<string, Promise<string | undefined>>()
  // Unknown until the folder is listed; what other processes add is counted by the next listing.
  let bytes: number | undefined

  const fetchCopy = async (key: string, fetch: () => Promise<Readable | undefined>): Promise<string | undefined> => {
    if (!(await download(disk, key, fetch))) return undefined
    await count(key)
    return disk.local(key)
  }

  const count = async (key: string): Promise<void> => {
    const added = await disk.find(key)
    if (bytes !== undefined) bytes += added?.size ?? 0
    if (bytes === undefined || bytes > budget) bytes = await evictOldest(disk, budget)
  }

  return {
    async get(key, fetch) {
      const cached = await disk.local(key)
      if (cached && (await touch(cached))) return cached

      const path = downloads.get(key) ?? fetchCopy(key, fetch).finally(() => downloads.delete(key))
      downloads.set(key, path)
      return path
    },
    async add(key, path) {
      try {
        await disk.moveIn(key, path)
        const cached = await disk.local(key)
        if (cached) await touch(cached)
        await count(key)
      } catch {
        // It is only a copy: the next reader downloads one.
        await disk.remove([key])
        await rm(path, { force: true })
      }
    },
    evict: (keys) => disk.remove(keys),
  }
}

/** The modification time is the time of the last use. False if the file has just been evicted. */
async function touch(path: string): Promise<boolean> {
  const now = new Date()
  return utimes(path, now, now).then(
    () => true,
    () => false,
  )
}

/** Retries: the S3 client does not when a connection breaks in the middle of a body. */
async function download(disk: Storage, key: string, fetch: () => Promise<Readable | undefined>): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    const body = await fetch()
    if (!body) return false
    try {
      await disk.put(key, body)
      return true
    } catch (error) {
      if (tries === 4 || !isBroken(error)) throw error
      await sleep(100 * 2 ** tries)
    }
  }
}

function isBroken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(code))
}

/** Evicts the least recently used copies until the rest fits; returns the size of the rest. */
async function evictOldest(disk: Storage, budget: number): Promise<number> {
  const copies: StoredObject[] = []
  for await (const copy of disk.list('')) copies.push(copy)
  let bytes = copies.reduce((sum, { size }) => sum + size, 0)
  const evicted: string[] = []
  for (const { key, size, modifiedAt } of copies.toSorted((a, b) => a.modifiedAt - b.modifiedAt)) {
    if (bytes <= budget || modifiedAt > Date.now() - inUseMs) break
    evicted.push(key)
    bytes -= size
  }
  await disk.remove(evicted)
  return bytes
}
