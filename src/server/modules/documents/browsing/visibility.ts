import { publicStatuses } from '#shared/document-status.ts'
import type { Ctx } from '#server/context.ts'
import type { VisibilityFilter } from '#server/fulltext/fulltext.ts'
import { visibilityFilter } from '#server/fulltext/visibility.ts'
import { type Filters, selectMatching, toFilters } from './filters.ts'

const noFilters = { category_id: [], user_id: [], ext: '', language: [], created_at: [] }

/** Public documents that match the filters, for the full-text index. */
export function publicDocumentFilter({ db, now }: Pick<Ctx, 'db' | 'now'>, filters?: Filters): VisibilityFilter {
  const query = selectMatching(db, filters ?? toFilters(noFilters, now()), { alongOrder: false })
    .where('deleted_at', 'is', null)
    .where('status', 'in', [...publicStatuses])
  return visibilityFilter(db, 'document.id', query)
}
