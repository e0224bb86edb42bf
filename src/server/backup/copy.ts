import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { OpenDatabase } from '../db/open.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { revisionPrefix } from '#server/modules/renditions/storage-keys.ts'
import type { Storage } from '../storage/storage.ts'
import type { Archive } from './archive.ts'
import { Content, neededKeys, type RenditionFiles } from './contents.ts'
import { columnIn } from './former-names.ts'
import { BackupError, type Manifest, storagePrefix } from './format.ts'

interface CopyOptions {
  database: OpenDatabase
  storage: Storage
  archive: Archive
  /** The migrations of the database. */
  schema: readonly string[]
  /** A file with a Content in each line. */
  list: string
  say: (line: string) => void
}

type CopyResult = Pick<Manifest, 'files' | 'purged' | 'renewed' | 'missing' | 'altered'>

const sayEveryMs = 3000
const maxTries = 5

/** Copies what the list names. Files that were purged since the list was written are not counted as missing. */
export async function copyContents({
  database,
  schema,
  storage,
  archive,
  list,
  say,
}: CopyOptions): Promise<CopyResult> {
  const copied: CopyResult = { files: { count: 0, bytes: 0 }, purged: [], renewed: [], missing: [], altered: [] }
  let saidAt = Date.now()

  const copy = async (key: string): Promise<string | undefined> => {
    const stored = await retry(() => storage.find(key))
    const body = stored && (await retry(() => storage.read(key)))
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
    else if (needed && (await isStored(database, schema, hash))) copied.missing.push(contentKey(hash))
    else copied.purged.push(hash)
  }

  const copyRendition = async (files: RenditionFiles) => {
    const prefix = revisionPrefix(files.hash, files.revision)
    const stored = await retry(() => Array.fromAsync(storage.list(prefix)))
    const keys = new Set(stored.map(({ key }) => key))
    for (const key of keys) if ((await copy(key)) === undefined) keys.delete(key)
    if (!neededKeys(files).every((key) => keys.has(key))) copied.renewed.push(files.hash)
  }

  for await (const line of readLines(list)) {
    const content = z.parse(Content, JSON.parse(line))
    if (content.kind === 'file') await copyFile(content.hash, content.needed)
    else await copyRendition(content.files)
  }
  return copied
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

/** The site still has this content. */
async function isStored({ db }: OpenDatabase, schema: readonly string[], hash: string): Promise<boolean> {
  const deleting = sql.ref(columnIn(schema, 'deleting'))
  const { rows } = await sql`select hash from stored_file where hash = ${hash} and ${deleting} = 0`.execute(db)
  return rows.length > 0
}

/** After a broken connection the rest is read by a range request. */
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
      if (tries === maxTries) throw error
    }
    await pause(tries)
    body = await retry(() => storage.read(key, { start: done, end: size - 1 }))
    if (!body) throw new BackupError(`备份期间文件 ${key} 被删除，请重新备份`)
  }
}

/** An outage of some seconds does not end a backup of hours. */
async function retry<T>(request: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await request()
    } catch (error) {
      if (tries === maxTries) throw error
    }
    await pause(tries)
  }
}

function pause(tries: number): Promise<void> {
  return sleep(50 * 4 ** tries)
}

async function* readLines(path: string): AsyncGenerator<string> {
  const file = await open(path)
  for await (const line of file.readLines()) yield line
}
