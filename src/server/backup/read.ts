import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { isDeepStrictEqual, promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import * as z from 'zod/mini'
import { migrations } from '../db/migrate.ts'
import { checkKey } from '../storage/key.ts'
import { toSha256 } from './archive.ts'
import {
  BackupError,
  entryNames,
  formatVersion,
  Head,
  Manifest,
  storagePrefix,
  sumLine,
  sumsName,
  sumsPrefix,
  tablePrefix,
} from './format.ts'
import { allTables, includedTables, type Row } from './rows.ts'
import { readBody, type Entry, readEntries, readWholeBody } from './tar.ts'

/** A backup that was read from end to end and verified. */
export interface Backup {
  manifest: Manifest
  /** The rows of a table, in batches. */
  rows(table: string): AsyncGenerator<Row[]>
  files(): AsyncGenerator<StoredEntry>
  close(): Promise<void>
}

export interface StoredEntry {
  key: string
  size: number
  body(): AsyncGenerator<Buffer>
}

const decompress = promisify(gunzip)
const maxInMemory = 64 * 1024 * 1024
/** Far more than a part has, and less than would exhaust the memory. */
const maxUnpacked = 256 * 1024 * 1024

const StoredRow = z.record(z.string(), z.nullable(z.union([z.string(), z.number()])))

/** Refuses files that are no backup, come from a newer version, or differ in any byte from what was written. */
export async function openBackup(path: string): Promise<Backup> {
  const file = await open(path).catch(() => {
    throw new BackupError(`打不开备份文件 ${path}`)
  })
  try {
    const { manifest, parts } = await verify(file)
    return {
      manifest,
      async *rows(table) {
        for (const entry of parts.get(table) ?? []) yield await readPart(file, entry)
      },
      async *files() {
        for await (const entry of readEntries(file)) {
          if (!entry.name.startsWith(storagePrefix)) continue
          const key = entry.name.slice(storagePrefix.length)
          yield { key, size: entry.size, body: () => readBody(file, entry) }
        }
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function verify(file: FileHandle): Promise<{ manifest: Manifest; parts: Map<string, Entry[]> }> {
  const parts = new Map<string, Entry[]>()
  const sums: string[] = []
  const last: Entry[] = []
  let head: Head | undefined
  let lines: string[] = []
  let files = 0
  for await (const entry of readEntries(file)) {
    head ??= await readHead(file, entry)
    if (entry.name === entryNames.manifest || entry.name === entryNames.manifestSum) {
      last.push(entry)
      continue
    }
    // Nothing comes after the manifest but its sum.
    if (last.length > 0) throw damaged(entry.name)
    if (entry.name.startsWith(sumsPrefix)) {
      const text = await smallBody(file, entry)
      sums.push(toSha256(text))
      if (entry.name !== sumsName(sums.length)) throw damaged(entry.name)
      compare(lines, String(text))
      lines = []
      continue
    }
    lines.push(sumLine(entry.name, await hashEntry(file, entry)))
    if (entry.name.startsWith(storagePrefix)) {
      if (!isKey(entry.name.slice(storagePrefix.length))) throw damaged(entry.name)
      files += 1
    } else if (entry.name !== entryNames.head) notePart(parts, entry)
  }
  const manifest = await readManifest(file, last)
  const isComplete = lines.length === 0 && files === manifest.files.count && sums.join() === manifest.sums.join()
  // The head, which was checked first, must agree with the manifest.
  if (!isComplete || !isDeepStrictEqual(z.parse(Head, manifest), head)) throw damaged(entryNames.manifest)
  return { manifest, parts }
}

/** Checked before the rest is read: some backups are large. */
async function readHead(file: FileHandle, entry: Entry): Promise<Head> {
  if (entry.name !== entryNames.head) throw notOurs()
  const { success, data } = z.safeParse(Head, parseJson(await smallBody(file, entry), entry.name))
  if (!success) throw notOurs()
  const known = migrations.map(([name]) => name)
  const isKnown = data.format === formatVersion && data.schema.every((name, index) => known[index] === name)
  if (!isKnown) throw new BackupError(`备份由更新的版本（${data.version}）制作，请先升级程序再恢复`)
  return data
}

async function readManifest(file: FileHandle, [entry, sum, ...more]: Entry[]): Promise<Manifest> {
  if (entry?.name !== entryNames.manifest || sum?.name !== entryNames.manifestSum || more.length > 0)
    throw new BackupError('备份文件不完整，可能没有复制完')
  const body = await smallBody(file, entry)
  if (String(await smallBody(file, sum)) !== sumLine(entryNames.manifest, toSha256(body))) throw damaged(entry.name)
  const { success, data } = z.safeParse(Manifest, parseJson(body, entry.name))
  if (!success || !hasOnlyKeys(data.tables, includedTables) || !hasOnlyKeys(data.last_ids, allTables))
    throw damaged(entry.name)
  return data
}

function hasOnlyKeys(object: object, allowed: readonly string[]): boolean {
  return Object.keys(object).every((key) => allowed.includes(key))
}

async function readPart(file: FileHandle, entry: Entry): Promise<Row[]> {
  const unpacked = decompress(await smallBody(file, entry), { maxOutputLength: maxUnpacked })
  const text = await unpacked.catch(() => {
    throw damaged(entry.name)
  })
  return String(text)
    .split('\n')
    .map((line) => {
      const { success, data } = z.safeParse(StoredRow, parseJson(line, entry.name))
      if (!success) throw damaged(entry.name)
      return data
    })
}

function notePart(parts: Map<string, Entry[]>, entry: Entry): void {
  const table = /^tables\/(\w+)\/\d+\.ndjson\.gz$/.exec(entry.name)?.[1]
  if (!table || !entry.name.startsWith(tablePrefix)) throw damaged(entry.name)
  parts.set(table, [...(parts.get(table) ?? []), entry])
}

function compare(lines: readonly string[], text: string): void {
  if (lines.join('') === text) return
  const sums = new Set(text.split('\n').map((line) => `${line}\n`))
  const wrong = lines.find((line) => !sums.has(line))
  throw damaged(wrong?.slice(66).trim() ?? sumsPrefix)
}

function isKey(key: string): boolean {
  try {
    checkKey(key)
    return true
  } catch {
    return false
  }
}

function parseJson(text: Buffer | string, name: string): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    throw damaged(name)
  }
}

async function smallBody(file: FileHandle, entry: Entry): Promise<Buffer> {
  if (entry.size > maxInMemory) throw damaged(entry.name)
  return readWholeBody(file, entry)
}

async function hashEntry(file: FileHandle, entry: Entry): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of readBody(file, entry)) hash.update(chunk)
  return hash.digest('hex')
}

function notOurs(): BackupError {
  return new BackupError('这不是文豆的备份文件')
}

function damaged(name: string): BackupError {
  return new BackupError(`备份文件已损坏（${name}），不能使用`)
}
