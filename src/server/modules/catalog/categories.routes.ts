import type { categories } from '#shared/contract/site.ts'
import { errors } from '#shared/errors.ts'
import { listRows } from '#server/db/list.ts'
import { bit, type Bit } from '#server/db/tables/column.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { createCategories, deleteCategories, updateCategory } from './categories.service.ts'
import { rank } from './manual-order.ts'

export const categoryRoutes: Handlers<typeof categories> = {
  async list(ctx, { parent_id, enable, type, ...input }) {
    const manages = ctx.viewer.can('CategoryAPI/ListCategory')
    let query = ctx.db
      .selectFrom('category')
      .selectAll()
      .where('type', 'in', type.length > 0 ? type : [0])
    if (parent_id.length > 0) query = query.where('parent_id', 'in', parent_id)
    if (!manages) query = query.where('enable', '=', 1)
    else if (enable.length > 0) query = query.where('enable', 'in', enable.map(bit))
    const { total, rows } = await listRows(query, input, {
      search: manages ? ['title'] : undefined,
      order: [
        ['parent_id', 'asc'],
        ['sort', 'desc'],
        ['title', 'asc'],
        ['id', 'asc'],
      ],
    })
    return { total, category: rows.map(present) }
  },
  async get(ctx, { id }) {
    const row = await ctx.db.selectFrom('category').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) throw errors.categories.notFound()
    return present(row)
  },
  async create(ctx, input) {
    await createCategories(ctx, input)
    return {}
  },
  async update(ctx, input) {
    await updateCategory(ctx, input)
    return {}
  },
  async sort(ctx, { id }) {
    await rank(
      ctx,
      {
        table: 'category',
        within: ['type', 'parent_id'],
        ties: [
          ['title', 'asc'],
          ['id', 'asc'],
        ],
      },
      id,
    )
    return {}
  },
  async delete(ctx, input) {
    await deleteCategories(ctx, input)
    return {}
  },
}

function present<T extends { enable: Bit; show_description: Bit }>(row: T) {
  return { ...row, enable: row.enable === 1, show_description: row.show_description === 1 }
}
