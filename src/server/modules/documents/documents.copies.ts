import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import { publicStatuses } from '#shared/document-status.ts'
import { Visibility } from '#shared/enums.ts'
import { AdvisoryLock } from '#server/db/advisory-locks.ts'
import { getEngine } from '#server/db/engine.ts'
import { inList } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/**
 * Public documents with equal content show as one: the first of them. Copies are few, and listed in a table of their own
 * (`document_copy`), so that a list along a covering index only probes it.
 */

/** After some of these documents have become public, are no longer, or have got another content. */
export async function foldCopies(db: Db, ids: readonly number[], formerHashes: readonly string[] = []): Promise<void> {
  if (ids.length === 0) return
  const changed = await db
    .selectFrom('document')
    .select('hash')
    .distinct()
    .where(inList(db, 'id', ids))
    .execute()
  const hashes = [...new Set([...changed.map(({ hash }) => hash), ...formerHashes])].filter(Boolean)
  await lockContents(db, hashes)
  await db
    .deleteFrom('document_copy')
    .where(inList(db, 'document_id', ids))
    .execute()
  for (const hash of hashes) await foldContent(db, hash)
}

/**
 * Changes of equal content follow each other, each seeing the one before. Contents share a bounded number of locks, taken in
 * order to prevent deadlocks. SQLite has one writer at a time and needs none.
 */
async function lockContents(db: Db, hashes: readonly string[]): Promise<void> {
  if (getEngine(db) === 'sqlite') return
  const buckets = new Set(hashes.map((hash) => Number.parseInt(hash.slice(0, 2), 16) || 0))
  for (const bucket of [...buckets].toSorted((a, b) => a - b))
    await sql`select pg_advisory_xact_lock(${AdvisoryLock.EqualContent}::int, ${bucket}::int)`.execute(db)
}

async function foldContent(db: Db, hash: string): Promise<void> {
  const alike = await db
    .selectFrom('document')
    .select(['id', 'status', 'visibility', 'deleted_at'])
    .where('hash', '=', hash)
    .orderBy('id')
    .execute()
  const [first, ...copies] = alike.filter(
    ({ status, visibility, deleted_at }) =>
      deleted_at === null && visibility === Visibility.Public && publicStatuses.includes(status),
  )
  await db
    .deleteFrom('document_copy')
    .where(
      inList(
        db,
        'document_id',
        alike.map(({ id }) => id),
      ),
    )
    .execute()
  if (first && copies.length > 0)
    await db
      .insertInto('document_copy')
      .values(copies.map(({ id }) => ({ document_id: id, first_id: first.id })))
      .onConflict((conflict) => conflict.column('document_id').doUpdateSet({ first_id: first.id }))
      .execute()
}

/**
 * Of equal public content, the first of what the query selects: a later one is left out when an earlier one is selected too.
 * `among` are the same conditions where they can be checked for one document without an index of their own.
 */
export function eachContentOnce<T extends keyof Tables, O>(
  query: SelectQueryBuilder<Tables, T, O>,
  among: SelectQueryBuilder<Tables, T, O> = query,
): SelectQueryBuilder<Tables, T, O> {
  // Its `document` is another one than that of the query around it.
  const earlier = among
    .clearSelect()
    .select(sql.lit(1).as('one'))
    .where(
      sql<SqlBool>`document.hash = of_first.hash and document.id < document_copy.document_id
      and document.visibility = ${sql.lit(Visibility.Public)}`,
    )
  return query.where(
    sql<SqlBool>`not exists (select 1 from document_copy
      inner join document as of_first on of_first.id = document_copy.first_id
      where document_copy.document_id = document.id and exists ${earlier})`,
  )
}

/** The same for a query of all that is public, which has the first of every content: nothing is compared. */
export function allContentsOnce<T extends keyof Tables, O>(
  query: SelectQueryBuilder<Tables, T, O>,
): SelectQueryBuilder<Tables, T, O> {
  return query.where(
    sql<SqlBool>`not exists (select 1 from document_copy where document_copy.document_id = document.id)`,
  )
}

/** How many public documents have the content of each of these, beside it. */
export async function countCopies(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('document_copy')
    .select(({ fn }) => ['first_id', fn.countAll<number>().as('count')])
    .where(inList(db, 'first_id', ids))
    .groupBy('first_id')
    .execute()
  return new Map(rows.map(({ first_id, count }) => [first_id, count]))
}
