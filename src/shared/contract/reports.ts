import * as z from 'zod/mini'
import { del, get, permission, post, put } from '../endpoint.ts'
import { DocumentStatus } from '../document-status.ts'
import { Punishment, ReportOutcome, ReportReason } from '../enums.ts'
import {
  byId,
  byIds,
  code,
  count,
  file,
  flag,
  id,
  ids,
  listInput,
  many,
  none,
  or,
  page,
  period,
  text,
  unsetTime,
} from '../fields.ts'

const stamps = { created_at: unsetTime, updated_at: unsetTime }

/** How many files may prove a report. */
export const maxProofs = 5

const Report = z.object({
  id,
  document_id: count(),
  document_title: z.string(),
  document_uuid: z.string(),
  user_id: count(),
  username: z.string(),
  reason: code(ReportReason),
  /** The reporter's own words. */
  content: z.string(),
  /** Handled. */
  status: flag,
  outcome: code(ReportOutcome),
  /** For staff alone; the answer is for the reporter. */
  remark: z.string(),
  answer: z.string(),
  ...stamps,
})

const OwnReport = z.omit(Report, { user_id: true, username: true, remark: true })
export type OwnReport = z.output<typeof OwnReport>

const InboxReport = z.extend(z.omit(Report, { document_id: true, document_title: true, document_uuid: true }), {
  /** Who handled it. */
  handled_by: z.string(),
  /** Contact and proofs are for staff who may handle reports. */
  contact: z.string(),
  proof: z.array(z.object({ id, name: z.string(), ext: z.string(), size: count() })),
})
export type InboxReport = z.output<typeof InboxReport>

const ReportedDocument = z.object({
  uuid: z.string(),
  title: z.string(),
  ext: z.string(),
  pages: count(),
  cover: z.string(),
  status: code(DocumentStatus),
  /** In the recycle bin. */
  is_deleted: flag,
  user_id: count(),
  username: z.string(),
})

const InboxEntry = z.object({
  /** Of the document. */
  id,
  /** As it was when it was reported first. */
  title: z.string(),
  /** Null once it is gone for good. */
  document: z.nullable(ReportedDocument),
  report_count: count(),
  open_count: count(),
  /** Open ones first; at most fifty. */
  report: z.array(InboxReport),
})
export type InboxEntry = z.output<typeof InboxEntry>

export const reports = {
  create: post('/report', {
    summary: '举报文档，每人每份一次；侵犯版权（7）须留联系方式，可附证明文件（先用 POST /upload/report 上传）',
    access: 'member',
    input: z.object({
      document_id: id,
      reason: code(ReportReason, '请选择举报原因'),
      content: or(text(1000), ''),
      contact: or(text(100), ''),
      proof: or(z.array(id).check(z.maxLength(maxProofs, `最多 ${maxProofs} 个证明文件`)), []),
    }),
    reply: none,
  }),
  own: get('/user/report', {
    summary: '我的举报和处理结果，新的在前',
    access: 'member',
    input: listInput({}),
    reply: page('report', OwnReport),
  }),
  list: get('/report/list', {
    summary: '举报列表',
    access: permission('ReportAPI/ListReport'),
    input: listInput({ status: many(flag), user_id: many(id), created_at: period }),
    reply: page('report', Report),
  }),
  inbox: get('/report/inbox', {
    summary: '按文档汇总的举报：待处理的多的在前；已处理的新的在前',
    access: permission('ReportAPI/ListReport'),
    input: listInput({ status: many(flag), reason: many(code(ReportReason)) }),
    reply: page('entry', InboxEntry),
  }),
  proof: get('/report/proof', {
    summary: '下载举报的证明文件',
    access: permission('ReportAPI/UpdateReport'),
    input: byId,
    reply: file,
  }),
  handle: put('/report/handle', {
    summary: '处理同一份文档的举报：禁用或删除文档、处罚上传者、答复举报人；已处理的举报不变',
    access: permission('ReportAPI/UpdateReport'),
    input: z.object({
      id: ids,
      outcome: code(ReportOutcome),
      /** Of the uploader. */
      punishment: many(code(Punishment)),
      punishment_reason: or(text(2000), ''),
      punishment_end: or(unsetTime, null),
      answer: or(text(1000), ''),
      remark: or(text(255), ''),
    }),
    reply: none,
  }),
  reopen: put('/report/reopen', {
    summary: '把举报改回待处理',
    access: permission('ReportAPI/UpdateReport'),
    input: byIds,
    reply: none,
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
