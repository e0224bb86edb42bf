import * as z from 'zod/mini'
import { PayProviderError } from '../pay-provider.ts'
import { isClockOff } from './signature.ts'

/** What staff can do about WeChat's codes, which are spelled with and without underscores. */
const advice: Record<string, string> = {
  APPIDMCHIDNOTMATCH: 'AppID 没有与商户号绑定，请在商户平台“产品中心 - AppID 账号管理”中关联',
  MCHNOTEXISTS: '商户号不存在',
  NOAUTH: '商户号没有开通这项支付产品，请在商户平台“产品中心”中申请',
  OPENIDMISMATCH: '付款人的 openid 不属于这个 AppID',
  NOTENOUGH: '商户账户余额不足，充值后再退款',
  ORDERPAID: '订单已经支付',
  ORDERCLOSED: '订单已经关闭',
  OUTTRADENOUSED: '订单号已经用过，且内容不同',
  FREQUENCYLIMITED: '请求过于频繁，请稍后再试',
  RULELIMIT: '超出了微信支付对这个商户号的限制',
  USERACCOUNTABNORMAL: '付款人的账户异常，请用其他方式退款',
}

const RefusalBody = z.object({ code: z.string(), message: z.optional(z.string()) })

/** What WeChat answered instead of doing as it was asked. */
export function toRefusal(response: Response, text: string, now: number): PayProviderError {
  const { status, headers } = response
  const parsed = z.safeParse(RefusalBody, parseJson(text))
  const code = parsed.success ? plainCode(parsed.data.code) : `HTTP${status}`
  const message = parsed.success ? (parsed.data.message ?? '').slice(0, 200) : ''
  const sentence =
    status === 401 ? adviceOnSignature(isClockOff(headers.get('date'), now), message) : (advice[code] ?? message)
  const details = [`HTTP ${status}`, code, sentence === message ? '' : message, requestId(headers)]
  return new PayProviderError(
    code,
    `微信支付：${sentence || '没有接受请求'}（${details.filter((detail) => detail !== '').join('，')}）`,
    { isTemporary: isTemporary(status, code) },
  )
}

/** `ORDER_NOT_EXIST` and `ORDERNOTEXIST` are the same. */
function plainCode(code: string): string {
  return code.replaceAll('_', '').slice(0, 64)
}

function isTemporary(status: number, code: string): boolean {
  return (status >= 500 && code !== 'OPENIDMISMATCH') || status === 429 || status < 400
}

function adviceOnSignature(clockIsOff: boolean, message: string): string {
  if (clockIsOff) return '服务器的时钟与微信相差 5 分钟以上，请校准时间'
  if (message.includes('序列号')) return '商户 API 证书序列号不对，应是私钥所属证书的序列号'
  return '签名不对，请检查商户 API 私钥与证书序列号是不是同一张证书的，商户号是否正确'
}

export function badAnswer(complaint: string, headers: Headers): PayProviderError {
  const id = requestId(headers)
  return new PayProviderError('bad-answer', `微信支付：${complaint}${id && `（${id}）`}`, { isTemporary: true })
}

/** WeChat's support asks for it. */
function requestId(headers: Headers): string {
  const id = headers.get('request-id')
  return id ? `Request-Id ${id.slice(0, 100)}` : ''
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
