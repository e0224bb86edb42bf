import { type Kysely, sql } from 'kysely'
import { tableMaker } from '../columns.ts'
import type { Engine } from '../open.ts'

/** A document under review whose file cannot be converted has failed; equal public content is folded into its first document. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { plain, index } = tableMaker(db, engine)
  await sql`
    update document set status = 8 where status = 6 and pages = 0 and exists (
      select 1 from rendition
      where rendition.hash = document.hash and rendition.state = 'failed' and rendition.reason <> 'unsupported'
    )`.execute(db)
  await sql`drop index document_waiting`.execute(db)
  await sql`
    create index document_waiting on document (status)
    where deleted_at is null and status in (0, 1, 3, 5, 6, 8)`.execute(db)

  await plain('document_copy', (t) => t.int('document_id').int('first_id').primary(['document_id']))
  await index('document_copy', ['first_id'])
  const isPublic = sql`deleted_at is null and visibility = 0 and status in (0, 1, 2, 3, 5) and hash <> ''`
  await sql`
    insert into document_copy (document_id, first_id)
    select document.id, first.id from document
    join (select hash, min(id) as id from document where ${isPublic} group by hash having count(*) > 1) first
      on first.hash = document.hash
    where document.deleted_at is null and document.visibility = 0 and document.status in (0, 1, 2, 3, 5)
      and document.id <> first.id`.execute(db)
}
