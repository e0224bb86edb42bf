import * as z from 'zod/mini'
import { del, get, permission, post, put } from '../endpoint.ts'
import { DownloadCodeKind } from '../enums.ts'
import { byId, byIds, code, count, id, listInput, many, none, or, page, period, text, unsetTime } from '../fields.ts'

/** Codes that were made together, for the same thing. */
const Batch = z.object({
  id,
  kind: code(DownloadCodeKind),
  count: count(),
  used_count: count(),
  /** The highest price of a document in credits; 0 for any. */
  max_price: count(),
  document_id: z.array(id),
  credits: count(),
  valid_from: unsetTime,
  valid_until: unsetTime,
  note: z.string(),
  /** Who made it. */
  user_id: count(),
  username: z.string(),
  created_at: unsetTime,
  voided_at: unsetTime,
})
export type DownloadCodeBatch = z.output<typeof Batch>

const UsedCode = z.object({
  id,
  batch_id: id,
  kind: code(DownloadCodeKind),
  note: z.string(),
  user_id: count(),
  username: z.string(),
  order_no: z.string(),
  product_name: z.string(),
  /** Of the order, in credits. */
  amount: count(),
  used_at: unsetTime,
})

const maxCodes = 10_000

export const codes = {
  list: get('/downloadcode/list', {
    summary: '下载码的批次，新的在前',
    access: permission('DownloadCodeAPI/ListDownloadCode'),
    input: listInput({ kind: many(code(DownloadCodeKind)), created_at: period }),
    reply: page('batch', Batch),
  }),
  create: post('/downloadcode', {
    summary: '生成一批下载码；只有这一次的回复里有它们',
    access: permission('DownloadCodeAPI/CreateDownloadCode'),
    input: z.object({
      kind: code(DownloadCodeKind),
      count: count(maxCodes).check(z.positive('至少生成一个')),
      max_price: or(count(), 0),
      document_id: many(id),
      credits: or(count(10_000_000), 0),
      valid_from: or(unsetTime, null),
      valid_until: or(unsetTime, null),
      note: or(text(200), ''),
    }),
    reply: z.object({ id, code: z.array(z.string()) }),
  }),
  void: put('/downloadcode/void', {
    summary: '作废一批下载码，用过的不受影响',
    access: permission('DownloadCodeAPI/DeleteDownloadCode'),
    input: byId,
    reply: none,
  }),
  delete: del('/downloadcode', {
    summary: '删除一个也没有用过的批次',
    access: permission('DownloadCodeAPI/DeleteDownloadCode'),
    input: byIds,
    reply: none,
  }),
  used: get('/downloadcode/used/list', {
    summary: '用过的下载码：谁、何时、哪个订单；wd 可以是一个下载码',
    access: permission('DownloadCodeAPI/ListDownloadCode'),
    input: listInput({ batch_id: many(id), user_id: many(id), used_at: period }),
    reply: page('code', UsedCode),
  }),
  redeem: post('/code/redeem', {
    summary: '用下载码换取积分，得到一个已支付的订单',
    access: 'member',
    input: z.object({ code: text(40, 1) }),
    reply: z.object({ order_no: z.string(), credits: count() }),
  }),
}
