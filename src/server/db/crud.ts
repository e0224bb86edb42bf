import type { Kysely, SelectQueryBuilder } from 'kysely'
import { errors } from '#shared/errors.ts'
import type { Endpoint, Input, Reply } from '#shared/endpoint.ts'
import { type Ctx, transaction, type Viewer } from '../context.ts'
import { describeDiff } from '../audit-text.ts'
import { isTaken } from './conflicts.ts'
import { listRows, type ListRequest, type ListRules } from './list.ts'
import type { Tables } from './tables.ts'

/** Any table: what all simple resources share needs no column names. */
type Row = Record<string, unknown>
type AnyTable = Kysely<Record<string, Row>>
type Query = SelectQueryBuilder<Record<string, Row>, string, Row>

interface CrudRules extends ListRules {
  table: keyof Tables
  /** Columns that a list can be filtered by: `?enable=true&position=a&position=b`. */
  filters?: readonly string[]
  /** The rows that a viewer may see, in the list and one by one. */
  visible?: (query: Query, viewer: Viewer) => Query
  /** Which viewers may search by `wd`. */
  searchable?: (viewer: Viewer) => boolean
  /** Columns of a new row that are not in the form. */
  extraColumns?: (ctx: Ctx) => Row
}

interface FormRules<C extends CrudContract> {
  /** Throws for a form whose values contradict each other. */
  accept?: (form: Input<C['create']>) => void
}

interface CrudContract {
  list: Endpoint
  get: Endpoint
  create: Endpoint
  update: Endpoint
  /** Changes only the given columns. */
  patch: Endpoint
  delete: Endpoint
}

type CrudHandlers<C extends CrudContract> = {
  [K in keyof CrudContract]: (ctx: Ctx, input: Input<C[K]>) => Promise<Reply<C[K]>>
}

/** All six handlers of a resource without further rules. A change invalidates cached pages. */
export function crud<C extends CrudContract>(contract: C, rules: CrudRules & FormRules<C>): CrudHandlers<C> {
  const { table, visible = (query) => query, searchable = () => true, extraColumns = () => ({}) } = rules
  const selectVisible = (ctx: Ctx) => visible(open(ctx).selectFrom(table).selectAll(), ctx.viewer)
  const accept = (form: Row) => rules.accept?.(form as Input<C['create']>)
  const emitChange = (ctx: Ctx) => ctx.emit('site.changed', {})

  const setColumns = (ctx: Ctx, id: unknown, columns: Row) =>
    transaction(ctx, async (ctx) => {
      const before = await open(ctx).selectFrom(table).selectAll().where('id', '=', id).executeTakeFirst()
      if (!before) throw errors.records.notFound()
      const after = toRow(columns)
      await open(ctx)
        .updateTable(table)
        .set({ ...after, updated_at: ctx.now() })
        .where('id', '=', id)
        .execute()
        .catch(explain)
      ctx.audit?.({ change: describeDiff(before, after, contract.update.input) })
      emitChange(ctx)
      return {}
    })

  const handlers: { [K in keyof CrudContract]: (ctx: Ctx, input: Row) => Promise<Row> } = {
    async list(ctx, input) {
      const query = (rules.filters ?? []).reduce(
        (query, column) => filterBy(query, column, input[column]),
        selectVisible(ctx),
      )
      const search = searchable(ctx.viewer) ? rules.search : undefined
      const { total, rows } = await listRows(query, input as unknown as ListRequest, { ...rules, search })
      return { total, [table]: rows }
    },
    async get(ctx, { id }) {
      const row = await selectVisible(ctx).where('id', '=', id).executeTakeFirst()
      if (!row) throw errors.records.notFound()
      return row
    },
    async create(ctx, form) {
      accept(form)
      const now = ctx.now()
      const values = { ...toRow(form), ...extraColumns(ctx), created_at: now, updated_at: now }
      return transaction(ctx, async (ctx) => {
        const row = await open(ctx)
          .insertInto(table)
          .values(values)
          .returningAll()
          .executeTakeFirstOrThrow()
          .catch(explain)
        emitChange(ctx)
        return row
      })
    },
    async update(ctx, { id, ...form }) {
      accept(form)
      return setColumns(ctx, id, form)
    },
    patch: (ctx, { id, ...columns }) => setColumns(ctx, id, columns),
    delete: (ctx, { id }) =>
      transaction(ctx, async (ctx) => {
        await open(ctx)
          .deleteFrom(table)
          .where('id', 'in', id as number[])
          .execute()
        emitChange(ctx)
        return {}
      }),
  }
  // The contract's types tie keys to columns, which the generic code above cannot express.
  return handlers as unknown as CrudHandlers<C>
}

function open(ctx: Ctx): AnyTable {
  return ctx.db as unknown as AnyTable
}

function filterBy(query: Query, column: string, values: unknown): Query {
  if (!Array.isArray(values) || values.length === 0) return query
  return query.where(column, 'in', values.map(toColumn))
}

function toRow(form: Row): Row {
  return Object.fromEntries(Object.entries(form).map(([key, value]) => [key, toColumn(value)]))
}

function toColumn(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value
}

function explain(error: unknown): never {
  throw isTaken(error) ? errors.records.exists() : error
}
