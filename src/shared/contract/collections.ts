import * as z from 'zod/mini'
import { CollectionVisibility } from '../collections.ts'
import { del, get, permission, post, put } from '../endpoint.ts'
import { ContentType, ReviewStatus } from '../enums.ts'
import {
  byIds,
  code,
  count,
  flag,
  id,
  ids,
  listInput,
  many,
  none,
  or,
  page,
  period,
  text,
  unsetTime,
} from '../fields.ts'
import { PublicUser } from './user.ts'

export const maxCollectionTitle = 60
export const maxCollectionDescription = 500
export const maxItemNote = 200

const Collection = z.object({
  id,
  /** In its address. */
  uuid: z.string(),
  title: z.string(),
  /** Plain text. */
  description: z.string(),
  visibility: code(CollectionVisibility),
  status: code(ReviewStatus),
  /** For its owner and the staff. */
  reject_reason: z.string(),
  user_id: count(),
  user: PublicUser,
  /** Items that the viewer may see. */
  item_count: count(),
  follower_count: count(),
  /** Of the first items that have one. */
  cover: z.array(z.string()),
  created_at: unsetTime,
  updated_at: unsetTime,
})
export type Collection = z.output<typeof Collection>

const CollectionItem = z.object({
  id,
  type: code(ContentType),
  /** Of the document or article. */
  content_id: count(),
  title: z.string(),
  /** A document's uuid or an article's identifier. */
  uuid: z.string(),
  description: z.string(),
  ext: z.string(),
  pages: count(),
  cover: z.string(),
  author: z.string(),
  user_id: count(),
  /** Whether everyone may see it; if not, readers of the collection may see fewer items than its owner. */
  is_public: flag,
  /** Why it is here, by the collection's owner. */
  note: z.string(),
  created_at: unsetTime,
})
export type CollectionItem = z.output<typeof CollectionItem>

const Content = z.object({ type: or(code(ContentType), ContentType.Document), content_id: id })

const title = text(maxCollectionTitle, 1)
const description = or(text(maxCollectionDescription), '')
const note = or(text(maxItemNote), '')

const uuid = text(64, 1)

export const collections = {
  create: post('/collection', {
    summary: '新建文集，可以连同第一项内容',
    access: 'member',
    input: z.object({
      title,
      description,
      visibility: or(code(CollectionVisibility), CollectionVisibility.Public),
      item: many(Content),
    }),
    reply: Collection,
  }),
  update: put('/collection', {
    summary: '修改我的文集',
    access: 'member',
    input: z.object({ id, title, description, visibility: code(CollectionVisibility) }),
    reply: Collection,
  }),
  delete: del('/collection', {
    summary: '删除文集；其中的文档和文章不受影响',
    access: 'member',
    staffMayActForOthers: true,
    input: byIds,
    reply: none,
  }),
  get: get('/collection', {
    summary: '查看文集',
    access: 'public',
    input: z.object({ uuid }),
    reply: Collection,
  }),
  list: get('/collection/list', {
    summary: '公开的文集：latest 新的在前，popular 关注多的在前；可以只列出一个用户的',
    access: 'public',
    shared: true,
    input: listInput({ user_id: or(count(), 0) }),
    reply: page('collection', Collection),
  }),
  own: get('/collection/own', {
    summary: '我的文集',
    access: 'member',
    input: listInput({}),
    reply: page('collection', Collection),
  }),
  holding: get('/collection/holding', {
    summary: '我的文集，以及各自是否收录了这份文档或文章',
    access: 'member',
    input: Content,
    reply: z.object({
      collection: z.array(
        z.object({
          id,
          uuid: z.string(),
          title: z.string(),
          visibility: code(CollectionVisibility),
          item_count: count(),
          /** Of the item; 0 if the collection does not have it. */
          item_id: count(),
        }),
      ),
    }),
  }),
  items: get('/collection/item/list', {
    summary: '文集的内容，按其顺序；只有浏览者可以看到的',
    access: 'public',
    input: listInput({ uuid }),
    reply: page('item', CollectionItem),
  }),
  addItems: post('/collection/item', {
    summary: '把文档或文章加入我的文集；已经在里面的不变',
    access: 'member',
    input: z.object({
      collection_id: id,
      item: z.array(Content).check(z.minLength(1, '请至少选择一项'), z.maxLength(100, '一次最多加入 100 项')),
      note,
    }),
    reply: z.object({ id: z.array(id) }),
  }),
  updateItem: put('/collection/item', {
    summary: '修改一项内容的附注',
    access: 'member',
    input: z.object({ id, note }),
    reply: none,
  }),
  removeItems: del('/collection/item', {
    summary: '从我的文集移除内容',
    access: 'member',
    input: byIds,
    reply: none,
  }),
  reorderItems: put('/collection/item/order', {
    summary: '把文集的内容排成给出的顺序；没有给出的留在原位',
    access: 'member',
    input: z.object({ collection_id: id, id: ids }),
    reply: none,
  }),
  manage: get('/collection/manage', {
    summary: '全部文集，供管理人员',
    access: permission('CollectionAPI/ListCollection'),
    input: listInput({
      user_id: or(count(), 0),
      status: many(code(ReviewStatus)),
      visibility: many(code(CollectionVisibility)),
      created_at: period,
    }),
    reply: page('collection', Collection),
  }),
  review: post('/collection/check', {
    summary: '审核文集：0 待审核，1 通过，2 不通过（只有作者和管理人员能看到）',
    access: permission('CollectionAPI/CheckCollection'),
    input: z.object({ id: ids, status: code(ReviewStatus), reason: or(text(500), '') }),
    reply: none,
  }),
}
