import type pg from 'pg'
import {
  type Candidate,
  entryRow,
  idOf,
  lastPage,
  type Match,
  pageOf,
  pageRow,
  rowBehind,
  rowsOf,
  type Store,
  type Where,
} from './store.ts'
import { hashOf } from './token-hash.ts'

const cancelled = '57014'

/** Fewer rows at a time where every text must be looked into. */
const rowsRead = { title: 600, head: 600, pages: 600, entry: 100 } as const

const tables = {
  title: { from: 'search_entry', tokens: 'title_tokens', folded: 'folded_title' },
  head: { from: 'search_entry', tokens: 'head_tokens', folded: 'folded_head' },
  entry: { from: 'search_entry', tokens: 'tokens', folded: 'folded_head' },
  pages: { from: 'search_page', tokens: 'tokens', folded: 'folded' },
} as const

export function postgresStore(pool: pg.Pool): Store {
  const all = async <T extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<T[]> => {
    try {
      return (await pool.query<T>(text, values)).rows
    } catch (error) {
      // What cannot be found in time is not found: the rest of the answer is worth having.
      if ((error as { code?: string }).code === cancelled) return []
      throw error
    }
  }

  return {
    async walk(match, { kind, where, below, rows }) {
      const limit = match.has.length > 0 ? Math.min(rowsRead[where], rows) : rows
      const [low, high] = rowsOf(kind, where, below)
      const { sql, values } = conditions(match, where, [low, high, limit])
      const looked = await all<{ row: string }>(
        `select row from ${tables[where].from} where row between $1 and $2 and ${sql} order by row desc limit $3`,
        values,
      )
      const found: Candidate[] = []
      for (const { row } of looked) {
        const id = idOf(kind, where, Number(row))
        const last = found.at(-1)
        if (last?.id === id) last.pages++
        else found.push({ id, pages: 1 })
      }
      const end = Number(looked.at(-1)?.row)
      return { found, next: looked.length === limit ? rowBehind(kind, where, end, found.at(-1)) : undefined }
    },
    async among(match, kind, ids) {
      if (match.any.length + match.has.length === 0) return [...ids]
      const rows = ids.map((id) => entryRow({ kind, id }))
      const { sql, values } = conditions(match, 'entry', [rows])
      const found = await all<{ row: string }>(`select row from search_entry where row = any($1) and ${sql}`, values)
      return found.map(({ row }) => idOf(kind, 'entry', Number(row)))
    },
    async count(match, { kind, where, upTo }) {
      const { sql, values } = conditions({ ...match, has: [] }, where, [...rowsOf(kind, where), upTo])
      const rows = `select from ${tables[where].from} where row between $1 and $2 and ${sql} limit $3`
      return Number((await all<{ count: string }>(`select count(*) from (${rows}) as met`, values))[0]?.count)
    },
    async pagesOf(match, entry) {
      const { sql, values } = conditions({ ...match, has: [] }, 'pages', [pageRow(entry, 1), pageRow(entry, lastPage)])
      const found = await all<{ row: string }>(
        `select row from search_page where row between $1 and $2 and ${sql} order by row`,
        values,
      )
      return found.map(({ row }) => pageOf(Number(row)))
    },
    async texts(entry, pages) {
      const rows = pages.map((page) => pageRow(entry, page))
      return pageTexts(await all('select row, text from search_page where row = any($1) order by row', [rows]))
    },
    async textsFrom(entry, from, limit) {
      const values = [pageRow(entry, from), pageRow(entry, lastPage), limit]
      return pageTexts(
        await all('select row, text from search_page where row between $1 and $2 order by row limit $3', values),
      )
    },
    async heads(kind, ids) {
      const heads = await all<{ row: string; title: string; keywords: string; description: string; pages: number }>(
        'select row, title, keywords, description, pages from search_entry where row = any($1)',
        [ids.map((id) => entryRow({ kind, id }))],
      )
      return heads.map(({ row, ...head }) => ({ id: idOf(kind, 'entry', Number(row)), ...head }))
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

function conditions(match: Match, where: Where, given: unknown[]): { sql: string; values: unknown[] } {
  const { tokens, folded } = tables[where]
  const values = [...given]
  const next = (value: unknown) => `$${values.push(value)}`
  const alone = match.any.filter((list) => list.length === 1).flat()
  const either = match.any.filter((list) => list.length > 1)
  const parts = [
    ...(alone.length > 0 ? [`${tokens} @> ${next(alone.map(hashOf))}::integer[]`] : []),
    ...either.map((list) => `${tokens} && ${next(list.map(hashOf))}::integer[]`),
    ...match.has.map((part) => {
      const here = next(part)
      return where === 'entry'
        ? `(strpos(folded_head, ${here}) > 0 or ${somePage(here)})`
        : `strpos(${folded}, ${here}) > 0`
    }),
  ]
  return { sql: parts.join(' and '), values }
}

function somePage(part: string): string {
  return `exists (select from search_page as page where page.row between search_entry.row * ${lastPage + 1}
    and search_entry.row * ${lastPage + 1} + ${lastPage} and strpos(page.folded, ${part}) > 0)`
}

function pageTexts(found: { row: string; text: string }[]) {
  return found.map(({ row, text }) => ({ page: pageOf(Number(row)), text }))
}
