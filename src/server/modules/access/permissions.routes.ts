import { inTransaction } from '#server/context.ts'
import type { permissions } from '#shared/contract/access.ts'
import { errors } from '#shared/errors.ts'
import { listRows, matches } from '#server/db/list.ts'
import type { Handlers } from '#server/http/api/mount.ts'

export const permissionRoutes: Handlers<typeof permissions> = {
  async list(ctx, { method, path, ...input }) {
    let query = ctx.db.selectFrom('permission').selectAll()
    if (method.length > 0)
      query = query.where(
        'method',
        'in',
        method.map((name) => name.toUpperCase()),
      )
    if (path) query = query.where(matches(['path'], path))
    const { total, rows } = await listRows(query, input, {
      search: ['title', 'description'],
      order: [['path', 'asc']],
      sortable: ['id', 'title', 'method'],
    })
    return { total, permission: rows }
  },
  async get(ctx, { id }) {
    const row = await ctx.db.selectFrom('permission').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) throw errors.permissions.notFound()
    return row
  },
  update: inTransaction(async (ctx, { id, title, description }) => {
    const { numUpdatedRows } = await ctx.db
      .updateTable('permission')
      .set({ title, description, updated_at: ctx.now() })
      .where('id', '=', id)
      .executeTakeFirst()
    if (!numUpdatedRows) throw errors.permissions.notFound()
    return {}
  }),
}
