import type { SelectQueryBuilder } from 'kysely'
import { inList } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { VisibilityFilter } from './fulltext.ts'

/** Stands for the ids while the statement is compiled: no row has this id. */
const placeholder = [-1]

/** Compiles a query into a filter of ids: those in `column` that the query selects. */
export function visibilityFilter<T extends keyof Tables>(
  db: Db,
  column: string,
  query: SelectQueryBuilder<Tables, T, { id: number }>,
): VisibilityFilter {
  // The index runs the statement on a connection of its own, which does not see uncommitted rows.
  if (db.isTransaction) throw new Error('a visibility filter cannot run inside a transaction')
  const { sql, parameters } = query.where(inList(db, column, placeholder)).compile()
  // The last one: a condition of the query itself may have an equal value.
  const idsParameter = parameters.findLastIndex((value) => isPlaceholder(value))
  return { sql, parameters, idsParameter }
}

function isPlaceholder(value: unknown): boolean {
  const text = JSON.stringify(placeholder)
  return value === text || (Array.isArray(value) && JSON.stringify(value) === text)
}
