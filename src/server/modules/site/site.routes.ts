import { advertisements, banners, friendlinks, navigations } from '#shared/contract/site.ts'
import { crud } from '#server/db/crud.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { bannerOrder, listRunningBanners } from './banners.list.ts'
import { deleteNavigations, assertNavigationParent, updateNavigation } from './navigation.service.ts'
import { reorder } from '#server/modules/catalog/manual-order.ts'
import { isRunning, assertEndsAfterStart } from './schedule.ts'
import { isVipViewer } from '#server/modules/users/vip-members.ts'

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
    await reorder(ctx, { table: 'friendlink', groupBy: [], tieBreakers: enabledFirst }, id)
    return {}
  },
}

const bannerCrud = crud(banners, {
  table: 'banner',
  search: ['title', 'url', 'description'],
  filters: ['type', 'enable'],
  order: bannerOrder,
  sortable: ['type', 'start_time', 'end_time', 'created_at'],
  nullable: ['start_time', 'end_time'],
  accept: assertEndsAfterStart,
})

export const bannerRoutes: Handlers<typeof banners> = {
  ...bannerCrud,
  list: (ctx, input) =>
    ctx.viewer.can('BannerAPI/ListBanner') ? bannerCrud.list(ctx, input) : listRunningBanners(ctx, input),
  async sort(ctx, { id }) {
    await reorder(ctx, { table: 'banner', groupBy: ['type'], tieBreakers: enabledFirst }, id)
    return {}
  },
}

const navigationCrud = crud(navigations, {
  table: 'navigation',
  search: ['title', 'href'],
  searchable: (viewer) => viewer.can('NavigationAPI/ListNavigation'),
  order: [
    ['sort', 'desc'],
    ['id', 'asc'],
  ],
  sortable: ['title', 'created_at'],
  extraColumns: () => ({ fixed: 0 }),
})

export const navigationRoutes: Handlers<typeof navigations> = {
  ...navigationCrud,
  async create(ctx, input) {
    await assertNavigationParent(ctx, input)
    return navigationCrud.create(ctx, input)
  },
  async sort(ctx, { id }) {
    await reorder(ctx, { table: 'navigation', groupBy: ['parent_id'], tieBreakers: [['id', 'asc']] }, id)
    return {}
  },
  update: (ctx, input) => updateNavigation(ctx, input, navigationCrud.update),
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
    nullable: ['start_time', 'end_time'],
    accept: assertEndsAfterStart,
    extraColumns: (ctx) => ({ user_id: ctx.viewer.id }),
  }),
  async position(ctx, { position }) {
    // VIP members see no advertisements.
    if (await isVipViewer(ctx)) return { advertisement: [] }
    let query = ctx.db.selectFrom('advertisement').selectAll().where(isRunning(ctx.now())).orderBy('id')
    if (position.length > 0) query = query.where('position', 'in', position)
    const rows = await query.execute()
    return {
      advertisement: rows.map((row) => ({
        ...row,
        allow_scripts: row.allow_scripts === 1,
        enable: true,
        remark: '',
        user_id: 0,
      })),
    }
  },
}

/** Among rows of equal weight, disabled ones come last. */
const enabledFirst = [
  ['enable', 'desc'],
  ['id', 'asc'],
] as const
