import type { Kysely } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** Where members are in documents, and what they mark in them. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, plain, index } = tableMaker(db, engine)
  await table('reading_progress', (t) =>
    t
      .int('user_id')
      .int('document_id')
      .text('document_title')
      .int('page')
      .int('page_offset')
      .int('furthest_page')
      .optional('finished_at')
      .int('read_at')
      .stamps()
      .unique(['user_id', 'document_id']),
  )
  await index('reading_progress', ['user_id', 'read_at'])
  await index('reading_progress', ['document_id'])
  await plain('reading_pause', (t) => t.int('user_id').int('created_at').primary(['user_id']))

  await table('bookmark', (t) =>
    t
      .int('user_id')
      .int('document_id')
      .text('document_title')
      .int('page')
      .text('label')
      .stamps()
      .unique(['user_id', 'document_id', 'page']),
  )
  await index('bookmark', ['document_id'])

  await table('annotation', (t) =>
    t
      .int('user_id')
      .int('document_id')
      .text('document_title')
      .int('page')
      .int('start_line')
      .int('start_char')
      .int('end_line')
      .int('end_char')
      .text('quote')
      .int('color')
      .text('note')
      .int('visibility')
      .stamps(),
  )
  await index('annotation', ['user_id', 'document_id'])
  await index('annotation', ['document_id'])
}
