import type { Selectable } from 'kysely'
import { errors } from '#shared/errors.ts'
import { SpiderSourceState } from '#shared/spider.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type SourceRow = Selectable<Tables['spider_source']>

export async function getSourceRow(db: Db, id: number): Promise<SourceRow> {
  const row = await db.selectFrom('spider_source').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw errors.spider.sourceNotFound()
  return row
}

/** Without sources that do not exist. */
export async function findSourceNames(db: Db, sourceIds: readonly number[]): Promise<Map<number, string>> {
  const ids = [...new Set(sourceIds)].filter((id) => id > 0)
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('spider_source').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Nothing of these is requested. */
export function selectStopped(db: Db) {
  return db
    .selectFrom('spider_source')
    .select('id')
    .where((eb) => eb.or([eb('enable', '=', 0), eb('state', '=', SpiderSourceState.Paused)]))
}
