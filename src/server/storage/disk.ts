import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, mkdir, open, opendir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { inTurns } from './in-turns.ts'
import { checkKey, checkPrefix, checkRange, tempFolder } from './key.ts'
import type { Storage, Stored } from './storage.ts'

/** Things as files under `folder`, their keys as paths. Several processes may share it. */
export async function diskStorage(folder: string): Promise<Storage> {
  await sweepTemp(folder)

  const pathOf = (key: string) => {
    checkKey(key)
    return join(folder, key)
  }

  return {
    async put(key, body) {
      // Listening from the start: a body that fails before it is read must not take the process down.
      if (body instanceof Readable) body.on('error', () => {})
      try {
        const target = pathOf(key)
        await throughTemp(folder, target, (temp) => write(temp, body))
      } catch (error) {
        if (body instanceof Readable) body.destroy()
        throw error
      }
    },

    async take(key, path) {
      const target = pathOf(key)
      await sync(path)
      try {
        await moveTo(path, target)
      } catch (error) {
        if (codeOf(error) !== 'EXDEV') throw error
        await throughTemp(folder, target, (temp) => copy(path, temp))
        await unlink(path)
      }
    },

    async read(key, range) {
      checkRange(range)
      const file = await unlessMissing(open(pathOf(key), 'r'))
      if (!file) return undefined
      if (!(await file.stat()).isFile()) {
        await file.close()
        return undefined
      }
      return file.createReadStream({ ...range, highWaterMark: 256 * 1024 })
    },

    find: (key) => storedAt(pathOf(key), key),

    async remove(keys) {
      const paths = keys.map(pathOf)
      await inTurns(paths, async (path) => {
        await unlessMissing(unlink(path))
        await removeEmptyFolders(dirname(path), folder)
      })
    },

    list(prefix) {
      checkPrefix(prefix)
      return walk(folder, prefix)
    },

    async local(key) {
      const path = pathOf(key)
      return (await storedAt(path, key)) && path
    },

    close: async () => {},
  }
}

/** What a crash left half-written. A day old, so never what another process is still writing. */
export async function sweepTemp(folder: string, age = 24 * 60 * 60 * 1000): Promise<void> {
  const temp = join(folder, tempFolder)
  await mkdir(temp, { recursive: true })
  for await (const { name } of await opendir(temp)) {
    const found = await unlessMissing(stat(join(temp, name)))
    if (found && found.mtimeMs < Date.now() - age) await rm(join(temp, name), { recursive: true, force: true })
  }
}

async function throughTemp(folder: string, target: string, fill: (temp: string) => Promise<void>): Promise<void> {
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

/** The name must outlive a power cut as the bytes do, so the folders that learnt a name are synced too. */
async function moveTo(from: string, target: string): Promise<void> {
  const parent = dirname(target)
  for (let tries = 20; ; tries -= 1) {
    try {
      const created = await mkdir(parent, { recursive: true })
      await rename(from, target)
      await syncFolders(parent, created ? dirname(created) : parent)
      return
    } catch (error) {
      // Somebody who removed the last thing of the folder has removed the folder as well.
      if (codeOf(error) !== 'ENOENT' || tries === 0) throw error
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
      if (codeOf(error) === 'ENOENT') continue
      if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOTDIR') return
      throw error
    }
  }
}

async function* walk(root: string, prefix: string): AsyncGenerator<Stored> {
  const inside = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  const entries = await unlessMissing(opendir(join(root, inside)))
  if (!entries) return
  for await (const entry of entries) {
    const key = inside + entry.name
    if (!key.startsWith(prefix) || key === tempFolder) continue
    if (entry.isDirectory()) yield* walk(root, `${key}/`)
    const found = entry.isFile() && (await storedAt(join(root, key), key))
    if (found) yield found
  }
}

async function storedAt(path: string, key: string): Promise<Stored | undefined> {
  const found = await unlessMissing(stat(path))
  return found?.isFile() ? { key, size: found.size, changedAt: Math.trunc(found.mtimeMs) } : undefined
}

/** A key may name a folder, or lead through a file: nothing is kept there either. */
async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error) ?? '')) return undefined
    throw error
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
