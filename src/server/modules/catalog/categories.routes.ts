import { ContentType } from '#shared/enums.ts'
import type { categories } from '#shared/contract/catalog.ts'
import { errors } from '#shared/errors.ts'
import { listRows } from '#server/db/list.ts'
import { bit, type Bit } from '#server/db/tables/column.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { createCategories, deleteCategories, patchCategory, updateCategory } from './categories.service.ts'
import { reorder } from './manual-order.ts'

export const categoryRoutes: Handlers<typeof categories> = {
  async list(ctx, { parent_id, enable, type, ...input }) {
    const manages = ctx.viewer.can('CategoryAPI/ListCategory')
    let query = ctx.db
      .selectFrom('category')
      .selectAll()
      .where('type', 'in', type.length > 0 ? type : [ContentType.Document])
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
  create: emptyReply(createCategories),
  update: emptyReply(updateCategory),
  patch: emptyReply(patchCategory),
  async sort(ctx, { id }) {
    await reorder(
      ctx,
      {
        table: 'category',
        groupBy: ['type', 'parent_id'],
        tieBreakers: [
          ['title', 'asc'],
          ['id', 'asc'],
        ],
      },
      id,
    )
    return {}
  },
  delete: emptyReply(deleteCategories),
}

function present<T extends { enable: Bit; show_description: Bit }>(row: T) {
  return { ...row, enable: row.enable === 1, show_description: row.show_description === 1 }
}
