import type { SelectQueryBuilder } from 'kysely'
import { among } from '#server/db/in-list.ts'
import { engineOf } from '#server/db/engine.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Accept } from '../fulltext.ts'

/** No id is this one: it marks the place of the ids in the statement. */
const mark = [-1]

/** Of the ids in this column, those that the query finds. */
export function accepting<T extends keyof Tables>(
  db: Db,
  column: string,
  query: SelectQueryBuilder<Tables, T, { id: number }>,
): Accept {
  const narrowed = (ids: readonly number[]) => query.where(among(db, column, ids))
  const accept = async (ids: readonly number[]) => (await narrowed(ids).execute()).map(({ id }) => id)
  // What a transaction has changed is not there for anybody else yet.
  if (engineOf(db) !== 'sqlite' || db.isTransaction) return accept
  const { sql, parameters } = narrowed(mark).compile()
  // The ids are asked for last; a filter before them may look like their mark.
  const at = parameters.lastIndexOf(JSON.stringify(mark))
  return Object.assign(accept, { statement: { sql, parameters, ids: at } })
}
