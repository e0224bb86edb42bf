import * as z from 'zod/mini'
import { del, get, permission, post, put } from '../endpoint.ts'
import { ReplacementStatus } from '../enums.ts'
import { byId, code, count, id, listInput, many, none, or, page, text, unsetTime } from '../fields.ts'

const StoredFile = z.object({ name: z.string(), ext: z.string(), size: count(Number.MAX_SAFE_INTEGER) })

/** A file that takes the place of a document's file: the document keeps its address, comments and sales. */
export const Replacement = z.object({
  id,
  document_id: id,
  document_uuid: z.string(),
  document_title: z.string(),
  user_id: count(),
  username: z.string(),
  status: code(ReplacementStatus),
  /** Why it was rejected, or cannot be shown. */
  reason: z.string(),
  file: StoredFile,
  /** What it has replaced; null until then. */
  former: z.nullable(StoredFile),
  reviewer: z.string(),
  created_at: unsetTime,
  /** When it was published, rejected, withdrawn … */
  ended_at: unsetTime,
})
export type Replacement = z.output<typeof Replacement>

export const replacements = {
  create: post('/document/replacement', {
    summary: '用新上传的文件替换文档的文件；地址、评论和销量不变',
    access: 'member',
    staffMayActForOthers: true,
    input: z.object({ document_id: id, attachment_id: id }),
    reply: Replacement,
  }),
  ofDocument: get('/document/replacement', {
    summary: '一份文档的文件替换记录，最新的在前：只有作者和管理人员可见',
    access: 'member',
    input: z.object({ document_id: id }),
    reply: z.object({ replacement: z.array(Replacement) }),
  }),
  withdraw: del('/document/replacement', {
    summary: '撤回还没有生效的替换',
    access: 'member',
    staffMayActForOthers: true,
    input: byId,
    reply: none,
  }),
  list: get('/document/replacement/list', {
    summary: '全部文件替换记录',
    access: permission('DocumentAPI/CheckDocument'),
    input: listInput({ status: many(code(ReplacementStatus)) }),
    reply: page('replacement', Replacement),
  }),
  approve: put('/document/replacement/approve', {
    summary: '通过新文件：转换完成后生效',
    access: permission('DocumentAPI/CheckDocument'),
    input: byId,
    reply: none,
  }),
  reject: put('/document/replacement/reject', {
    summary: '不通过新文件：文档保持原来的文件',
    access: permission('DocumentAPI/CheckDocument'),
    input: z.object({ id, reason: or(text(500), '') }),
    reply: none,
  }),
}
