import { rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Raise it when the tables or the way texts are folded and filed change: older files are made anew. */
const version = 2

/** Texts are kept as text or bytes, in columns that take either as it is: others would make numbers of some. */
const schema = `
create table entry (row integer primary key, quality real not null, head_mark text not null, pages_mark text not null, pages integer not null, spelling text not null default '');
create table head (row integer primary key, title blob, keywords blob, description blob);
create table page (row integer primary key, text blob);
create table folded_head (row integer primary key, title blob, whole blob);
create table folded_page (row integer primary key, text blob);
create table word (n integer primary key, word text not null unique);
create virtual table head_index using fts5 (title, keywords, description, content='', contentless_delete=1, detail=column, tokenize="ascii tokenchars '.+#'");
create virtual table page_index using fts5 (text, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '.+#'");
create virtual table entry_index using fts5 (text, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '.+#'");
insert into entry_index (entry_index, rank) values ('hashsize', 16000000);
insert into page_index (page_index, rank) values ('hashsize', 16000000);
pragma user_version = ${version};
`

export const indexes = ['head_index', 'entry_index', 'page_index'] as const

export interface MergeStep {
  index: (typeof indexes)[number]
  isFirst: boolean
}

export function isInParts(database: DatabaseSync, index: MergeStep['index']): boolean {
  // Each by itself is a look at one end; both in one question would be a walk through all of it.
  const end = (which: 'min' | 'max') => database.prepare(`select ${which}(segid) as part from ${index}_idx`).get()?.part
  return end('min') !== end('max')
}

/** Opens the file, or makes it when it is missing, damaged or of another version. */
export function prepareFile(file: string): DatabaseSync {
  try {
    return prepared(openFile(file))
  } catch (error) {
    if (!isDamage(error)) throw error
    removeFile(file)
    return prepared(openFile(file))
  }
}

/** Two processes that start together must not delete each other's new file, so an old one is emptied in its place. */
function prepared(database: DatabaseSync): DatabaseSync {
  if (isOurs(database)) return probed(database)
  database.exec('begin immediate')
  if (!isOurs(database)) {
    for (const type of ['create virtual table%', 'create table%'])
      for (const { name } of database.prepare(tablesSql).all(type))
        database.exec(`drop table if exists "${String(name)}"`)
    database.exec(schema)
  }
  database.exec('commit')
  return database
}

function isOurs(database: DatabaseSync): boolean {
  return database.prepare('pragma user_version').get()?.user_version === version
}

/** A look into the file as it is, without changing anything; nothing if there is none that could be looked into. */
export function glance<T>(file: string, look: (database: DatabaseSync) => T): T | undefined {
  if (identityOf(file) === 0) return undefined
  try {
    using database = new DatabaseSync(file, { readOnly: true })
    return isOurs(database) ? look(database) : undefined
  } catch {
    return undefined
  }
}

const tablesSql = `select name from sqlite_schema where type = 'table' and sql like ? and name not like 'sqlite!_%' escape '!'`

export function openFile(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 20_000 })
  database.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma temp_store = memory;
    pragma cache_size = -32000; pragma mmap_size = 2147418112; pragma wal_autocheckpoint = 4000; pragma journal_size_limit = 67108864;`)
  return database
}

/** A number that changes whenever somebody else has written to the file. */
export function versionOf(database: DatabaseSync): () => number {
  const statement = database.prepare('pragma data_version')
  return () => Number(statement.get()?.data_version)
}

export function removeFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

class Replaced extends Error {}

/** Which file this is; 0 when there is none. */
export function identityOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.ino ?? 0
}

/** Another process may have made the file anew, or somebody deleted it: then what is open is no longer the index. */
export function sameFile(file: string): () => void {
  const opened = identityOf(file)
  return () => {
    if (identityOf(file) !== opened) throw new Replaced('the index file has been replaced')
  }
}

const generic = 1
const corrupt = 11
const notADatabase = 26

/** A table that is not there counts too: somebody has put another file in this place. */
export function isDamage(error: unknown): boolean {
  if (error instanceof Replaced) return true
  const { errcode = 0, message = '' } = error as { errcode?: number; message?: string }
  const kind = errcode & 0xff
  return kind === corrupt || kind === notADatabase || (kind === generic && message.includes('no such table'))
}

/** Throws where it is damaged so badly that nothing can be asked of it. */
export function probed(database: DatabaseSync): DatabaseSync {
  for (const table of [
    'entry',
    'head',
    'page',
    'folded_head',
    'folded_page',
    'word',
    'head_index',
    'entry_index',
    'page_index',
  ])
    database.prepare(`select * from ${table} limit 1`).all()
  database.prepare(`select rowid from page_index where page_index match ? limit 1`).all('a')
  return database
}
