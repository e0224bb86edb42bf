import { type ExpressionBuilder, type SelectQueryBuilder, sql, type SqlBool, type Expression } from 'kysely'
import { parseLocalTime } from '../days.ts'

export interface ListRequest {
  page: number
  size: number
  wd: string
  order: string
}

export interface ListRules {
  /** Columns that `wd` searches; without any, `wd` is ignored. */
  search?: readonly string[]
  /** The default order; it can also be requested. */
  order: readonly (readonly [column: string, direction: 'asc' | 'desc'])[]
  /** More columns that can be ordered by. */
  sortable?: readonly string[]
  /** Nullable columns: null sorts as the lowest value, in both databases. */
  nullable?: readonly string[]
  /** Bounds of the page size; without them, no size means all rows. */
  sizes?: { min: number; max: number; default: number }
  /** Pages beyond this offset are empty. */
  maxOffset?: number
  /** Orders by the first requested column and then by id in the same direction, which a single index serves. */
  singleIndexOrder?: boolean
  /** A faster total than counting the rows of the query. */
  count?: () => Promise<number>
  /** The total is not needed, and left at 0. */
  skipCount?: boolean
}

const maxRows = 10_000
const defaultMaxOffset = 1_000_000

/** One page of a query, and the total number of rows. */
export async function listRows<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  request: ListRequest,
  rules: ListRules,
): Promise<{ total: number; rows: O[] }> {
  const filtered = rules.search && request.wd ? query.where(matches(rules.search, request.wd)) : query
  const { limit, offset } = slice(request, rules)
  const ordered = parseOrder(request.order, rules).reduce(
    (sorted, [column, direction]) =>
      sorted.orderBy(sql.ref(column), (by) => {
        const mayBeEmpty = rules.nullable?.includes(column)
        if (direction === 'asc') return mayBeEmpty ? by.asc().nullsFirst() : by.asc()
        return mayBeEmpty ? by.desc().nullsLast() : by.desc()
      }),
    filtered,
  )
  const rows = offset > (rules.maxOffset ?? defaultMaxOffset) ? [] : await ordered.limit(limit).offset(offset).execute()
  if (rules.skipCount) return { total: 0, rows }
  if (offset === 0 && rows.length < limit) return { total: rows.length, rows }
  if (rules.count) return { total: await rules.count(), rows }
  const row = await filtered
    .clearSelect()
    .clearOrderBy()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirst()
  return { total: (row as { total?: number } | undefined)?.total ?? 0, rows }
}

const queueSize = 200

/** The first of the ids of a query, the lowest first, and how many there are. */
export async function listQueue<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, { id: number }>,
): Promise<{ total: number; id: number[] }> {
  const request = { page: 1, size: queueSize, wd: '', order: '' }
  const { total, rows } = await listRows(query, request, { order: [['id', 'asc']] })
  return { total, id: rows.map(({ id }) => id) }
}

/** `wd` occurs anywhere in one of the columns; a space matches any text. Case-insensitive. */
export function matches(columns: readonly string[], wd: string) {
  const words = wd.trim().split(/\s+/)
  const pattern = `%${words.map(escapeLike).join('%')}%`.toLowerCase()
  return <DB, TB extends keyof DB>(where: ExpressionBuilder<DB, TB>): Expression<SqlBool> =>
    where.or(columns.map((column) => sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`))
}

/** Of a `period`: rows between two local times or days, both included. */
export function within(column: string, [from, to]: readonly string[]) {
  const [start, end] = [parseLocalTime(from, 'start'), parseLocalTime(to, 'end')]
  return <DB, TB extends keyof DB>(where: ExpressionBuilder<DB, TB>): Expression<SqlBool> =>
    where.and([
      ...(start === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} >= ${start}`]),
      ...(end === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} <= ${end}`]),
    ])
}

/** `column [asc|desc]`, comma separated, of the allowed columns. */
function parseOrder(order: string, rules: ListRules): readonly (readonly [string, 'asc' | 'desc'])[] {
  const allowed = new Set([...rules.order.map(([column]) => column), ...(rules.sortable ?? [])])
  const requested = order
    .split(',')
    .map((part) => part.trim().toLowerCase().split(/\s+/))
    .filter(([column]) => column && allowed.has(column))
    .map(([column, direction]) => [column ?? '', direction === 'asc' ? 'asc' : 'desc'] as const)
  const [first] = requested
  if (rules.singleIndexOrder && first) return first[0] === 'id' ? [first] : [first, ['id', first[1]]]
  // Ties need a stable order, or pages would repeat and skip rows.
  const defaults = rules.order.filter(([column]) => !requested.some(([requestedColumn]) => requestedColumn === column))
  return [...requested.slice(0, 4), ...defaults]
}

function slice({ page, size }: ListRequest, { sizes }: ListRules): { limit: number; offset: number } {
  const requested = Math.min(Math.max(size, 0), maxRows)
  const limit = sizes ? Math.min(Math.max(requested || sizes.default, sizes.min), sizes.max) : requested || maxRows
  return { limit, offset: Math.max(page - 1, 0) * limit }
}

function escapeLike(word: string): string {
  return word.replace(/[\\%_]/g, String.raw`\$&`)
}
