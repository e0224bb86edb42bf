import { randomUUID } from 'node:crypto'
import { mkdir, opendir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/**
 * Pictures on this machine's disk that can be drawn again. Names are relative paths. Several processes may share the
 * folder: files appear whole, and one that has gone is simply missing.
 */
export interface PageCache {
  get(name: string): Promise<Buffer<ArrayBuffer> | undefined>
  has(name: string): Promise<boolean>
  /** Never fails: without room the picture is drawn again the next time. What is over `budget` bytes goes later. */
  put(name: string, bytes: Uint8Array, budget: number): Promise<void>
  /** Everything under a folder. */
  drop(folder: string): Promise<void>
  /** Whether a good part of the budget is still free. */
  hasRoom(budget: number): Promise<boolean>
  /** Ends when nothing is being removed any more. */
  idle(): Promise<void>
}

interface Entry {
  path: string
  size: number
  usedAt: number
}

/** A file's time is the time of its last use, but not of every use. */
const touchEveryMs = 10 * 60 * 1000
const abandonedMs = 60 * 60 * 1000
/** Down to this share at once, so that not every new picture has to wait for room. */
const keptShare = 0.8

export function openPageCache(folder: string): PageCache {
  const touched = new Map<string, number>()
  // Unknown until the folder was walked; what other processes add is noticed by the next walk.
  let bytes: number | undefined
  let sinceWalk = 0
  let walk: Promise<void> | undefined

  const removeEmpty = async (from: string) => {
    for (let at = resolve(from); at !== resolve(folder); at = dirname(at))
      if (!(await rmdir(at).then(() => true, isMissing))) return
  }
  const shrink = async (budget: number) => {
    const entries = await entriesUnder(folder)
    bytes = entries.reduce((sum, { size }) => sum + size, 0)
    sinceWalk = 0
    if (bytes <= budget) return
    for (const { path, size } of entries.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (bytes <= budget * keptShare) break
      await rm(path, { force: true })
      await removeEmpty(dirname(path))
      bytes -= size
    }
  }
  const makeRoom = (budget: number) => {
    walk ??= shrink(budget)
      .catch(() => {})
      .finally(() => (walk = undefined))
    return walk
  }

  const touch = (path: string) => {
    const now = Date.now()
    if (now - (touched.get(path) ?? 0) < touchEveryMs) return
    if (touched.size > 20_000) touched.clear()
    touched.set(path, now)
    utimes(path, now / 1000, now / 1000).catch(() => {})
  }

  return {
    async get(name) {
      const path = join(folder, name)
      const found = await readFile(path).catch(() => undefined)
      // A power cut leaves an empty file where a new one should be.
      if (!found?.length) return undefined
      touch(path)
      return found
    },

    has: (name) =>
      stat(join(folder, name)).then(
        ({ size }) => size > 0,
        () => false,
      ),

    async put(name, content, budget) {
      const path = join(folder, name)
      try {
        await write(path, content)
      } catch {
        return
      }
      touched.set(path, Date.now())
      sinceWalk += content.length
      if (bytes !== undefined) bytes += content.length
      if (bytes === undefined || bytes > budget || sinceWalk > budget / 10) void makeRoom(budget)
    },

    async drop(name) {
      const path = join(folder, name)
      await rm(path, { recursive: true, force: true }).catch(() => {})
      await removeEmpty(dirname(path))
    },

    async hasRoom(budget) {
      if (bytes === undefined) await makeRoom(budget)
      return (bytes ?? 0) < budget * 0.7
    },

    async idle() {
      await walk
    },
  }
}

async function write(path: string, content: Uint8Array): Promise<void> {
  const temp = `${path}.${randomUUID()}.tmp`
  try {
    await begin(temp, content)
    await rename(temp, path)
  } catch (error) {
    await rm(temp, { force: true }).catch(() => {})
    throw error
  }
}

/** Somebody who removed the last picture of a folder has removed the folder as well, perhaps just now. */
async function begin(temp: string, content: Uint8Array): Promise<void> {
  for (let tries = 5; ; tries -= 1) {
    try {
      await mkdir(dirname(temp), { recursive: true })
      return await writeFile(temp, content)
    } catch (error) {
      if (!isMissing(error) || tries === 0) throw error
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Removes on the way what a process left half-written. */
async function entriesUnder(folder: string): Promise<Entry[]> {
  const entries: Entry[] = []
  const opened = await opendir(folder).catch(() => undefined)
  if (!opened) return entries
  for await (const found of opened) {
    const path = join(folder, found.name)
    if (found.isDirectory()) {
      entries.push(...(await entriesUnder(path)))
      continue
    }
    const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: Date.now() }))
    if (path.endsWith('.tmp') && mtimeMs < Date.now() - abandonedMs) await rm(path, { force: true })
    else entries.push({ path, size, usedAt: mtimeMs })
  }
  return entries
}
