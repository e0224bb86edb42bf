import { ReviewStatus } from '#shared/enums.ts'
import { sql } from 'kysely'
import type { articleRecycle, articles } from '#shared/contract/articles.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { getEngine } from '#server/db/engine.ts'
import { listRows, type ListRules } from '#server/db/list.ts'
import type { Db } from '#server/db/open.ts'
import { type AccessPath, type Filters, toFilters, isFiltered } from '#server/modules/documents/browsing/filters.ts'
import { presentArticles } from './articles.present.ts'
import { findArticles } from './articles.queries.ts'

type ListParams = Input<typeof articles.list>
type ListReply = Reply<typeof articles.list>

/** Each of these has a covering index, with all columns that lists are filtered by. */
const indexed = ['created_at', 'view_count', 'favorite_count', 'comment_count', 'recommend_at']

const rules: ListRules = {
  search: ['title', 'keywords', 'description'],
  order: [['id', 'desc']],
  sortable: [...indexed, 'updated_at', 'title', 'status'],
  nullable: ['recommend_at'],
}

/** How far visitors may page, and how far a list is counted for them. */
const maxDepth = 100_000
const maxCounted = { all: 100_000, filtered: 10_000 }

const visitorRules: ListRules = {
  ...rules,
  search: undefined,
  sortable: indexed,
  singleIndexOrder: true,
  sizes: { min: 1, max: 50, default: 20 },
  maxOffset: maxDepth,
}

/** Up to so many articles, it is cheaper to sort those of the scope than to filter along the index of the order. */
const sortable = { inCategories: 10_000, ofOwner: 2000 }

/** Staff see everything, members everything of their own; others see what is approved. */
export async function listArticles(ctx: Ctx, input: ListParams): Promise<ListReply> {
  const filters = articleFilters(ctx, input)
  const seesAll = ctx.viewer.can('ArticleAPI/ListArticle') || (filters.owner > 0 && filters.owner === ctx.viewer.id)
  if (!seesAll && input.status.length > 0 && !input.status.includes(ReviewStatus.Approved))
    return { total: 0, article: [] }
  const counts = await countInScope(ctx.db, filters)
  const query = selectMatching(ctx.db, filters, {
    alongOrder: true,
    fromCategories: counts.categories <= sortable.inCategories,
    fromOwner: counts.owner <= sortable.ofOwner,
  }).where('deleted_at', 'is', null)
  if (seesAll)
    return listPage(ctx, input.status.length > 0 ? query.where('status', 'in', input.status) : query, input, rules)
  const count = () => countVisible(ctx.db, filters, counts.categories)
  return listPage(ctx, query.where('status', '=', ReviewStatus.Approved), input, { ...visitorRules, count })
}

/** The latest deleted first. */
export function listRecycled(ctx: Ctx, input: Input<typeof articleRecycle.list>): Promise<ListReply> {
  const query = selectMatching(ctx.db, articleFilters(ctx, input), { alongOrder: true }).where(
    'deleted_at',
    'is not',
    null,
  )
  return listPage(ctx, input.status.length > 0 ? query.where('status', 'in', input.status) : query, input, {
    ...rules,
    order: [
      ['deleted_at', 'desc'],
      ['id', 'desc'],
    ],
  })
}

function articleFilters(ctx: Ctx, input: ListParams): Filters {
  return toFilters({ ...input, ext: '', language: [] }, ctx.now())
}

/** Late row lookup: ids are found in covering indexes, then only the rows of the page are read. */
async function listPage(
  ctx: Ctx,
  query: ReturnType<typeof selectMatching>,
  input: ListParams,
  rules: ListRules,
): Promise<ListReply> {
  const { total, rows } = await listRows(query, input, rules)
  const ids = rows.map(({ id }) => id)
  return { total, article: await presentArticles(ctx, await findArticles(ctx.db, ids)) }
}

/** The ids of matching articles, whatever their status. */
function selectMatching(
  db: Db,
  filters: Filters,
  { alongOrder, fromCategories = false, fromOwner = false }: AccessPath,
) {
  const { owner, categories, recommended, from, to } = filters
  // SQLite prefers an index that matches a filter, and sorts all rows it finds; a unary plus disqualifies the column.
  const withoutIndex = <T>(column: string) =>
    alongOrder && getEngine(db) === 'sqlite' ? sql<T>`+${sql.ref(column)}` : sql<T>`${sql.ref(column)}`
  let query = db.selectFrom('article').select('article.id')
  if (owner) query = query.where(fromOwner ? sql<number>`user_id` : withoutIndex<number>('user_id'), '=', owner)
  if (recommended) query = query.where('recommend_at', 'is not', null)
  if (recommended === false) query = query.where(withoutIndex<number | null>('recommend_at'), 'is', null)
  if (from !== undefined)
    query = query
      .where(withoutIndex<number>('created_at'), '>=', from)
      .where(withoutIndex<number>('created_at'), '<=', to)
  if (categories.length === 0) return query
  if (fromCategories)
    return query.where('id', 'in', (eb) =>
      eb.selectFrom('article_category').select('article_id').where('category_id', 'in', categories),
    )
  return query.where(({ exists, selectFrom }) =>
    exists(
      selectFrom('article_category')
        .select(sql.lit(1).as('one'))
        .whereRef('article_id', '=', 'article.id')
        .where('category_id', 'in', categories),
    ),
  )
}

/** About how many articles the categories and the author have, by their stored counters. */
async function countInScope(db: Db, { categories, owner }: Filters): Promise<{ categories: number; owner: number }> {
  const rows =
    categories.length > 0
      ? await db.selectFrom('category').select('doc_count').where('id', 'in', categories).execute()
      : []
  const user =
    owner > 0
      ? await db.selectFrom('user').select('article_count').where('id', '=', owner).executeTakeFirst()
      : undefined
  return {
    categories: rows.reduce((sum, { doc_count }) => sum + doc_count, 0),
    owner: user?.article_count ?? 0,
  }
}

/** Exact as far as visitors can page. A category has a counter of its own. */
async function countVisible(db: Db, filters: Filters, inCategories: number): Promise<number> {
  const hasFilters = isFiltered(filters)
  if (filters.categories.length === 1 && !hasFilters) return inCategories
  const isAll = filters.categories.length === 0 && !hasFilters
  const { total } = await db
    .selectFrom(
      selectMatching(db, filters, { alongOrder: false, fromCategories: inCategories <= maxCounted.filtered })
        .clearSelect()
        .select(sql.lit(1).as('one'))
        .where('deleted_at', 'is', null)
        .where('status', '=', ReviewStatus.Approved)
        .limit(isAll ? maxCounted.all : maxCounted.filtered)
        .as('matching'),
    )
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}
