import type { DatabaseSync } from 'node:sqlite'
import { entryRow, rowRange, toEntryId } from '../engine/store.ts'
import type { EntryKind, IndexedEntry } from '../fulltext.ts'

export function listEntries(
  database: DatabaseSync,
  kind: EntryKind,
  { after, limit }: { after: number; limit: number },
): IndexedEntry[] {
  const [, high] = rowRange(kind, 'entry')
  const rows = database
    .prepare('select row, metadata_version, pages_version from entry where row > ? and row <= ? order by row limit ?')
    .all(entryRow({ kind, id: after }), high, limit)
  return rows.map(({ row, metadata_version, pages_version }) => ({
    id: toEntryId(kind, 'entry', Number(row)),
    metadataVersion: String(metadata_version),
    pagesVersion: String(pages_version),
  }))
}
