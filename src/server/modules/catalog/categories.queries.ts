import { AdvisoryLock } from '#server/db/advisory-locks.ts'
import { ContentType, ReviewStatus, Visibility } from '#shared/enums.ts'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { publicStatuses } from '#shared/document-status.ts'
import { getEngine } from '#server/db/engine.ts'
import type { Db } from '#server/db/open.ts'

export interface CategoryNode {
  id: number
  parent_id: number
  type: ContentType
  enable: number
}

/**
 * Serializes changes to the category tree and to links into it, until the transaction ends: concurrent moves could make a
 * cycle, and a document published meanwhile would keep the old ancestors.
 */
export async function lockTree(db: Db): Promise<void> {
  await db
    .insertInto('revision')
    .values({ name: 'categories', value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((eb) => ({ value: eb('revision.value', '+', 1) })))
    .execute()
}

/**
 * Keeps categories from being moved until the transaction ends, so that links do not change while they are counted. A lock
 * of its own: a transaction that holds the tree's lock may wait for the documents that are counted here. SQLite has one
 * writer at a time and needs no lock.
 */
export async function lockCountsShared(db: Db): Promise<void> {
  if (getEngine(db) === 'postgres')
    await sql`select pg_advisory_xact_lock_shared(${AdvisoryLock.CategoryCounts})`.execute(db)
}

/** Waits until no transaction counts, and blocks new ones. Call it after `lockTree`. */
export async function lockCountsExclusive(db: Db): Promise<void> {
  if (getEngine(db) === 'postgres') await sql`select pg_advisory_xact_lock(${AdvisoryLock.CategoryCounts})`.execute(db)
}

/** All categories by id. There are hundreds at most, so that the tree is walked in memory. */
export async function loadTree(db: Db): Promise<Map<number, CategoryNode>> {
  const rows = await db.selectFrom('category').select(['id', 'parent_id', 'type', 'enable']).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Root first, the category itself last; empty for an unknown category. */
export function findPath(tree: ReadonlyMap<number, CategoryNode>, id: number): number[] {
  const path: number[] = []
  for (let node = tree.get(id); node && !path.includes(node.id); node = tree.get(node.parent_id)) path.unshift(node.id)
  return path
}

/** The category and its descendants. */
export function findSubtree(tree: ReadonlyMap<number, CategoryNode>, id: number): number[] {
  return [...tree.keys()].filter((nodeId) => findPath(tree, nodeId).includes(id))
}

/** The tables that link categories of each type to their items. */
const linkTables: Record<ContentType, { links: string; item: string; table: string; isPublic: RawBuilder<SqlBool> }> = {
  [ContentType.Document]: {
    links: 'document_category',
    item: 'document_id',
    table: 'document',
    isPublic: sql`document.status in (${sql.join(publicStatuses)}) and document.visibility = ${Visibility.Public}`,
  },
  [ContentType.Article]: {
    links: 'article_category',
    item: 'article_id',
    table: 'article',
    isPublic: sql`article.status = ${ReviewStatus.Approved}`,
  },
}

/** The ids of the documents or articles of a category, whatever their status. */
export async function findItems(db: Db, type: ContentType, id: number): Promise<number[]> {
  const { links, item } = toIdentifiers(type)
  const { rows } = await sql<{ id: number }>`select ${item} as id from ${links} where category_id = ${id}`.execute(db)
  return rows.map((row) => row.id)
}

export async function addAncestor(db: Db, type: ContentType, { category, ancestor }: AncestorLink): Promise<void> {
  const { links, item } = toIdentifiers(type)
  await sql`insert into ${links} (${item}, category_id)
    select member.${item}, category.id from ${links} as member, category
    where member.category_id = ${category} and category.id = ${ancestor}
    on conflict do nothing`.execute(db)
}

/** Unlinks the items of a category from a former ancestor, unless they are in another of its children. */
export async function dropAncestor(db: Db, type: ContentType, { category, ancestor }: AncestorLink): Promise<void> {
  const { links, item } = toIdentifiers(type)
  await sql`delete from ${links}
    where category_id = ${ancestor}
    and ${item} in (select member.${item} from ${links} as member where member.category_id = ${category})
    and not exists (
      select 1 from ${links} as other inner join category on category.id = other.category_id
      where other.${item} = ${links}.${item} and category.parent_id = ${ancestor}
    )`.execute(db)
}

interface AncestorLink {
  category: number
  ancestor: number
}

/** Counts public items. Call it under `lockCountsExclusive`. */
export async function recount(db: Db, type: ContentType, id: number): Promise<void> {
  const { links, item, table } = toIdentifiers(type)
  await sql`update category set doc_count = (
      select count(*) from ${links} inner join ${table} on ${table}.id = ${links}.${item}
      where ${links}.category_id = ${id} and ${table}.deleted_at is null
      and ${linkTables[type].isPublic}
    ) where id = ${id}`.execute(db)
}

/** Those of these categories that have items, also items that are not public. */
export async function categoriesInUse(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const counted = await db
    .selectFrom('category')
    .select('id')
    .where('id', 'in', ids)
    .where('doc_count', '>', 0)
    .execute()
  const documents = await db
    .selectFrom('document_category')
    .innerJoin('document', 'document.id', 'document_category.document_id')
    .select('document_category.category_id as id')
    .distinct()
    .where('document_category.category_id', 'in', ids)
    .where('document.deleted_at', 'is', null)
    .execute()
  const articles = await db
    .selectFrom('article_category')
    .innerJoin('article', 'article.id', 'article_category.article_id')
    .select('article_category.category_id as id')
    .distinct()
    .where('article_category.category_id', 'in', ids)
    .where('article.deleted_at', 'is', null)
    .execute()
  return new Set([...counted, ...documents, ...articles].map(({ id }) => id))
}

export async function removeCategories(db: Db, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('document_category').where('category_id', 'in', ids).execute()
  await db.deleteFrom('article_category').where('category_id', 'in', ids).execute()
  await db.deleteFrom('category').where('id', 'in', ids).execute()
}

function toIdentifiers(type: ContentType) {
  const { links, item, table } = linkTables[type]
  return { links: sql.table(links), item: sql.ref(item), table: sql.table(table) }
}
