import { type ExpressionBuilder, type SelectQueryBuilder, sql, type SqlBool, type Expression } from 'kysely'

export interface ListRequest {
  page: number
  size: number
  wd: string
  order: string
}

export interface ListRules {
  /** Columns that `wd` looks into. None: `wd` is ignored. */
  search?: readonly string[]
  /** Columns that may be ordered by, first the default ones with their directions. */
  order: readonly (readonly [column: string, direction: 'asc' | 'desc'])[]
  sortable?: readonly string[]
  /** Columns that may be empty: rows without a value count as the least, in both databases. */
  emptyLast?: readonly string[]
  /** Bounds of the page size; without them, no size means all rows. */
  sizes?: { min: number; max: number; default: number }
  /** How many rows a page may skip; further on there are none. */
  deepest?: number
  /** Only the first column asked for counts, and rows alike in it follow the same way: one index gives all of it. */
  oneWay?: boolean
  /** How many there are in all, where that is found faster than by counting the query's rows. */
  count?: () => Promise<number>
  /** Nobody asks how many there are in all: the total is left at 0. */
  uncounted?: boolean
}

const mostRows = 10_000
const usualDepth = 1_000_000

/** One page of a query and how many rows there are in all. */
export async function listRows<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  request: ListRequest,
  rules: ListRules,
): Promise<{ total: number; rows: O[] }> {
  const wanted = rules.search && request.wd ? query.where(matches(rules.search, request.wd)) : query
  const { limit, offset } = slice(request, rules)
  const ordered = orderOf(request.order, rules).reduce(
    (sorted, [column, direction]) =>
      sorted.orderBy(sql.ref(column), (by) => {
        const mayBeEmpty = rules.emptyLast?.includes(column)
        if (direction === 'asc') return mayBeEmpty ? by.asc().nullsFirst() : by.asc()
        return mayBeEmpty ? by.desc().nullsLast() : by.desc()
      }),
    wanted,
  )
  const rows = offset > (rules.deepest ?? usualDepth) ? [] : await ordered.limit(limit).offset(offset).execute()
  if (rules.uncounted) return { total: 0, rows }
  if (offset === 0 && rows.length < limit) return { total: rows.length, rows }
  if (rules.count) return { total: await rules.count(), rows }
  const counted = await wanted
    .clearSelect()
    .clearOrderBy()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirst()
  return { total: (counted as { total?: number } | undefined)?.total ?? 0, rows }
}

/** `wd` stands anywhere in one of the columns; a space in it stands for anything. Case does not matter. */
export function matches(columns: readonly string[], wd: string) {
  const words = wd.trim().split(/\s+/)
  const pattern = `%${words.map(escaped).join('%')}%`.toLowerCase()
  return <DB, TB extends keyof DB>(where: ExpressionBuilder<DB, TB>): Expression<SqlBool> =>
    where.or(columns.map((column) => sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`))
}

/** `column [asc|desc]`, comma separated, from the allowed columns only. */
function orderOf(order: string, rules: ListRules): readonly (readonly [string, 'asc' | 'desc'])[] {
  const allowed = new Set([...rules.order.map(([column]) => column), ...(rules.sortable ?? [])])
  const asked = order
    .split(',')
    .map((part) => part.trim().toLowerCase().split(/\s+/))
    .filter(([column]) => column && allowed.has(column))
    .map(([column, direction]) => [column ?? '', direction === 'asc' ? 'asc' : 'desc'] as const)
  const [first] = asked
  if (rules.oneWay && first) return first[0] === 'id' ? [first] : [first, ['id', first[1]]]
  // Rows that are alike in what was asked still need one order, or pages would repeat and skip some.
  const usual = rules.order.filter(([column]) => !asked.some(([named]) => named === column))
  return [...asked.slice(0, 4), ...usual]
}

function slice({ page, size }: ListRequest, { sizes }: ListRules): { limit: number; offset: number } {
  const asked = Math.min(Math.max(size, 0), mostRows)
  const limit = sizes ? Math.min(Math.max(asked || sizes.default, sizes.min), sizes.max) : asked || mostRows
  return { limit, offset: Math.max(page - 1, 0) * limit }
}

function escaped(word: string): string {
  return word.replace(/[\\%_]/g, String.raw`\$&`)
}
