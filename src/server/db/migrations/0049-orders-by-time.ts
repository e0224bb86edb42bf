import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Orders by the time when they were made, for statistics and the list. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await tableMaker(db, engine).index('order', ['created_at'])
}
