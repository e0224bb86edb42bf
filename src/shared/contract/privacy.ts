import * as z from 'zod/mini'
import { del, get, post } from '../endpoint.ts'
import { count, flag, none, or, unsetTime } from '../fields.ts'

/** The life of an export; `none` if there never was one. */
const exportStates = ['none', 'waiting', 'running', 'ready', 'failed', 'expired'] as const

const DataExport = z.object({
  state: z.enum(exportStates),
  /** How many of its files are written. */
  done: count(),
  total: count(),
  /** In bytes. */
  size: z.int(),
  created_at: unsetTime,
  /** Until when it can be downloaded. */
  expires_at: unsetTime,
  /** From when another can be requested; null for now. */
  next_at: unsetTime,
  /** Followed by the browser, for a few minutes and in this session alone; empty unless it is ready. */
  link: z.string(),
})
export type DataExport = z.output<typeof DataExport>

const DeletionPreview = z.object({
  /** Null unless it was requested. */
  due_at: unsetTime,
  keep_content: flag,
  /** Without a password, the second factor is the proof. */
  has_password: flag,
  /** Why the account cannot be deleted; empty if it can. */
  obstacle: z.string(),
  /** The waiting period. */
  days: count(),
  document_count: count(),
  /** Of these, how many stay if public content is kept. */
  public_document_count: count(),
  /** Bought by others. */
  sold_document_count: count(),
  article_count: count(),
  public_article_count: count(),
  comment_count: count(),
  credit_count: z.int(),
  vip_until: unsetTime,
  /** Waiting for payment or for a refund: the deletion waits for them. */
  open_order_count: count(),
})
export type DeletionPreview = z.output<typeof DeletionPreview>

export const privacy = {
  identity: get('/user/identity', {
    summary: '真实姓名和身份证号的原文；查看他人的需要权限，每次查看都有记录',
    access: 'self',
    input: z.object({ id: or(count(), 0) }),
    reply: z.object({ realname: z.string(), identity: z.string() }),
  }),
  requestExport: post('/user/export', {
    summary: '导出我的数据',
    access: 'self',
    proof: 'enrolled',
    input: none,
    reply: DataExport,
  }),
  getExport: get('/user/export', {
    summary: '我最近一次导出的进度和下载链接',
    access: 'self',
    input: none,
    reply: DataExport,
  }),
  deletion: get('/user/deletion', {
    summary: '注销账号会发生什么，是否已经申请',
    access: 'self',
    input: none,
    reply: DeletionPreview,
  }),
  requestDeletion: post('/user/deletion', {
    summary: '申请注销账号；keep_content 为保留公开的文档和文章',
    access: 'self',
    proof: 'enrolled',
    input: z.object({ password: z.string().check(z.maxLength(128)), keep_content: or(flag, true) }),
    reply: DeletionPreview,
  }),
  cancelDeletion: del('/user/deletion', { summary: '取消注销账号', access: 'self', input: none, reply: none }),
}
