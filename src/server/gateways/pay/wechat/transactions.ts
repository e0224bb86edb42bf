import * as z from 'zod/mini'
import {
  PayProviderError,
  type PayEnvironment,
  type PayInstruction,
  type PaymentRequest,
  type PaymentState,
} from '../pay-provider.ts'
import { toBeijingTime } from '../beijing-time.ts'
import type { WeChatClient } from './client.ts'
import type { Credentials } from './credentials.ts'
import { signClientCall } from './signature.ts'

/** The accounts that a payment of ours may name. */
export interface Account {
  merchant: string
  appIds: string[]
}

interface Parts {
  client: WeChatClient
  credentials: Credentials
  environment: PayEnvironment
  /** Of the mini program, if it is another one than the service account's. */
  miniProgramAppId: string
}

export async function createTransaction(parts: Parts, request: PaymentRequest): Promise<PayInstruction> {
  const { client, credentials } = parts
  if (request.client === 'desktop') {
    const { code_url } = await client.post('/v3/pay/transactions/native', orderOf(parts, request), NativeAnswer)
    return { kind: 'qrcode', content: code_url }
  }
  if (request.client === 'phone') {
    const scene_info = { payer_client_ip: request.ip, h5_info: { type: 'Wap' } }
    const order = { ...orderOf(parts, request), scene_info }
    const { h5_url } = await client.post('/v3/pay/transactions/h5', order, H5Answer)
    return { kind: 'redirect', url: `${h5_url}&redirect_url=${encodeURIComponent(request.returnUrl)}` }
  }
  if (!request.openid) throw new PayProviderError('openid', '微信支付：在微信里付款要先取得付款人的 openid')
  const order = { ...orderOf(parts, request), payer: { openid: request.openid } }
  const { prepay_id: prepayId } = await client.post('/v3/pay/transactions/jsapi', order, JsapiAnswer)
  const call = { appId: order.appid, prepayId, now: parts.environment.now(), nonce: parts.environment.nonce() }
  const parameters = signClientCall(credentials.privateKey, call)
  // A mini program knows its own.
  return {
    kind: 'jsapi',
    parameters: request.client === 'mini-program' ? parameters : { appId: order.appid, ...parameters },
  }
}

const NativeAnswer = z.object({ code_url: z.string().check(z.minLength(1)) })
const H5Answer = z.object({ h5_url: z.url({ protocol: /^https?$/ }) })
const JsapiAnswer = z.object({ prepay_id: z.string().check(z.minLength(1)) })

/** Made of the request alone: WeChat refuses the same number with other values. */
function orderOf({ credentials, miniProgramAppId }: Parts, request: PaymentRequest) {
  const isMiniProgram = request.client === 'mini-program' && miniProgramAppId !== ''
  return {
    appid: isMiniProgram ? miniProgramAppId : credentials.appId,
    mchid: credentials.merchant,
    description: toDescription(request.title),
    out_trade_no: request.attemptNo,
    time_expire: `${toBeijingTime(request.expiresAt).replace(' ', 'T')}+08:00`,
    notify_url: request.notifyUrl,
    amount: { total: request.fen, currency: 'CNY' },
  }
}

/** On one line, and of at most 127 characters. */
function toDescription(title: string): string {
  const line = title
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const short = line.slice(0, 127)
  return (short.isWellFormed() ? short : line.slice(0, 126)) || '订单'
}

/** WeChat's word for the state of a payment. Some are of payments at a till, which we never make. */
const states: Record<string, PaymentState['state']> = {
  SUCCESS: 'paid',
  REFUND: 'refunded',
  NOTPAY: 'unpaid',
  USERPAYING: 'unpaid',
  PAYERROR: 'unpaid',
  CLOSED: 'closed',
  REVOKED: 'closed',
}

export const Transaction = z.object({
  appid: z.string(),
  mchid: z.string(),
  out_trade_no: z.string(),
  transaction_id: z.optional(z.string()),
  trade_state: z.string(),
  success_time: z.optional(z.string()),
  amount: z.optional(z.object({ total: z.int().check(z.nonnegative()), currency: z.optional(z.string()) })),
})

/** Undefined if it says "paid" without saying what. */
export function toPaymentState(
  transaction: z.infer<typeof Transaction>,
  { merchant, appIds }: Account,
): PaymentState | undefined {
  const { appid, mchid, amount } = transaction
  const state = states[transaction.trade_state]
  const isPaid = state === 'paid' || state === 'refunded'
  const transactionId = transaction.transaction_id ?? ''
  if (!state || (isPaid && (!amount || transactionId === ''))) return undefined
  const paidAt = Date.parse(transaction.success_time ?? '')
  return {
    state,
    attemptNo: transaction.out_trade_no,
    transactionId,
    // To our merchant by another merchant's app is not a payment of ours.
    merchant: mchid === merchant && !appIds.includes(appid) ? `${mchid}/${appid}` : mchid,
    fen: amount?.total ?? 0,
    currency: amount?.currency ?? 'CNY',
    paidAt: isPaid && Number.isFinite(paidAt) ? paidAt : null,
  }
}

export async function queryTransaction(
  client: WeChatClient,
  account: Account,
  attemptNo: string,
): Promise<PaymentState> {
  const { merchant } = account
  try {
    const transaction = await client.get(transactionTarget(merchant, attemptNo), Transaction)
    const payment = toPaymentState(transaction, account)
    if (payment && payment.attemptNo === attemptNo) return payment
  } catch (error) {
    if (!isRefusal(error, 'ORDERNOTEXIST')) throw error
    return { state: 'unknown', attemptNo, transactionId: '', merchant, fen: 0, currency: 'CNY', paidAt: null }
  }
  throw new PayProviderError('bad-answer', `微信支付：看不懂订单 ${attemptNo} 的状态`, { isTemporary: true })
}

export function transactionTarget(merchant: string, attemptNo: string): string {
  return `/v3/pay/transactions/out-trade-no/${encodeURIComponent(attemptNo)}?mchid=${encodeURIComponent(merchant)}`
}

export async function closeTransaction(
  client: WeChatClient,
  account: Account,
  attemptNo: string,
): Promise<'closed' | 'paid'> {
  try {
    const target = `/v3/pay/transactions/out-trade-no/${encodeURIComponent(attemptNo)}/close`
    await client.send(target, { mchid: account.merchant })
    return 'closed'
  } catch (error) {
    if (!(error instanceof PayProviderError) || error.isTemporary) throw error
    if (isRefusal(error, 'ORDERPAID')) return 'paid'
    // Refused for one reason or another: its state tells whether it can still be paid.
    const { state } = await queryTransaction(client, account, attemptNo)
    if (state === 'unpaid') throw error
    return state === 'paid' || state === 'refunded' ? 'paid' : 'closed'
  }
}

export function isRefusal(error: unknown, code: string): boolean {
  return error instanceof PayProviderError && error.code === code
}
