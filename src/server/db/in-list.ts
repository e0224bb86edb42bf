import { type Expression, sql, type SqlBool } from 'kysely'
import { engineOf } from './engine.ts'
import type { Db } from './open.ts'

/** That a column is one of many numbers: one parameter however many there are, so that statements stay few and short. */
export function among(db: Db, column: string, numbers: readonly number[]): Expression<SqlBool> {
  return engineOf(db) === 'sqlite'
    ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(numbers)}))`
    : sql<SqlBool>`${sql.ref(column)} = any(${[...numbers]}::bigint[])`
}
