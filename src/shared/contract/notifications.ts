import * as z from 'zod/mini'
import { del, get, post, put } from '../endpoint.ts'
import { NotificationKind, NotificationMail } from '../notification-kinds.ts'
import { byIds, code, count, flag, id, listInput, many, none, or, page, text, time } from '../fields.ts'

const Notification = z.object({
  id,
  kind: code(NotificationKind),
  /** What happened, as a sentence; of several events of one kind about one thing, all in one. */
  title: z.string(),
  /** The comment, or the reason or answer of staff; empty if there is none, or the member may not see it any more. */
  excerpt: z.string(),
  /** The page to go to; empty if there is none any more. */
  href: z.string(),
  /** What it is about was deleted or hidden from the member since. */
  is_gone: flag,
  /** A refusal or a restriction that the member may still answer, once. */
  can_answer: flag,
  is_read: flag,
  /** When the latest of its events happened. */
  created_at: time,
})
export type Notification = z.output<typeof Notification>

const Choice = z.object({ kind: code(NotificationKind), mail: code(NotificationMail) })
export type NotificationChoice = z.output<typeof Choice>

/** A member's notifications. Each member has their own alone. */
export const notifications = {
  list: get('/notification/list', {
    summary: '我的通知，新的在前；同一件事的多个未读通知合为一条',
    access: 'member',
    input: listInput({ unread: or(flag, false), kind: many(code(NotificationKind)) }),
    reply: page('notification', Notification),
  }),
  unread: get('/notification/unread', {
    summary: '未读通知数，最多数到 100',
    access: 'member',
    input: none,
    reply: z.object({ count: count() }),
  }),
  read: put('/notification/read', {
    summary: '标为已读：给出的通知，或者全部',
    access: 'member',
    input: z.object({ id: many(id), all: or(flag, false) }),
    reply: none,
  }),
  answer: post('/notification/answer', {
    summary: '对审核不通过、停用或处罚提出异议：转给处理的人和站长，每件事一次',
    access: 'member',
    input: z.object({ id, content: text(1000, 1) }),
    reply: none,
  }),
  delete: del('/notification', { summary: '删除我的通知', access: 'member', input: byIds, reply: none }),
  choices: get('/notification/choice', {
    summary: '各种通知的邮件方式；email 为空时没有邮箱，can_mail 表示网站会发通知邮件',
    access: 'member',
    input: none,
    reply: z.object({ choice: z.array(Choice), email: z.string(), can_mail: flag }),
  }),
  choose: put('/notification/choice', {
    summary: '更改通知的邮件方式；没有给出的种类不变',
    access: 'member',
    input: z.object({ choice: z.array(Choice).check(z.minLength(1, '请至少选择一项'), z.maxLength(50)) }),
    reply: none,
  }),
  subscription: post('/notification/subscription', {
    summary: '退订链接会停发哪些种类的邮件',
    access: 'open',
    input: z.object({ token: or(text(2000), '') }),
    reply: z.object({ username: z.string(), kind: z.array(code(NotificationKind)) }),
  }),
  unsubscribe: post('/notification/unsubscribe', {
    summary: '凭邮件里的退订链接停发邮件，不需要登录；all 停发全部种类',
    access: 'open',
    input: z.object({ token: or(text(2000), ''), all: or(flag, false) }),
    reply: none,
  }),
}
