import { rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Increment when the tables, folding or tokens change: files of another version are emptied and filled again. */
const schemaVersion = 3

/** Texts are text or bytes (see `encodeText`); `blob` affinity stores either unchanged, others would convert some to numbers. */
const schema = `
create table entry (row integer primary key, quality real not null, metadata_version text not null, pages_version text not null, pages integer not null, pinyin text not null default '');
create table metadata (row integer primary key, title blob, keywords blob, description blob);
create table page (row integer primary key, text blob);
create table folded_metadata (row integer primary key, title blob, whole blob);
create table folded_page (row integer primary key, text blob);
create table word (n integer primary key, word text not null unique);
create virtual table metadata_index using fts5 (title, keywords, description, content='', contentless_delete=1, detail=column, tokenize="ascii tokenchars '.+#'");
create virtual table page_index using fts5 (text, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '.+#'");
create virtual table entry_index using fts5 (text, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '.+#'");
insert into entry_index (entry_index, rank) values ('hashsize', 16000000);
insert into page_index (page_index, rank) values ('hashsize', 16000000);
pragma user_version = ${schemaVersion};
`

export const indexes = ['metadata_index', 'entry_index', 'page_index'] as const

export interface MergeStep {
  index: (typeof indexes)[number]
  isFirst: boolean
}

export function hasManySegments(database: DatabaseSync, index: MergeStep['index']): boolean {
  // Each aggregate alone reads one end of the B-tree; both in one query would scan all of it.
  const segment = (end: 'min' | 'max') => database.prepare(`select ${end}(segid) as id from ${index}_idx`).get()?.id
  return segment('min') !== segment('max')
}

/** Opens the file; creates it if it is missing, damaged or of another version. */
export function prepareFile(file: string): DatabaseSync {
  try {
    return prepare(openFile(file))
  } catch (error) {
    if (!isCorruption(error)) throw error
    removeFile(file)
    return prepare(openFile(file))
  }
}

/** An old file is emptied in place: of two processes that start together, neither may delete the other's new file. */
function prepare(database: DatabaseSync): DatabaseSync {
  if (isCurrent(database)) return assertReadable(database)
  database.exec('begin immediate')
  if (!isCurrent(database)) {
    for (const type of ['create virtual table%', 'create table%'])
      for (const { name } of database.prepare(tablesSql).all(type))
        database.exec(`drop table if exists "${String(name)}"`)
    database.exec(schema)
  }
  database.exec('commit')
  return database
}

const tablesSql = `select name from sqlite_schema where type = 'table' and sql like ? and name not like 'sqlite!_%' escape '!'`

function isCurrent(database: DatabaseSync): boolean {
  return database.prepare('pragma user_version').get()?.user_version === schemaVersion
}

/** Reads from the file without changing it; undefined if it is missing, unreadable or of another version. */
export function withReadonly<T>(file: string, read: (database: DatabaseSync) => T): T | undefined {
  if (inodeOf(file) === 0) return undefined
  try {
    using database = new DatabaseSync(file, { readOnly: true })
    return isCurrent(database) ? read(database) : undefined
  } catch {
    return undefined
  }
}

export function openFile(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 20_000 })
  database.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma temp_store = memory;
    pragma cache_size = -32000; pragma mmap_size = 2147418112; pragma wal_autocheckpoint = 4000; pragma journal_size_limit = 67108864;`)
  return database
}

/** SQLite's `data_version`: a number that changes whenever another connection has written to the file. */
export function dataVersion(database: DatabaseSync): () => number {
  const statement = database.prepare('pragma data_version')
  return () => Number(statement.get()?.data_version)
}

export function removeFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

class FileReplaced extends Error {}

/** Identifies a file under a path; 0 if there is none. */
export function inodeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.ino ?? 0
}

/** Returns a check that the path still leads to the same file: another process may have deleted or replaced it. */
export function assertSameFile(file: string): () => void {
  const inode = inodeOf(file)
  return () => {
    if (inodeOf(file) !== inode) throw new FileReplaced('the index file has been replaced')
  }
}

/** SQLite result codes. */
const SQLITE_ERROR = 1
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/** A missing table counts too: then another file is in its place. */
export function isCorruption(error: unknown): boolean {
  if (error instanceof FileReplaced) return true
  const { errcode = 0, message = '' } = error as { errcode?: number; message?: string }
  const code = errcode & 0xff
  const isTableMissing = code === SQLITE_ERROR && message.includes('no such table')
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB || isTableMissing
}

const tables = ['entry', 'metadata', 'page', 'folded_metadata', 'folded_page', 'word', ...indexes]

/** Throws if the file is damaged so badly that no query would work. */
export function assertReadable(database: DatabaseSync): DatabaseSync {
  for (const table of tables) database.prepare(`select * from ${table} limit 1`).all()
  database.prepare(`select rowid from page_index where page_index match ? limit 1`).all('a')
  return database
}
