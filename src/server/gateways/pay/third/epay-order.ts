import type { Settings } from '#shared/settings.ts'
import { fenToYuan, yuanToFen } from '../money.ts'
import {
  InvalidNotice,
  type PayClient,
  type PayInstruction,
  type PaymentRequest,
  type PaymentState,
} from '../pay-provider.ts'
import type { NoticedPayment } from './dialect.ts'
import { parseBeijingTime } from '../beijing-time.ts'
import { type Fields, productName } from './fields.ts'
import { badAnswer } from './gateway-client.ts'

/** What both versions of 易支付 say about an order, each with its own signature. */

export function orderFields(settings: Settings['pay'], request: PaymentRequest): Fields {
  return {
    pid: settings.third_merchant_id.trim(),
    type: settings.third_channel,
    out_trade_no: request.attemptNo,
    notify_url: request.notifyUrl,
    return_url: request.returnUrl,
    name: productName(request.title),
    money: fenToYuan(request.fen),
  }
}

export const devices: Record<PayClient, string> = {
  desktop: 'pc',
  phone: 'mobile',
  'wechat-browser': 'wechat',
  'mini-program': 'wechat',
}

/** Undefined if the buyer cannot be shown it: the gateway's own page is then the way to pay. */
export function instructionOf(
  { kind, content }: { kind: 'jump' | 'qrcode' | 'urlscheme'; content: string },
  { gateway, client }: { gateway: string; client: PayClient },
): PayInstruction | undefined {
  if (kind === 'qrcode' && client === 'desktop') return { kind: 'qrcode', content }
  if (kind === 'urlscheme') {
    return client !== 'desktop' && walletScheme.test(content) ? { kind: 'redirect', url: content } : undefined
  }
  const url = URL.parse(content, `${gateway}/`)
  return url && /^https?:$/.test(url.protocol) ? { kind: 'redirect', url: url.href } : undefined
}

const walletScheme = /^(weixin|alipays?|mqq\w*|uppay\w*|jdpay\w*):\/\//i

export function paymentOf(answer: Fields, attemptNo: string, merchant: string): PaymentState {
  if (answer.out_trade_no !== attemptNo) throw badAnswer('支付网关答的是另一笔订单')
  const state = stateOf(answer)
  const isPaid = state === 'paid' || state === 'refunded'
  const fen = yuanToFen(answer.money ?? '')
  if (fen === undefined || (isPaid && !answer.trade_no)) throw badAnswer('支付网关的回答里没有金额或订单号')
  return {
    state,
    attemptNo,
    transactionId: isPaid ? (answer.trade_no ?? '') : '',
    merchant: answer.pid || merchant,
    fen,
    currency: 'CNY',
    paidAt: isPaid ? parseBeijingTime(answer.endtime) : null,
  }
}

export const EpayStatus = { Unpaid: '0', Paid: '1', Refunded: '2', Frozen: '3', Authorized: '4' } as const

/** What the gateway has frozen, or is only authorized to take, is not ours yet. */
function stateOf({ status, refundmoney = '0' }: Fields): PaymentState['state'] {
  if (status === EpayStatus.Refunded) return 'refunded'
  if (status !== EpayStatus.Paid) return 'unpaid'
  return yuanToFen(refundmoney) === 0 ? 'paid' : 'refunded'
}

/** The signature has been checked. */
export function noticedPayment(fields: Fields, merchant: string): NoticedPayment | undefined {
  if (fields.pid !== merchant) throw new InvalidNotice('通知属于另一个商户')
  if (fields.trade_status !== 'TRADE_SUCCESS') return undefined
  const fen = yuanToFen(fields.money ?? '')
  if (fen === undefined || !fields.out_trade_no) throw new InvalidNotice('通知里没有订单号或金额')
  return { attemptNo: fields.out_trade_no, fen }
}
