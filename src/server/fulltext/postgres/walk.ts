import { havingTexts, havingTokens, onPage } from './match.ts'
import { type Candidate, idOf, lastPage, type Match, pageRow, rowsOf, type Walk, type Walked } from '../engine/store.ts'

export type Ask = <T extends object>(sql: string, values: unknown[]) => Promise<T[]>

/** Fewer at a time where texts must be looked into, above all where those of pages must. */
const mostLookedInto = { title: 600, head: 600, entry: 100, pages: 600 } as const
/** Pages read with one statement, and before the walk is broken off, to be gone on with. */
const pagesAtOnce = 1500
const pagesPerWalk = 6000

/**
 * The newest entries by their tokens. `row + 0` keeps PostgreSQL from going through all rows in order: it does not know how
 * long it takes to read the tokens of an entry.
 */
export async function walkEntries(ask: Ask, match: Match, { kind, where, below, rows }: Walk): Promise<Walked> {
  const limit = match.has.length > 0 ? Math.min(mostLookedInto[where], rows) : rows
  const tokens = havingTokens(match, where, [...rowsOf(kind, where, below), limit])
  const texts = havingTexts(match, where, tokens.values)
  const looked = await ask<{ row: string; met: boolean }>(
    `select row, ${texts.sql} as met from (select row, folded_title, folded_head from search_entry
      where row + 0 between $1 and $2 and ${tokens.sql} order by row + 0 desc limit $3) as search_entry`,
    texts.values,
  )
  const found = looked.filter(({ met }) => met).map(({ row }) => ({ id: idOf(kind, where, Number(row)), pages: 1 }))
  return { found, next: looked.length === limit ? Number(looked.at(-1)?.row) : undefined }
}

/** Entries that have the tokens somewhere, then their pages, until enough of those are found. */
export async function walkPages(ask: Ask, match: Match, { kind, below, rows }: Omit<Walk, 'where'>): Promise<Walked> {
  const limit = Math.min(mostLookedInto.pages, rows)
  const belowEntry = below === undefined ? undefined : Math.ceil(below / (lastPage + 1))
  const tokens = havingTokens(match, 'entry', [...rowsOf(kind, 'entry', belowEntry), limit])
  const entries = await ask<{ row: string; pages: number }>(
    `select row, pages from search_entry where row + 0 between $1 and $2 and ${tokens.sql} order by row + 0 desc limit $3`,
    tokens.values,
  )
  const found: Candidate[] = []
  let met = 0
  let read = 0
  let at = 0
  while (at < entries.length && met < rows && read < pagesPerWalk) {
    const some: string[] = []
    for (let pages = 0; at < entries.length && pages < pagesAtOnce; at++) {
      some.push(entries[at]?.row ?? '')
      pages += entries[at]?.pages ?? 0
      read += entries[at]?.pages ?? 0
    }
    for (const { row, pages } of await pagesMet(ask, match, some)) {
      found.push({ id: idOf(kind, 'entry', Number(row)), pages })
      met += pages
    }
  }
  const last = Number(entries[at - 1]?.row)
  const isAll = at === entries.length && entries.length < limit
  return { found, next: isAll ? undefined : pageRow({ kind, id: idOf(kind, 'entry', last) }, 0) }
}

function pagesMet(ask: Ask, match: Match, entries: string[]): Promise<{ row: string; pages: number }[]> {
  const { sql, values } = onPage(match, [entries])
  return ask(
    `select entry.row, page.pages from unnest($1::bigint[]) with ordinality as entry (row, place)
      cross join lateral (select count(*)::integer as pages from search_page
        where search_page.row between entry.row * ${lastPage + 1} and entry.row * ${lastPage + 1} + ${lastPage} and ${sql}) as page
      where page.pages > 0 order by place`,
    values,
  )
}
