import { LRUCache } from 'lru-cache'
import type { Ctx } from '#server/context.ts'
import type { Rendition } from '#server/modules/renditions/renditions.queries.ts'
import { findReadableTable, type ReadableTable } from './readable-table.ts'

/** What `findReadableTable` finds: it reads page texts and rows, and the result is the same for every visitor. */
export interface TableCache {
  find(ctx: Pick<Ctx, 'storage'>, rendition: Rendition, visiblePages: number): Promise<ReadableTable | undefined>
}

/** In numbers that an index consists of: tens of megabytes at most. */
const defaultMaxSize = 1_000_000

/**
 * A new file or conversion, and other preview limits, are other keys. That there is no table yet is not remembered: it may
 * be extracted any moment. Concurrent requests for one table share the search.
 */
export function openTableCache({ maxSize = defaultMaxSize }: { maxSize?: number } = {}): TableCache {
  const tables = new LRUCache<string, ReadableTable>({ maxSize, sizeCalculation: sizeOf })
  // Not by the cache's own `fetch`: it fails the requests that wait for a table when it evicts that table's place.
  const searches = new Map<string, Promise<ReadableTable | undefined>>()
  const findAndKeep = async (key: string, find: () => Promise<ReadableTable | undefined>) => {
    try {
      const table = await find()
      if (table) tables.set(key, table)
      return table
    } finally {
      searches.delete(key)
    }
  }
  return {
    async find(ctx, rendition, visiblePages) {
      const { hash, revision, pages } = rendition
      const key = `${hash} ${revision} ${Math.min(visiblePages, pages)} ${pages}`
      const known = tables.get(key)
      if (known) return known
      const search = searches.get(key) ?? findAndKeep(key, () => findReadableTable(ctx, rendition, visiblePages))
      searches.set(key, search)
      return search
    },
  }
}

function sizeOf({ index: { sheets }, offsets }: ReadableTable): number {
  const ofSheets = sheets.map(({ columns, gaps, merges }) => columns.length * 4 + gaps.length * 2 + merges.length * 4)
  return [...ofSheets, ...offsets.map(({ length }) => length)].reduce((sum, size) => sum + size, 1)
}
