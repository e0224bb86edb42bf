import { publicStatuses } from '#shared/document-status.ts'
import type { Ctx } from '#server/context.ts'
import type { VisibilityFilter } from '#server/fulltext/fulltext.ts'
import { visibilityFilter } from '#server/fulltext/visibility.ts'
import { type Filters, matchesAll, selectMatching, toFilters } from '../browsing/filters.ts'
import { allContentsOnce, eachContentOnce } from '../documents.copies.ts'
import { isListedFor } from './visibility.policy.ts'

const noFilters = { category_id: [], user_id: [], ext: '', language: [], created_at: [] }

/** Documents in the viewer's lists that match the filters, for the full-text index. */
export function listedDocumentFilter(
  { db, now, viewer }: Pick<Ctx, 'db' | 'now' | 'viewer'>,
  filters?: Filters,
): VisibilityFilter {
  const asked = filters ?? toFilters(noFilters, now())
  const query = selectMatching(db, asked, { alongOrder: false })
    .where('deleted_at', 'is', null)
    .where('status', 'in', [...publicStatuses])
    .where(isListedFor(viewer))
  if (asked.owner > 0) return visibilityFilter(db, 'document.id', query)
  return visibilityFilter(db, 'document.id', matchesAll(asked) ? allContentsOnce(query) : eachContentOnce(query))
}
