import { sql } from 'kysely'
import { allCodes } from '#shared/codes.ts'
import type { documentRecycle, documents } from '#shared/contract/documents.ts'
import { unpreviewableReason } from '#shared/conversion.ts'
import { DocumentStatus, fromWireStatuses, publicStatuses } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import { listRows, type ListRules } from '#server/db/list.ts'
import type { Db } from '#server/db/open.ts'
import { documentColumns } from '#server/db/tables/documents.ts'
import {
  type AccessPath,
  countInScope,
  countVip,
  type Filters,
  isFiltered,
  matchesAll,
  selectMatching,
  toFilters,
} from './filters.ts'
import { allContentsOnce, eachContentOnce } from '../documents.copies.ts'
import { presentDocuments } from '../documents.present.ts'
import type { DocumentRow } from '../documents.queries.ts'
import { isListedFor } from '../visibility/visibility.policy.ts'

type ListParams = Input<typeof documents.list>
type ListReply = Reply<typeof documents.list>

/** Each of these has a covering index, with all columns that lists are filtered by. */
const indexed = ['created_at', 'view_count', 'download_count', 'favorite_count', 'pages', 'score', 'recommend_at']

const rules: ListRules = {
  search: ['title', 'keywords', 'description'],
  order: [['id', 'desc']],
  sortable: [...indexed, 'updated_at', 'comment_count', 'size', 'price', 'score_count', 'title', 'status'],
  nullable: ['recommend_at'],
}

const allStatuses = allCodes(DocumentStatus)

/** How far visitors may page: filtered lists are counted no further. */
const maxDepth = 10_000
const maxCounted = 100_000

const visitorRules: ListRules = {
  ...rules,
  search: undefined,
  sortable: indexed,
  singleIndexOrder: true,
  sizes: { min: 1, max: 24, default: 24 },
  maxOffset: maxDepth,
}

/** Up to so many documents, it is cheaper to sort those of the scope than to filter along the index of the order. */
const sortable = { inCategories: 10_000, ofOwner: 2000, forVip: 10_000 }
/** Up to so many, it is cheaper to count from the categories. */
const countable = 30_000
/** Both databases take this many parameters. */
const parameterBatch = 5000

/** Staff see everything, members everything of their own; others see what is published for them, in small pages. */
export async function listDocuments(ctx: Ctx, input: ListParams): Promise<ListReply> {
  const filters = toFilters(input, ctx.now())
  const seesAll = ctx.viewer.can('DocumentAPI/ListDocument') || (filters.owner > 0 && filters.owner === ctx.viewer.id)
  const visible = publicStatuses.filter((status) => input.status.length === 0 || input.status.includes(status))
  if (!seesAll && visible.length === 0) return { total: 0, document: [] }
  const counts = await countInScope(ctx.db, filters)
  const path = {
    alongOrder: true,
    fromCategories: counts.categories <= sortable.inCategories,
    fromOwner: counts.owner <= sortable.ofOwner,
    fromVip: (await countVip(ctx.db, filters, sortable.forVip + 1)) <= sortable.forVip,
  }
  if (seesAll) {
    const query = selectMatching(ctx.db, filters, path).where('deleted_at', 'is', null)
    return listPage(ctx, filterForStaff(query, input), input, rules)
  }
  // By exclusion: nearly all rows are public, so that an index over the status would only cost.
  const hidden = allStatuses.filter((status) => !visible.includes(status))
  const scope = { filters, hidden, inCategories: counts.categories }
  return listPage(ctx, selectVisible(ctx, scope, path), input, {
    ...visitorRules,
    count: () => countVisible(ctx, scope),
  })
}

/** The latest deleted first. */
export function listRecycled(ctx: Ctx, input: Input<typeof documentRecycle.list>): Promise<ListReply> {
  const query = selectMatching(ctx.db, toFilters(input, ctx.now()), { alongOrder: true }).where(
    'deleted_at',
    'is not',
    null,
  )
  return listPage(ctx, filterForStaff(query, input), input, {
    ...rules,
    order: [
      ['deleted_at', 'desc'],
      ['id', 'desc'],
    ],
  })
}

function filterForStaff(
  query: ReturnType<typeof selectMatching>,
  { status, visibility, is_unpreviewable: [isUnpreviewable, ...more] }: ListParams,
): ReturnType<typeof selectMatching> {
  let filtered = query
  if (status.length > 0) filtered = filtered.where('status', 'in', fromWireStatuses(status))
  if (visibility.length > 0) filtered = filtered.where('visibility', 'in', visibility)
  if (isUnpreviewable === undefined || more.length > 0) return filtered
  return filtered.where(({ exists, not, selectFrom }) => {
    const unpreviewable = exists(
      selectFrom('rendition')
        .select(sql.lit(1).as('one'))
        .whereRef('rendition.hash', '=', 'document.hash')
        .where('rendition.reason', '=', unpreviewableReason),
    )
    return isUnpreviewable ? unpreviewable : not(unpreviewable)
  })
}

/** With `limit`, the first so many, without a total. */
async function listPage(
  ctx: Ctx,
  query: ReturnType<typeof selectMatching>,
  input: ListParams,
  rules: ListRules,
): Promise<ListReply> {
  const first = input.limit > 0 && { page: 1, size: input.limit }
  const { total, rows } = await listRows(query, { ...input, ...first }, { ...rules, skipCount: Boolean(first) })
  const ids = rows.map(({ id }) => id)
  return { total, document: await presentDocuments(ctx, await readRows(ctx.db, ids)) }
}

/** The second step of a late row lookup: the ids were found in covering indexes. */
async function readRows(db: Db, ids: readonly number[]): Promise<DocumentRow[]> {
  const byId = new Map<number, DocumentRow>()
  for (let start = 0; start < ids.length; start += parameterBatch) {
    const batch = ids.slice(start, start + parameterBatch)
    for (const row of await db.selectFrom('document').select(documentColumns).where('id', 'in', batch).execute())
      byId.set(row.id, row)
  }
  return ids.flatMap((id) => byId.get(id) ?? [])
}

interface VisibleScope {
  filters: Filters
  hidden: readonly DocumentStatus[]
  inCategories: number
}

/** The list of one owner has all documents of that owner, other lists have equal content once. */
function selectVisible(
  { db, viewer }: Pick<Ctx, 'db' | 'viewer'>,
  { filters, hidden }: VisibleScope,
  path: AccessPath,
): ReturnType<typeof selectMatching> {
  const select = (path: AccessPath) =>
    selectMatching(db, filters, path)
      .where('deleted_at', 'is', null)
      .where('status', 'not in', hidden)
      .where(isListedFor(viewer))
  if (filters.owner > 0) return select(path)
  if (matchesAll(filters) && !publicStatuses.some((status) => hidden.includes(status)))
    return allContentsOnce(select(path))
  return eachContentOnce(select(path), select({ alongOrder: true }))
}

/** Exact as far as visitors can page. */
async function countVisible(ctx: Pick<Ctx, 'db' | 'viewer'>, scope: VisibleScope): Promise<number> {
  const { filters, inCategories } = scope
  const max = matchesAll(filters) ? maxCounted : maxDepth
  const { total } = await ctx.db
    .selectFrom(
      selectVisible(ctx, scope, { alongOrder: false, fromCategories: inCategories <= countable })
        .clearSelect()
        .select(sql.lit(1).as('one'))
        .limit(max)
        .as('matching'),
    )
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  // A category counts its documents; that far down, a difference of a few does not show.
  return total === max && filters.categories.length === 1 && !isFiltered(filters)
    ? Math.max(total, inCategories)
    : total
}
