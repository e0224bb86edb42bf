import { advertisements, banners, friendlinks, navigations } from '#shared/contract/site.ts'
import { crud } from '#server/db/crud.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { bannerOrder, listRunningBanners } from './banners.list.ts'
import { deleteNavigations, refuseNavigationParent, updateNavigation } from './navigation.service.ts'
import { rank } from '#server/modules/catalog/manual-order.ts'
import { isRunning, refuseBackward } from './schedule.ts'

export const friendlinkRoutes: Handlers<typeof friendlinks> = {
  ...crud(friendlinks, {
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
  }),
  async sort(ctx, { id }) {
    await rank(ctx, { table: 'friendlink', within: [], ties: enabledFirst }, id)
    return {}
  },
}

const plainBanner = crud(banners, {
  table: 'banner',
  search: ['title', 'url', 'description'],
  filters: ['type', 'enable'],
  order: bannerOrder,
  sortable: ['type', 'start_time', 'end_time', 'created_at'],
  emptyLast: ['start_time', 'end_time'],
  accept: refuseBackward,
})

export const bannerRoutes: Handlers<typeof banners> = {
  ...plainBanner,
  list: (ctx, input) =>
    ctx.viewer.can('BannerAPI/ListBanner') ? plainBanner.list(ctx, input) : listRunningBanners(ctx, input),
  async sort(ctx, { id }) {
    await rank(ctx, { table: 'banner', within: ['type'], ties: enabledFirst }, id)
    return {}
  },
}

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
  async create(ctx, input) {
    await refuseNavigationParent(ctx, input)
    return plainNavigation.create(ctx, input)
  },
  async sort(ctx, { id }) {
    await rank(ctx, { table: 'navigation', within: ['parent_id'], ties: [['id', 'asc']] }, id)
    return {}
  },
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
    emptyLast: ['start_time', 'end_time'],
    accept: refuseBackward,
    added: (ctx) => ({ user_id: ctx.viewer.id }),
  }),
  async position(ctx, { position }) {
    let query = ctx.db.selectFrom('advertisement').selectAll().where(isRunning(ctx.now())).orderBy('id')
    if (position.length > 0) query = query.where('position', 'in', position)
    const rows = await query.execute()
    return { advertisement: rows.map((row) => ({ ...row, enable: true, remark: '', user_id: 0 })) }
  },
}

/** Of one weight, what is switched off stands last. */
const enabledFirst = [
  ['enable', 'desc'],
  ['id', 'asc'],
] as const
