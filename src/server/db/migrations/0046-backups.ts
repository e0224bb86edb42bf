import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Backups that the site has made of itself. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, uniqueUnlessEmpty } = tableMaker(db, engine)
  await table('backup', (t) =>
    t
      .key('state')
      .text('pending_key')
      .flag('is_scheduled')
      .text('host')
      .text('folder')
      .text('name')
      .text('note')
      .text('error')
      .int('size')
      .int('rows')
      .int('files')
      .int('missing')
      .int('altered')
      .optional('finished_at')
      .stamps(),
  )
  await uniqueUnlessEmpty('backup', 'pending_key')
}
