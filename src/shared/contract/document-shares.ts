import * as z from 'zod/mini'
import { del, get, post } from '../endpoint.ts'
import { byIds, count, flag, id, none, or, text, time, unsetTime } from '../fields.ts'

export const Share = z.object({
  id,
  document_id: id,
  /** Its page is `/share/{token}`. */
  token: z.string(),
  has_password: flag,
  ends_at: unsetTime,
  is_ended: flag,
  /** Whether `downloads_left` counts. */
  is_limited: flag,
  downloads_left: count(),
  download_count: count(),
  created_at: time,
})
export type Share = z.output<typeof Share>

export const documentShares = {
  list: get('/document/share', {
    summary: '一份文档的分享链接，最新的在前',
    access: 'member',
    input: z.object({ document_id: id }),
    reply: z.object({ share: z.array(Share) }),
  }),
  create: post('/document/share', {
    summary: '新建分享链接；文档须为“凭链接”可见',
    access: 'member',
    staffMayActForOthers: true,
    input: z.object({
      document_id: id,
      password: or(text(64), ''),
      ends_at: or(unsetTime, null),
      /** How many downloads it allows; missing for any number, 0 for none. */
      downloads: z.optional(count(1_000_000)),
    }),
    reply: Share,
  }),
  end: del('/document/share', {
    summary: '使分享链接失效',
    access: 'member',
    staffMayActForOthers: true,
    input: byIds,
    reply: none,
  }),
  open: post('/document/share/open', {
    summary: '打开分享链接；之后的请求在 X-Share-Key 里带上 key',
    access: 'public',
    input: z.object({ token: text(64, 1), password: or(text(64), '') }),
    reply: z.object({
      /** Empty for viewers who may see the document without it. */
      key: z.string(),
      uuid: z.string(),
      ends_at: unsetTime,
      is_limited: flag,
      downloads_left: count(),
    }),
  }),
}
