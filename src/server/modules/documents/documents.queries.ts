import { type Selectable, sql } from 'kysely'
import { publicStatuses } from '#shared/document-status.ts'
import { Visibility } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { documentColumns } from '#server/db/tables/documents.ts'
import { type LinkedCategory, sortRootFirst } from '#server/modules/catalog/categories.path.ts'
import { isListedFor, isOpenTo } from './visibility/visibility.policy.ts'
import { seesUnpublished } from './documents.policy.ts'

/** Without the text, which may be long: see `readOwnText`. */
export type DocumentRow = Omit<Selectable<Tables['document']>, 'content' | 'text_keywords' | 'keywords_compared'>

/** By its id if that is given, else by its uuid; whatever its status. */
export function findDocument(
  db: Db,
  { id, uuid = '' }: { id: number; uuid?: string },
): Promise<DocumentRow | undefined> {
  const query = db.selectFrom('document').select(documentColumns)
  return (id > 0 ? query.where('id', '=', id) : query.where('uuid', '=', uuid)).executeTakeFirst()
}

/** Those of these documents that show in the viewer's lists, in the order given. */
export async function findListedDocuments(
  { db, viewer }: Pick<Ctx, 'db' | 'viewer'>,
  ids: readonly number[],
): Promise<DocumentRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('document')
    .select(documentColumns)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('status', 'in', [...publicStatuses])
    .where(isListedFor(viewer))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Titles and addresses of those of these documents that the viewer may know of. */
export async function findVisibleTitles(
  { db, viewer }: Pick<Ctx, 'db' | 'viewer'>,
  ids: readonly number[],
): Promise<Map<number, { title: string; uuid: string }>> {
  if (ids.length === 0) return new Map()
  const query = db
    .selectFrom('document')
    .select(['id', 'uuid', 'title'])
    .where('id', 'in', [...new Set(ids)])
    .where('deleted_at', 'is', null)
  const visible = seesUnpublished(viewer)
    ? query
    : query
        .where(isOpenTo(viewer))
        .where((where) => where.or([where('status', 'in', [...publicStatuses]), where('user_id', '=', viewer.id)]))
  return new Map((await visible.execute()).map(({ id, ...row }) => [id, row]))
}

/** The groups that documents are for. */
export async function findGroupIds(db: Db, documentIds: readonly number[]): Promise<Map<number, number[]>> {
  if (documentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('document_group')
    .selectAll()
    .where('document_id', 'in', documentIds)
    .orderBy('group_id')
    .execute()
  const byDocument = Map.groupBy(rows, ({ document_id }) => document_id)
  return new Map([...byDocument].map(([id, groups]) => [id, groups.map(({ group_id }) => group_id)]))
}

/** All documents that have this content, whatever their status. */
export async function findIdsByContent(db: Db, hash: string): Promise<number[]> {
  const rows = await db.selectFrom('document').select('id').where('hash', '=', hash).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** The document, not deleted, that has this content already: one that everyone can read if there is one, else the oldest. */
export function findLibraryDocument(
  db: Db,
  hash: string,
): Promise<Pick<DocumentRow, 'id' | 'uuid' | 'title'> | undefined> {
  return db
    .selectFrom('document')
    .select(['id', 'uuid', 'title'])
    .where('hash', '=', hash)
    .where('deleted_at', 'is', null)
    .orderBy((eb) =>
      eb
        .case()
        .when(eb.and([eb('visibility', '=', Visibility.Public), eb('status', 'in', [...publicStatuses])]))
        .then(0)
        .else(1)
        .end(),
    )
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
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
    .select(['hash', 'state', 'revision', 'pages', 'has_cover', 'cover_tint', 'reason', 'detail'])
    .select(sql<string>`substr(excerpt, 1, 300)`.as('beginning'))
    .where('hash', 'in', [...new Set(hashes)])
    .execute()
  return new Map<string, RenditionSummary>(rows.map((row) => [row.hash, row]))
}

export interface RenditionSummary extends Pick<
  Selectable<Tables['rendition']>,
  'hash' | 'state' | 'revision' | 'pages' | 'has_cover' | 'cover_tint' | 'reason' | 'detail'
> {
  beginning: string
}
