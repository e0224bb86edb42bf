import { ContentType } from '#shared/enums.ts'
import type { categories } from '#shared/contract/catalog.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import type { Db } from '#server/db/open.ts'
import { bit } from '#server/db/tables/column.ts'
import {
  addAncestor,
  findSubtree,
  categoriesInUse,
  type CategoryNode,
  dropAncestor,
  lockTree,
  loadTree,
  findPath,
  recount,
  removeCategories,
  lockCountsExclusive,
  findItems,
} from './categories.queries.ts'

const maxDepth = 5
const maxTitleLength = 64

/** The path of each category that exists, from the root to itself. */
export async function categoryPaths(db: Db, ids: readonly number[]): Promise<Map<number, number[]>> {
  if (ids.length === 0) return new Map()
  const tree = await loadTree(db)
  return new Map(ids.map((id) => [id, findPath(tree, id)] as const).filter(([, path]) => path.length > 0))
}

/**
 * The chosen categories with all their ancestors, once each, ancestors first. Refuses categories that do not exist, are of
 * another type, or are disabled and not in `currentIds`, those of the item so far. Call it in the transaction that writes
 * the links: it locks the tree.
 */
export async function resolveCategories(
  ctx: Ctx,
  ids: readonly number[],
  type: ContentType,
  currentIds: readonly number[] = [],
): Promise<number[]> {
  if (ids.length === 0) return []
  await lockTree(ctx.db)
  const tree = await loadTree(ctx.db)
  const isAvailable = (id: number) => {
    const node = tree.get(id)
    return (
      node?.type === type &&
      (node.enable === 1 || currentIds.includes(id) || ctx.viewer.can('CategoryAPI/ListCategory'))
    )
  }
  const paths = ids.map((id) => findPath(tree, id))
  if (!paths.every((path) => path.length > 0 && path.every(isAvailable)))
    throw errors[type === ContentType.Article ? 'articles' : 'documents'].categoryUnknown()
  return [...new Set(paths.flat())]
}

/** Each line of the title is a category; existing ones are left alone. */
export async function createCategories(ctx: Ctx, { title, ...form }: Input<typeof categories.create>): Promise<void> {
  const titles = [...new Set(title.split('\n').map(oneLine).filter(Boolean))]
  if (titles.some((line) => line.length > maxTitleLength))
    throw errors.request.invalid(`分类名称最多 ${maxTitleLength} 个字符`)
  await transaction(ctx, async (ctx) => {
    await lockTree(ctx.db)
    const tree = await loadTree(ctx.db)
    assertValidParent(tree, { ...form, height: 1 })
    const stamps = { created_at: ctx.now(), updated_at: ctx.now() }
    const rows = titles.map((line) => ({ ...columns(form), type: form.type, title: line, ...stamps }))
    await ctx.db
      .insertInto('category')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['parent_id', 'title', 'type']).doNothing())
      .execute()
    ctx.emit('site.changed', {})
  })
}

/** Its type and its counter cannot be edited. */
export async function updateCategory(ctx: Ctx, { id, ...form }: Input<typeof categories.update>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await lockTree(ctx.db)
    const before = await loadTree(ctx.db)
    const node = before.get(id)
    if (!node) throw errors.categories.notFound()
    const isMoved = node.parent_id !== form.parent_id
    if (isMoved) {
      assertCanMove(before, node, form.parent_id)
      await lockCountsExclusive(ctx.db)
    }
    await ctx.db
      .updateTable('category')
      .set({ ...columns(form), title: oneLine(form.title), updated_at: ctx.now() })
      .where('id', '=', id)
      .execute()
      .catch((error: unknown) => {
        throw isTaken(error) ? errors.categories.titleTaken() : error
      })
    if (isMoved) await relink(ctx, node, before)
    ctx.emit('site.changed', {})
  })
}

/** Under the tree's lock: a category must not be disabled while a document is being linked to it. */
export async function patchCategory(ctx: Ctx, { id, enable }: Input<typeof categories.patch>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await lockTree(ctx.db)
    const { numUpdatedRows } = await ctx.db
      .updateTable('category')
      .set({ enable: bit(enable), updated_at: ctx.now() })
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw errors.categories.notFound()
    ctx.emit('site.changed', {})
  })
}

/** Deletes subtrees without items; throws if none of them is empty. */
export async function deleteCategories(ctx: Ctx, { id: ids }: Input<typeof categories.delete>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await lockTree(ctx.db)
    await lockCountsExclusive(ctx.db)
    const tree = await loadTree(ctx.db)
    const subtrees = ids.filter((id) => tree.has(id)).map((id) => findSubtree(tree, id))
    if (subtrees.length === 0) throw errors.categories.notFound()
    const used = await categoriesInUse(ctx.db, [...new Set(subtrees.flat())])
    const empty = subtrees.filter((subtree) => !subtree.some((id) => used.has(id)))
    if (empty.length === 0) throw errors.categories.inUse()
    await removeCategories(ctx.db, [...new Set(empty.flat())])
    ctx.emit('site.changed', {})
  })
}

type Tree = ReadonlyMap<number, CategoryNode>

function assertCanMove(tree: Tree, { id, type }: CategoryNode, parent: number): void {
  const subtree = findSubtree(tree, id)
  if (subtree.includes(parent)) throw errors.categories.parentInside()
  const depth = findPath(tree, id).length
  const height = Math.max(...subtree.map((nodeId) => findPath(tree, nodeId).length)) - depth + 1
  assertValidParent(tree, { parent_id: parent, type, height })
}

/** `height` is the number of levels of the subtree. */
function assertValidParent(
  tree: Tree,
  { parent_id, type, height }: { parent_id: number; type: ContentType; height: number },
) {
  if (parent_id !== 0 && tree.get(parent_id)?.type !== type) throw errors.categories.parentUnknown()
  if (findPath(tree, parent_id).length + height > maxDepth) throw errors.categories.tooDeep()
}

/** Unlinks the items of a moved category from its old ancestors and links them to the new ones. */
async function relink(ctx: Ctx, { id: category, type }: CategoryNode, before: Tree): Promise<void> {
  const after = await loadTree(ctx.db)
  const [oldPath, newPath] = [before, after].map((tree) => findPath(tree, category).slice(0, -1))
  const left = (oldPath ?? []).filter((id) => !newPath?.includes(id))
  const joined = (newPath ?? []).filter((id) => !oldPath?.includes(id))
  // The lowest first: an ancestor that stays because of another category of an item keeps its own ancestors.
  for (const ancestor of left.toReversed()) await dropAncestor(ctx.db, type, { category, ancestor })
  for (const ancestor of joined) await addAncestor(ctx.db, type, { category, ancestor })
  for (const id of [...left, ...joined].toSorted((a, b) => a - b)) await recount(ctx.db, type, id)
  const ids = await findItems(ctx.db, type, category)
  if (ids.length > 0) ctx.emit(type === ContentType.Article ? 'article.changed' : 'document.changed', { ids })
}

function columns(form: Omit<Input<typeof categories.create>, 'title' | 'type'>) {
  const { parent_id, icon, cover, description, show_description, sort, enable } = form
  return { parent_id, icon, cover, description, sort, show_description: bit(show_description), enable: bit(enable) }
}

function oneLine(title: string): string {
  return title.replace(/\s+/g, ' ').trim()
}
