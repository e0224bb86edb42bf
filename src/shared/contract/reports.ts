import * as z from 'zod/mini'
import { del, get, permission, post, put } from '../endpoint.ts'
import { allCodes } from '../codes.ts'
import { ReportReason } from '../enums.ts'
import { byIds, code, count, flag, id, listInput, many, none, or, page, text, unsetTime } from '../fields.ts'

const stamps = { created_at: unsetTime, updated_at: unsetTime }

const Report = z.object({
  id,
  document_id: count(),
  document_title: z.string(),
  document_uuid: z.string(),
  user_id: count(),
  username: z.string(),
  reason: code(ReportReason),
  /** Handled. */
  status: flag,
  remark: z.string(),
  ...stamps,
})

export const reports = {
  create: post('/report', {
    summary: '举报文档，每人每份一次',
    access: 'member',
    input: z.object({
      document_id: id,
      reason: z.literal(allCodes(ReportReason), '请选择举报原因'),
    }),
    reply: none,
  }),
  list: get('/report/list', {
    summary: '举报列表',
    access: permission('ReportAPI/ListReport'),
    input: listInput({ status: many(flag) }),
    reply: page('report', Report),
  }),
  update: put('/report', {
    summary: '处理举报',
    access: permission('ReportAPI/UpdateReport'),
    input: z.object({ id, status: or(flag, false), remark: or(text(255), '') }),
    reply: none,
  }),
  delete: del('/report', {
    summary: '删除举报',
    access: permission('ReportAPI/DeleteReport'),
    input: byIds,
    reply: none,
  }),
}
