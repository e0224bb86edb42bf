import type { navigations } from '#shared/contract/site.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'

type Update = Input<typeof navigations.update>

/** An entry that is moved under itself or its descendants goes to the top level: it would be unreachable otherwise. */
export function updateNavigation<T>(
  ctx: Ctx,
  input: Update,
  update: (ctx: Ctx, input: Update) => Promise<T>,
): Promise<T> {
  return transaction(ctx, async (ctx) => {
    const subtree = await findSubtree(ctx, [input.id])
    const parent_id = subtree.has(input.parent_id) ? 0 : input.parent_id
    const { db } = ctx
    const before = await db.selectFrom('navigation').select('parent_id').where('id', '=', input.id).executeTakeFirst()
    if (before && before.parent_id !== parent_id) {
      await assertNavigationParent(ctx, { parent_id })
      if (parent_id !== 0 && subtree.size > 1) throw errors.navigations.tooDeep()
    }
    return update(ctx, { ...input, parent_id })
  })
}

/** The header shows two levels. */
export async function assertNavigationParent({ db }: Ctx, { parent_id }: Pick<Update, 'parent_id'>): Promise<void> {
  if (parent_id === 0) return
  const parent = await db.selectFrom('navigation').select('parent_id').where('id', '=', parent_id).executeTakeFirst()
  if (!parent) throw errors.navigations.parentUnknown()
  if (parent.parent_id !== 0) throw errors.navigations.tooDeep()
}

/** Deletes entries with their descendants. Fixed entries stay. */
export function deleteNavigations(ctx: Ctx, ids: readonly number[]): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const subtree = await findSubtree(ctx, ids)
    await ctx.db
      .deleteFrom('navigation')
      .where('id', 'in', [...subtree])
      .where('fixed', '=', 0)
      .execute()
    ctx.emit('site.changed', {})
  })
}

/** The entries and their descendants. */
async function findSubtree({ db }: Ctx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db.selectFrom('navigation').select(['id', 'parent_id']).execute()
  const children = Map.groupBy(rows, ({ parent_id }) => parent_id)
  const subtree = new Set<number>()
  const visit = (id: number) => {
    if (subtree.has(id)) return
    subtree.add(id)
    for (const child of children.get(id) ?? []) visit(child.id)
  }
  for (const id of ids) visit(id)
  return subtree
}
