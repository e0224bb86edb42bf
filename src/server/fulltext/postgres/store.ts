import type pg from 'pg'
import {
  type EntryPage,
  entryRow,
  maxPage,
  pageRow,
  rowRange,
  type Store,
  toEntryId,
  toPageNumber,
} from '../engine/store.ts'
import type { EntryKind } from '../fulltext.ts'
import { fold } from '../text/fold.ts'
import { pageCondition, textCondition, tokenCondition } from './match.ts'
import { type RunQuery, scanEntries, scanPages } from './scan.ts'

/** PostgreSQL's `query_canceled`: here always a statement timeout. */
const queryCanceled = '57014'

export function postgresStore(pool: pg.Pool): Store {
  const runQuery: RunQuery = async <T extends object>(text: string, values: unknown[]): Promise<T[]> => {
    try {
      return (await pool.query<T>(text, values)).rows
    } catch (error) {
      // Incomplete results are better than none.
      if ((error as { code?: string }).code === queryCanceled) return []
      throw error
    }
  }
  const rowsOf = (kind: EntryKind, ids: readonly number[]) => ids.map((id) => entryRow({ kind, id }))

  return {
    scan: (match, range) => (range.scope === 'pages' ? scanPages : scanEntries)(runQuery, match, range),
    async filterMatching(match, kind, ids) {
      if (match.anyOf.length + match.contains.length === 0) return [...ids]
      const tokens = tokenCondition(match, 'entry', [rowsOf(kind, ids)])
      const { sql, values } = textCondition(match, 'entry', tokens.values)
      const rows = await runQuery<{ row: string }>(
        `select row from search_entry where row = any($1) and ${tokens.sql} and ${sql}`,
        values,
      )
      return rows.map(({ row }) => toEntryId(kind, 'entry', Number(row)))
    },
    async count(match, { kind, scope, limit }) {
      const { sql, values } = tokenCondition(match, scope, [...rowRange(kind, 'entry'), limit])
      const rows = `select from search_entry where row + 0 between $1 and $2 and ${sql} limit $3`
      return Number((await runQuery<{ count: string }>(`select count(*) from (${rows}) as entry`, values))[0]?.count)
    },
    async matchingPages(match, entry) {
      const { sql, values } = pageCondition({ ...match, contains: [] }, [pageRow(entry, 1), pageRow(entry, maxPage)])
      const rows = await runQuery<{ row: string }>(
        `select row from search_page where row between $1 and $2 and ${sql} order by row`,
        values,
      )
      return rows.map(({ row }) => toPageNumber(Number(row)))
    },
    async foldedPagesFrom(entry, from, limit) {
      const values = [pageRow(entry, from), pageRow(entry, maxPage), limit]
      const sql = 'select row, folded as text from search_page where row between $1 and $2 order by row limit $3'
      return toPages(entry.kind, await runQuery(sql, values))
    },
    async foldedPages(entry, pages) {
      const sql = 'select row, folded as text from search_page where row = any($1) order by row'
      return toPages(entry.kind, await runQuery(sql, [pages.map((page) => pageRow(entry, page))]))
    },
    async foldedPagesContaining(substrings, kind, ids) {
      const condition = substrings.map((_, index) => `strpos(folded, $${index + 2}) > 0`).join(' or ')
      // `offset 0` is an optimization fence: without it the planner joins the pages of all entries at once.
      const sql = `select page.row, page.folded as text from unnest($1::bigint[]) as entry (row)
        cross join lateral (select row, folded from search_page
          where row between entry.row * ${maxPage + 1} and entry.row * ${maxPage + 1} + ${maxPage} and (${condition})
          order by row offset 0) as page`
      return toPages(kind, await runQuery(sql, [rowsOf(kind, ids), ...substrings]))
    },
    async pageTexts(kind, pages) {
      const rows = pages.map(({ id, page }) => pageRow({ kind, id }, page))
      return toPages(kind, await runQuery('select row, text from search_page where row = any($1)', [rows]))
    },
    async metadata(kind, ids) {
      const rows = await runQuery<{ row: string; title: string; keywords: string; description: string; pages: number }>(
        'select row, title, keywords, description, pages from search_entry where row = any($1)',
        [rowsOf(kind, ids)],
      )
      return rows.map(({ row, ...fields }) => ({ id: toEntryId(kind, 'entry', Number(row)), ...fields }))
    },
    async foldedMetadata(kind, ids) {
      const rows = await runQuery<{ row: string; title: string; keywords: string }>(
        'select row, folded_title as title, keywords from search_entry where row = any($1)',
        [rowsOf(kind, ids)],
      )
      return rows.map(({ row, title, keywords }) => ({
        id: toEntryId(kind, 'entry', Number(row)),
        title,
        keywords: fold(keywords),
      }))
    },
    async qualities(kind, ids) {
      const rows = await runQuery<{ row: string; quality: number }>(
        'select row, quality from search_entry where row = any($1)',
        [rowsOf(kind, ids)],
      )
      return new Map(rows.map(({ row, quality }) => [toEntryId(kind, 'entry', Number(row)), quality]))
    },
    async findByPinyin(letters, { kind, belowId, limit }) {
      const rows = await runQuery<{ row: string; pinyin: string }>(
        'select row, pinyin from search_entry where row between $1 and $2 and strpos(pinyin, $3) > 0 order by row desc limit $4',
        [...rowRange(kind, 'entry', belowId && entryRow({ kind, id: belowId })), letters, limit],
      )
      return rows.map(({ row, pinyin }) => ({ id: toEntryId(kind, 'entry', Number(row)), pinyin }))
    },
    async countEntries(kind) {
      const sql = 'select count(*) as count from search_entry where row between $1 and $2'
      return Number((await runQuery<{ count: string }>(sql, rowRange(kind, 'entry')))[0]?.count ?? 0)
    },
    async highestId(kind) {
      const sql = 'select max(row) as highest from search_entry where row between $1 and $2'
      const [found] = await runQuery<{ highest: string | null }>(sql, rowRange(kind, 'entry'))
      return found?.highest ? toEntryId(kind, 'entry', Number(found.highest)) : 0
    },
    async wordsAfter(last) {
      const rows = await runQuery<{ n: string; word: string }>(
        'select n, word from search_word where n > $1 order by n',
        [last],
      )
      return { words: rows.map(({ word }) => word), last: Number(rows.at(-1)?.n ?? last) }
    },
  }
}

function toPages(kind: EntryKind, rows: { row: string; text: string }[]): EntryPage[] {
  return rows.map(({ row, text }) => ({
    id: toEntryId(kind, 'pages', Number(row)),
    page: toPageNumber(Number(row)),
    text,
  }))
}
