import * as z from 'zod/mini'
import { get, permission, post, put } from '../endpoint.ts'
import { count, flag, id, listInput, none, page, text, unsetTime } from '../fields.ts'

const Sign = z.object({
  id,
  user_id: count(),
  /** The day in the site's time zone, yyyymmdd. */
  sign_at: count(),
  award: count(),
  /** Days in a row, this one included. */
  streak: count(),
  ip: z.string(),
  created_at: unsetTime,
})
export type Sign = z.output<typeof Sign>

const CreditEntry = z.object({
  id,
  amount: z.int(),
  /** After it. */
  balance: z.int(),
  reason: z.string(),
  /** The reason's label. */
  title: z.string(),
  /** The document it is about, and its address; empty when the document is gone. */
  subject: z.string(),
  href: z.string(),
  /** Why staff granted or took it. */
  note: z.string(),
  created_at: unsetTime,
})
export type CreditEntry = z.output<typeof CreditEntry>

/** Of one adjustment by staff. */
export const maxAdjustment = 1_000_000

export const credits = {
  checkIn: put('/user/sign', { summary: '每日签到', access: 'member', input: none, reply: Sign }),
  todaysCheckIn: get('/user/sign', {
    summary: '今天的签到；还没有签到时为 404',
    access: 'member',
    input: none,
    reply: Sign,
  }),
  streak: get('/user/sign/streak', {
    summary: '今天是否签到、连续多少天、签到得多少',
    access: 'member',
    input: none,
    reply: z.object({ signed: flag, streak: count(), award: count() }),
  }),
  entries: get('/user/credit', {
    summary: '我的积分明细，新的在前',
    access: 'member',
    input: listInput({}),
    reply: page('entry', CreditEntry),
  }),
  adjust: post('/user/credit', {
    summary: '增减用户的积分：amount 为负是扣除，不会低于 0；key 相同的请求只算一次',
    access: permission('UserAPI/AdjustUserCredit'),
    input: z.object({
      user_id: id,
      amount: z.int('请输入整数').check(z.gte(-maxAdjustment, '数量太大'), z.lte(maxAdjustment, '数量太大')),
      /** The member sees it. */
      reason: text(200, 1),
      key: text(64, 8),
    }),
    reply: z.object({ balance: z.int() }),
  }),
}
