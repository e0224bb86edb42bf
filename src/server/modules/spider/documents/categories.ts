import { ContentType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { type CategoryNode, findPath, loadTree } from '#server/modules/catalog/categories.queries.ts'

export function readCategories({ category_ids }: { category_ids: string }): number[] {
  return category_ids === '' ? [] : (JSON.parse(category_ids) as number[])
}

export function writeCategories(ids: readonly number[]): string {
  return JSON.stringify([...new Set(ids)])
}

/** What is wrong with a choice of categories, in words; undefined if nothing is. */
export function findCategoryProblem(
  tree: ReadonlyMap<number, CategoryNode>,
  ids: readonly number[],
  target: ContentType,
): string | undefined {
  const nodes = ids.flatMap((id) => findPath(tree, id).map((part) => tree.get(part)))
  if (ids.some((id) => !tree.has(id))) return '所选分类不存在，请重新选择'
  if (nodes.some((node) => node?.type !== target))
    return target === ContentType.Article ? '请选择文章的分类' : '请选择文档的分类'
  if (nodes.some((node) => node?.enable !== 1)) return '所选分类已停用，请重新选择'
  return undefined
}

/** The content type of these categories; undefined for none of them. */
export async function getCategoryTarget(ctx: Ctx, ids: readonly number[]): Promise<ContentType | undefined> {
  const tree = await loadTree(ctx.db)
  const target = tree.get(ids[0] ?? 0)?.type
  const problem = findCategoryProblem(tree, ids, target ?? ContentType.Document)
  if (problem) throw errors.request.invalid(problem).at('category_id')
  return target
}

/** For the audit log. */
export async function describeCategories(db: Db, ids: readonly number[]): Promise<string> {
  if (ids.length === 0) return ''
  const rows = await db.selectFrom('category').select(['id', 'title']).where('id', 'in', ids).execute()
  return ids.map((id) => rows.find((row) => row.id === id)?.title ?? `#${id}`).join(',')
}
