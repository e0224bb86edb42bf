import type { Kysely, SelectQueryBuilder } from 'kysely'
import { errors } from '#shared/errors.ts'
import type { Endpoint, Input, Reply } from '#shared/endpoint.ts'
import type { Ctx, Viewer } from '../context.ts'
import { isTaken } from './conflicts.ts'
import { listRows, type ListRequest, type ListRules } from './list.ts'
import type { Tables } from './tables.ts'

/** Any table, row by row: what is the same for every trivial resource needs no column's name. */
type Row = Record<string, unknown>
type AnyTable = Kysely<Record<string, Row>>
type Query = SelectQueryBuilder<Record<string, Row>, string, Row>

interface CrudRules extends ListRules {
  table: keyof Tables
  /** Columns that a list may be narrowed by: `?enable=true&position=a&position=b`. */
  filters?: readonly string[]
  /** What a viewer gets to see, for the list and for single rows alike. */
  visible?: (query: Query, viewer: Viewer) => Query
  /** Who may search by `wd`. */
  searchable?: (viewer: Viewer) => boolean
  /** What a new row carries besides the form. */
  added?: (ctx: Ctx) => Row
}

/** Refuses a form whose values do not go together. */
interface Acceptance<C extends CrudContract> {
  accept?: (form: Input<C['create']>) => void
}

interface CrudContract {
  list: Endpoint
  get: Endpoint
  create: Endpoint
  update: Endpoint
  delete: Endpoint
}

type CrudHandlers<C extends CrudContract> = {
  [K in keyof CrudContract]: (ctx: Ctx, input: Input<C[K]>) => Promise<Reply<C[K]>>
}

/** All five handlers of a resource without rules of its own. A change tells the site that what visitors see is out of date. */
export function crud<C extends CrudContract>(_contract: C, rules: CrudRules & Acceptance<C>): CrudHandlers<C> {
  const { table, visible = (query) => query, searchable = () => true, added = () => ({}) } = rules
  const rowsOf = (ctx: Ctx) => visible(open(ctx).selectFrom(table).selectAll(), ctx.viewer)
  const accept = (form: Row) => rules.accept?.(form as Input<C['create']>)
  const changed = (ctx: Ctx) => ctx.emit('site.changed', {})

  const handlers: { [K in keyof CrudContract]: (ctx: Ctx, input: Row) => Promise<Row> } = {
    async list(ctx, input) {
      const query = (rules.filters ?? []).reduce(
        (narrowed, column) => narrow(narrowed, column, input[column]),
        rowsOf(ctx),
      )
      const search = searchable(ctx.viewer) ? rules.search : undefined
      const { total, rows } = await listRows(query, input as unknown as ListRequest, { ...rules, search })
      return { total, [table]: rows }
    },
    async get(ctx, { id }) {
      const row = await rowsOf(ctx).where('id', '=', id).executeTakeFirst()
      if (!row) throw errors.records.notFound()
      return row
    },
    async create(ctx, form) {
      accept(form)
      const now = ctx.now()
      const values = { ...toRow(form), ...added(ctx), created_at: now, updated_at: now }
      const row = await open(ctx)
        .insertInto(table)
        .values(values)
        .returningAll()
        .executeTakeFirstOrThrow()
        .catch(explain)
      changed(ctx)
      return row
    },
    async update(ctx, { id, ...form }) {
      accept(form)
      const values = { ...toRow(form), updated_at: ctx.now() }
      const { numUpdatedRows } = await open(ctx)
        .updateTable(table)
        .set(values)
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
        .catch(explain)
      if (!numUpdatedRows) throw errors.records.notFound()
      changed(ctx)
      return {}
    },
    async delete(ctx, { id }) {
      await open(ctx)
        .deleteFrom(table)
        .where('id', 'in', id as number[])
        .execute()
      changed(ctx)
      return {}
    },
  }
  // The contract's types tie keys to columns; the generic code above cannot show that to the compiler.
  return handlers as unknown as CrudHandlers<C>
}

function open(ctx: Ctx): AnyTable {
  return ctx.db as unknown as AnyTable
}

function narrow(query: Query, column: string, values: unknown): Query {
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
