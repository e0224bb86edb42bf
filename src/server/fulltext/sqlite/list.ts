import type { DatabaseSync } from 'node:sqlite'
import type { Kind, Known } from '../fulltext.ts'
import { entryRow, idOf, rowsOf } from '../engine/store.ts'

export function listKnown(
  database: DatabaseSync,
  kind: Kind,
  { after, limit }: { after: number; limit: number },
): Known[] {
  const [, high] = rowsOf(kind, 'entry')
  const entries = database
    .prepare('select row, head_mark, pages_mark from entry where row > ? and row <= ? order by row limit ?')
    .all(entryRow({ kind, id: after }), high, limit)
  return entries.map(({ row, head_mark, pages_mark }) => ({
    id: idOf(kind, 'entry', Number(row)),
    headMark: String(head_mark),
    pagesMark: String(pages_mark),
  }))
}
