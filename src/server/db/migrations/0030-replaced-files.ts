import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Files that replace the files of documents: waiting, published and refused ones. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, index } = tableMaker(db, engine)
  await table('document_replacement', (t) =>
    t
      .int('document_id')
      .int('user_id')
      .int('status')
      .int('attachment_id')
      .key('hash')
      .text('name')
      .text('ext')
      .int('size')
      .text('former_name')
      .text('former_ext')
      .int('former_size')
      .int('reviewer_id')
      .text('reason')
      .optional('ended_at')
      .stamps(),
  )
  await index('document_replacement', ['document_id', 'id'])
  await index('document_replacement', ['hash'])
  await index('document_replacement', ['status', 'id'])
}
