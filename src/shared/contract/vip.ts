import * as z from 'zod/mini'
import { get, permission, post, put } from '../endpoint.ts'
import { VipCard } from '../enums.ts'
import { code, count, id, listInput, many, none, or, page, period, text, unsetTime } from '../fields.ts'

export const UserVip = z.object({
  /** 0 where there is no card. */
  id: count(),
  type: code(VipCard),
  /** Documents marked VIP that may be taken free; 0 for any number. */
  download: count(),
  download_used: count(),
  /** Downloads a day; 0 for any number. */
  times: count(),
  /** Percent paid for other documents. */
  discount: count(100),
  joined_at: unsetTime,
  expired_at: unsetTime,
  order_no: z.string(),
})
export type UserVip = z.output<typeof UserVip>

const StaffUserVip = z.extend(UserVip, {
  user_id: count(),
  username: z.string(),
  /** Why staff granted or ended it. */
  reason: z.string(),
  created_at: unsetTime,
})
export type StaffUserVip = z.output<typeof StaffUserVip>

const reason = text(200, 1)

export const vip = {
  own: get('/user/vip', {
    summary: '我的 VIP 卡，新的在前',
    access: 'member',
    input: listInput({}),
    reply: page('user_vip', UserVip),
  }),
  active: get('/user/vip/active', {
    summary: '正在使用的 VIP 卡；没有时编号为 0',
    access: 'member',
    input: none,
    reply: UserVip,
  }),
  list: get('/uservip/list', {
    summary: '会员的 VIP 卡',
    access: permission('VIPAPI/ListVIP'),
    input: listInput({
      user_id: many(id),
      type: many(code(VipCard)),
      /** Running now, to come, or over. */
      state: or(z.enum(['', 'active', 'waiting', 'ended'], '不支持的状态'), ''),
      joined_at: period,
      expired_at: period,
    }),
    reply: page('user_vip', StaffUserVip),
  }),
  grant: post('/uservip', {
    summary: '为用户开通 VIP，接在已有的卡后面',
    access: permission('VIPAPI/CreateVIP'),
    input: z.object({ user_id: id, type: code(VipCard), reason }),
    reply: none,
  }),
  end: put('/uservip/end', {
    summary: '提前结束一张 VIP 卡，后面的卡随之提前',
    access: permission('VIPAPI/DeleteVIP'),
    input: z.object({ id, reason }),
    reply: none,
  }),
}
