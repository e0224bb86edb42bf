import { rm, utimes } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { diskStorage } from './disk.ts'
import type { Storage, Stored } from './storage.ts'

interface LocalCopies {
  /** The copy's path; made with `fetch` when there is none. */
  local(key: string, fetch: () => Promise<Readable | undefined>): Promise<string | undefined>
  /** A file that is there already becomes the copy; it is no longer where it was, whatever happens. */
  keep(key: string, path: string): Promise<void>
  forget(keys: readonly string[]): Promise<void>
}

/** Whoever asked for a copy a moment ago is perhaps still reading it. */
const inUse = 10 * 60 * 1000

/** Copies of remote things on this machine's disk; those not used for longest go when they take more than `budget`. */
export async function localCopies(folder: string, budget: number): Promise<LocalCopies> {
  const disk = await diskStorage(folder)
  const underway = new Map<string, Promise<string | undefined>>()
  // Unknown until the folder was walked; another process may add to it, which the next walk notices.
  let bytes: number | undefined

  const fetchCopy = async (key: string, fetch: () => Promise<Readable | undefined>): Promise<string | undefined> => {
    if (!(await download(disk, key, fetch))) return undefined
    await count(key)
    return disk.local(key)
  }

  const count = async (key: string): Promise<void> => {
    const added = await disk.find(key)
    if (bytes !== undefined) bytes += added?.size ?? 0
    if (bytes === undefined || bytes > budget) bytes = await shrink(disk, budget)
  }

  return {
    async local(key, fetch) {
      const kept = await disk.local(key)
      if (kept && (await touch(kept))) return kept

      const begun = underway.get(key) ?? fetchCopy(key, fetch).finally(() => underway.delete(key))
      underway.set(key, begun)
      return begun
    },
    async keep(key, path) {
      try {
        await disk.take(key, path)
        const kept = await disk.local(key)
        if (kept) await touch(kept)
        await count(key)
      } catch {
        // It is only a copy: the next who needs it fetches one.
        await disk.remove([key])
        await rm(path, { force: true })
      }
    },
    forget: (keys) => disk.remove(keys),
  }
}

/** The time of the file is the time of its last use. False when it has just gone. */
async function touch(path: string): Promise<boolean> {
  const now = new Date()
  return utimes(path, now, now).then(
    () => true,
    () => false,
  )
}

/** Connections break in the middle of a body, after which the client no longer tries again by itself. */
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

/** Removes the copies unused for longest until the rest fits; returns what the rest takes. */
async function shrink(disk: Storage, budget: number): Promise<number> {
  const copies: Stored[] = []
  for await (const copy of disk.list('')) copies.push(copy)
  let bytes = copies.reduce((sum, { size }) => sum + size, 0)
  const leaving: string[] = []
  for (const { key, size, changedAt } of copies.toSorted((a, b) => a.changedAt - b.changedAt)) {
    if (bytes <= budget || changedAt > Date.now() - inUse) break
    leaving.push(key)
    bytes -= size
  }
  await disk.remove(leaving)
  return bytes
}
