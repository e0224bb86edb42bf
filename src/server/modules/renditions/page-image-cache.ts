import { randomUUID } from 'node:crypto'
import { mkdir, opendir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { LRUCache } from 'lru-cache'

/**
 * A cache of rendered images on this machine's disk, least recently used out first. Names are relative paths. Several
 * processes may share the folder: files appear atomically, and one that was evicted is simply missing.
 */
export interface PageImageCache {
  get(name: string): Promise<Buffer<ArrayBuffer> | undefined>
  has(name: string): Promise<boolean>
  /** Never fails: an image that cannot be written is rendered again the next time. What exceeds `maxBytes` is evicted later. */
  put(name: string, bytes: Uint8Array, maxBytes: number): Promise<void>
  /** Everything under a folder. */
  evict(folder: string): Promise<void>
  /** Whether a good part of it is still free. */
  hasRoom(maxBytes: number): Promise<boolean>
  /** Resolves when no eviction is running. */
  idle(): Promise<void>
}

interface Entry {
  path: string
  size: number
  usedAt: number
}

/** The modification time of a file is the time of its last use, to this precision. */
const touchEveryMs = 10 * 60 * 1000
const maxTouched = 20_000
const abandonedMs = 60 * 60 * 1000
/** Evicts down to this share at once, so that not every new image triggers an eviction. */
const lowWatermark = 0.8
const roomyShare = 0.7

export function openPageImageCache(folder: string): PageImageCache {
  // With `max`, lru-cache would allocate all entries at once.
  const touched = new LRUCache<string, true>({ maxSize: maxTouched, sizeCalculation: () => 1, ttl: touchEveryMs })
  // Unknown until the folder was walked; files of other processes are counted by the next walk.
  let bytes: number | undefined
  let bytesSinceWalk = 0
  let evicting: Promise<void> | undefined

  const removeEmpty = async (from: string) => {
    for (let at = resolve(from); at !== resolve(folder); at = dirname(at))
      if (!(await rmdir(at).then(() => true, isMissing))) return
  }
  const evictOldest = async (maxBytes: number) => {
    const entries = await listEntries(folder)
    bytes = entries.reduce((sum, { size }) => sum + size, 0)
    bytesSinceWalk = 0
    if (bytes <= maxBytes) return
    for (const { path, size } of entries.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (bytes <= maxBytes * lowWatermark) break
      await rm(path, { force: true })
      await removeEmpty(dirname(path))
      bytes -= size
    }
  }
  const evictIfFull = (maxBytes: number) => {
    evicting ??= evictOldest(maxBytes)
      .catch(() => {})
      .finally(() => (evicting = undefined))
    return evicting
  }

  const touch = (path: string) => {
    if (touched.has(path)) return
    touched.set(path, true)
    const seconds = Date.now() / 1000
    utimes(path, seconds, seconds).catch(() => {})
  }

  return {
    async get(name) {
      const path = join(folder, name)
      const bytes = await readFile(path).catch(() => undefined)
      // A power cut may leave an empty file.
      if (!bytes?.length) return undefined
      touch(path)
      return bytes
    },

    has: (name) =>
      stat(join(folder, name)).then(
        ({ size }) => size > 0,
        () => false,
      ),

    async put(name, content, maxBytes) {
      const path = join(folder, name)
      try {
        await write(path, content)
      } catch {
        return
      }
      touched.set(path, true)
      bytesSinceWalk += content.length
      if (bytes !== undefined) bytes += content.length
      if (bytes === undefined || bytes > maxBytes || bytesSinceWalk > maxBytes / 10) void evictIfFull(maxBytes)
    },

    async evict(name) {
      const path = join(folder, name)
      await rm(path, { recursive: true, force: true }).catch(() => {})
      await removeEmpty(dirname(path))
    },

    async hasRoom(maxBytes) {
      if (bytes === undefined) await evictIfFull(maxBytes)
      return (bytes ?? 0) < maxBytes * roomyShare
    },

    async idle() {
      await evicting
    },
  }
}

async function write(path: string, content: Uint8Array): Promise<void> {
  const temp = `${path}.${randomUUID()}.tmp`
  try {
    await writeTemp(temp, content)
    await rename(temp, path)
  } catch (error) {
    await rm(temp, { force: true }).catch(() => {})
    throw error
  }
}

/** Another process that evicts the last image of a folder removes the folder as well, perhaps at this moment. */
async function writeTemp(temp: string, content: Uint8Array): Promise<void> {
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

/** Removes abandoned temporary files on the way. */
async function listEntries(folder: string): Promise<Entry[]> {
  const entries: Entry[] = []
  const opened = await opendir(folder).catch(() => undefined)
  if (!opened) return entries
  for await (const found of opened) {
    const path = join(folder, found.name)
    if (found.isDirectory()) {
      entries.push(...(await listEntries(path)))
      continue
    }
    const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: Date.now() }))
    if (path.endsWith('.tmp') && mtimeMs < Date.now() - abandonedMs) await rm(path, { force: true })
    else entries.push({ path, size, usedAt: mtimeMs })
  }
  return entries
}
