import type { categories } from '#shared/contract/site.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import type { Db } from '#server/db/open.ts'
import { bit } from '#server/db/tables/column.ts'
import {
  addAncestor,
  branchOf,
  categoriesInUse,
  type CategoryNode,
  dropAncestor,
  holdTree,
  loadTree,
  pathOf,
  recount,
  removeCategories,
  stopCounting,
  thingsIn,
} from './categories.queries.ts'

const deepest = 5
const longestTitle = 64

/** For each category that exists: its ancestors from the root, and itself last. */
export async function categoryPaths(db: Db, ids: readonly number[]): Promise<Map<number, number[]>> {
  if (ids.length === 0) return new Map()
  const tree = await loadTree(db)
  return new Map(ids.map((id) => [id, pathOf(tree, id)] as const).filter(([, path]) => path.length > 0))
}

/**
 * The chosen categories with all their ancestors, once each, ancestors first. Refuses what does not exist, is of another
 * type, or is switched off, which only `kept` ones may be: those the thing is in already. Call it in the transaction that
 * writes the links: the tree stays as it is until that ends.
 */
export async function resolveCategories(
  ctx: Ctx,
  ids: readonly number[],
  type: number,
  kept: readonly number[] = [],
): Promise<number[]> {
  if (ids.length === 0) return []
  await holdTree(ctx.db)
  const tree = await loadTree(ctx.db)
  const offered = (id: number) => {
    const node = tree.get(id)
    return node?.type === type && (node.enable === 1 || kept.includes(id) || ctx.viewer.can('CategoryAPI/ListCategory'))
  }
  const paths = ids.map((id) => pathOf(tree, id))
  if (!paths.every((path) => path.length > 0 && path.every(offered)))
    throw errors[type === 1 ? 'articles' : 'documents'].categoryUnknown()
  return [...new Set(paths.flat())]
}

/** Each line of the title is a category; those that are there already are left alone. */
export async function createCategories(ctx: Ctx, { title, ...form }: Input<typeof categories.create>): Promise<void> {
  const titles = [...new Set(title.split('\n').map(oneLine).filter(Boolean))]
  if (titles.some((each) => each.length > longestTitle))
    throw errors.request.invalid(`分类名称最多 ${longestTitle} 个字符`)
  await transaction(ctx, async (ctx) => {
    await holdTree(ctx.db)
    const tree = await loadTree(ctx.db)
    refuseParent(tree, { ...form, height: 1 })
    const stamps = { created_at: ctx.now(), updated_at: ctx.now() }
    const rows = titles.map((each) => ({ ...columns(form), type: form.type, title: each, ...stamps }))
    await ctx.db
      .insertInto('category')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['parent_id', 'title', 'type']).doNothing())
      .execute()
    ctx.emit('site.changed', {})
  })
}

/** What a category is for (its type) and how much is in it are not the form's to say. */
export async function updateCategory(ctx: Ctx, { id, ...form }: Input<typeof categories.update>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await holdTree(ctx.db)
    const before = await loadTree(ctx.db)
    const node = before.get(id)
    if (!node) throw errors.categories.notFound()
    const moved = node.parent_id !== form.parent_id
    if (moved) {
      refuseMove(before, node, form.parent_id)
      await stopCounting(ctx.db)
    }
    await ctx.db
      .updateTable('category')
      .set({ ...columns(form), title: oneLine(form.title), updated_at: ctx.now() })
      .where('id', '=', id)
      .execute()
      .catch((error: unknown) => {
        throw isTaken(error) ? errors.categories.titleTaken() : error
      })
    if (moved) await relink(ctx, node, before)
    ctx.emit('site.changed', {})
  })
}

/** Takes the empty ones with what is below them. When none of them is empty, nothing is done and that is said. */
export async function deleteCategories(ctx: Ctx, { id: ids }: Input<typeof categories.delete>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await holdTree(ctx.db)
    await stopCounting(ctx.db)
    const tree = await loadTree(ctx.db)
    const branches = ids.filter((id) => tree.has(id)).map((id) => branchOf(tree, id))
    if (branches.length === 0) throw errors.categories.notFound()
    const used = await categoriesInUse(ctx.db, [...new Set(branches.flat())])
    const empty = branches.filter((branch) => !branch.some((id) => used.has(id)))
    if (empty.length === 0) throw errors.categories.inUse()
    await removeCategories(ctx.db, [...new Set(empty.flat())])
    ctx.emit('site.changed', {})
  })
}

type Tree = ReadonlyMap<number, CategoryNode>

function refuseMove(tree: Tree, { id, type }: CategoryNode, parent: number): void {
  const branch = branchOf(tree, id)
  if (branch.includes(parent)) throw errors.categories.parentInside()
  const own = pathOf(tree, id).length
  const height = Math.max(...branch.map((each) => pathOf(tree, each).length)) - own + 1
  refuseParent(tree, { parent_id: parent, type, height })
}

/** `height` is how many levels would stand under the parent. */
function refuseParent(tree: Tree, { parent_id, type, height }: { parent_id: number; type: number; height: number }) {
  if (parent_id !== 0 && tree.get(parent_id)?.type !== type) throw errors.categories.parentUnknown()
  if (pathOf(tree, parent_id).length + height > deepest) throw errors.categories.tooDeep()
}

/** What is in a category that has moved leaves the old ancestors for the new ones. */
async function relink(ctx: Ctx, { id: category, type: given }: CategoryNode, before: Tree): Promise<void> {
  const type = given === 1 ? 1 : 0
  const after = await loadTree(ctx.db)
  const [old, now] = [before, after].map((tree) => pathOf(tree, category).slice(0, -1))
  const left = (old ?? []).filter((id) => !now?.includes(id))
  const joined = (now ?? []).filter((id) => !old?.includes(id))
  // The lowest first: one that is kept for another category of the same thing keeps those above it.
  for (const ancestor of left.toReversed()) await dropAncestor(ctx.db, type, { category, ancestor })
  for (const ancestor of joined) await addAncestor(ctx.db, type, { category, ancestor })
  for (const id of [...left, ...joined].toSorted((a, b) => a - b)) await recount(ctx.db, type, id)
  const ids = await thingsIn(ctx.db, type, category)
  if (ids.length > 0) ctx.emit(type === 1 ? 'article.changed' : 'document.changed', { ids })
}

function columns(form: Omit<Input<typeof categories.create>, 'title' | 'type'>) {
  const { parent_id, icon, cover, description, show_description, sort, enable } = form
  return { parent_id, icon, cover, description, sort, show_description: bit(show_description), enable: bit(enable) }
}

function oneLine(title: string): string {
  return title.replace(/\s+/g, ' ').trim()
}
