import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Money that came in cash or by bank, and what staff give away, with the requests that a second person decides. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, index } = tableMaker(db, engine)
  await db.schema.alterTable('order').addColumn('received_money', 'bigint').execute()
  await table('outlay', (t) =>
    t
      .text('act')
      .int('kind')
      .int('user_id')
      .int('money')
      .text('title')
      .text('input')
      .text('reference')
      .int('state')
      .int('decided_by')
      .optional('decided_at')
      .text('remark')
      .stamps(),
  )
  await index('outlay', ['user_id', 'kind', 'created_at'])
  await index('outlay', ['state', 'id'])
}
