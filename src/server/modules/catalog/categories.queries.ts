import { sql } from 'kysely'
import { publicStatuses } from '#shared/document-status.ts'
import { engineOf } from '#server/db/engine.ts'
import type { Db } from '#server/db/open.ts'

export interface CategoryNode {
  id: number
  parent_id: number
  type: number
  enable: number
}

/**
 * Until the transaction ends nobody else changes the tree, or puts documents into it: two moves at once could make a
 * circle, and a document published meanwhile would be left under the old ancestors.
 */
export async function holdTree(db: Db): Promise<void> {
  await db
    .insertInto('revision')
    .values({ name: 'categories', value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((eb) => ({ value: eb('revision.value', '+', 1) })))
    .execute()
}

/** Any number that nothing else locks. */
const countingLock = 7_305_802

/**
 * Until the transaction ends no category is moved: what is read of where things are stands still while it is counted.
 * Not the tree itself, which those hold who then wait for the very documents that are counted here. SQLite has one
 * writer at a time anyhow.
 */
export async function beginCounting(db: Db): Promise<void> {
  if (engineOf(db) === 'postgres') await sql`select pg_advisory_xact_lock_shared(${countingLock})`.execute(db)
}

/** Waits for all who count, and keeps others from it. Call it when the tree is held. */
export async function stopCounting(db: Db): Promise<void> {
  if (engineOf(db) === 'postgres') await sql`select pg_advisory_xact_lock(${countingLock})`.execute(db)
}

/** Every category by its id. There are hundreds at most, so that a tree is walked in memory. */
export async function loadTree(db: Db): Promise<Map<number, CategoryNode>> {
  const rows = await db.selectFrom('category').select(['id', 'parent_id', 'type', 'enable']).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Root first, the category itself last; empty when there is no such category. */
export function pathOf(tree: ReadonlyMap<number, CategoryNode>, id: number): number[] {
  const path: number[] = []
  for (let node = tree.get(id); node && !path.includes(node.id); node = tree.get(node.parent_id)) path.unshift(node.id)
  return path
}

/** The category itself and everything below it. */
export function branchOf(tree: ReadonlyMap<number, CategoryNode>, id: number): number[] {
  return [...tree.keys()].filter((each) => pathOf(tree, each).includes(id))
}

/** By the type of a category, where it is written what is in it. */
const contents = {
  0: { links: 'document_category', thing: 'document_id', table: 'document', shown: publicStatuses },
  1: { links: 'article_category', thing: 'article_id', table: 'article', shown: [1] },
} as const satisfies Record<number, { links: string; thing: string; table: string; shown: readonly number[] }>
export type Contents = keyof typeof contents

/** The documents or articles of a category, whatever their state. */
export async function thingsIn(db: Db, type: Contents, id: number): Promise<number[]> {
  const { links, thing } = named(type)
  const { rows } = await sql<{ id: number }>`select ${thing} as id from ${links} where category_id = ${id}`.execute(db)
  return rows.map((row) => row.id)
}

export async function addAncestor(db: Db, type: Contents, { category, ancestor }: Kin): Promise<void> {
  const { links, thing } = named(type)
  await sql`insert into ${links} (${thing}, category_id)
    select inside.${thing}, category.id from ${links} as inside, category
    where inside.category_id = ${category} and category.id = ${ancestor}
    on conflict do nothing`.execute(db)
}

/** Takes what is in a category out of a former ancestor, save what is in another category below it. */
export async function dropAncestor(db: Db, type: Contents, { category, ancestor }: Kin): Promise<void> {
  const { links, thing } = named(type)
  await sql`delete from ${links}
    where category_id = ${ancestor}
    and ${thing} in (select inside.${thing} from ${links} as inside where inside.category_id = ${category})
    and not exists (
      select 1 from ${links} as other inner join category on category.id = other.category_id
      where other.${thing} = ${links}.${thing} and category.parent_id = ${ancestor}
    )`.execute(db)
}

interface Kin {
  category: number
  ancestor: number
}

/** Counts what everybody may see, when nobody else does. */
export async function recount(db: Db, type: Contents, id: number): Promise<void> {
  const { links, thing, table } = named(type)
  await sql`update category set doc_count = (
      select count(*) from ${links} inner join ${table} on ${table}.id = ${links}.${thing}
      where ${links}.category_id = ${id} and ${table}.deleted_at is null
      and ${table}.status in (${sql.join(contents[type].shown)})
    ) where id = ${id}`.execute(db)
}

/** Of these categories, those that hold something: what waits for review counts as well as what everybody sees. */
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

function named(type: Contents) {
  const { links, thing, table } = contents[type]
  return { links: sql.table(links), thing: sql.ref(thing), table: sql.table(table) }
}
