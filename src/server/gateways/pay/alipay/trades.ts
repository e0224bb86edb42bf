import * as z from 'zod/mini'
import { fenToYuan, yuanToFen } from '../money.ts'
import {
  type PayClient,
  type PayInstruction,
  type PaymentRequest,
  type PaymentState,
  PayProviderError,
} from '../pay-provider.ts'
import { unreadable } from './answer.ts'
import { parseBeijingTime, toBeijingTime } from '../beijing-time.ts'
import type { AlipayClient } from './client.ts'
import { isRefusal, SubCode } from './failures.ts'

/**
 * A trade exists at Alipay only after the buyer scanned the code or logged in. Until then query and close know nothing of
 * it, although it can still be paid: `time_expire` is what ends it.
 */
export async function createTrade(
  client: AlipayClient,
  request: PaymentRequest,
  isFaceToFace: boolean,
): Promise<PayInstruction> {
  const { notifyUrl, returnUrl } = request
  const trade = {
    out_trade_no: request.attemptNo,
    total_amount: fenToYuan(request.fen),
    subject: subjectOf(request.title),
    time_expire: toBeijingTime(request.expiresAt),
  }
  const begin: Record<PayClient, () => PayInstruction | Promise<PayInstruction>> = {
    desktop: async () => {
      if (isFaceToFace) return { kind: 'qrcode', content: await precreate(client, trade, notifyUrl) }
      const content = { ...trade, product_code: 'FAST_INSTANT_TRADE_PAY', qr_pay_mode: '2' }
      return { kind: 'redirect', url: client.pageUrl('alipay.trade.page.pay', content, { notifyUrl, returnUrl }) }
    },
    phone: () => {
      const content = { ...trade, product_code: 'QUICK_WAP_WAY', quit_url: returnUrl }
      return { kind: 'redirect', url: client.pageUrl('alipay.trade.wap.pay', content, { notifyUrl, returnUrl }) }
    },
    // WeChat does not open Alipay's pages itself, and tells the buyer to use the browser.
    'wechat-browser': () => begin.phone(),
    'mini-program': () => {
      throw new PayProviderError('unsupported', '微信小程序里不能用支付宝付款')
    },
  }
  return begin[request.client]()
}

async function precreate(client: AlipayClient, trade: Record<string, string>, notifyUrl: string): Promise<string> {
  const content = { ...trade, product_code: 'FACE_TO_FACE_PAYMENT' }
  const reply = z.object({ qr_code: z.string() })
  return (await client.call('alipay.trade.precreate', content, reply, { notifyUrl })).qr_code
}

/** Alipay refuses these characters in titles, and titles of more than 256. */
function subjectOf(title: string): string {
  const wide: Record<string, string> = { '/': '／', '=': '＝', '&': '＆' }
  const subject = title.toWellFormed().replace(/[/=&]/g, (char) => wide[char] ?? char)
  return Array.from(subject.replace(/\p{Cc}+/gu, ' '))
    .slice(0, 128)
    .join('')
}

const Trade = z.object({
  out_trade_no: z.string(),
  trade_no: z.optional(z.string()),
  trade_status: z.string(),
  total_amount: z.string(),
  trans_currency: z.optional(z.string()),
  send_pay_date: z.optional(z.string()),
})

export async function queryTrade(client: AlipayClient, attemptNo: string, merchant: string): Promise<PaymentState> {
  try {
    const trade = await client.call('alipay.trade.query', { out_trade_no: attemptNo }, Trade)
    const payment = paymentOf({ ...trade, paid_at: trade.send_pay_date }, merchant)
    if (!payment || payment.attemptNo !== attemptNo) throw unreadable()
    return payment
  } catch (error) {
    if (!isRefusal(error) || error.code !== SubCode.TradeNotExist) throw error
    return { state: 'unknown', attemptNo, transactionId: '', merchant, fen: 0, currency: 'CNY', paidAt: null }
  }
}

export async function closeTrade(
  client: AlipayClient,
  attemptNo: string,
  merchant: string,
): Promise<'closed' | 'paid'> {
  try {
    await client.call('alipay.trade.close', { out_trade_no: attemptNo }, z.looseObject({}))
    return 'closed'
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (error.code === SubCode.TradeNotExist) return 'closed'
    const { state } = await queryTrade(client, attemptNo, merchant)
    if (state === 'unpaid') throw error
    return state === 'paid' || state === 'refunded' ? 'paid' : 'closed'
  }
}

/** The fields of a trade that answers and notices share; empty ones count as missing. */
interface TradeFields {
  out_trade_no?: string
  trade_no?: string
  trade_status?: string
  total_amount?: string
  trans_currency?: string
  paid_at?: string
}

/** Undefined if a field is missing or is not what it should be. */
export function paymentOf(trade: TradeFields, merchant: string): PaymentState | undefined {
  const fen = yuanToFen(trade.total_amount ?? '')
  const paidAt = parseBeijingTime(trade.paid_at)
  const state = stateOf(trade.trade_status, paidAt !== null)
  const wasPaid = state === 'paid' || state === 'refunded'
  if (fen === undefined || !state || !trade.out_trade_no || (wasPaid && !trade.trade_no)) return undefined
  return {
    state,
    attemptNo: trade.out_trade_no,
    transactionId: (wasPaid && trade.trade_no) || '',
    merchant,
    fen,
    currency: trade.trans_currency || 'CNY',
    paidAt: wasPaid ? paidAt : null,
  }
}

/** `TRADE_CLOSED` means never paid, or all of it refunded. */
function stateOf(status: string | undefined, wasPaid: boolean): PaymentState['state'] | undefined {
  if (status === 'TRADE_CLOSED') return wasPaid ? 'refunded' : 'closed'
  if (status === 'TRADE_SUCCESS' || status === 'TRADE_FINISHED') return 'paid'
  return status === 'WAIT_BUYER_PAY' ? 'unpaid' : undefined
}
