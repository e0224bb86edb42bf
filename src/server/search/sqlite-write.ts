import type { DatabaseSync } from 'node:sqlite'
import { fold } from './fold.ts'
import { pack, unpack } from './packed-text.ts'
import type { Entry, Head, Kind, Known, Pages } from './search.ts'
import { entryRow, idOf, lastPage, pageRow, rowsBelow } from './store.ts'
import { type Tokens, tokenise } from './tokenise.ts'

export interface Writes {
  putHead(head: Head & { spelling: string }): void
  putPages(pages: Pages): void
  cutPages(entry: Entry & { after: number }): void
  remove(kind: Kind, ids: readonly number[]): void
  empty(): void
  list(kind: Kind, range: { after: number; limit: number }): Known[]
  /** Files anew the entries that have changed, once for all their changes. Belongs before the commit. */
  finish(): void
  /** Forgets what it remembers of a transaction that was rolled back. */
  forget(): void
}

/** Words that are known to be filed need no second look. */
const wordsRemembered = 500_000

export function sqliteWrites(database: DatabaseSync): Writes {
  const filed = new Set<string>()
  const changed = new Map<number, Entry>()
  const run = statements(database)

  const tokensOf = (text: string): Tokens => {
    const tokens = tokenise(fold(text))
    for (const word of tokens.words) {
      if (filed.has(word)) continue
      if (filed.size >= wordsRemembered) filed.clear()
      run.insertWord.run(word)
      filed.add(word)
    }
    return tokens
  }
  const enter = (entry: Entry): number => {
    const row = entryRow(entry)
    run.enter.run(row)
    changed.set(row, { kind: entry.kind, id: entry.id })
    return row
  }
  const countPages = (entry: Entry, mark: string | null) =>
    run.markPages.run(mark, pageRow(entry, 1), pageRow(entry, lastPage), entryRow(entry))
  const dropPages = (entry: Entry, after: number) => {
    for (const { row } of run.pageRows.all(pageRow(entry, after + 1), pageRow(entry, lastPage))) {
      run.unfilePage.run(Number(row))
      run.dropPage.run(Number(row))
    }
  }
  const refile = (row: number, entry: Entry) => {
    const head = run.head.get(row)
    const texts = run.pageTexts.all(pageRow(entry, 1), pageRow(entry, lastPage)).map(({ text }) => text)
    const filedUnder = new Set<string>()
    for (const text of [head?.title, head?.keywords, head?.description, ...texts]) {
      const { page, entry } = tokenise(fold(unpack(text)))
      for (const token of page) filedUnder.add(token)
      for (const token of entry) filedUnder.add(token)
    }
    run.fileEntry.run(row, [...filedUnder].join(' '))
  }

  return {
    putHead(head) {
      const row = enter(head)
      const fields = [head.title, head.keywords, head.description] as const
      const [title, keywords, description] = fields.map((text) => joined(tokensOf(text)))
      run.markHead.run(head.quality, head.mark, head.spelling, row)
      run.keepHead.run(row, ...fields.map(pack))
      run.fileHead.run(row, title ?? '', keywords ?? '', description ?? '')
    },
    putPages(entry) {
      enter(entry)
      for (const { page, text } of entry.pages) {
        if (page < 1 || page > lastPage) continue
        const row = pageRow(entry, page)
        const kept = run.pageText.get(row)
        if (kept && unpack(kept.text) === text) continue
        run.keepPage.run(row, pack(text))
        run.filePage.run(row, [...tokensOf(text).page].join(' '))
      }
      countPages(entry, entry.mark)
    },
    cutPages({ after, ...entry }) {
      enter(entry)
      dropPages(entry, after)
      countPages(entry, null)
    },
    remove(kind, ids) {
      for (const id of ids) {
        const row = entryRow({ kind, id })
        changed.delete(row)
        dropPages({ kind, id }, 0)
        for (const statement of [run.unfileHead, run.unfileEntry, run.dropHead, run.leave]) statement.run(row)
      }
    },
    empty() {
      changed.clear()
      // Words stay: other processes remember which of them are filed.
      database.exec(`delete from entry; delete from head; delete from page;
        insert into head_index (head_index) values ('delete-all'); insert into entry_index (entry_index) values ('delete-all');
        insert into page_index (page_index) values ('delete-all');`)
    },
    list(kind, { after, limit }) {
      const [, high] = rowsBelow(kind, 'entry')
      return run.known.all(entryRow({ kind, id: after }), high, limit).map((entry) => ({
        id: idOf(kind, 'entry', Number(entry.row)),
        headMark: String(entry.head_mark),
        pagesMark: String(entry.pages_mark),
        pages: Number(entry.pages),
      }))
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
    insertWord: prepare('insert or ignore into word (word) values (?)'),
    enter: prepare(
      `insert into entry (row, quality, head_mark, pages_mark, pages) values (?, 0, '', '', 0) on conflict do nothing`,
    ),
    leave: prepare('delete from entry where row = ?'),
    known: prepare('select * from entry where row > ? and row <= ? order by row limit ?'),
    markHead: prepare('update entry set quality = ?, head_mark = ?, spelling = ? where row = ?'),
    markPages: prepare(
      `update entry set pages_mark = coalesce(?, pages_mark),
        pages = (select count(*) from page where page.row between ? and ?) where row = ?`,
    ),
    fileEntry: prepare('insert or replace into entry_index (rowid, text) values (?, ?)'),
    unfileEntry: prepare('delete from entry_index where rowid = ?'),
    head: prepare('select title, keywords, description from head where row = ?'),
    keepHead: prepare('insert or replace into head (row, title, keywords, description) values (?, ?, ?, ?)'),
    dropHead: prepare('delete from head where row = ?'),
    fileHead: prepare('insert or replace into head_index (rowid, title, keywords, description) values (?, ?, ?, ?)'),
    unfileHead: prepare('delete from head_index where rowid = ?'),
    pageText: prepare('select text from page where row = ?'),
    pageTexts: prepare('select text from page where row between ? and ?'),
    pageRows: prepare('select row from page where row between ? and ?'),
    keepPage: prepare('insert or replace into page (row, text) values (?, ?)'),
    dropPage: prepare('delete from page where row = ?'),
    filePage: prepare('insert or replace into page_index (rowid, text) values (?, ?)'),
    unfilePage: prepare('delete from page_index where rowid = ?'),
  }
}
