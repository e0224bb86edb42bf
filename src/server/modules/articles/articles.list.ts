import { sql } from 'kysely'
import type { articleRecycle, articles } from '#shared/contract/articles.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { engineOf } from '#server/db/engine.ts'
import { listRows, type ListRules } from '#server/db/list.ts'
import type { Db } from '#server/db/open.ts'
import { type Filters, filtersOf, isNarrowed } from '#server/modules/documents/browsing/filters.ts'
import { presentArticles } from './articles.present.ts'
import { articlesOf } from './articles.queries.ts'

type Asked = Input<typeof articles.list>
type Listed = Reply<typeof articles.list>

/** Each of these has an index of its own, with all that lists are narrowed by. */
const indexed = ['created_at', 'view_count', 'favorite_count', 'comment_count', 'recommend_at']

const rules: ListRules = {
  search: ['title', 'keywords', 'description'],
  order: [['id', 'desc']],
  sortable: [...indexed, 'updated_at', 'title', 'status'],
  emptyLast: ['recommend_at'],
}

/** How far visitors may leaf, and how far what they see is counted. */
const deepest = 100_000
const mostCounted = { all: 100_000, narrowed: 10_000 }

const forVisitors: ListRules = {
  ...rules,
  search: undefined,
  sortable: indexed,
  oneWay: true,
  sizes: { min: 1, max: 50, default: 20 },
  deepest,
}

/** So many articles are sooner sorted than met on the way along an order. */
const few = { inCategories: 10_000, ofAuthor: 2000 }

/** Where a search begins: at one end of the order, or at the few articles of a category or an author. */
interface Way {
  along: boolean
  fromCategories?: boolean
  fromAuthor?: boolean
}

/** Staff see everything, members everything of their own; what others see is approved. */
export async function listArticles(ctx: Ctx, input: Asked): Promise<Listed> {
  const filters = narrowing(ctx, input)
  const seesAll = ctx.viewer.can('ArticleAPI/ListArticle') || (filters.owner > 0 && filters.owner === ctx.viewer.id)
  if (!seesAll && input.status.length > 0 && !input.status.includes(1)) return { total: 0, article: [] }
  const sizes = await sizesOf(ctx.db, filters)
  const kept = fitting(ctx.db, filters, {
    along: true,
    fromCategories: sizes.categories <= few.inCategories,
    fromAuthor: sizes.author <= few.ofAuthor,
  }).where('deleted_at', 'is', null)
  if (seesAll) return page(ctx, input.status.length > 0 ? kept.where('status', 'in', input.status) : kept, input, rules)
  const count = () => countShown(ctx.db, filters, sizes.categories)
  return page(ctx, kept.where('status', '=', 1), input, { ...forVisitors, count })
}

/** What was deleted last comes first. */
export function listRecycled(ctx: Ctx, input: Input<typeof articleRecycle.list>): Promise<Listed> {
  const query = fitting(ctx.db, narrowing(ctx, input), { along: true }).where('deleted_at', 'is not', null)
  return page(ctx, input.status.length > 0 ? query.where('status', 'in', input.status) : query, input, {
    ...rules,
    order: [
      ['deleted_at', 'desc'],
      ['id', 'desc'],
    ],
  })
}

function narrowing(ctx: Ctx, input: Asked): Filters {
  return filtersOf({ ...input, ext: '', language: [] }, ctx.now())
}

/** The rows are read once it is known which they are: to find them, the indexes are enough. */
async function page(ctx: Ctx, query: ReturnType<typeof fitting>, input: Asked, rules: ListRules): Promise<Listed> {
  const { total, rows } = await listRows(query, input, rules)
  const ids = rows.map(({ id }) => id)
  return { total, article: await presentArticles(ctx, await articlesOf(ctx.db, ids)) }
}

/** The ids of the articles that fit, whatever their state. */
function fitting(db: Db, filters: Filters, { along, fromCategories = false, fromAuthor = false }: Way) {
  const { owner, categories, recommended, from, to } = filters
  // SQLite begins at any index that fits a filter, and sorts all it finds there; a sign in front keeps it from that.
  const inPassing = <T>(column: string) =>
    along && engineOf(db) === 'sqlite' ? sql<T>`+${sql.ref(column)}` : sql<T>`${sql.ref(column)}`
  let query = db.selectFrom('article').select('article.id')
  if (owner) query = query.where(fromAuthor ? sql<number>`user_id` : inPassing<number>('user_id'), '=', owner)
  if (recommended) query = query.where('recommend_at', 'is not', null)
  if (recommended === false) query = query.where(inPassing<number | null>('recommend_at'), 'is', null)
  if (from !== undefined)
    query = query.where(inPassing<number>('created_at'), '>=', from).where(inPassing<number>('created_at'), '<=', to)
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

/** About how many articles the categories and the author have: their counts, which need no counting. */
async function sizesOf(db: Db, { categories, owner }: Filters): Promise<{ categories: number; author: number }> {
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
    author: user?.article_count ?? 0,
  }
}

/** Exact as far as anybody leafs. A category knows how many it shows. */
async function countShown(db: Db, filters: Filters, inCategories: number): Promise<number> {
  const narrowed = isNarrowed(filters)
  if (filters.categories.length === 1 && !narrowed) return inCategories
  const all = filters.categories.length === 0 && !narrowed
  const { total } = await db
    .selectFrom(
      fitting(db, filters, { along: false, fromCategories: inCategories <= mostCounted.narrowed })
        .clearSelect()
        .select(sql.lit(1).as('one'))
        .where('deleted_at', 'is', null)
        .where('status', '=', 1)
        .limit(all ? mostCounted.all : mostCounted.narrowed)
        .as('found'),
    )
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}
