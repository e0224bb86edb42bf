import * as z from 'zod/mini'
import { get, permission } from '../endpoint.ts'
import { count, file, id, listInput, many, page, period, text, unsetTime } from '../fields.ts'

const AuditEntry = z.object({
  id,
  user_id: count(),
  username: z.string(),
  ip: z.string(),
  /** The part of the contract, and the endpoint in it. */
  area: z.string(),
  action: z.string(),
  /** Both in words. */
  area_title: z.string(),
  title: z.string(),
  /** The act and its target in words: 通过了文档《…》. */
  sentence: z.string(),
  target_id: z.array(z.string()),
  /** The targets by the names they had then, with their pages. */
  target: z.array(z.object({ id: z.string(), name: z.string(), href: z.string() })),
  /** In short, secrets masked. */
  change: z.string(),
  created_at: unsetTime,
})

const filters = {
  user_id: many(id),
  area: many(text(32)),
  created_at: period,
}

export const audits = {
  list: get('/audit/list', {
    summary: '操作日志：管理人员改了什么',
    access: permission('AuditAPI/ListAudit'),
    input: listInput(filters),
    reply: page('audit', AuditEntry),
  }),
  export: get('/audit/export', {
    summary: '导出操作日志为 CSV',
    access: permission('AuditAPI/ListAudit'),
    input: z.object({ ...filters, wd: z._default(text(1000), '') }),
    reply: file,
  }),
}
