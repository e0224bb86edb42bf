import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** What people have looked for. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, index } = tableMaker(db, engine)
  await table('search_record', (t) =>
    t
      .int('user_id')
      .key('ip')
      .text('network')
      .int('type')
      .int('total')
      .int('page')
      .int('spend_ms')
      .text('user_agent')
      .key('keywords')
      .stamps(),
  )
  await index('search_record', ['created_at'])
  await index('search_record', ['keywords', 'total'])
  await index('search_record', ['user_id', 'id'])
}
