import * as z from 'zod/mini'
import { adPositionLabels, isAdPosition } from '../ad-positions.ts'
import { del, get, patch, permission, post, put } from '../endpoint.ts'
import { BannerType } from '../enums.ts'
import {
  byId,
  byIds,
  code,
  color,
  count,
  flag,
  href,
  id,
  listInput,
  many,
  none,
  or,
  page,
  text,
  unsetTime,
  worded,
} from '../fields.ts'

const stamps = { created_at: unsetTime, updated_at: unsetTime }

export const Navigation = z.object({
  id,
  title: text(255, 1),
  href: or(href, ''),
  target: or(worded(z.enum(['_self', '_blank', '']), { _self: '当前窗口', _blank: '新窗口' }), '_self'),
  color: or(color, ''),
  sort: or(z.int(), 0),
  enable: or(flag, false),
  parent_id: or(count(), 0),
  description: or(text(1024), ''),
  fixed: flag,
  ...stamps,
})
export type Navigation = z.output<typeof Navigation>

const NavigationForm = z.omit(Navigation, { id: true, fixed: true, created_at: true, updated_at: true })

/** Rows of one list in their new order; rows that are not named keep their positions. */
const inOrder = byIds

export const navigations = {
  list: get('/navigation/list', {
    summary: '导航列表',
    access: 'public',
    shared: true,
    input: listInput({}),
    reply: page('navigation', Navigation),
  }),
  get: get('/navigation', { summary: '查看导航', access: 'public', input: byId, reply: Navigation }),
  create: post('/navigation', {
    summary: '新增导航',
    access: permission('NavigationAPI/CreateNavigation'),
    input: NavigationForm,
    reply: Navigation,
  }),
  update: put('/navigation', {
    summary: '修改导航',
    access: permission('NavigationAPI/UpdateNavigation'),
    input: z.extend(NavigationForm, { id }),
    reply: none,
  }),
  patch: patch('/navigation', {
    summary: '启用或停用导航',
    access: permission('NavigationAPI/UpdateNavigation'),
    input: z.object({ id, enable: flag }),
    reply: none,
  }),
  delete: del('/navigation', {
    summary: '删除导航和它的下级',
    access: permission('NavigationAPI/DeleteNavigation'),
    input: byIds,
    reply: none,
  }),
  sort: put('/navigation/sort', {
    summary: '调整同级导航的顺序',
    access: permission('NavigationAPI/UpdateNavigation'),
    input: inOrder,
    reply: none,
  }),
}

const Friendlink = z.object({
  id,
  title: text(64, 1),
  link: href,
  description: or(text(2000), ''),
  sort: or(z.int(), 0),
  enable: or(flag, false),
  ...stamps,
})

const FriendlinkForm = z.omit(Friendlink, { id: true, created_at: true, updated_at: true })

export const friendlinks = {
  list: get('/friendlink/list', {
    summary: '友情链接列表',
    access: 'public',
    shared: true,
    input: listInput({ enable: many(flag) }),
    reply: page('friendlink', Friendlink),
  }),
  get: get('/friendlink', { summary: '查看友情链接', access: 'public', input: byId, reply: Friendlink }),
  create: post('/friendlink', {
    summary: '新增友情链接',
    access: permission('FriendlinkAPI/CreateFriendlink'),
    input: FriendlinkForm,
    reply: Friendlink,
  }),
  update: put('/friendlink', {
    summary: '修改友情链接',
    access: permission('FriendlinkAPI/UpdateFriendlink'),
    input: z.extend(FriendlinkForm, { id }),
    reply: none,
  }),
  patch: patch('/friendlink', {
    summary: '启用或停用友情链接',
    access: permission('FriendlinkAPI/UpdateFriendlink'),
    input: z.object({ id, enable: flag }),
    reply: none,
  }),
  delete: del('/friendlink', {
    summary: '删除友情链接',
    access: permission('FriendlinkAPI/DeleteFriendlink'),
    input: byIds,
    reply: none,
  }),
  sort: put('/friendlink/sort', {
    summary: '调整友情链接的顺序',
    access: permission('FriendlinkAPI/UpdateFriendlink'),
    input: inOrder,
    reply: none,
  }),
}

const Banner = z.object({
  id,
  title: text(255, 1),
  /** The picture. */
  path: href.check(z.minLength(1, '请上传图片')),
  /** Where a click leads. */
  url: or(href, ''),
  description: or(text(2000), ''),
  type: or(code(BannerType), BannerType.Website),
  sort: or(z.int(), 0),
  enable: or(flag, false),
  start_time: or(unsetTime, null),
  end_time: or(unsetTime, null),
  ...stamps,
})

const BannerForm = z.omit(Banner, { id: true, created_at: true, updated_at: true })

export const banners = {
  list: get('/banner/list', {
    summary: '横幅列表：type 为 0 是网站，1 是小程序，2 是 App',
    access: 'public',
    shared: true,
    input: listInput({ type: many(code(BannerType)), enable: many(flag) }),
    reply: page('banner', Banner),
  }),
  get: get('/banner', {
    summary: '查看横幅',
    access: permission('BannerAPI/GetBanner'),
    input: byId,
    reply: Banner,
  }),
  create: post('/banner', {
    summary: '新增横幅',
    access: permission('BannerAPI/CreateBanner'),
    input: BannerForm,
    reply: Banner,
  }),
  update: put('/banner', {
    summary: '修改横幅',
    access: permission('BannerAPI/UpdateBanner'),
    input: z.extend(BannerForm, { id }),
    reply: none,
  }),
  patch: patch('/banner', {
    summary: '启用或停用横幅',
    access: permission('BannerAPI/UpdateBanner'),
    input: z.object({ id, enable: flag }),
    reply: none,
  }),
  delete: del('/banner', {
    summary: '删除横幅',
    access: permission('BannerAPI/DeleteBanner'),
    input: byIds,
    reply: none,
  }),
  sort: put('/banner/sort', {
    summary: '调整同类横幅的顺序',
    access: permission('BannerAPI/UpdateBanner'),
    input: inOrder,
    reply: none,
  }),
}

const Advertisement = z.object({
  id,
  user_id: count(),
  position: text(64, 1),
  title: or(text(255), ''),
  content: text(20_000, 1),
  /** Its scripts run, in a sandboxed frame of an opaque origin: `adFramePath`. */
  allow_scripts: or(flag, false),
  remark: or(text(2000), ''),
  enable: or(flag, false),
  start_time: or(unsetTime, null),
  end_time: or(unsetTime, null),
  ...stamps,
})

const AdvertisementForm = z.extend(
  z.omit(Advertisement, { id: true, user_id: true, created_at: true, updated_at: true }),
  // Existing rows may have a position that is no longer offered.
  { position: worded(text(64, 1).check(z.refine(isAdPosition, '请选择广告位')), adPositionLabels) },
)

export const advertisements = {
  position: get('/advertisement/position', {
    summary: '各位置正在投放的广告',
    access: 'public',
    shared: true,
    input: z.object({ position: many(text(64)) }),
    reply: z.object({ advertisement: z.array(Advertisement) }),
  }),
  list: get('/advertisement/list', {
    summary: '广告列表',
    access: permission('AdvertisementAPI/ListAdvertisement'),
    input: listInput({ position: many(text(64)), enable: many(flag) }),
    reply: page('advertisement', Advertisement),
  }),
  get: get('/advertisement', {
    summary: '查看广告',
    access: permission('AdvertisementAPI/GetAdvertisement'),
    input: byId,
    reply: Advertisement,
  }),
  create: post('/advertisement', {
    summary: '新增广告',
    access: permission('AdvertisementAPI/CreateAdvertisement'),
    bodyLimit: 256 * 1024,
    input: AdvertisementForm,
    reply: Advertisement,
  }),
  update: put('/advertisement', {
    summary: '修改广告',
    access: permission('AdvertisementAPI/UpdateAdvertisement'),
    bodyLimit: 256 * 1024,
    input: z.extend(AdvertisementForm, { id }),
    reply: none,
  }),
  patch: patch('/advertisement', {
    summary: '启用或停用广告',
    access: permission('AdvertisementAPI/UpdateAdvertisement'),
    input: z.object({ id, enable: flag }),
    reply: none,
  }),
  delete: del('/advertisement', {
    summary: '删除广告',
    access: permission('AdvertisementAPI/DeleteAdvertisement'),
    input: byIds,
    reply: none,
  }),
}
