import type { DatabaseSync } from 'node:sqlite'
import { fold } from '../text/fold.ts'
import { isInParts, type MergeStep } from './file.ts'
import { fieldEnd, pack, unpack } from '../text/packed-text.ts'
import type { Entry, Head, Kind, Pages } from '../fulltext.ts'
import { entryRow, lastPage, pageRow } from '../engine/store.ts'
import { type Tokens, tokenise } from '../text/tokenize.ts'

export interface Writes {
  putHead(head: Head & { spelling: string }): void
  putPages(pages: Pages): void
  cutPages(entry: Entry & { after: number }): void
  remove(kind: Kind, ids: readonly number[]): void
  empty(): void
  /** A step of putting the parts of an index together, as one writes them; false when it is in one part. */
  merge(step: MergeStep): boolean
  /** Files anew the entries that have changed, once for all their changes. Belongs before the commit. */
  finish(): void
  /** Forgets what it remembers of a transaction that was rolled back. */
  forget(): void
}

/** In one step, of some kilobytes each: whoever writes waits no longer than that takes. */
const pagesMerged = 200

/** Words that are known to be filed need no second look. */
const wordsRemembered = 500_000

export function sqliteWrites(database: DatabaseSync): Writes {
  const filed = new Set<string>()
  const changed = new Map<number, Entry>()
  const run = statements(database)

  const tokensOf = (folded: string, anew = false): Tokens => {
    const tokens = tokenise(folded)
    for (const word of tokens.words) {
      if (filed.has(word) && !anew) continue
      if (filed.size >= wordsRemembered) filed.clear()
      run.insertWord.run(word)
      filed.add(word)
    }
    return tokens
  }
  const enter = (entry: Entry): number => {
    const row = entryRow(entry)
    run.enter.run(row)
    return row
  }
  const refileLater = ({ kind, id }: Entry) => changed.set(entryRow({ kind, id }), { kind, id })
  const countPages = (entry: Entry) => run.countPages.run(pageRow(entry, 1), pageRow(entry, lastPage), entryRow(entry))
  const dropPages = (entry: Entry, after: number): number => {
    const rows = run.pageRows.all(pageRow(entry, after + 1), pageRow(entry, lastPage))
    for (const { row } of rows) {
      for (const statement of [run.unfilePage, run.dropPage, run.dropFoldedPage]) statement.run(Number(row))
    }
    return rows.length
  }
  /** How many were not there, and how many are there but were others. */
  const writePages = ({ pages, anew, ...entry }: Pages): { added: number; replaced: number } => {
    const count = { added: 0, replaced: 0 }
    for (const { page, text } of pages) {
      if (page < 1 || page > lastPage) continue
      const row = pageRow(entry, page)
      const kept = run.pageText.get(row)
      if (kept && !anew && unpack(kept.text) === text) continue
      const folded = fold(text)
      run.keepPage.run(row, pack(text))
      run.keepFoldedPage.run(row, pack(folded))
      run.filePage.run(row, [...tokensOf(folded, anew).page].join(' '))
      count[kept ? 'replaced' : 'added']++
    }
    return count
  }
  const refile = (row: number, entry: Entry) => {
    const filedUnder = new Set<string>()
    const add = (folded: string) => {
      const { page, entry } = tokenise(folded)
      for (const token of page) filedUnder.add(token)
      for (const token of entry) filedUnder.add(token)
    }
    for (const field of unpack(run.foldedHead.get(row)?.whole).split(fieldEnd)) add(field)
    for (const { text } of run.foldedPages.iterate(pageRow(entry, 1), pageRow(entry, lastPage))) add(unpack(text))
    run.fileEntry.run(row, [...filedUnder].join(' '))
  }

  return {
    putHead(head) {
      const row = enter(head)
      const fields = [head.title, head.keywords, head.description] as const
      run.markHead.run(head.quality, head.mark, head.spelling, row)
      const kept = run.head.get(row)
      const before = kept && [kept.title, kept.keywords, kept.description].map(unpack)
      if (!head.anew && before?.every((text, index) => text === fields[index])) return
      refileLater(head)
      const folded = fields.map(fold)
      const [title, keywords, description] = folded.map((text) => joined(tokensOf(text, head.anew)))
      run.keepHead.run(row, ...fields.map(pack))
      run.keepFoldedHead.run(row, pack(folded[0] ?? ''), pack(folded.join(fieldEnd)))
      run.fileHead.run(row, title ?? '', keywords ?? '', description ?? '')
    },
    putPages(entry) {
      const row = enter(entry)
      const { added, replaced } = writePages(entry)
      const before = String(run.pagesMark.get(row)?.pages_mark)
      const isChanged = added + replaced > 0
      if (!isChanged && (entry.mark === '' || entry.mark === before)) return
      run.markPages.run(entry.mark, added, row)
      // What came in with an empty mark has not been filed with the whole yet.
      if (entry.mark === '' || (!isChanged && before !== '')) return
      countPages(entry)
      refileLater(entry)
    },
    cutPages({ after, ...entry }) {
      if (dropPages(entry, after) === 0) return
      countPages(entry)
      refileLater(entry)
    },
    remove(kind, ids) {
      for (const id of ids) {
        const row = entryRow({ kind, id })
        changed.delete(row)
        dropPages({ kind, id }, 0)
        for (const statement of [run.unfileHead, run.unfileEntry, run.dropHead, run.dropFoldedHead, run.leave])
          statement.run(row)
      }
    },
    empty() {
      changed.clear()
      // Words stay: other processes remember which of them are filed.
      database.exec(`delete from entry; delete from head; delete from page; delete from folded_head; delete from folded_page;
        insert into head_index (head_index) values ('delete-all'); insert into entry_index (entry_index) values ('delete-all');
        insert into page_index (page_index) values ('delete-all');`)
    },
    merge({ index, isFirst }) {
      const changes = () => Number(run.changes.get()?.changes)
      const command = (name: string, value: number) =>
        database.exec(`insert into ${index} (${index}, rank) values ('${name}', ${value})`)
      // Two parts are enough to be merged, and the first step says that all of them are to be.
      if (isFirst) command('usermerge', 2)
      const before = changes()
      command('merge', isFirst ? -pagesMerged : pagesMerged)
      return changes() - before > 1 && isInParts(database, index)
    },
    finish() {
      for (const [row, entry] of changed) refile(row, entry)
      changed.clear()
    },
    forget() {
      changed.clear()
      filed.clear()
    },
  }
}

function joined({ page, entry }: Tokens): string {
  return [...page, ...entry].join(' ')
}

function statements(database: DatabaseSync) {
  const prepare = (sql: string) => database.prepare(sql)
  return {
    changes: prepare('select total_changes() as changes'),
    insertWord: prepare('insert or ignore into word (word) values (?)'),
    enter: prepare(
      `insert into entry (row, quality, head_mark, pages_mark, pages) values (?, 0, '', '', 0) on conflict do nothing`,
    ),
    leave: prepare('delete from entry where row = ?'),
    markHead: prepare('update entry set quality = ?, head_mark = ?, spelling = ? where row = ?'),
    pagesMark: prepare('select pages_mark from entry where row = ?'),
    markPages: prepare('update entry set pages_mark = ?, pages = pages + ? where row = ?'),
    countPages: prepare(
      'update entry set pages = (select count(*) from page where page.row between ? and ?) where row = ?',
    ),
    fileEntry: prepare('insert or replace into entry_index (rowid, text) values (?, ?)'),
    unfileEntry: prepare('delete from entry_index where rowid = ?'),
    head: prepare('select title, keywords, description from head where row = ?'),
    keepHead: prepare('insert or replace into head (row, title, keywords, description) values (?, ?, ?, ?)'),
    dropHead: prepare('delete from head where row = ?'),
    fileHead: prepare('insert or replace into head_index (rowid, title, keywords, description) values (?, ?, ?, ?)'),
    unfileHead: prepare('delete from head_index where rowid = ?'),
    pageText: prepare('select text from page where row = ?'),
    foldedHead: prepare('select whole from folded_head where row = ?'),
    keepFoldedHead: prepare('insert or replace into folded_head (row, title, whole) values (?, ?, ?)'),
    dropFoldedHead: prepare('delete from folded_head where row = ?'),
    foldedPages: prepare('select text from folded_page where row between ? and ?'),
    keepFoldedPage: prepare('insert or replace into folded_page (row, text) values (?, ?)'),
    dropFoldedPage: prepare('delete from folded_page where row = ?'),
    pageRows: prepare('select row from page where row between ? and ?'),
    keepPage: prepare('insert or replace into page (row, text) values (?, ?)'),
    dropPage: prepare('delete from page where row = ?'),
    filePage: prepare('insert or replace into page_index (rowid, text) values (?, ?)'),
    unfilePage: prepare('delete from page_index where rowid = ?'),
  }
}
