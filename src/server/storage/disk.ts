import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, mkdir, open, opendir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import pLimit from 'p-limit'
import { checkKey, checkPrefix, checkRange, tempFolder } from './key.ts'
import type { Storage, StoredObject } from './storage.ts'

const removeConcurrency = 8

/** Objects are files under `folder`, their keys are paths. Several processes may share it. */
export async function diskStorage(folder: string): Promise<Storage> {
  await sweepTemp(folder)

  const toPath = (key: string) => {
    checkKey(key)
    return join(folder, key)
  }

  return {
    async put(key, body) {
      // A body may fail before it is read: without a listener that would end the process.
      if (body instanceof Readable) body.on('error', () => {})
      try {
        const target = toPath(key)
        await writeAtomically(folder, target, (temp) => write(temp, body))
      } catch (error) {
        if (body instanceof Readable) body.destroy()
        throw error
      }
    },

    async moveIn(key, path) {
      const target = toPath(key)
      await sync(path)
      try {
        await moveTo(path, target)
      } catch (error) {
        if (getErrorCode(error) !== 'EXDEV') throw error
        await writeAtomically(folder, target, (temp) => copy(path, temp))
        await unlink(path)
      }
    },

    async read(key, range) {
      checkRange(range)
      const file = await unlessMissing(open(toPath(key), 'r'))
      if (!file) return undefined
      if (!(await file.stat()).isFile()) {
        await file.close()
        return undefined
      }
      return file.createReadStream({ ...range, highWaterMark: 256 * 1024 })
    },

    find: (key) => statObject(toPath(key), key),

    async remove(keys) {
      const paths = keys.map(toPath)
      await pLimit(removeConcurrency).map(paths, async (path) => {
        await unlessMissing(unlink(path))
        await removeEmptyFolders(dirname(path), folder)
      })
    },

    list(prefix) {
      checkPrefix(prefix)
      return walk(folder, prefix)
    },

    async local(key) {
      const path = toPath(key)
      return (await statObject(path, key)) && path
    },

    close: async () => {},
  }
}

/** Removes incomplete files that a crash left behind; only after a day, as another process may still be writing. */
export async function sweepTemp(folder: string, age = 24 * 60 * 60 * 1000): Promise<void> {
  const temp = join(folder, tempFolder)
  await mkdir(temp, { recursive: true })
  for await (const { name } of await opendir(temp)) {
    const stats = await unlessMissing(stat(join(temp, name)))
    if (stats && stats.mtimeMs < Date.now() - age) await rm(join(temp, name), { recursive: true, force: true })
  }
}

async function writeAtomically(folder: string, target: string, fill: (temp: string) => Promise<void>): Promise<void> {
  const temp = join(folder, tempFolder, randomUUID())
  try {
    await mkdir(dirname(temp), { recursive: true })
    await fill(temp)
    await moveTo(temp, target)
  } catch (error) {
    await rm(temp, { force: true })
    await removeEmptyFolders(dirname(target), folder)
    throw error
  }
}

async function write(path: string, body: Readable | Uint8Array): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(body)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function copy(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL)
  await sync(to)
}

/** The new folders are synced too, so that the name survives a power failure as the bytes do. */
async function moveTo(from: string, target: string): Promise<void> {
  const parent = dirname(target)
  for (let tries = 20; ; tries -= 1) {
    try {
      const created = await mkdir(parent, { recursive: true })
      await rename(from, target)
      await syncFolders(parent, created ? dirname(created) : parent)
      return
    } catch (error) {
      // A concurrent removal of the last file in the folder removes the folder as well.
      if (getErrorCode(error) !== 'ENOENT' || tries === 0) throw error
    }
  }
}

async function syncFolders(deepest: string, highest: string): Promise<void> {
  for (let folder = deepest; folder.length >= highest.length; folder = dirname(folder)) {
    await unlessMissing(sync(folder))
    if (folder === highest) return
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function removeEmptyFolders(from: string, root: string): Promise<void> {
  for (let folder = from; folder !== root; folder = dirname(folder)) {
    try {
      await rmdir(folder)
    } catch (error) {
      if (getErrorCode(error) === 'ENOENT') continue
      if (getErrorCode(error) === 'ENOTEMPTY' || getErrorCode(error) === 'EEXIST' || getErrorCode(error) === 'ENOTDIR')
        return
      throw error
    }
  }
}

async function* walk(root: string, prefix: string): AsyncGenerator<StoredObject> {
  const inside = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  const entries = await unlessMissing(opendir(join(root, inside)))
  if (!entries) return
  for await (const entry of entries) {
    const key = inside + entry.name
    if (!key.startsWith(prefix) || key === tempFolder) continue
    if (entry.isDirectory()) yield* walk(root, `${key}/`)
    const object = entry.isFile() && (await statObject(join(root, key), key))
    if (object) yield object
  }
}

async function statObject(path: string, key: string): Promise<StoredObject | undefined> {
  const stats = await unlessMissing(stat(path))
  return stats?.isFile() ? { key, size: stats.size, modifiedAt: Math.trunc(stats.mtimeMs) } : undefined
}

/** A key may also name a folder, or have a file as a parent. */
async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(getErrorCode(error) ?? '')) return undefined
    throw error
  }
}

function getErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
