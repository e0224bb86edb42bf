import { sql } from 'kysely'
import type { documents } from '#shared/contract/documents.ts'
import { extsOf } from '#shared/document-kinds.ts'
import type { Input } from '#shared/endpoint.ts'
import { engineOf } from '#server/db/engine.ts'
import type { Db } from '#server/db/open.ts'

/** What a list is narrowed to. */
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

/** Where a search begins. */
export interface Way {
  /** At one end of the order: whatever else is asked for is looked at in passing. */
  along: boolean
  /** At the documents of the categories, which are then few. */
  fromCategories?: boolean
  /** At the documents of the owner, which are then few. */
  fromOwner?: boolean
}

type Narrowing = Pick<Input<typeof documents.list>, 'category_id' | 'user_id' | 'ext' | 'language' | 'created_at'> &
  Partial<Pick<Input<typeof documents.list>, 'is_recommend' | 'fee_type'>>

export function filtersOf(input: Narrowing, now: number): Filters {
  const { category_id, user_id, is_recommend = [], ext, fee_type = '', language, created_at } = input
  return {
    owner: user_id[0] ?? 0,
    categories: category_id,
    exts: extsOf(ext),
    languages: language,
    fee: fee_type,
    recommended: is_recommend.length === 1 ? is_recommend[0] : undefined,
    from: timeOf(created_at[0], 'start'),
    to: timeOf(created_at[1], 'end') ?? now,
  }
}

/** Whether a list is narrowed by anything beside its categories. */
export function isNarrowed({ owner, exts, languages, fee, recommended, from }: Filters): boolean {
  const free = fee === 'free' || fee === 'charge'
  return owner > 0 || exts.length > 0 || languages.length > 0 || free || recommended !== undefined || from !== undefined
}

/** The ids of the documents that fit, whatever their state. */
export function fitting(db: Db, filters: Filters, { along, fromCategories = false, fromOwner = false }: Way) {
  const { owner, categories, exts, languages, fee, recommended, from, to } = filters
  // SQLite begins at any index that fits a filter, and sorts all it finds there; a sign in front keeps it from that.
  const inPassing = <T>(column: string) =>
    along && engineOf(db) === 'sqlite' ? sql<T>`+${sql.ref(column)}` : sql<T>`${sql.ref(column)}`
  let query = db.selectFrom('document').select('document.id')
  if (owner) query = query.where(fromOwner ? sql<number>`user_id` : inPassing<number>('user_id'), '=', owner)
  if (exts.length > 0) query = query.where(inPassing<string>('ext'), 'in', exts)
  if (languages.length > 0) query = query.where('language', 'in', languages)
  if (fee === 'free') query = query.where('price', '=', 0)
  if (fee === 'charge') query = query.where('price', '>', 0)
  if (recommended) query = query.where('recommend_at', 'is not', null)
  if (recommended === false) query = query.where(inPassing<number | null>('recommend_at'), 'is', null)
  if (from !== undefined)
    query = query.where(inPassing<number>('created_at'), '>=', from).where(inPassing<number>('created_at'), '<=', to)
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

/** About how many documents the categories and the owner have: their counts, which need no counting. */
export async function sizesOf(db: Db, { categories, owner }: Filters): Promise<{ categories: number; owner: number }> {
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

/** `yyyy-MM-dd HH:mm:ss` at the site, or a day; what is no time narrows nothing. */
function timeOf(text: string | undefined, edge: 'start' | 'end'): number | undefined {
  if (!text) return undefined
  const day = /^\d{4}-\d\d-\d\d$/.test(text)
  const ms = Date.parse(day ? `${text} ${edge === 'start' ? '00:00:00.000' : '23:59:59.999'}` : text)
  return Number.isNaN(ms) ? undefined : ms
}
