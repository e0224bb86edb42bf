import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** The lists of the back office, as a member wants to see them. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table } = tableMaker(db, engine)
  await table('saved_view', (t) =>
    t
      .int('user_id')
      .key('screen')
      .key('name')
      .text('query')
      .text('columns')
      .stamps()
      .unique(['user_id', 'screen', 'name']),
  )
}
