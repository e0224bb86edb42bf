import { sql } from 'kysely'
import { ReviewStatus } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import type { VisibilityFilter } from '#server/fulltext/fulltext.ts'
import { visibilityFilter } from '#server/fulltext/visibility.ts'
import { toFilters } from '#server/modules/documents/browsing/filters.ts'

interface FilterParams {
  category_id: number[]
  user_id: number[]
  created_at: string[]
}

const noFilters: FilterParams = { category_id: [], user_id: [], created_at: [] }

/** Public articles that match the filters, for the full-text index. */
export function publicArticleFilter(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  { params = noFilters, exceptId = 0 }: { params?: FilterParams; exceptId?: number } = {},
): VisibilityFilter {
  const { owner, categories, from, to } = toFilters({ ...params, ext: '', language: [] }, now())
  let query = db
    .selectFrom('article')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('status', '=', ReviewStatus.Approved)
  if (exceptId > 0) query = query.where('id', '<>', exceptId)
  if (owner > 0) query = query.where('user_id', '=', owner)
  if (from !== undefined) query = query.where('created_at', '>=', from).where('created_at', '<=', to)
  if (categories.length > 0)
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('article_category')
          .select(sql.lit(1).as('one'))
          .whereRef('article_id', '=', 'article.id')
          .where('category_id', 'in', categories),
      ),
    )
  return visibilityFilter(db, 'article.id', query)
}
