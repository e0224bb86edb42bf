import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from './open.ts'

type Table = CreateTableBuilder<string, string>

export interface TableMaker {
  /** A table with a generated id. */
  table(name: string, columns: (table: Columns) => Columns): Promise<void>
  /** A table without an id of its own. */
  plain(name: string, columns: (table: Columns) => Columns): Promise<void>
  index(table: string, columns: string[]): Promise<void>
  /** A unique index over the values that are not empty. */
  uniqueUnlessEmpty(table: string, column: string): Promise<void>
}

/** Column types that are the same in both databases: times and counts are integers, booleans 0 or 1. */
export interface Columns {
  int(name: string, fallback?: number): Columns
  /** Time in ms, or any number that may be missing. */
  optional(name: string): Columns
  flag(name: string, fallback?: 0 | 1): Columns
  text(name: string): Columns
  key(name: string): Columns
  stamps(): Columns
  unique(columns: string[]): Columns
  primary(columns: string[]): Columns
}

export function tableMaker(db: Kysely<unknown>, engine: Engine): TableMaker {
  const make = async (name: string, withId: boolean, columns: (table: Columns) => Columns) => {
    let table: Table = db.schema.createTable(name)
    if (withId) table = idColumn(table, engine)
    const kinds = columnKinds(name, (change) => {
      table = change(table)
    })
    columns(kinds)
    await table.execute()
  }
  return {
    table: (name, columns) => make(name, true, columns),
    plain: (name, columns) => make(name, false, columns),
    async index(table, columns) {
      await db.schema
        .createIndex(`${table}_${columns.join('_')}`)
        .on(table)
        .columns(columns)
        .execute()
    },
    async uniqueUnlessEmpty(table, column) {
      const index = db.schema.createIndex(`${table}_${column}_unique`).on(table).column(column).unique()
      await index.where(sql.ref(column), '<>', sql.lit('')).execute()
    },
  }
}

function idColumn(table: Table, engine: Engine): Table {
  if (engine === 'postgres') {
    return table.addColumn('id', 'bigint', (column) => column.generatedByDefaultAsIdentity().primaryKey())
  }
  // Without autoincrement SQLite would reuse the id of a deleted row.
  return table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement().notNull())
}

function columnKinds(name: string, change: (step: (table: Table) => Table) => void): Columns {
  const add = (
    column: string,
    type: 'bigint' | 'smallint' | 'text',
    build: (c: ColumnDefinitionBuilder) => ColumnDefinitionBuilder,
  ) => {
    change((table) => table.addColumn(column, type, build))
    return kinds
  }
  const kinds: Columns = {
    int: (column, fallback = 0) => add(column, 'bigint', (c) => c.notNull().defaultTo(fallback)),
    optional: (column) => add(column, 'bigint', (c) => c),
    flag: (column, fallback = 0) => add(column, 'smallint', (c) => c.notNull().defaultTo(fallback)),
    text: (column) => add(column, 'text', (c) => c.notNull().defaultTo(sql`''`)),
    key: (column) => add(column, 'text', (c) => c.notNull()),
    stamps: () => kinds.int('created_at').int('updated_at'),
    unique: (columns) => {
      change((table) => table.addUniqueConstraint(`${name}_${columns.join('_')}_unique`, columns))
      return kinds
    },
    primary: (columns) => {
      change((table) => table.addPrimaryKeyConstraint(`${name}_primary`, columns))
      return kinds
    },
  }
  return kinds
}
