import * as z from 'zod/mini'
import { del, get, permission, post } from '../endpoint.ts'
import { byIds, count, email, flag, id, ids, listInput, none, or, page, password, text, unsetTime } from '../fields.ts'
import { SignedIn } from './user.ts'

const Invitation = z.object({
  id,
  /** Empty for a link that is handed over. */
  email: z.string(),
  group_id: z.array(id),
  /** The end of the membership in the groups. */
  member_until: unsetTime,
  /** The inviter. */
  user_id: count(),
  username: z.string(),
  expires_at: unsetTime,
  used_at: unsetTime,
  /** The member who accepted the invitation. */
  used_by: count(),
  used_name: z.string(),
  withdrawn_at: unsetTime,
  created_at: unsetTime,
})
export type Invitation = z.output<typeof Invitation>

const token = text(128, 1)
const access = permission('UserAPI/AddUser')

/** Somebody becomes a member of groups by a link, and chooses name and password. */
export const invitations = {
  create: post('/invitation', {
    summary: '邀请：写邮箱就把链接寄过去，不写就得到一个链接；链接只能用一次',
    access,
    proof: 'enrolled',
    input: z.object({
      group_id: ids,
      email: or(z.union([email, z.literal('')]), ''),
      member_until: or(unsetTime, null),
      /** How long the link is good. */
      days: or(z.int().check(z.gte(1, '至少 1 天'), z.lte(30, '最多 30 天')), 7),
    }),
    /** Once; empty for one that is mailed, as it proves the address. */
    reply: z.object({ id, link: z.string() }),
  }),
  list: get('/invitation/list', {
    summary: '邀请列表',
    access: permission('UserAPI/ListUser'),
    input: listInput({}),
    reply: page('invitation', Invitation),
  }),
  withdraw: del('/invitation', {
    summary: '撤回还没有用过的邀请',
    access,
    input: byIds,
    reply: none,
  }),
  look: post('/invitation/look', {
    summary: '查看收到的邀请',
    access: 'open',
    input: z.object({ token }),
    reply: z.object({
      username: z.string(),
      group: z.array(z.string()),
      email: z.string(),
      member_until: unsetTime,
      expires_at: unsetTime,
      /** Two-step verification is asked of staff: it follows. */
      second_factor: flag,
    }),
  }),
  accept: post('/invitation/accept', {
    summary: '接受邀请：自己起用户名、设密码，随即登录',
    access: 'open',
    input: z.object({ token, username: text(64, 1), password }),
    reply: SignedIn,
  }),
}
