import type pg from 'pg'
import { fold } from '../text/fold.ts'
import { havingTexts, havingTokens, onPage } from './match.ts'
import { type Ask, walkEntries, walkPages } from './walk.ts'
import type { Kind } from '../fulltext.ts'
import { entryRow, idOf, lastPage, type PageOf, pageOf, pageRow, rowsOf, type Store } from '../engine/store.ts'

const cancelled = '57014'

export function postgresStore(pool: pg.Pool): Store {
  const all: Ask = async <T extends object>(text: string, values: unknown[]): Promise<T[]> => {
    try {
      return (await pool.query<T>(text, values)).rows
    } catch (error) {
      // What cannot be found in time is not found: the rest of the answer is worth having.
      if ((error as { code?: string }).code === cancelled) return []
      throw error
    }
  }

  return {
    walk: (match, range) => (range.where === 'pages' ? walkPages(all, match, range) : walkEntries(all, match, range)),
    async among(match, kind, ids) {
      if (match.any.length + match.has.length === 0) return [...ids]
      const tokens = havingTokens(match, 'entry', [ids.map((id) => entryRow({ kind, id }))])
      const { sql, values } = havingTexts(match, 'entry', tokens.values)
      const found = await all<{ row: string }>(
        `select row from search_entry where row = any($1) and ${tokens.sql} and ${sql}`,
        values,
      )
      return found.map(({ row }) => idOf(kind, 'entry', Number(row)))
    },
    async count(match, { kind, where, upTo }) {
      const { sql, values } = havingTokens(match, where, [...rowsOf(kind, 'entry'), upTo])
      const rows = `select from search_entry where row + 0 between $1 and $2 and ${sql} limit $3`
      return Number((await all<{ count: string }>(`select count(*) from (${rows}) as met`, values))[0]?.count)
    },
    async pagesOf(match, entry) {
      const { sql, values } = onPage({ ...match, has: [] }, [pageRow(entry, 1), pageRow(entry, lastPage)])
      const found = await all<{ row: string }>(
        `select row from search_page where row between $1 and $2 and ${sql} order by row`,
        values,
      )
      return found.map(({ row }) => pageOf(Number(row)))
    },
    async foldedFrom(entry, from, limit) {
      const values = [pageRow(entry, from), pageRow(entry, lastPage), limit]
      const sql = 'select row, folded as text from search_page where row between $1 and $2 order by row limit $3'
      return pagesIn(entry.kind, await all(sql, values))
    },
    async folded(entry, pages) {
      const sql = 'select row, folded as text from search_page where row = any($1) order by row'
      return pagesIn(entry.kind, await all(sql, [pages.map((page) => pageRow(entry, page))]))
    },
    async foldedWith(parts, kind, ids) {
      const seen = parts.map((_, at) => `strpos(folded, $${at + 2}) > 0`).join(' or ')
      // Each entry by itself: `offset` keeps PostgreSQL from going through the pages of all of them at once.
      const sql = `select page.row, page.folded as text from unnest($1::bigint[]) as entry (row)
        cross join lateral (select row, folded from search_page
          where row between entry.row * ${lastPage + 1} and entry.row * ${lastPage + 1} + ${lastPage} and (${seen})
          order by row offset 0) as page`
      return pagesIn(kind, await all(sql, [ids.map((id) => entryRow({ kind, id })), ...parts]))
    },
    async texts(kind, pages) {
      const rows = pages.map(({ id, page }) => pageRow({ kind, id }, page))
      return pagesIn(kind, await all('select row, text from search_page where row = any($1)', [rows]))
    },
    async heads(kind, ids) {
      const heads = await all<{ row: string; title: string; keywords: string; description: string; pages: number }>(
        'select row, title, keywords, description, pages from search_entry where row = any($1)',
        [ids.map((id) => entryRow({ kind, id }))],
      )
      return heads.map(({ row, ...head }) => ({ id: idOf(kind, 'entry', Number(row)), ...head }))
    },
    async foldedHeads(kind, ids) {
      const heads = await all<{ row: string; title: string; keywords: string }>(
        'select row, folded_title as title, keywords from search_entry where row = any($1)',
        [ids.map((id) => entryRow({ kind, id }))],
      )
      return heads.map(({ row, title, keywords }) => ({
        id: idOf(kind, 'entry', Number(row)),
        title,
        keywords: fold(keywords),
      }))
    },
    async qualities(kind, ids) {
      const found = await all<{ row: string; quality: number }>(
        'select row, quality from search_entry where row = any($1)',
        [ids.map((id) => entryRow({ kind, id }))],
      )
      return new Map(found.map(({ row, quality }) => [idOf(kind, 'entry', Number(row)), quality]))
    },
    async spelled(letters, { kind, belowId, limit }) {
      const found = await all<{ row: string }>(
        'select row from search_entry where row between $1 and $2 and strpos(spelling, $3) > 0 order by row desc limit $4',
        [...rowsOf(kind, 'entry', belowId && entryRow({ kind, id: belowId })), letters, limit],
      )
      return found.map(({ row }) => idOf(kind, 'entry', Number(row)))
    },
    async wordsAfter(last) {
      const found = await all<{ n: string; word: string }>('select n, word from search_word where n > $1 order by n', [
        last,
      ])
      return { words: found.map(({ word }) => word), last: Number(found.at(-1)?.n ?? last) }
    },
  }
}

function pagesIn(kind: Kind, found: { row: string; text: string }[]): PageOf[] {
  return found.map(({ row, text }) => ({ id: idOf(kind, 'pages', Number(row)), page: pageOf(Number(row)), text }))
}
