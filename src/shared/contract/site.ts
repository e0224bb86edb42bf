import * as z from 'zod/mini'
import { del, get, permission, post, put } from '../endpoint.ts'
import {
  byId,
  byIds,
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
} from '../fields.ts'

const stamps = { created_at: unsetTime, updated_at: unsetTime }

export const Navigation = z.object({
  id,
  title: text(255, 1),
  href: or(href, ''),
  target: or(z.enum(['_self', '_blank', '']), '_self'),
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

export const navigations = {
  list: get('/navigation/list', {
    summary: '导航列表',
    access: 'public',
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
  delete: del('/navigation', {
    summary: '删除导航和它的下级',
    access: permission('NavigationAPI/DeleteNavigation'),
    input: byIds,
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
  delete: del('/friendlink', {
    summary: '删除友情链接',
    access: permission('FriendlinkAPI/DeleteFriendlink'),
    input: byIds,
    reply: none,
  }),
}

const Advertisement = z.object({
  id,
  user_id: count(),
  position: text(64, 1),
  title: or(text(255), ''),
  content: text(20_000, 1),
  remark: or(text(2000), ''),
  enable: or(flag, false),
  start_time: or(unsetTime, null),
  end_time: or(unsetTime, null),
  ...stamps,
})

const AdvertisementForm = z.omit(Advertisement, { id: true, user_id: true, created_at: true, updated_at: true })

export const advertisements = {
  position: get('/advertisement/position', {
    summary: '各位置正在投放的广告',
    access: 'public',
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
    input: AdvertisementForm,
    reply: Advertisement,
  }),
  update: put('/advertisement', {
    summary: '修改广告',
    access: permission('AdvertisementAPI/UpdateAdvertisement'),
    input: z.extend(AdvertisementForm, { id }),
    reply: none,
  }),
  delete: del('/advertisement', {
    summary: '删除广告',
    access: permission('AdvertisementAPI/DeleteAdvertisement'),
    input: byIds,
    reply: none,
  }),
}

export const Category = z.object({
  id,
  parent_id: count(),
  title: z.string(),
  icon: z.string(),
  cover: z.string(),
  description: z.string(),
  show_description: flag,
  doc_count: count(),
  sort: z.int(),
  enable: flag,
  type: count(1),
  ...stamps,
})
export type Category = z.output<typeof Category>

export const categories = {
  list: get('/category/list', {
    summary: '分类列表：type 为 0 是文档，1 是文章',
    access: 'public',
    input: listInput({ parent_id: many(count()), enable: many(flag), type: many(count(1)) }),
    reply: page('category', Category),
  }),
}
