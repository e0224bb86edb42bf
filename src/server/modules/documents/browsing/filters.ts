import { sql } from 'kysely'
import type { documents } from '#shared/contract/documents.ts'
import { getFilterExts } from '#shared/document-kinds.ts'
import type { Input } from '#shared/endpoint.ts'
import { parseLocalTime } from '#server/days.ts'
import { getEngine } from '#server/db/engine.ts'
import type { Db } from '#server/db/open.ts'

export interface Filters {
  owner: number
  categories: readonly number[]
  exts: readonly string[]
  languages: readonly string[]
  fee: string
  recommended: boolean | undefined
  from: number | undefined
  to: number
}

/** Which index a query should start from. */
export interface AccessPath {
  /** The index of the order: filters are applied to each row along it. */
  alongOrder: boolean
  /** The documents of the categories, which are then few. */
  fromCategories?: boolean
  /** The documents of the owner, which are then few. */
  fromOwner?: boolean
  /** The documents for VIP members, which are then few. */
  fromVip?: boolean
}

type FilterParams = Pick<Input<typeof documents.list>, 'category_id' | 'user_id' | 'ext' | 'language' | 'created_at'> &
  Partial<Pick<Input<typeof documents.list>, 'is_recommend' | 'fee_type'>>

export function toFilters(input: FilterParams, now: number): Filters {
  const { category_id, user_id, is_recommend = [], ext, fee_type = '', language, created_at } = input
  return {
    owner: user_id[0] ?? 0,
    categories: category_id,
    exts: getFilterExts(ext),
    languages: language.filter(Boolean),
    fee: fee_type,
    recommended: is_recommend.length === 1 ? is_recommend[0] : undefined,
    from: parseLocalTime(created_at[0], 'start'),
    to: parseLocalTime(created_at[1], 'end') ?? now,
  }
}

/** Whether anything but categories filters the list. */
export function isFiltered({ owner, exts, languages, fee, recommended, from }: Filters): boolean {
  const hasFee = ['free', 'charge', 'vip'].includes(fee)
  return (
    owner > 0 || exts.length > 0 || languages.length > 0 || hasFee || recommended !== undefined || from !== undefined
  )
}

/** Whether all documents match. */
export function matchesAll(filters: Filters): boolean {
  return filters.categories.length === 0 && !isFiltered(filters)
}

/** The ids of matching documents, whatever their status. */
export function selectMatching(
  db: Db,
  filters: Filters,
  { alongOrder, fromCategories = false, fromOwner = false, fromVip = false }: AccessPath,
) {
  const { owner, categories, exts, languages, fee, recommended, from, to } = filters
  // SQLite prefers an index that matches a filter, and sorts all rows it finds; a unary plus disqualifies the column.
  const withoutIndex = <T>(column: string) =>
    alongOrder && getEngine(db) === 'sqlite' ? sql<T>`+${sql.ref(column)}` : sql<T>`${sql.ref(column)}`
  let query = db.selectFrom('document').select('document.id')
  if (owner) query = query.where(fromOwner ? sql<number>`user_id` : withoutIndex<number>('user_id'), '=', owner)
  if (exts.length > 0) query = query.where(withoutIndex<string>('ext'), 'in', exts)
  if (languages.length > 0) query = query.where('language', 'in', languages)
  if (fee === 'free') query = query.where('price', '=', 0)
  if (fee === 'charge') query = query.where('price', '>', 0)
  if (fee === 'vip') query = fromVip ? query.where('id', 'in', selectKeptVip(db)) : query.where(isMarkedVip)
  if (recommended) query = query.where('recommend_at', 'is not', null)
  if (recommended === false) query = query.where(withoutIndex<number | null>('recommend_at'), 'is', null)
  if (from !== undefined)
    query = query
      .where(withoutIndex<number>('created_at'), '>=', from)
      .where(withoutIndex<number>('created_at'), '<=', to)
  if (categories.length === 0) return query
  if (fromCategories)
    return query.where('id', 'in', (eb) =>
      eb.selectFrom('document_category').select('document_id').where('category_id', 'in', categories),
    )
  return query.where(({ exists, selectFrom }) =>
    exists(
      selectFrom('document_category')
        .select(sql.lit(1).as('one'))
        .whereRef('document_id', '=', 'document.id')
        .where('category_id', 'in', categories),
    ),
  )
}

/** Literal, as in the condition of the index over VIP documents: SQLite uses it for nothing else. */
const isMarkedVip = sql<boolean>`is_vip = 1`

function selectKeptVip(db: Db) {
  return db.selectFrom('document').select('id').where(isMarkedVip).where('deleted_at', 'is', null)
}

/** How many documents are for VIP members, counted up to `max`. */
export async function countVip(db: Db, { fee }: Filters, max: number): Promise<number> {
  if (fee !== 'vip') return 0
  const { total } = await db
    .selectFrom(selectKeptVip(db).limit(max).as('marked'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** About how many documents the categories and the owner have, by their stored counters. */
export async function countInScope(
  db: Db,
  { categories, owner }: Filters,
): Promise<{ categories: number; owner: number }> {
  const rows =
    categories.length > 0
      ? await db.selectFrom('category').select('doc_count').where('id', 'in', categories).execute()
      : []
  const user =
    owner > 0 ? await db.selectFrom('user').select('doc_count').where('id', '=', owner).executeTakeFirst() : undefined
  return {
    categories: rows.reduce((sum, { doc_count }) => sum + doc_count, 0),
    owner: user?.doc_count ?? 0,
  }
}
