import * as z from 'zod/mini'
import { isAdPosition } from '../ad-positions.ts'
import { del, get, permission, post, put } from '../endpoint.ts'
import {
  byId,
  byIds,
  color,
  count,
  flag,
  href,
  id,
  ids,
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

/** The rows of one list in their new order, first to last; those that are not named keep their places. */
const inOrder = byIds

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
  type: or(count(2), 0),
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
    input: listInput({ type: many(count(2)), enable: many(flag) }),
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
  remark: or(text(2000), ''),
  enable: or(flag, false),
  start_time: or(unsetTime, null),
  end_time: or(unsetTime, null),
  ...stamps,
})

const AdvertisementForm = z.extend(
  z.omit(Advertisement, { id: true, user_id: true, created_at: true, updated_at: true }),
  // Rows keep what they have, also where a position is not offered any more.
  { position: text(64, 1).check(z.refine(isAdPosition, '请选择广告位')) },
)

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
  parent_id: or(count(), 0),
  /** When creating: several lines are several categories. */
  title: text(64, 1),
  icon: or(href, ''),
  cover: or(href, ''),
  description: or(text(2000), ''),
  show_description: or(flag, false),
  doc_count: count(),
  sort: or(z.int(), 0),
  enable: or(flag, false),
  type: or(count(1), 0),
  ...stamps,
})
export type Category = z.output<typeof Category>

const CategoryForm = z.omit(Category, { id: true, doc_count: true, created_at: true, updated_at: true })

export const categories = {
  list: get('/category/list', {
    summary: '分类列表：type 为 0 是文档，1 是文章',
    access: 'public',
    input: listInput({ parent_id: many(count()), enable: many(flag), type: many(count(1)) }),
    reply: page('category', Category),
  }),
  get: get('/category', {
    summary: '查看分类',
    access: permission('CategoryAPI/GetCategory'),
    input: byId,
    reply: Category,
  }),
  create: post('/category', {
    summary: '新增分类；标题可以有多行，每行一个分类，已有的跳过',
    access: permission('CategoryAPI/CreateCategory'),
    input: z.extend(CategoryForm, { title: text(5000, 1) }),
    reply: none,
  }),
  update: put('/category', {
    summary: '修改分类；换了上级时，其中的文档随之归入新的上级',
    access: permission('CategoryAPI/UpdateCategory'),
    input: z.extend(CategoryForm, { id }),
    reply: none,
  }),
  delete: del('/category', {
    summary: '删除没有内容的分类和它的空下级',
    access: permission('CategoryAPI/DeleteCategory'),
    input: byIds,
    reply: none,
  }),
  sort: put('/category/sort', {
    summary: '调整同级分类的顺序',
    access: permission('CategoryAPI/UpdateCategory'),
    input: inOrder,
    reply: none,
  }),
}

const Language = z.object({
  id,
  language: text(64, 1),
  code: z
    .string('请输入语言代码')
    .check(z.trim(), z.regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, '语言代码如 zh-CN、en'), z.maxLength(16)),
  enable: or(flag, false),
  total: count(),
  sort: or(z.int(), 0),
  ...stamps,
})

const LanguageForm = z.omit(Language, { id: true, total: true, created_at: true, updated_at: true })

export const languages = {
  list: get('/language/list', {
    summary: '语言列表',
    access: 'public',
    input: listInput({ enable: many(flag) }),
    reply: page('language', Language),
  }),
  create: post('/language', {
    summary: '新增语言',
    access: permission('LanguageAPI/CreateLanguage'),
    input: LanguageForm,
    reply: Language,
  }),
  update: put('/language', {
    summary: '修改语言；代码不能改',
    access: permission('LanguageAPI/UpdateLanguage'),
    input: z.extend(z.omit(LanguageForm, { code: true }), { id }),
    reply: none,
  }),
  setStatus: put('/language/status', {
    summary: '启用或停用语言',
    access: permission('LanguageAPI/UpdateLanguageStatus'),
    input: z.object({ id: ids, enable: or(flag, false) }),
    reply: none,
  }),
  delete: del('/language', {
    summary: '删除语言',
    access: permission('LanguageAPI/DeleteLanguage'),
    input: byIds,
    reply: none,
  }),
}
