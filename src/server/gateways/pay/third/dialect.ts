import {
  type PayInstruction,
  PayProviderError,
  type PaymentRequest,
  type PaymentState,
  type RawNotice,
  type RefundRequest,
  type RefundState,
} from '../pay-provider.ts'

/** What differs from gateway to gateway; `third-party-pay.ts` makes a payment provider of it. */
export interface Dialect {
  create(request: PaymentRequest): Promise<PayInstruction>
  query(attemptNo: string): Promise<PaymentState>
  /** Closes an unpaid payment at the gateway; absent where that is impossible. */
  close?(attemptNo: string): Promise<void>
  refund(request: RefundRequest): Promise<RefundState>
  queryRefund(request: Pick<RefundRequest, 'refundNo' | 'attemptNo'>): Promise<RefundState>
  /** Checks signature and account; undefined for a notice about something else than money that came or went. */
  verifyNotice(notice: RawNotice): NoticedPayment | undefined
  test(): Promise<void>
}

/** What a notice claims; it is asked for before it is believed. */
export interface NoticedPayment {
  attemptNo: string
  fen: number | undefined
}

export function unknownPayment(attemptNo: string, merchant: string): PaymentState {
  return { state: 'unknown', attemptNo, transactionId: '', merchant, fen: 0, currency: 'CNY', paidAt: null }
}

export function gatewayRefused(code: string | undefined, message: string | undefined): PayProviderError {
  return new PayProviderError(code ?? '', inItsWords(message))
}

export function refundRefused(message: string | undefined): RefundState {
  return { state: 'refused', message: inItsWords(message) }
}

function inItsWords(message: string | undefined): string {
  return `支付网关：${message || '没有说明原因'}`
}

/** Gateways have no code for it that all of them share. */
export function isUnknownOrder(message: string): boolean {
  return /不存在|未找到|找不到|not (exist|found)/i.test(message) && !/商户|merchant|pid|appid/i.test(message)
}

/** A page of ours cannot lead from a mini program to a gateway's. */
export function assertBrowser({ client }: PaymentRequest): void {
  if (client !== 'mini-program') return
  throw new PayProviderError('unsupported', '小程序里不能使用第三方支付，请用浏览器打开网站付款')
}

const maxClockSkewMs = 300_000

/** A sentence about our clock if it differs from the gateway's, or nothing. */
export function clockHint(gatewayTime: number | undefined, now: number): string {
  const minutes = Math.round(Math.abs(now - (gatewayTime ?? now)) / 60_000)
  return minutes * 60_000 < maxClockSkewMs ? '' : `；服务器的时间与支付网关相差 ${minutes} 分钟，请先校准`
}

export function isRecent(seconds: string | undefined, now: number): boolean {
  return /^\d{1,12}$/.test(seconds ?? '') && Math.abs(now - Number(seconds) * 1000) <= maxClockSkewMs
}
