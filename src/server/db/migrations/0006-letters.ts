import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Letters of the site: to whom, of which kind, and what became of them. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, index } = tableMaker(db, engine)
  await table('letter', (t) =>
    t
      .key('recipient')
      .key('name')
      .text('told')
      .key('number')
      .int('until')
      .key('state')
      .int('attempts')
      .text('error')
      .stamps(),
  )
  await index('letter', ['state', 'updated_at'])
}
