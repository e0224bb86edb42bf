import { type Selectable, sql } from 'kysely'
import { publicStatuses } from '#shared/document-status.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { documentColumns } from '#server/db/tables/documents.ts'
import { type LinkedCategory, sortRootFirst } from '#server/modules/catalog/categories.path.ts'

/** Without the text, which may be long: see `readOwnText`. */
export type DocumentRow = Omit<Selectable<Tables['document']>, 'content'>

/** By its id if that is given, else by its uuid; whatever its status. */
export function findDocument(
  db: Db,
  { id, uuid = '' }: { id: number; uuid?: string },
): Promise<DocumentRow | undefined> {
  const query = db.selectFrom('document').select(documentColumns)
  return (id > 0 ? query.where('id', '=', id) : query.where('uuid', '=', uuid)).executeTakeFirst()
}

/** The public ones of these documents, in the order given. */
export async function findPublicDocuments(db: Db, ids: readonly number[]): Promise<DocumentRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('document')
    .select(documentColumns)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('status', 'in', [...publicStatuses])
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** All documents that have this content, whatever their status. */
export async function findIdsByContent(db: Db, hash: string): Promise<number[]> {
  const rows = await db.selectFrom('document').select('id').where('hash', '=', hash).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** The categories of documents, each after its parent. */
export async function findCategories(db: Db, documentIds: readonly number[]): Promise<Map<number, LinkedCategory[]>> {
  if (documentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('document_category')
    .innerJoin('category', 'category.id', 'document_category.category_id')
    .select(['document_category.document_id', 'category.id', 'category.title', 'category.parent_id'])
    .where('document_category.document_id', 'in', documentIds)
    .orderBy('category.id')
    .execute()
  const byDocument = Map.groupBy(rows, ({ document_id }) => document_id)
  return new Map([...byDocument].map(([documentId, categories]) => [documentId, sortRootFirst(categories)]))
}

/** The rendition of each content, with the beginning of its text. */
export async function findRenditions(db: Db, hashes: readonly string[]) {
  if (hashes.length === 0) return new Map<string, RenditionSummary>()
  const rows = await db
    .selectFrom('rendition')
    .select(['hash', 'state', 'revision', 'pages', 'has_cover', 'reason', 'detail'])
    .select(sql<string>`substr(excerpt, 1, 300)`.as('beginning'))
    .where('hash', 'in', [...new Set(hashes)])
    .execute()
  return new Map<string, RenditionSummary>(rows.map((row) => [row.hash, row]))
}

export interface RenditionSummary extends Pick<
  Selectable<Tables['rendition']>,
  'hash' | 'state' | 'revision' | 'pages' | 'has_cover' | 'reason' | 'detail'
> {
  beginning: string
}
