import type pg from 'pg'
import { entryRow, maxPage, pageRow } from '../engine/store.ts'
import type { Entry } from '../fulltext.ts'
import { addTokens, toArrayLiteral, yieldToEventLoop } from './tokens.ts'

interface Changes {
  metadataVersion?: string
  pagesVersion?: string
  /** Pages that this transaction has just written, with their tokens: they need not be read. */
  written?: { rows: readonly number[]; tokens: Set<number> }
}

interface PageRow {
  row: string
  folded: string
}

const pageBatch = 200

/**
 * Writes an entry's tokens: those of its metadata and of all its pages. Returns how many. The transaction must have locked
 * the entry's row, so that no other one writes its pages meanwhile.
 */
export async function reindexEntry(
  client: pg.PoolClient,
  { kind, id }: Entry,
  { metadataVersion, pagesVersion, written = { rows: [], tokens: new Set() } }: Changes,
): Promise<number> {
  const entry = { kind, id }
  const { tokens } = written
  const end = pageRow(entry, maxPage)
  let pages = written.rows.length
  for (let from: number | undefined = pageRow(entry, 1); from !== undefined;) {
    const { rows }: { rows: PageRow[] } = await client.query(pagesSql, [from, end, written.rows, pageBatch])
    for (const { folded } of rows) {
      addTokens(folded, tokens)
      await yieldToEventLoop(++pages)
    }
    from = rows.length === pageBatch ? Number(rows.at(-1)?.row) + 1 : undefined
  }
  const values = [entryRow(entry), pages, toArrayLiteral(tokens), metadataVersion ?? null, pagesVersion ?? null]
  await client.query(updateSql, values)
  return tokens.size
}

const pagesSql = `select row, folded from search_page where row between $1 and $2 and row <> all ($3::bigint[])
  order by row limit $4`
const updateSql = `update search_entry set pages = $2, tokens = metadata_tokens || $3::integer[],
  metadata_version = coalesce($4, metadata_version), pages_version = coalesce($5, pages_version) where row = $1`
