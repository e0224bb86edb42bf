import * as z from 'zod/mini'
import { get, put } from '../endpoint.ts'
import { count, flag, id, listInput, none, page, unsetTime } from '../fields.ts'

const Sign = z.object({
  id,
  user_id: count(),
  /** The day at the site, yyyymmdd. */
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
  /** The same in words. */
  title: z.string(),
  /** What it was about, and where that is; empty when it is gone. */
  subject: z.string(),
  href: z.string(),
  created_at: unsetTime,
})
export type CreditEntry = z.output<typeof CreditEntry>

export const credits = {
  sign: put('/user/sign', { summary: '每日签到', access: 'member', input: none, reply: Sign }),
  signed: get('/user/sign', {
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
}

const Dynamic = z.object({
  id,
  user_id: count(),
  /** See `dynamicType`. */
  type: count(),
  /** As HTML, for clients that show it so. */
  content: z.string(),
  /** The same in parts: what was done, to what, where that is, and the credits it brought. */
  action: z.string(),
  subject: z.string(),
  href: z.string(),
  amount: z.int(),
  created_at: unsetTime,
})
export type Dynamic = z.output<typeof Dynamic>

export const dynamics = {
  list: get('/user/dynamic', {
    summary: '我的动态，新的在前',
    access: 'member',
    input: listInput({}),
    reply: page('dynamic', Dynamic),
  }),
}
