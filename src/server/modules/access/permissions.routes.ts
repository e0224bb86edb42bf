import { inTransaction } from '#server/context.ts'
import type { permissions } from '#shared/contract/access.ts'
import { errors } from '#shared/errors.ts'
import { getPermissionArea, permissionCatalogue } from '#shared/permissions.ts'
import { listRows, matches } from '#server/db/list.ts'
import type { Handlers } from '#server/http/api/mount.ts'

export const permissionRoutes: Handlers<typeof permissions> = {
  /** In the order of the catalogue, area by area, which the database does not know: all are read, as they are few. */
  async list(ctx, { method, path, area, page, size, ...input }) {
    let query = ctx.db.selectFrom('permission').selectAll()
    if (method.length > 0)
      query = query.where(
        'method',
        'in',
        method.map((name) => name.toUpperCase()),
      )
    if (path) query = query.where(matches(['path'], path))
    const { rows } = await listRows(
      query,
      { ...input, page: 1, size: 0 },
      {
        search: ['title', 'description'],
        order: [['path', 'asc']],
        sortable: ['id', 'title', 'method'],
      },
    )
    const shown = rows.filter(({ path }) => area.length === 0 || area.includes(getPermissionArea(path).key))
    const permission = input.order ? shown : shown.toSorted((a, b) => placeOf(a) - placeOf(b))
    const from = Math.max(page - 1, 0) * size
    return { total: shown.length, permission: size > 0 ? permission.slice(from, from + size) : permission }
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

const places = new Map(permissionCatalogue.map(({ path }, place) => [path, place]))

function placeOf({ path }: { path: string }): number {
  return places.get(path) ?? places.size
}
