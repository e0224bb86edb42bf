import { open, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { migrations } from '../db/migrate.ts'
import type { OpenDatabase } from '../db/open.ts'
import type { Storage } from '../storage/storage.ts'
import { type Archive, openArchive, partialPath } from './archive.ts'
import { type Content, listContents } from './contents.ts'
import { copyContents } from './copy.ts'
import { BackupError, entryNames, formatVersion, type Head, type Manifest, partName } from './format.ts'
import { allTables, includedTables, rowDigest, selectRows, toLine } from './rows.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import { tableNames } from './target.ts'

interface BackupOptions {
  database: OpenDatabase
  storage: Storage
  /** Where the backup will be, once it is complete. */
  path: string
  version: string
  now: () => number
  say: (line: string) => void
  /** Aborted, it leaves nothing behind; what a kill leaves is removed by a later backup. */
  signal?: AbortSignal
}

interface BackupResult {
  size: number
  manifest: Omit<Manifest, 'sums'>
}

const compress = promisify(gzip)
/** Characters of rows that are written as one part, which bounds the memory for a table of any length. */
const partLength = 4 * 1024 * 1024

/**
 * A snapshot of the rows first, then the files that those rows name. The site stays in use; what is written after the
 * snapshot is not in the backup.
 */
export async function makeBackup(options: BackupOptions): Promise<BackupResult> {
  const { database, storage, path, version, now, say, signal } = options
  const archive = await openArchive(path, now(), signal)
  const list = `${partialPath(path)}.list`
  const cleanUp = async () => {
    await archive.abandon()
    await rm(list, { force: true })
  }
  try {
    const dumped = await writeRows({ database, archive, list, version, at: now(), say })
    const copied = await copyContents({ database, schema: dumped.schema, storage, archive, list, say })
    const manifest = { ...dumped, ...copied }
    const size = await archive.finish(manifest)
    return { size, manifest }
  } finally {
    await cleanUp()
  }
}

interface RowsOptions {
  database: OpenDatabase
  archive: Archive
  list: string
  version: string
  at: number
  say: (line: string) => void
}

async function writeRows({ database, archive, list, version, at, say }: RowsOptions) {
  const snapshot = await openSnapshot(database)
  try {
    const schema = await readSchema(snapshot)
    const head: Head = {
      product: 'wendou',
      format: formatVersion,
      version,
      made_at: at,
      engine: database.engine,
      schema,
    }
    await archive.add(entryNames.head, Buffer.from(JSON.stringify(head, null, 2)))
    const ours: ReadonlySet<string> = new Set(allTables)
    const last_ids = Object.fromEntries([...(await snapshot.lastIds())].filter(([table]) => ours.has(table)))
    const tables: Manifest['tables'] = {}
    for (const table of await presentTables(database)) tables[table] = await writeTable(snapshot, archive, table)
    const total = Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)
    say(`数据库：${Object.keys(tables).length} 张表，${total} 行`)
    await writeList(snapshot, schema, list)
    return { ...head, tables, last_ids }
  } finally {
    await snapshot.close()
  }
}

async function readSchema(snapshot: Snapshot): Promise<string[]> {
  const names: string[] = []
  for await (const rows of snapshot.select('select name from migration order by name'))
    names.push(...rows.map(({ name }) => String(name)))
  const known = new Set(migrations.map(([name]) => name))
  if (!names.every((name) => known.has(name))) throw new BackupError('数据库由更新的版本使用，请用那个版本的程序来备份')
  return names
}

/** A site that has not been upgraded yet is backed up as it is, so some tables may not exist yet. */
async function presentTables({ db }: OpenDatabase): Promise<string[]> {
  const present = await tableNames(db)
  return includedTables.filter((name) => present.has(name))
}

async function writeTable(snapshot: Snapshot, archive: Archive, table: string) {
  const digest = rowDigest()
  let [rows, parts, length] = [0, 0, 0]
  let lines: string[] = []
  const flush = async () => {
    if (lines.length === 0) return
    await archive.add(partName(table, (parts += 1)), await compress(lines.join('\n')))
    lines = []
    length = 0
  }
  for await (const batch of snapshot.select(selectRows(table))) {
    for (const row of batch) {
      const line = toLine(table, row)
      digest.add(line)
      lines.push(line)
      length += line.length
      if (length >= partLength) await flush()
    }
    rows += batch.length
  }
  await flush()
  return { rows, digest: digest.text() }
}

/** On disk, not in memory: a large site has millions of files, and the snapshot must not stay open while they are copied. */
async function writeList(snapshot: Snapshot, schema: readonly string[], path: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    let lines: string[] = []
    const flush = async () => {
      await file.appendFile(lines.map((line) => `${line}\n`).join(''))
      lines = []
    }
    for await (const content of listContents(snapshot, schema)) {
      lines.push(JSON.stringify(content satisfies Content))
      if (lines.length >= 1000) await flush()
    }
    await flush()
  } finally {
    await file.close()
  }
}
