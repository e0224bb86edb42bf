import * as z from 'zod/mini'
import { OutboundError } from '../outbound/outbound-error.ts'
import { type OutboundResponse, requestOutside } from '../outbound/request.ts'

/** An app of ours at WeChat: a site, a service account or a mini program. */
export interface WeChatApp {
  appId: string
  secret: string
  /** Where the address differs from WeChat's own. */
  gateway: string
}

/** WeChat refused, or could not be asked. The message never holds the address: the secret stands in it. */
export class WeChatError extends Error {
  /** WeChat's number; 0 if there was no answer. */
  readonly code: number

  constructor(message: string, { code = 0, cause }: { code?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'WeChatError'
    this.code = code
  }

  /** The caller only has to try again: the login code was used before, or is too old. */
  get isStale(): boolean {
    return staleCodes.has(this.code)
  }
}

/** `invalid code`, `code been used`: each is good once, for some minutes. */
const staleCodes = new Set([40_029, 40_163])

const refusals: Record<number, string> = {
  40_013: 'AppID 不对',
  40_125: 'AppSecret 不对',
  40_226: '这个用户被微信限制登录',
  41_030: '小程序里没有这个页面，或还没有发布',
  45_009: '今天的调用次数用完了',
  45_011: '请求太频繁，请稍后再试',
}

/** Refusals come with status 200. */
const Refusal = z.object({ errcode: z.int().check(z.refine((code) => code !== 0)) })

const officialAddress = 'https://api.weixin.qq.com'
const maxBytes = 2 * 1024 * 1024

interface WeChatRequest {
  query: Record<string, string>
  /** Posted as JSON. */
  body?: object
}

/** What WeChat answers as JSON, which it calls text/plain; undefined if it is none. */
export async function askWeChat(gateway: string, path: string, request: WeChatRequest): Promise<unknown> {
  const { body } = await requestWeChat(gateway, path, request)
  return assertAccepted(parseJson(body))
}

/** A picture; a refusal comes as JSON in its place. */
export async function fetchWeChatPicture(gateway: string, path: string, request: WeChatRequest): Promise<Buffer> {
  const { body } = await requestWeChat(gateway, path, request)
  if (isPicture(body)) return body
  assertAccepted(parseJson(body))
  throw unreadable()
}

export function unreadable(): WeChatError {
  return new WeChatError('微信：看不懂回答')
}

export function withoutSlash(address: string): string {
  return address.trim().replace(/\/+$/, '')
}

async function requestWeChat(gateway: string, path: string, request: WeChatRequest): Promise<OutboundResponse> {
  const own = withoutSlash(gateway)
  try {
    return await requestOutside(`${own || officialAddress}${path}?${new URLSearchParams(request.query)}`, {
      ...(request.body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request.body),
      }),
      maxBytes,
      allowsPrivate: own !== '',
    })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new WeChatError('微信：连接不上，请检查网络和接口地址', { cause: error })
  }
}

function assertAccepted(answer: unknown): unknown {
  const refused = z.safeParse(Refusal, answer)
  if (!refused.success) return answer
  const { errcode } = refused.data
  throw new WeChatError(`微信：${refusals[errcode] ?? '请查微信的错误码'}（${errcode}）`, { code: errcode })
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** JPEG or PNG. */
function isPicture(body: Buffer): boolean {
  return body.subarray(0, 3).toString('hex') === 'ffd8ff' || body.subarray(0, 4).toString('hex') === '89504e47'
}
