import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** What happened to documents day by day, for rankings; and topics that staff curate. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain, index } = tableMaker(db, engine)
  // By day first: a ranking reads the rows of its days one after another.
  await plain('document_day', (t) =>
    t.int('day').int('document_id').int('reads').int('downloads').int('favorites').primary(['day', 'document_id']),
  )
  await index('document_day', ['document_id'])
  await table('topic', (t) => t.key('title').text('summary').text('cover').int('sort').flag('enable').stamps())
  await plain('topic_entry', (t) =>
    t
      .int('topic_id')
      .int('type')
      .int('target_id')
      .int('position')
      .text('note')
      .primary(['topic_id', 'type', 'target_id']),
  )
  await index('topic_entry', ['type', 'target_id'])
}
