import * as z from 'zod/mini'
import { del, get, post } from '../endpoint.ts'
import { byId, count, flag } from '../fields.ts'

const Like = z.object({
  /** Whether the member likes the article. */
  liked: flag,
  like_count: count(),
})

export const articleLikes = {
  get: get('/article/like', { summary: '我是否点过赞', access: 'member', input: byId, reply: Like }),
  create: post('/article/like', { summary: '给文章点赞；再次点赞不变', access: 'member', input: byId, reply: Like }),
  delete: del('/article/like', { summary: '取消点赞', access: 'member', input: byId, reply: Like }),
}
