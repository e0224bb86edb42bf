import * as z from 'zod/mini'
import { get, post, put } from '../endpoint.ts'
import { CodeScene } from '../enums.ts'
import { code, email, flag, mobile, none, or, password, text } from '../fields.ts'
import { SignedIn } from './user.ts'

/** Typed from a message: never empty. */
const sentCode = text(16, 1)

/** Ways in by a code that was sent; apart from the other endpoints of users, as they are loaded only where they are on. */
export const codeSignIn = {
  registerByMobile: post('/user/register/mobile', {
    summary: '用手机号注册；用户名自动生成，可以再改',
    access: 'open',
    input: z.object({ mobile, code: sentCode, password: or(z.union([password, z.literal('')]), '') }),
    reply: SignedIn,
  }),
  loginByMobile: post('/user/login/mobile', {
    summary: '用短信验证码登录',
    access: 'open',
    input: z.object({ mobile, code: sentCode }),
    reply: SignedIn,
  }),
  loginByEmail: post('/user/login/email', {
    summary: '用邮箱验证码登录；只限验证过的邮箱',
    access: 'open',
    input: z.object({ email, code: sentCode }),
    reply: SignedIn,
  }),
  resetByMobile: post('/user/findpassword/mobile', {
    summary: '用短信验证码设置新密码',
    access: 'open',
    input: z.object({ mobile, code: sentCode, password }),
    reply: none,
  }),
  resetByEmail: post('/user/findpassword/email', {
    summary: '用邮箱验证码设置新密码',
    access: 'open',
    input: z.object({ email, code: sentCode, password }),
    reply: none,
  }),
}

/** The scenes of a member's own number. */
const ownScenes = { Bind: CodeScene.BindMobile, Prove: CodeScene.ProveMobile }

export const ownMobile = {
  get: get('/user/mobile', {
    summary: '我绑定的手机号',
    access: 'member',
    input: none,
    reply: z.object({
      /** Empty if none is bound. */
      mobile: z.string(),
      /** Entered in the profile, and not proven. */
      suggested: z.string(),
      has_password: flag,
      can_unbind: flag,
    }),
  }),
  sendCode: post('/user/mobile/code', {
    summary: '发送绑定手机号（3）或验证原手机号（4）的验证码；验证原手机号时不用给出号码',
    access: 'member',
    input: z.object({
      type: code(ownScenes),
      mobile: or(z.union([mobile, z.literal('')]), ''),
      captcha: or(text(16), ''),
      captcha_id: or(text(64), ''),
    }),
    reply: none,
  }),
  bind: put('/user/mobile', {
    summary: '绑定或更换手机号；更换时要有原号码的验证码，首次绑定要有登录密码，没有密码的账号要刚刚登录过',
    access: 'member',
    proof: 'enrolled',
    input: z.object({
      mobile,
      code: sentCode,
      old_code: or(text(16), ''),
      password: or(z.string().check(z.maxLength(128)), ''),
      /** Take it from another account that has bound it. */
      move: or(flag, false),
    }),
    reply: none,
  }),
  unbind: put('/user/mobile/unbind', {
    summary: '解绑手机号；要有它的验证码，并且还有其他登录方式',
    access: 'member',
    proof: 'enrolled',
    input: z.object({ code: sentCode }),
    reply: none,
  }),
}
