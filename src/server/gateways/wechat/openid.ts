import * as z from 'zod/mini'
import { askWeChat, unreadable, type WeChatApp, WeChatError, withoutSlash } from './api.ts'

/** Whom a code belongs to. */
export interface WeChatPerson {
  openid: string
  /** The same for all apps of one account of the open platform; empty for an app that has none. */
  unionid: string
}

const officialAddress = 'https://open.weixin.qq.com'

const scopes = {
  /** In any browser: shows a QR code, which is scanned with WeChat. */
  site: { path: '/connect/qrconnect', scope: 'snsapi_login' },
  /** In the browser inside WeChat; the visitor agrees to show name and picture. */
  profile: { path: '/connect/oauth2/authorize', scope: 'snsapi_userinfo' },
  /** In the browser inside WeChat; the visitor has to press nothing. */
  silent: { path: '/connect/oauth2/authorize', scope: 'snsapi_base' },
}

/** Where a browser goes for a code; it comes back to `returnUrl` with it. */
export function authorizeUrl(
  { appId, gateway }: Omit<WeChatApp, 'secret'>,
  { returnUrl, state, kind = 'silent' }: { returnUrl: string; state: string; kind?: keyof typeof scopes },
): string {
  const { path, scope } = scopes[kind]
  // WeChat wants the parameters in this order.
  const query = new URLSearchParams({ appid: appId, redirect_uri: returnUrl, response_type: 'code', scope, state })
  return `${withoutSlash(gateway) || officialAddress}${path}?${query}#wechat_redirect`
}

const openid = z.string().check(z.minLength(1), z.maxLength(128))
const Person = z.object({ openid, unionid: z._default(z.string().check(z.maxLength(128)), '') })
const BrowserAnswer = z.extend(Person, { access_token: z.string().check(z.minLength(1)) })
const MiniProgramAnswer = z.extend(Person, { session_key: z.string().check(z.minLength(1)) })

/** Whom the code of a browser belongs to. */
export async function exchangeBrowserCode(
  { appId, secret, gateway }: WeChatApp,
  code: string,
): Promise<WeChatPerson & { accessToken: string }> {
  const query = { appid: appId, secret, code, grant_type: 'authorization_code' }
  const { access_token, ...person } = read(
    BrowserAnswer,
    await askWeChat(gateway, '/sns/oauth2/access_token', { query }),
  )
  return { ...person, accessToken: access_token }
}

/** Whom the login code of a mini program belongs to. The session key decrypts what the mini program was told. */
export async function exchangeMiniProgramCode(
  { appId, secret, gateway }: WeChatApp,
  code: string,
): Promise<WeChatPerson & { sessionKey: string }> {
  const query = { appid: appId, secret, js_code: code, grant_type: 'authorization_code' }
  const { session_key, ...person } = read(MiniProgramAnswer, await askWeChat(gateway, '/sns/jscode2session', { query }))
  return { ...person, sessionKey: session_key }
}

const Profile = z.extend(Person, {
  nickname: z._default(z.string(), ''),
  headimgurl: z._default(z.string(), ''),
})

/** Name and picture of the person whom a token stands for. */
export async function fetchBrowserProfile(
  { gateway }: Pick<WeChatApp, 'gateway'>,
  { openid: expected, accessToken }: { openid: string; accessToken: string },
): Promise<WeChatPerson & { nickname: string; headimgurl: string }> {
  const query = { access_token: accessToken, openid: expected, lang: 'zh_CN' }
  const profile = read(Profile, await askWeChat(gateway, '/sns/userinfo', { query }))
  if (profile.openid !== expected) throw new WeChatError('微信：回答的是另一个人')
  return profile
}

function read<S extends z.ZodMiniType>(schema: S, answer: unknown): z.output<S> {
  const { success, data } = z.safeParse(schema, answer)
  if (!success) throw unreadable()
  return data
}
