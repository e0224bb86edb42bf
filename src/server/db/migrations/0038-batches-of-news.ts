import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** For the news from one batch to another, and for the members who were told of them. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { index } = tableMaker(db, engine)
  await index('follow_news', ['kind', 'target_id', 'batch', 'id'])
  await index('notification', ['group_key', 'user_id'])
}
