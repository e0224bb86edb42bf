import { publicStatuses } from '#shared/document-status.ts'
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

/** The documents of a category, whatever their state. */
export async function documentsIn(db: Db, id: number): Promise<number[]> {
  const rows = await db.selectFrom('document_category').select('document_id').where('category_id', '=', id).execute()
  return rows.map(({ document_id }) => document_id)
}

export async function addAncestor(db: Db, { category, ancestor }: Kin): Promise<void> {
  await db
    .insertInto('document_category')
    .columns(['document_id', 'category_id'])
    .expression((eb) =>
      eb
        .selectFrom(['document_category as inside', 'category'])
        .select(['inside.document_id', 'category.id'])
        .where('inside.category_id', '=', category)
        .where('category.id', '=', ancestor),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Takes the documents of a category out of a former ancestor, save those that are in another category below it. */
export async function dropAncestor(db: Db, { category, ancestor }: Kin): Promise<void> {
  await db
    .deleteFrom('document_category')
    .where('category_id', '=', ancestor)
    .where('document_id', 'in', (eb) =>
      eb.selectFrom('document_category as inside').select('inside.document_id').where('category_id', '=', category),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('document_category as other')
            .innerJoin('category', 'category.id', 'other.category_id')
            .select('other.category_id')
            .whereRef('other.document_id', '=', 'document_category.document_id')
            .where('category.parent_id', '=', ancestor),
        ),
      ),
    )
    .execute()
}

interface Kin {
  category: number
  ancestor: number
}

/** Counts what everybody may see. */
export async function recount(db: Db, id: number): Promise<void> {
  // Whoever is counting here has to end first: only then does the next statement see what was counted.
  await db
    .updateTable('category')
    .set((eb) => ({ doc_count: eb.ref('doc_count') }))
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('category')
    .set((eb) => ({
      doc_count: eb
        .selectFrom('document_category')
        .innerJoin('document', 'document.id', 'document_category.document_id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('document_category.category_id', '=', id)
        .where('document.deleted_at', 'is', null)
        .where('document.status', 'in', [...publicStatuses]),
    }))
    .where('id', '=', id)
    .execute()
}

/** Of these categories, those that hold something: documents that wait for review count as well as public ones. */
export async function categoriesInUse(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const counted = await db
    .selectFrom('category')
    .select('id')
    .where('id', 'in', ids)
    .where('doc_count', '>', 0)
    .execute()
  const linked = await db
    .selectFrom('document_category')
    .innerJoin('document', 'document.id', 'document_category.document_id')
    .select('document_category.category_id as id')
    .distinct()
    .where('document_category.category_id', 'in', ids)
    .where('document.deleted_at', 'is', null)
    .execute()
  return new Set([...counted, ...linked].map(({ id }) => id))
}

export async function removeCategories(db: Db, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('document_category').where('category_id', 'in', ids).execute()
  await db.deleteFrom('category').where('id', 'in', ids).execute()
}
