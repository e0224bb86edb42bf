import type pg from 'pg'
import { addTokens, arrayOf, takeTurns } from './tokens.ts'
import type { Entry } from '../fulltext.ts'
import { entryRow, lastPage, pageRow } from '../engine/store.ts'

interface Refiled {
  headMark?: string
  pagesMark?: string
  /** Pages that have just been written, and what they are filed under. */
  fresh?: { rows: readonly number[]; tokens: Set<number> }
}

interface PageRow {
  row: string
  folded: string
}

const pagesAtOnce = 200

/**
 * An entry is filed under all that its head and its pages are filed under. Returns how much that is. The transaction has
 * locked it, so that nobody else writes its pages meanwhile.
 */
export async function refile(
  client: pg.PoolClient,
  { kind, id }: Entry,
  { headMark, pagesMark, fresh = { rows: [], tokens: new Set() } }: Refiled,
): Promise<number> {
  const entry = { kind, id }
  const { rows: known, tokens } = fresh
  const end = pageRow(entry, lastPage)
  let pages = known.length
  for (let from: number | undefined = pageRow(entry, 1); from !== undefined;) {
    const { rows }: { rows: PageRow[] } = await client.query(pagesSql, [from, end, known, pagesAtOnce])
    for (const { folded } of rows) {
      addTokens(folded, tokens)
      await takeTurns(++pages)
    }
    from = rows.length === pagesAtOnce ? Number(rows.at(-1)?.row) + 1 : undefined
  }
  await client.query(refileSql, [entryRow(entry), pages, arrayOf(tokens), headMark ?? null, pagesMark ?? null])
  return tokens.size
}

const pagesSql = `select row, folded from search_page where row between $1 and $2 and row <> all ($3::bigint[])
  order by row limit $4`
const refileSql = `update search_entry set pages = $2, tokens = head_tokens || $3::integer[],
  head_mark = coalesce($4, head_mark), pages_mark = coalesce($5, pages_mark) where row = $1`
