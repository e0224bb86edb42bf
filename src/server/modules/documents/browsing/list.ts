import { sql } from 'kysely'
import type { documentRecycle, documents } from '#shared/contract/documents.ts'
import { type DocumentStatus, documentStatusLabels, publicStatuses } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { listRows, type ListRules } from '#server/db/list.ts'
import type { Db } from '#server/db/open.ts'
import { type Filters, filtersOf, fitting, isNarrowed, sizesOf } from './filters.ts'
import { presentDocuments } from '../documents.present.ts'
import { type ListedRow, listedColumns } from '../documents.queries.ts'

type Asked = Input<typeof documents.list>
type Listed = Reply<typeof documents.list>

/** Each of these has an index of its own, with all that lists are narrowed by. */
const indexed = ['created_at', 'view_count', 'download_count', 'favorite_count', 'pages', 'score', 'recommend_at']

const rules: ListRules = {
  search: ['title', 'keywords', 'description'],
  order: [['id', 'desc']],
  sortable: [...indexed, 'updated_at', 'comment_count', 'size', 'price', 'score_count', 'title', 'status'],
  emptyLast: ['recommend_at'],
}

const allStatuses = Object.keys(documentStatusLabels).map((status) => Number(status) as DocumentStatus)

/** How far visitors may leaf: no list that is narrowed is counted further. */
const deepest = 10_000
const mostCounted = 100_000

/** What visitors may ask for at once. */
const forVisitors: ListRules = {
  ...rules,
  search: undefined,
  sortable: indexed,
  oneWay: true,
  sizes: { min: 1, max: 24, default: 24 },
  deepest,
}

/** So many documents are sooner sorted than met on the way along an order. */
const few = { inCategories: 10_000, ofOwner: 2000 }
/** So many are sooner counted one by one. */
const countable = 30_000

/** Staff see everything, members everything of their own; what others see is public, and shown in small pages. */
export async function listDocuments(ctx: Ctx, input: Asked): Promise<Listed> {
  const filters = filtersOf(input, ctx.now())
  const seesAll = ctx.viewer.can('DocumentAPI/ListDocument') || (filters.owner > 0 && filters.owner === ctx.viewer.id)
  const shown = publicStatuses.filter((status) => input.status.length === 0 || input.status.includes(status))
  if (!seesAll && shown.length === 0) return { total: 0, document: [] }
  const sizes = await sizesOf(ctx.db, filters)
  const query = fitting(ctx.db, filters, {
    along: true,
    fromCategories: sizes.categories <= few.inCategories,
    fromOwner: sizes.owner <= few.ofOwner,
  }).where('deleted_at', 'is', null)
  if (seesAll)
    return page(ctx, input.status.length > 0 ? query.where('status', 'in', input.status) : query, input, rules)
  // Said by what is left out: nearly all rows are public, so an index over the status would only make a detour.
  const hidden = allStatuses.filter((status) => !shown.includes(status))
  const count = () => countShown(ctx.db, { filters, hidden, inCategories: sizes.categories })
  return page(ctx, query.where('status', 'not in', hidden), input, { ...forVisitors, count })
}

/** What was deleted last comes first. */
export function listRecycled(ctx: Ctx, input: Input<typeof documentRecycle.list>): Promise<Listed> {
  const query = fitting(ctx.db, filtersOf(input, ctx.now()), { along: true }).where('deleted_at', 'is not', null)
  return page(ctx, input.status.length > 0 ? query.where('status', 'in', input.status) : query, input, {
    ...rules,
    order: [
      ['deleted_at', 'desc'],
      ['id', 'desc'],
    ],
  })
}

/** With `limit`, so many from the beginning, and how many there are is not asked. */
async function page(ctx: Ctx, query: ReturnType<typeof fitting>, input: Asked, rules: ListRules): Promise<Listed> {
  const first = input.limit > 0 && { page: 1, size: input.limit }
  const { total, rows } = await listRows(query, { ...input, ...first }, { ...rules, uncounted: Boolean(first) })
  const ids = rows.map(({ id }) => id)
  return { total, document: await presentDocuments(ctx, await rowsOf(ctx.db, ids)) }
}

/** Read once it is known which they are: to find them, the indexes are enough. */
async function rowsOf(db: Db, ids: readonly number[]): Promise<ListedRow[]> {
  const found = new Map<number, ListedRow>()
  // So many at once as both databases take.
  for (let start = 0; start < ids.length; start += 5000) {
    const some = ids.slice(start, start + 5000)
    for (const row of await db.selectFrom('document').select(listedColumns).where('id', 'in', some).execute())
      found.set(row.id, row)
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

interface Shown {
  filters: Filters
  hidden: readonly DocumentStatus[]
  inCategories: number
}

/** Exact as far as anybody can leaf. */
async function countShown(db: Db, { filters, hidden, inCategories }: Shown): Promise<number> {
  const all = filters.categories.length === 0 && !isNarrowed(filters)
  const most = all ? mostCounted : deepest
  const { total } = await db
    .selectFrom(
      fitting(db, filters, { along: false, fromCategories: inCategories <= countable })
        .clearSelect()
        .select(sql.lit(1).as('one'))
        .where('deleted_at', 'is', null)
        .where('status', 'not in', hidden)
        .limit(most)
        .as('found'),
    )
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  // A category knows how many it has, and nobody can tell the difference of a few that far down.
  return total === most && filters.categories.length === 1 && !isNarrowed(filters)
    ? Math.max(total, inCategories)
    : total
}
