import * as z from 'zod/mini'
import { del, get, permission, post, put } from '../endpoint.ts'
import { MailStatus } from '../enums.ts'
import { byIds, code, count, email, flag, id, listInput, many, none, or, page, period, unsetTime } from '../fields.ts'
import { mailTemplateNames } from '../mail-templates.ts'
import { changes, settingsLimit } from './settings.ts'

const Mail = z.object({
  id,
  email: z.string(),
  title: z.string(),
  status: code(MailStatus),
  attempts: count(),
  /** Why the last attempt failed. */
  error: z.string(),
  /** Its code or link has expired: it cannot be sent again. */
  is_expired: flag,
  created_at: unsetTime,
  updated_at: unsetTime,
})

/** Mails that the site has sent or tries to send, without their contents. */
export const mails = {
  list: get('/mail/list', {
    summary: '邮件记录：收件人、主题和发送结果，不含内容',
    access: permission('MailAPI/ListMail'),
    input: listInput({ status: many(code(MailStatus)), created_at: period }),
    reply: page('mail', Mail),
  }),
  retry: put('/mail/retry', {
    summary: '重新发送失败的邮件，已过期的除外',
    access: permission('MailAPI/RetryMail'),
    input: byIds,
    reply: none,
  }),
  delete: del('/mail', {
    summary: '删除邮件记录，等待发送的除外',
    access: permission('MailAPI/DeleteMail'),
    input: byIds,
    reply: none,
  }),
}

export const mailTests = {
  send: post('/config/mailtest', {
    summary: '发送测试邮件；用给出的设置，不保存',
    access: permission('ConfigAPI/UpdateConfig'),
    bodyLimit: settingsLimit,
    input: z.object({ config: or(changes, []), to: email, template: or(z.enum(mailTemplateNames), 'test') }),
    reply: none,
  }),
}
