import type { DatabaseSync } from 'node:sqlite'
import { entryRow, maxPage, pageRow } from '../engine/store.ts'
import type { Entry, EntryKind, Metadata, Pages } from '../fulltext.ts'
import { fold } from '../text/fold.ts'
import { decodeText, encodeText, fieldSeparator } from '../text/text-encoding.ts'
import { tokenize, type Tokens } from '../text/tokenize.ts'
import { hasManySegments, type MergeStep } from './file.ts'

export interface MetadataWithPinyin extends Metadata {
  pinyin: string
}

/** Writes within a transaction of the caller. */
export interface Writer {
  putMetadata(metadata: MetadataWithPinyin): void
  putPages(pages: Pages): void
  cutPages(entry: Entry & { after: number }): void
  remove(kind: EntryKind, ids: readonly number[]): void
  empty(): void
  /** One step of merging the segments of an FTS5 index; false when there is only one left. */
  merge(step: MergeStep): boolean
  /** Before the commit: reindexes entries as a whole, once for all changes of the transaction. */
  beforeCommit(): void
  afterRollback(): void
}

/** Database pages per merge step: other writes wait no longer than a step takes. */
const mergePages = 200

/**
 * Words known to be in the vocabulary are not inserted again. When there are too many, all are forgotten: inserting a word
 * again is cheap, and an LRU of this size is not.
 */
const maxKnownWords = 500_000

export function sqliteWriter(database: DatabaseSync): Writer {
  const knownWords = new Set<string>()
  const changedEntries = new Map<number, Entry>()
  const statements = prepareStatements(database)

  const tokenizeAndStoreWords = (folded: string, force = false): Tokens => {
    const tokens = tokenize(folded)
    for (const word of tokens.words) {
      if (knownWords.has(word) && !force) continue
      if (knownWords.size >= maxKnownWords) knownWords.clear()
      statements.insertWord.run(word)
      knownWords.add(word)
    }
    return tokens
  }
  const insertEntry = (entry: Entry): number => {
    const row = entryRow(entry)
    statements.insertEntry.run(row)
    return row
  }
  const reindexLater = ({ kind, id }: Entry) => changedEntries.set(entryRow({ kind, id }), { kind, id })
  const countPages = (entry: Entry) =>
    statements.countPages.run(pageRow(entry, 1), pageRow(entry, maxPage), entryRow(entry))
  const deletePages = (entry: Entry, after: number): number => {
    const rows = statements.pageRows.all(pageRow(entry, after + 1), pageRow(entry, maxPage))
    const { unindexPage, deletePage, deleteFoldedPage } = statements
    for (const { row } of rows)
      for (const statement of [unindexPage, deletePage, deleteFoldedPage]) statement.run(Number(row))
    return rows.length
  }
  const writePages = ({ pages, force, ...entry }: Pages): { added: number; replaced: number } => {
    const count = { added: 0, replaced: 0 }
    for (const { page, text } of pages) {
      if (page < 1 || page > maxPage) continue
      const row = pageRow(entry, page)
      const stored = statements.pageText.get(row)
      if (stored && !force && decodeText(stored.text) === text) continue
      const folded = fold(text)
      statements.putPage.run(row, encodeText(text))
      statements.putFoldedPage.run(row, encodeText(folded))
      statements.indexPage.run(row, [...tokenizeAndStoreWords(folded, force).page].join(' '))
      count[stored ? 'replaced' : 'added']++
    }
    return count
  }
  /** An entry is indexed by all tokens of its metadata and its pages. */
  const reindex = (row: number, entry: Entry) => {
    const tokens = new Set<string>()
    const add = (folded: string) => {
      const { page, entry } = tokenize(folded)
      for (const token of page) tokens.add(token)
      for (const token of entry) tokens.add(token)
    }
    for (const field of decodeText(statements.foldedMetadata.get(row)?.whole).split(fieldSeparator)) add(field)
    for (const { text } of statements.foldedPages.iterate(pageRow(entry, 1), pageRow(entry, maxPage)))
      add(decodeText(text))
    statements.indexEntry.run(row, [...tokens].join(' '))
  }

  return {
    putMetadata(metadata) {
      const row = insertEntry(metadata)
      const fields = [metadata.title, metadata.keywords, metadata.description] as const
      statements.setMetadataVersion.run(metadata.quality, metadata.version, metadata.pinyin, row)
      const stored = statements.metadata.get(row)
      const storedFields = stored && [stored.title, stored.keywords, stored.description].map(decodeText)
      if (!metadata.force && storedFields?.every((text, index) => text === fields[index])) return
      reindexLater(metadata)
      const folded = fields.map(fold)
      const [title, keywords, description] = folded.map((text) => join(tokenizeAndStoreWords(text, metadata.force)))
      statements.putMetadata.run(row, ...fields.map(encodeText))
      statements.putFoldedMetadata.run(row, encodeText(folded[0] ?? ''), encodeText(folded.join(fieldSeparator)))
      statements.indexMetadata.run(row, title ?? '', keywords ?? '', description ?? '')
    },
    putPages(entry) {
      const row = insertEntry(entry)
      const { added, replaced } = writePages(entry)
      const previousVersion = String(statements.pagesVersion.get(row)?.pages_version)
      const isChanged = added + replaced > 0
      if (!isChanged && (entry.version === '' || entry.version === previousVersion)) return
      statements.setPagesVersion.run(entry.version, added, row)
      // Batches without a version have not been added to the entry's tokens yet.
      if (entry.version === '' || (!isChanged && previousVersion !== '')) return
      countPages(entry)
      reindexLater(entry)
    },
    cutPages({ after, ...entry }) {
      if (deletePages(entry, after) === 0) return
      countPages(entry)
      reindexLater(entry)
    },
    remove(kind, ids) {
      const { unindexMetadata, unindexEntry, deleteMetadata, deleteFoldedMetadata, deleteEntry } = statements
      for (const id of ids) {
        const row = entryRow({ kind, id })
        changedEntries.delete(row)
        deletePages({ kind, id }, 0)
        for (const statement of [unindexMetadata, unindexEntry, deleteMetadata, deleteFoldedMetadata, deleteEntry])
          statement.run(row)
      }
    },
    empty() {
      changedEntries.clear()
      // Not the words: other processes remember which of them they have written.
      database.exec(`delete from entry; delete from metadata; delete from page; delete from folded_metadata; delete from folded_page;
        insert into metadata_index (metadata_index) values ('delete-all'); insert into entry_index (entry_index) values ('delete-all');
        insert into page_index (page_index) values ('delete-all');`)
    },
    merge({ index, isFirst }) {
      const changes = () => Number(statements.changes.get()?.changes)
      const command = (name: string, value: number) =>
        database.exec(`insert into ${index} (${index}, rank) values ('${name}', ${value})`)
      // FTS5: merge from two segments on; a negative first `merge` selects all segments.
      if (isFirst) command('usermerge', 2)
      const before = changes()
      command('merge', isFirst ? -mergePages : mergePages)
      return changes() - before > 1 && hasManySegments(database, index)
    },
    beforeCommit() {
      for (const [row, entry] of changedEntries) reindex(row, entry)
      changedEntries.clear()
    },
    afterRollback() {
      changedEntries.clear()
      knownWords.clear()
    },
  }
}

function join({ page, entry }: Tokens): string {
  return [...page, ...entry].join(' ')
}

function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string) => database.prepare(sql)
  return {
    changes: prepare('select total_changes() as changes'),
    insertWord: prepare('insert or ignore into word (word) values (?)'),
    insertEntry: prepare(
      `insert into entry (row, quality, metadata_version, pages_version, pages) values (?, 0, '', '', 0) on conflict do nothing`,
    ),
    deleteEntry: prepare('delete from entry where row = ?'),
    setMetadataVersion: prepare('update entry set quality = ?, metadata_version = ?, pinyin = ? where row = ?'),
    pagesVersion: prepare('select pages_version from entry where row = ?'),
    setPagesVersion: prepare('update entry set pages_version = ?, pages = pages + ? where row = ?'),
    countPages: prepare(
      'update entry set pages = (select count(*) from page where page.row between ? and ?) where row = ?',
    ),
    indexEntry: prepare('insert or replace into entry_index (rowid, text) values (?, ?)'),
    unindexEntry: prepare('delete from entry_index where rowid = ?'),
    metadata: prepare('select title, keywords, description from metadata where row = ?'),
    putMetadata: prepare('insert or replace into metadata (row, title, keywords, description) values (?, ?, ?, ?)'),
    deleteMetadata: prepare('delete from metadata where row = ?'),
    indexMetadata: prepare(
      'insert or replace into metadata_index (rowid, title, keywords, description) values (?, ?, ?, ?)',
    ),
    unindexMetadata: prepare('delete from metadata_index where rowid = ?'),
    pageText: prepare('select text from page where row = ?'),
    foldedMetadata: prepare('select whole from folded_metadata where row = ?'),
    putFoldedMetadata: prepare('insert or replace into folded_metadata (row, title, whole) values (?, ?, ?)'),
    deleteFoldedMetadata: prepare('delete from folded_metadata where row = ?'),
    foldedPages: prepare('select text from folded_page where row between ? and ?'),
    putFoldedPage: prepare('insert or replace into folded_page (row, text) values (?, ?)'),
    deleteFoldedPage: prepare('delete from folded_page where row = ?'),
    pageRows: prepare('select row from page where row between ? and ?'),
    putPage: prepare('insert or replace into page (row, text) values (?, ?)'),
    deletePage: prepare('delete from page where row = ?'),
    indexPage: prepare('insert or replace into page_index (rowid, text) values (?, ?)'),
    unindexPage: prepare('delete from page_index where rowid = ?'),
  }
}
