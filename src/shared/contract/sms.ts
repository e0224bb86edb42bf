import * as z from 'zod/mini'
import { del, get, permission, post } from '../endpoint.ts'
import { CodeScene, signInScenes, SmsStatus } from '../enums.ts'
import {
  byIds,
  code,
  count,
  flag,
  id,
  listInput,
  many,
  mobile,
  none,
  or,
  page,
  period,
  text,
  unsetTime,
} from '../fields.ts'
import { changes, settingsLimit } from './settings.ts'

const Sms = z.object({
  id,
  /** In part, unless the viewer may see it. */
  mobile: z.string(),
  scene: code(CodeScene),
  provider: z.string(),
  status: code(SmsStatus),
  reason: z.string(),
  segments: count(),
  /** In thousandths of a yuan. */
  cost: count(),
  ip: z.string(),
  created_at: unsetTime,
})

export const sms = {
  send: post('/sms', {
    summary: '发送短信验证码；无论号码是否注册，回答都一样',
    access: 'open',
    input: z.object({
      mobile,
      type: code(signInScenes),
      captcha: or(text(16), ''),
      captcha_id: or(text(64), ''),
    }),
    /** The flag is always true: without it, clients tell every visitor that the number is unknown. */
    reply: z.object({ is_registered: flag }),
  }),
  list: get('/sms/list', {
    summary: '短信记录，不含验证码；没有权限时号码只显示一部分',
    access: permission('SmsAPI/ListSms'),
    input: listInput({ status: many(code(SmsStatus)), scene: many(code(CodeScene)), created_at: period }),
    reply: page('sms', Sms),
  }),
  today: get('/sms/today', {
    summary: '今天发送的短信数和估算的费用',
    access: permission('SmsAPI/ListSms'),
    input: none,
    reply: z.object({ total: count(), failed: count(), segments: count(), cost: count(), limit: count() }),
  }),
  delete: del('/sms', {
    summary: '删除短信记录',
    access: permission('SmsAPI/DeleteSms'),
    input: byIds,
    reply: none,
  }),
}

export const smsTests = {
  send: post('/config/smstest', {
    summary: '发送一条真实的测试短信；用给出的设置，不保存',
    access: permission('ConfigAPI/UpdateConfig'),
    bodyLimit: settingsLimit,
    input: z.object({ config: or(changes, []), mobile, scene: or(code(signInScenes), CodeScene.Register) }),
    reply: none,
  }),
}
