import {
  type Candidate,
  type Match,
  maxPage,
  pageRow,
  rowRange,
  type ScanRange,
  type ScanResult,
  toEntryId,
} from '../engine/store.ts'
import { pageCondition, textCondition, tokenCondition } from './match.ts'

export type RunQuery = <T extends object>(sql: string, values: unknown[]) => Promise<T[]>

/** Rows per scan where texts are rechecked. */
const maxRechecked = { title: 600, metadata: 600, entry: 100, pages: 600 } as const
/** Pages rechecked by one statement, and by one scan before it returns what it has. */
const pagesPerStatement = 1500
const pagesPerScan = 6000

/**
 * The newest entries with the tokens. `row + 0` keeps PostgreSQL from scanning the primary key in order: its planner does
 * not know what reading an entry's tokens costs.
 */
export async function scanEntries(
  runQuery: RunQuery,
  match: Match,
  { kind, scope, below, rows }: ScanRange,
): Promise<ScanResult> {
  const limit = match.contains.length > 0 ? Math.min(maxRechecked[scope], rows) : rows
  const tokens = tokenCondition(match, scope, [...rowRange(kind, scope, below), limit])
  const texts = textCondition(match, scope, tokens.values)
  const scanned = await runQuery<{ row: string; matches: boolean }>(
    `select row, ${texts.sql} as matches from (select row, folded_title, folded_metadata from search_entry
      where row + 0 between $1 and $2 and ${tokens.sql} order by row + 0 desc limit $3) as search_entry`,
    texts.values,
  )
  const candidates = scanned
    .filter(({ matches }) => matches)
    .map(({ row }) => ({ id: toEntryId(kind, scope, Number(row)), pages: 1 }))
  return { candidates, next: scanned.length === limit ? Number(scanned.at(-1)?.row) : undefined }
}

/** The newest entries with the tokens anywhere, then a recheck of their pages, until enough pages match. */
export async function scanPages(
  runQuery: RunQuery,
  match: Match,
  { kind, below, rows }: ScanRange,
): Promise<ScanResult> {
  const limit = Math.min(maxRechecked.pages, rows)
  const belowEntry = below === undefined ? undefined : Math.ceil(below / (maxPage + 1))
  const tokens = tokenCondition(match, 'entry', [...rowRange(kind, 'entry', belowEntry), limit])
  const entries = await runQuery<{ row: string; pages: number }>(
    `select row, pages from search_entry where row + 0 between $1 and $2 and ${tokens.sql} order by row + 0 desc limit $3`,
    tokens.values,
  )
  const candidates: Candidate[] = []
  let matching = 0
  let rechecked = 0
  let at = 0
  while (at < entries.length && matching < rows && rechecked < pagesPerScan) {
    const batch: string[] = []
    for (let pages = 0; at < entries.length && pages < pagesPerStatement; at++) {
      batch.push(entries[at]?.row ?? '')
      pages += entries[at]?.pages ?? 0
      rechecked += entries[at]?.pages ?? 0
    }
    for (const { row, pages } of await countMatchingPages(runQuery, match, batch)) {
      candidates.push({ id: toEntryId(kind, 'entry', Number(row)), pages })
      matching += pages
    }
  }
  const last = Number(entries[at - 1]?.row)
  const isComplete = at === entries.length && entries.length < limit
  return { candidates, next: isComplete ? undefined : pageRow({ kind, id: toEntryId(kind, 'entry', last) }, 0) }
}

function countMatchingPages(
  runQuery: RunQuery,
  match: Match,
  entries: string[],
): Promise<{ row: string; pages: number }[]> {
  const { sql, values } = pageCondition(match, [entries])
  return runQuery(
    `select entry.row, page.pages from unnest($1::bigint[]) with ordinality as entry (row, place)
      cross join lateral (select count(*)::integer as pages from search_page
        where search_page.row between entry.row * ${maxPage + 1} and entry.row * ${maxPage + 1} + ${maxPage} and ${sql}) as page
      where page.pages > 0 order by place`,
    values,
  )
}
