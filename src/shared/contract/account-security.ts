import * as z from 'zod/mini'
import { del, get, post, put } from '../endpoint.ts'
import { byId, count, flag, id, none, or, text, unsetTime } from '../fields.ts'
import { SignedIn } from './user.ts'

/** What WebAuthn defines travels as JSON in a text: the rules of our own wire do not apply to it. */
const webauthn = text(20_000, 1)
const options = z.object({ options: z.string() })

/** A code of the authenticator or a recovery code, or what a passkey answered. */
const answer = { code: or(text(32), ''), passkey: or(text(20_000), '') }

const RecoveryCodes = z.object({ recovery_code: z.array(z.string()) })

export const secondFactor = {
  get: get('/user/security', {
    summary: '我的两步验证和登录提醒',
    access: 'self',
    input: none,
    reply: z.object({
      /** Two-step verification is asked for at log-in. */
      enabled: flag,
      totp: flag,
      passkey: flag,
      /** Recovery codes that were not used yet. */
      recovery_count: count(),
      has_password: flag,
      passkey_count: count(),
      /** Until when the site, which demands it of staff, waits for it. */
      due_at: unsetTime,
      /** It is demanded, and the time is over. */
      owed: flag,
      mails_new_devices: flag,
      email: z.string(),
    }),
  }),
  begin: post('/user/totp', {
    summary: '开始绑定验证器：密钥，和给二维码用的地址',
    access: 'self',
    proof: 'everyone',
    input: none,
    reply: z.object({ secret: z.string(), uri: z.string() }),
  }),
  confirm: put('/user/totp', {
    summary: '输入验证器的验证码，完成绑定；恢复码只在这里给出一次',
    access: 'self',
    proof: 'everyone',
    input: z.object({ code: text(16, 1) }),
    reply: RecoveryCodes,
  }),
  remove: del('/user/totp', {
    summary: '不再使用验证器',
    access: 'self',
    proof: 'everyone',
    input: none,
    reply: none,
  }),
  setPasskey: put('/user/security/passkey', {
    summary: '用密码等方式登录时，也要求通行密钥',
    access: 'self',
    proof: 'everyone',
    input: z.object({ enable: flag }),
    reply: RecoveryCodes,
  }),
  renewRecoveryCodes: post('/user/recovery', {
    summary: '换一组恢复码，原来的作废',
    access: 'self',
    proof: 'everyone',
    input: none,
    reply: RecoveryCodes,
  }),
  setMails: put('/user/security/mail', {
    summary: '新设备登录时是否发邮件提醒',
    access: 'self',
    input: z.object({ enable: flag }),
    reply: none,
  }),
}

export const proofs = {
  give: post('/user/proof', {
    summary: '验证身份，之后十分钟内可以进行重要的操作',
    access: 'self',
    input: z.object({ ...answer, password: or(z.string().check(z.maxLength(128)), '') }),
    reply: none,
  }),
  passkeyOptions: post('/user/proof/passkey', {
    summary: '用通行密钥验证身份的参数（WebAuthn）',
    access: 'self',
    input: none,
    reply: options,
  }),
}

export const factorLogins = {
  complete: post('/user/login/factor', {
    summary: '登录的第二步：验证码、恢复码或通行密钥',
    access: 'open',
    bodyLimit: 128 * 1024,
    input: z.object({ challenge: text(2000, 1), ...answer }),
    reply: SignedIn,
  }),
  passkeyOptions: post('/user/login/factor/passkey', {
    summary: '登录的第二步使用通行密钥的参数（WebAuthn）',
    access: 'open',
    input: z.object({ challenge: text(2000, 1) }),
    reply: options,
  }),
}

const Passkey = z.object({
  id,
  name: text(64, 1),
  /** It may have been copied: it is not accepted any more. */
  cloned: flag,
  /** The provider of passkeys keeps a copy, so that a lost device does not lose it. */
  synced: flag,
  used_at: unsetTime,
  created_at: unsetTime,
})

export const passkeys = {
  loginOptions: post('/user/login/passkey/options', {
    summary: '用通行密钥登录的参数（WebAuthn）',
    access: 'open',
    input: none,
    reply: options,
  }),
  login: post('/user/login/passkey', {
    summary: '用通行密钥登录，不需要用户名和密码',
    access: 'open',
    input: z.object({ passkey: webauthn }),
    reply: SignedIn,
  }),
  list: get('/user/passkey/list', {
    summary: '我的通行密钥',
    access: 'self',
    input: none,
    reply: z.object({ passkey: z.array(Passkey) }),
  }),
  createOptions: post('/user/passkey/options', {
    summary: '添加通行密钥的参数（WebAuthn）',
    access: 'self',
    proof: 'everyone',
    input: none,
    reply: options,
  }),
  create: post('/user/passkey', {
    summary: '添加通行密钥',
    access: 'self',
    proof: 'everyone',
    input: z.object({ name: text(64, 1), passkey: webauthn }),
    reply: none,
  }),
  rename: put('/user/passkey', {
    summary: '给通行密钥改名',
    access: 'self',
    input: z.object({ id, name: text(64, 1) }),
    reply: none,
  }),
  delete: del('/user/passkey', {
    summary: '删除通行密钥',
    access: 'self',
    proof: 'everyone',
    input: byId,
    reply: none,
  }),
}
