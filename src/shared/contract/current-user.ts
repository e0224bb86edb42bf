import * as z from 'zod/mini'
import { del, get } from '../endpoint.ts'
import { count, flag, id, none, or } from '../fields.ts'
import { Group } from './group.ts'
import { User } from './user.ts'

/** What every page asks about its user; apart from the other endpoints of users, so that no page loads those for it. */
export const currentUser = {
  logout: del('/user/logout', { summary: '退出登录', access: 'open', input: none, reply: none }),
  get: get('/user', {
    summary: '用户资料；不带编号时为自己',
    access: 'public',
    input: z.object({ id: or(count(), 0) }),
    reply: User,
  }),
  permission: get('/user/permission', {
    summary: '我的权限',
    access: 'self',
    input: none,
    reply: z.object({
      permission: z.array(z.object({ id, method: z.string(), path: z.string(), title: z.string() })),
      /** None of them can be used before two-step verification is on. */
      second_factor_owed: flag,
      /** Another person set the password: the member can do nothing before changing it. */
      password_owed: flag,
      /** Payments are being tried out, and this member may. */
      may_try_paying: flag,
    }),
  }),
  group: get('/user/group', {
    summary: '我的用户组',
    access: 'self',
    input: none,
    reply: z.object({ group: z.array(Group) }),
  }),
}
