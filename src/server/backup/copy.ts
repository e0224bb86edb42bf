import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { OpenDatabase } from '../db/open.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { revisionPrefix } from '#server/modules/renditions/storage-keys.ts'
import type { Storage } from '../storage/storage.ts'
import type { Archive } from './archive.ts'
import { Content, type Made, neededKeys } from './contents.ts'
import { BackupError, type Manifest, storagePrefix } from './format.ts'

interface Copying {
  database: OpenDatabase
  storage: Storage
  archive: Archive
  /** A file with a Content in each line. */
  list: string
  say: (line: string) => void
}

type Copied = Pick<Manifest, 'files' | 'purged' | 'renewed' | 'missing' | 'altered'>

const sayEveryMs = 3000
const mostTries = 5

/** Copies what the list names. What has gone since the list was made is told apart from what should be there. */
export async function copyContents({ database, storage, archive, list, say }: Copying): Promise<Copied> {
  const copied: Copied = { files: { count: 0, bytes: 0 }, purged: [], renewed: [], missing: [], altered: [] }
  let saidAt = Date.now()

  const copy = async (key: string): Promise<string | undefined> => {
    const stored = await patiently(() => storage.find(key))
    const body = stored && (await patiently(() => storage.read(key)))
    if (!body) return undefined
    const sha256 = await archive.stream(storagePrefix + key, stored.size, resuming(storage, stored, body))
    copied.files.count += 1
    copied.files.bytes += stored.size
    if (Date.now() - saidAt > sayEveryMs) {
      saidAt = Date.now()
      say(`文件：${copied.files.count} 个，${megabytes(copied.files.bytes)}`)
    }
    return sha256
  }

  const copyFile = async (hash: string, needed: boolean) => {
    const sha256 = await copy(contentKey(hash))
    if (sha256 === hash) return
    if (sha256 !== undefined) copied.altered.push(contentKey(hash))
    else if (needed && (await isKept(database, hash))) copied.missing.push(contentKey(hash))
    else copied.purged.push(hash)
  }

  const copyRendition = async (made: Made) => {
    const prefix = revisionPrefix(made.hash, made.revision)
    const found = await patiently(() => Array.fromAsync(storage.list(prefix)))
    const keys = new Set(found.map(({ key }) => key))
    for (const key of keys) if ((await copy(key)) === undefined) keys.delete(key)
    if (!neededKeys(made).every((key) => keys.has(key))) copied.renewed.push(made.hash)
  }

  for await (const line of linesOf(list)) {
    const content = z.parse(Content, JSON.parse(line))
    if (content.kind === 'file') await copyFile(content.hash, content.needed)
    else await copyRendition(content.made)
  }
  return copied
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

/** The site still says that it has this content. */
async function isKept({ db }: OpenDatabase, hash: string): Promise<boolean> {
  const row = await db.selectFrom('stored_file').select('leaving').where('hash', '=', hash).executeTakeFirst()
  return row?.leaving === 0
}

/** Connections to a storage break: what is still missing is read on from where they did. */
async function* resuming(
  storage: Storage,
  { key, size }: { key: string; size: number },
  first: Readable,
): AsyncGenerator<Uint8Array> {
  let done = 0
  let body: Readable | undefined = first
  for (let tries = 1; ; tries += 1) {
    try {
      for await (const chunk of body) {
        yield chunk as Uint8Array
        done += (chunk as Uint8Array).length
      }
      return
    } catch (error) {
      if (done === size) return
      if (tries === mostTries) throw error
    }
    await pause(tries)
    body = await patiently(() => storage.read(key, { start: done, end: size - 1 }))
    if (!body) throw new BackupError(`备份期间文件 ${key} 被删除，请重新备份`)
  }
}

/** A storage that does not answer for some seconds does not end a backup of hours. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      if (tries === mostTries) throw error
    }
    await pause(tries)
  }
}

function pause(tries: number): Promise<void> {
  return sleep(50 * 4 ** tries)
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await open(path)
  for await (const line of file.readLines()) yield line
}
