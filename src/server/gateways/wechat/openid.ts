import * as z from 'zod/mini'

/** An app of ours at WeChat: a service account or a mini program. */
export interface WeChatApp {
  appId: string
  secret: string
  /** Where the address differs from WeChat's own. */
  gateway: string
}

/** WeChat refused a code, or could not be asked. The message never holds the address: the secret stands in it. */
export class WeChatCodeError extends Error {
  /** The buyer only has to try again: the code was used before, or is too old. */
  readonly isStale: boolean

  constructor(message: string, { isStale = false, cause }: { isStale?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'WeChatCodeError'
    this.isStale = isStale
  }
}

const timeoutMs = 10_000
const maxBytes = 64 * 1024

/** `invalid code`, `code been used`: each is good once, for some minutes. */
const staleCodes = new Set([40_029, 40_163])

const refusals: Record<number, string> = {
  40_013: 'AppID 不对',
  40_125: 'AppSecret 不对',
  40_226: '这个用户被微信限制登录',
  45_011: '请求太频繁，请稍后再试',
}

/** Where the browser inside WeChat goes for a code; it comes back to `returnUrl` with it, and the buyer has to press nothing. */
export function authorizeUrl(
  { appId, gateway }: Omit<WeChatApp, 'secret'>,
  { returnUrl, state }: { returnUrl: string; state: string },
): string {
  // WeChat wants the parameters in this order.
  const query = new URLSearchParams({
    appid: appId,
    redirect_uri: returnUrl,
    response_type: 'code',
    scope: 'snsapi_base',
    state,
  })
  const base = withoutSlash(gateway) || 'https://open.weixin.qq.com'
  return `${base}/connect/oauth2/authorize?${query}#wechat_redirect`
}

/** Who the code of the browser inside WeChat belongs to. */
export function exchangeBrowserCode({ appId, secret, gateway }: WeChatApp, code: string): Promise<string> {
  return ask(gateway, '/sns/oauth2/access_token', { appid: appId, secret, code, grant_type: 'authorization_code' })
}

/** Who the login code of a mini program belongs to. */
export function exchangeMiniProgramCode({ appId, secret, gateway }: WeChatApp, code: string): Promise<string> {
  return ask(gateway, '/sns/jscode2session', {
    appid: appId,
    secret,
    js_code: code,
    grant_type: 'authorization_code',
  })
}

const Answer = z.object({ openid: z.string().check(z.minLength(1), z.maxLength(128)) })
/** Refusals come with status 200. */
const RefusedAnswer = z.object({ errcode: z.int().check(z.refine((code) => code !== 0)) })

async function ask(gateway: string, path: string, query: Record<string, string>): Promise<string> {
  const base = withoutSlash(gateway) || 'https://api.weixin.qq.com'
  const answer = await fetchJson(`${base}${path}?${new URLSearchParams(query)}`)
  const refused = z.safeParse(RefusedAnswer, answer)
  if (refused.success) {
    const { errcode } = refused.data
    const why = refusals[errcode] ?? '请查微信的错误码'
    throw new WeChatCodeError(`微信：${why}（${errcode}）`, { isStale: staleCodes.has(errcode) })
  }
  const { success, data } = z.safeParse(Answer, answer)
  if (!success) throw new WeChatCodeError('微信：看不懂回答')
  return data.openid
}

/** WeChat calls its JSON text/plain. */
async function fetchJson(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers: { 'user-agent': 'wendou' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      // Leaving the loop closes the connection.
      if (size > maxBytes) return undefined
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw new WeChatCodeError('微信：连接不上，请检查网络和接口地址', { cause: error })
  }
}

function withoutSlash(address: string): string {
  return address.trim().replace(/\/+$/, '')
}
