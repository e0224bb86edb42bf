import * as z from 'zod/mini'
import { FollowTarget } from '../collections.ts'
import { del, get, post } from '../endpoint.ts'
import { code, count, flag, id, listInput, none, page, unsetTime } from '../fields.ts'

const target = z.object({ kind: code(FollowTarget), target_id: id })

const Follow = z.object({
  id,
  kind: code(FollowTarget),
  target_id: count(),
  /** The author's name, or the title of the category or collection. */
  title: z.string(),
  /** An author's signature, or a collection's description. */
  description: z.string(),
  /** An author's avatar, or a collection's first cover. */
  picture: z.string(),
  /** Its page; empty if the member may not see it any more. */
  href: z.string(),
  follower_count: count(),
  created_at: unsetTime,
})
export type Follow = z.output<typeof Follow>

const State = z.object({ following: flag, follower_count: count() })

export const follows = {
  create: post('/follow', {
    summary: '关注作者、分类或公开的文集；已经关注的不变',
    access: 'member',
    input: target,
    reply: State,
  }),
  delete: del('/follow', { summary: '取消关注', access: 'member', input: target, reply: none }),
  state: get('/follow', {
    summary: '我是否关注了它，以及有多少人关注',
    access: 'public',
    input: target,
    reply: State,
  }),
  list: get('/follow/list', {
    summary: '我的关注，新的在前',
    access: 'member',
    input: listInput({ kind: code(FollowTarget) }),
    reply: page('follow', Follow),
  }),
}
