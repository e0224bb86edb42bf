import { advertisements, friendlinks, navigations } from '#shared/contract/site.ts'
import { crud } from '#server/db/crud.ts'
import type { Handlers } from '#server/http/mount.ts'
import { deleteNavigations, updateNavigation } from './navigation.service.ts'

export const friendlinkRoutes: Handlers<typeof friendlinks> = crud(friendlinks, {
  table: 'friendlink',
  search: ['title', 'link'],
  filters: ['enable'],
  order: [
    ['enable', 'desc'],
    ['sort', 'desc'],
    ['id', 'asc'],
  ],
  searchable: (viewer) => viewer.can('FriendlinkAPI/ListFriendlink'),
  visible: (query, viewer) => (viewer.can('FriendlinkAPI/ListFriendlink') ? query : query.where('enable', '=', 1)),
})

const plainNavigation = crud(navigations, {
  table: 'navigation',
  search: ['title', 'href'],
  searchable: (viewer) => viewer.can('NavigationAPI/ListNavigation'),
  order: [
    ['sort', 'desc'],
    ['id', 'asc'],
  ],
  sortable: ['title', 'created_at'],
  added: () => ({ fixed: 0 }),
})

export const navigationRoutes: Handlers<typeof navigations> = {
  ...plainNavigation,
  update: (ctx, input) => updateNavigation(ctx, input, plainNavigation.update),
  async delete(ctx, { id }) {
    await deleteNavigations(ctx, id)
    return {}
  },
}

export const advertisementRoutes: Handlers<typeof advertisements> = {
  ...crud(advertisements, {
    table: 'advertisement',
    search: ['title', 'content', 'remark'],
    filters: ['position', 'enable'],
    order: [['id', 'desc']],
    sortable: ['start_time', 'end_time', 'position'],
    added: (ctx) => ({ user_id: ctx.viewer.id }),
  }),
  async position(ctx, { position }) {
    const now = ctx.now()
    let query = ctx.db
      .selectFrom('advertisement')
      .selectAll()
      .where('enable', '=', 1)
      .where((where) => where.or([where('start_time', 'is', null), where('start_time', '<=', now)]))
      .where((where) => where.or([where('end_time', 'is', null), where('end_time', '>', now)]))
      .orderBy('id')
    if (position.length > 0) query = query.where('position', 'in', position)
    const rows = await query.execute()
    return { advertisement: rows.map((row) => ({ ...row, enable: true, remark: '', user_id: 0 })) }
  },
}
