import * as z from 'zod/mini'
import { del, get, post } from '../endpoint.ts'
import { ContentType } from '../enums.ts'
import { byIds, code, count, id, listInput, none, or, page, unsetTime } from '../fields.ts'

const stamps = { created_at: unsetTime, updated_at: unsetTime }

const Favorite = z.object({ id: count(), user_id: count(), document_id: count(), type: code(ContentType), ...stamps })
const FavoriteItem = z.extend(Favorite, {
  title: z.string(),
  /** A document's uuid or an article's identifier. */
  document_uuid: z.string(),
  ext: z.string(),
  score: count(500),
  size: count(Number.MAX_SAFE_INTEGER),
  pages: count(),
  cover: z.string(),
})

export const favorites = {
  create: post('/favorite', {
    summary: '收藏',
    access: 'member',
    input: z.object({ document_id: id, type: or(code(ContentType), ContentType.Document) }),
    reply: Favorite,
  }),
  delete: del('/favorite', { summary: '取消收藏', access: 'member', input: byIds, reply: none }),
  get: get('/favorite', {
    summary: '我是否收藏了它；没有时为空',
    access: 'member',
    input: z.object({ document_id: id, type: or(code(ContentType), ContentType.Document) }),
    reply: Favorite,
  }),
  list: get('/favorite/list', {
    summary: '我的收藏',
    access: 'member',
    input: listInput({ type: or(code(ContentType), ContentType.Document) }),
    reply: page('favorite', FavoriteItem),
  }),
}
