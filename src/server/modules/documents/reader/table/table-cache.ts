import { LRUCache } from 'lru-cache'
import type { Ctx } from '#server/context.ts'
import type { Rendition } from '#server/modules/renditions/renditions.queries.ts'
import { findReadableTable, type ReadableTable } from './readable-table.ts'

/** What `findReadableTable` finds: it reads page texts and rows, and the result is the same for every visitor. */
export interface TableCache {
  find(ctx: Pick<Ctx, 'storage'>, rendition: Rendition, visiblePages: number): Promise<ReadableTable | undefined>
}

/** In numbers that an index consists of: tens of megabytes at most. */
const maxSize = 1_000_000

interface Search {
  ctx: Pick<Ctx, 'storage'>
  rendition: Rendition
  visiblePages: number
}

/**
 * A new file or conversion, and other preview limits, are other keys. That there is no table yet is not remembered: it may
 * be extracted any moment. Concurrent requests for one table share the search.
 */
export function openTableCache(): TableCache {
  const tables = new LRUCache<string, ReadableTable, Search>({
    maxSize,
    sizeCalculation: sizeOf,
    fetchMethod: (_key, _stale, { context: { ctx, rendition, visiblePages } }) =>
      findReadableTable(ctx, rendition, visiblePages),
  })
  return {
    find(ctx, rendition, visiblePages) {
      const { hash, revision, pages } = rendition
      const visible = Math.min(visiblePages, pages)
      return tables.fetch(`${hash} ${revision} ${visible} ${pages}`, { context: { ctx, rendition, visiblePages } })
    },
  }
}

function sizeOf({ index: { sheets }, offsets }: ReadableTable): number {
  const ofSheets = sheets.map(({ columns, gaps, merges }) => columns.length * 4 + gaps.length * 2 + merges.length * 4)
  return [...ofSheets, ...offsets.map(({ length }) => length)].reduce((sum, size) => sum + size, 1)
}
