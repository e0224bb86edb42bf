import * as z from 'zod/mini'
import { get, permission } from '../endpoint.ts'
import { byId, count, flag, id, listInput, page, text, unsetTime } from '../fields.ts'

const Download = z.object({
  id,
  user_id: count(),
  document_id: count(),
  document_uuid: z.string(),
  title: z.string(),
  ext: z.string(),
  score: count(500),
  size: count(Number.MAX_SAFE_INTEGER),
  pages: count(),
  price: count(),
  is_pay: flag,
  ip: z.string(),
  created_at: unsetTime,
  updated_at: unsetTime,
})

export const downloads = {
  terms: get('/document/terms', {
    summary: '下载的条件：要付多少，有多少，今天还能下载几次',
    access: 'public',
    input: byId,
    reply: z.object({
      price: count(),
      /** What this viewer would pay now. */
      cost: count(),
      /** Free for members with a VIP card, within its number. */
      is_vip: flag,
      /** With this viewer's card, else with the best card that the site sells; the price where it sells none. */
      vip_price: count(),
      has_card: flag,
      /** Free documents left on this viewer's card; -1 for any number. */
      vip_left: z.int(),
      balance: z.int(),
      owned: flag,
      bought: flag,
      /** Reads every page online: the document is free, bought or covered by a card. */
      reads_all: flag,
      /** Paying opens the pages that this viewer cannot read yet. */
      opens_rest: flag,
      /** Downloads left today; -1 for any number. */
      left: z.int(),
      /** Downloads left on the share link that alone opens the document; -1 for any number, or where there is none. */
      share_left: z.int(),
      /** This viewer has downloaded it by the share link just now: while the address is good, again counts no second time. */
      is_repeat: flag,
      /** How many seconds the address of a download is good for. */
      url_seconds: count(),
      /** Why it cannot be downloaded; empty when it can. */
      refusal: z.string(),
      reason: z.string(),
      /** Where credits are lacking: what a check-in and an upload give this member today; 0 for nothing. */
      check_in_reward: count(),
      upload_reward: count(),
    }),
  }),
  bought: get('/document/bought', {
    summary: '这些文档里，本人已经购买、可以免费下载的',
    access: 'member',
    input: z.object({
      uuid: z.array(text(64, 1)).check(z.minLength(1, '请至少给出一份'), z.maxLength(200, '一次最多 200 份')),
    }),
    reply: z.object({ uuid: z.array(z.string()) }),
  }),
  download: get('/document/download', {
    summary: '下载：检查、扣积分，得到限时的下载地址；给了 cost 就不会付得更多',
    access: 'public',
    input: z.extend(byId, { cost: z.optional(count()) }),
    reply: z.object({ url: z.string() }),
  }),
  downloadVip: get('/document/download/vip', {
    summary: '用 VIP 卡免费下载 VIP 文档',
    access: 'member',
    input: byId,
    reply: z.object({ url: z.string() }),
  }),
  downloadForReview: get('/document/download/bereviewed', {
    summary: '下载待审核、未通过或已禁用的文档',
    access: permission('DocumentAPI/DownloadDocumentToBeReviewed'),
    input: byId,
    reply: z.object({ url: z.string() }),
  }),
  downloadReplacement: get('/document/download/replacement', {
    summary: '下载等待审核的新文件',
    access: permission('DocumentAPI/DownloadDocumentToBeReviewed'),
    input: byId,
    reply: z.object({ url: z.string() }),
  }),
  list: get('/user/download', {
    summary: '我的下载',
    access: 'member',
    input: listInput({}),
    reply: page('download', Download),
  }),
}
