import { type Selectable, sql } from 'kysely'
import { publicStatuses } from '#shared/document-status.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { type CategoryOf, rootFirst } from '#server/modules/catalog/categories.path.ts'

export type DocumentRow = Selectable<Tables['document']>
export type ListedRow = Omit<DocumentRow, 'content'>

/** Everything but the text, which may be long. */
export const listedColumns = [
  'id',
  'uuid',
  'user_id',
  'attachment_id',
  'hash',
  'ext',
  'size',
  'title',
  'keywords',
  'description',
  'language',
  'price',
  'status',
  'reject_reason',
  'pages',
  'width',
  'height',
  'view_count',
  'download_count',
  'favorite_count',
  'comment_count',
  'score',
  'score_count',
  'recommend_at',
  'deleted_at',
  'deleted_user_id',
  'created_at',
  'updated_at',
] as const satisfies (keyof ListedRow)[]

/** By its id if that is given, else by its uuid; whatever its state. */
export function findDocument(db: Db, { id, uuid = '' }: { id: number; uuid?: string }) {
  const query = db.selectFrom('document').selectAll()
  return (id > 0 ? query.where('id', '=', id) : query.where('uuid', '=', uuid)).executeTakeFirst()
}

/** Of these documents, those that everybody may see, in the order given. */
export async function publicDocuments(db: Db, ids: readonly number[]): Promise<ListedRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('document')
    .select(listedColumns)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('status', 'in', [...publicStatuses])
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** The categories of documents, each after the one above it. */
export async function categoriesOf(db: Db, documentIds: readonly number[]): Promise<Map<number, CategoryOf[]>> {
  if (documentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('document_category')
    .innerJoin('category', 'category.id', 'document_category.category_id')
    .select(['document_category.document_id', 'category.id', 'category.title', 'category.parent_id'])
    .where('document_category.document_id', 'in', documentIds)
    .orderBy('category.id')
    .execute()
  const grouped = Map.groupBy(rows, ({ document_id }) => document_id)
  return new Map([...grouped].map(([documentId, found]) => [documentId, rootFirst(found)]))
}

/** Of each content: what was made of it, and how its text begins. */
export async function renditionsOf(db: Db, hashes: readonly string[]) {
  if (hashes.length === 0) return new Map<string, RenditionOf>()
  const rows = await db
    .selectFrom('rendition')
    .select(['hash', 'state', 'revision', 'pages', 'has_cover', 'reason', 'detail'])
    .select(sql<string>`substr(excerpt, 1, 300)`.as('opening'))
    .where('hash', 'in', [...new Set(hashes)])
    .execute()
  return new Map<string, RenditionOf>(rows.map((row) => [row.hash, row]))
}

export interface RenditionOf extends Pick<
  Selectable<Tables['rendition']>,
  'hash' | 'state' | 'revision' | 'pages' | 'has_cover' | 'reason' | 'detail'
> {
  opening: string
}
