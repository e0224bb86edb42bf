import * as z from 'zod/mini'
import { del, get, post } from '../endpoint.ts'
import { oauthIntents, oauthTypes, scanStatuses } from '../enums.ts'
import { email, flag, mobile, none, or, text, time, unsetTime } from '../fields.ts'
import { User } from './user.ts'

const type = z.enum(oauthTypes, '不支持这种登录方式')
const redirect = or(text(2000), '')
const captcha = { captcha: or(text(16), ''), captcha_id: or(text(64), '') }

/** A person whom no member is bound to yet. `session` is a ticket of ours; what else clients send back is not trusted. */
const Unbound = z.object({
  oauth_type: type,
  openid: z.string(),
  session: z.string(),
  title: z.string(),
  /** As the provider knows the person: a suggestion for the registration. */
  name: z.string(),
  /** Empty unless the provider has verified it. */
  email: z.string(),
})

const LoggedIn = z.object({
  token: z.optional(z.string()),
  user: z.optional(User),
  oauth: z.optional(Unbound),
})

const Binding = z.object({
  type,
  title: z.string(),
  name: z.string(),
  avatar: z.string(),
  created_at: unsetTime,
})

/** Third-party login, and the mini program's. */
export const oauth = {
  configs: get('/oauth/configs', {
    summary: '可用的第三方登录',
    access: 'open',
    input: none,
    reply: z.array(z.object({ type, title: z.string(), icon: z.string(), authorize_url: z.string() })),
  }),
  authorize: post('/oauth/authorize', {
    summary: '开始绑定第三方账号：浏览器要去的地址',
    access: 'member',
    proof: 'enrolled',
    input: z.object({ type, redirect }),
    reply: z.object({ authorize_url: z.string() }),
  }),
  login: post('/oauth/login', {
    summary: '从第三方回来：登录；没有绑定时给出凭证；绑定时完成绑定',
    access: 'open',
    input: z.object({ type, code: text(2000, 1), state: text(200, 1), iss: or(text(500), '') }),
    reply: z.extend(LoggedIn, { is_bound: flag, redirect: z.string() }),
  }),
  bind: post('/oauth/bind', {
    summary: '把凭证代表的第三方账号绑定到当前用户，或登录、注册后绑定',
    access: 'open',
    input: z.object({
      oauth_type: or(text(32), ''),
      openid: or(text(200), ''),
      session: text(200, 1),
      username: or(text(64), ''),
      password: or(z.string().check(z.maxLength(128)), ''),
      register: or(flag, false),
      email: or(z.union([email, z.literal('')]), ''),
      code: or(text(16), ''),
      ...captcha,
    }),
    reply: z.object({ token: z.optional(z.string()), user: z.optional(User) }),
  }),
  own: get('/user/oauth', {
    summary: '我绑定的第三方账号',
    access: 'member',
    input: none,
    reply: z.object({ oauth: z.array(Binding), has_password: flag }),
  }),
  unbind: del('/user/oauth', {
    summary: '解除绑定',
    access: 'member',
    proof: 'enrolled',
    input: z.object({ type }),
    reply: none,
  }),
  miniProgramLogin: post('/oauth/wechatmp/login', {
    summary: '小程序登录；scene 为网页上的扫码登录',
    access: 'open',
    input: z.object({
      code: text(200, 1),
      iv: or(text(200), ''),
      encrypted_data: or(text(10_000), ''),
      scene: or(text(32), ''),
    }),
    reply: LoggedIn,
  }),
  miniProgramPhone: post('/oauth/wechatmp/phone', {
    summary: '小程序取得的手机号，写入还没有手机号的账号',
    access: 'member',
    input: z.object({ code: text(200, 1) }),
    reply: z.object({ mobile }),
  }),
  beginScan: post('/oauth/scan', {
    summary: '网页上的小程序码，用于扫码登录或绑定',
    access: 'open',
    input: z.object({ intent: or(z.enum(oauthIntents), 'login') }),
    reply: z.object({ scene: z.string(), secret: z.string(), picture: z.string(), expired_at: time }),
  }),
  pollScan: post('/oauth/scan/poll', {
    summary: '扫码登录的进展；确认之后登录一次',
    access: 'open',
    input: z.object({ scene: text(32, 1), secret: text(200, 1) }),
    reply: z.object({
      status: z.enum(scanStatuses),
      token: z.optional(z.string()),
      user: z.optional(User),
    }),
  }),
}
