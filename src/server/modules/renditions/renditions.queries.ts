import { type Selectable, sql, type Updateable } from 'kysely'
import type { Ctx } from '#server/context.ts'
import type { RenderSource } from '#server/convert/converter.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { sourceKey } from './storage-keys.ts'

export type Rendition = Selectable<Tables['rendition']>

export function findRendition(db: Db, hash: string): Promise<Rendition | undefined> {
  return db.selectFrom('rendition').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/** A conversion that ends without pages withdraws its early preview. */
export const withoutEarlyPreview = {
  pages: sql<number>`case when is_partial = 1 then 0 else pages end`,
  is_partial: 0,
} as const

/** Names the conversion that holds the lease on a rendition, and the revision that it saw published last. */
export interface LeaseHolder {
  hash: string
  leaseId: string
  publishedRevision: number
}

/** Publishes pages, unless another worker has taken the lease or published since; false then. */
export async function publishIfOwner(
  db: Db,
  { hash, leaseId, publishedRevision }: LeaseHolder,
  values: Updateable<Tables['rendition']>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('rendition')
    .set(values)
    .where('hash', '=', hash)
    .where('state', '=', 'working')
    .where('lease_id', '=', leaseId)
    .where('revision', '=', publishedRevision)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

/** The file that published pages are rendered from; undefined when it is gone. */
export async function findRenderSource(
  { storage }: Pick<Ctx, 'storage'>,
  rendition: Rendition,
): Promise<RenderSource | undefined> {
  const path = await storage.local(renderSourceKey(rendition))
  return path ? { path, type: rendition.source_type as RenderSource['type'] } : undefined
}

/** Derived from the upload, or the upload itself. */
export function renderSourceKey({ hash, revision, is_derived, source_type }: Rendition): string {
  return is_derived ? sourceKey(hash, revision, source_type) : contentKey(hash)
}
