import { type Expression, sql, type SqlBool } from 'kysely'
import { getEngine } from './engine.ts'
import type { Db } from './open.ts'

/** `column in (…)` with a single parameter, so that the prepared statement is the same for any number of values. */
export function inList(db: Db, column: string, numbers: readonly number[]): Expression<SqlBool> {
  return getEngine(db) === 'sqlite'
    ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(numbers)}))`
    : sql<SqlBool>`${sql.ref(column)} = any(${[...numbers]}::bigint[])`
}
