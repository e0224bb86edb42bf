import * as z from 'zod/mini'
import { fenToYuan } from '../money.ts'
import type { RefundRequest, RefundState } from '../pay-provider.ts'
import type { AlipayClient } from './client.ts'
import { isRefusal, SubCode } from './failures.ts'

type RefundNumbers = Pick<RefundRequest, 'refundNo' | 'attemptNo'>

/** `out_request_no` makes it idempotent: a repetition moves no money. Its notice goes to the payment's address. */
export async function refundTrade(client: AlipayClient, request: RefundRequest): Promise<RefundState> {
  const content = {
    out_trade_no: request.attemptNo,
    out_request_no: request.refundNo,
    refund_amount: fenToYuan(request.fen),
    refund_reason: Array.from(request.reason).slice(0, 128).join(''),
  }
  try {
    const reply = z.object({ fund_change: z.optional(z.string()) })
    const { fund_change: hasMovedMoney } = await client.call('alipay.trade.refund', content, reply)
    if (hasMovedMoney === 'Y') return done
    // Done before, or still on its way.
    const refund = await queryTradeRefund(client, request)
    return refund.state === 'done' ? done : { state: 'processing', message: '支付宝正在处理' }
  } catch (error) {
    if (isRefusal(error)) return { state: 'refused', message: error.message }
    throw error
  }
}

/** Until a refund has succeeded, Alipay does not tell one that is on its way from one that it never received. */
export async function queryTradeRefund(
  client: AlipayClient,
  { refundNo, attemptNo }: RefundNumbers,
): Promise<RefundState> {
  const content = { out_trade_no: attemptNo, out_request_no: refundNo }
  const reply = z.object({ refund_status: z.optional(z.string()) })
  try {
    const { refund_status: status } = await client.call('alipay.trade.fastpay.refund.query', content, reply)
    return status === 'REFUND_SUCCESS' ? done : { state: 'unknown', message: '支付宝还没有这笔退款的结果' }
  } catch (error) {
    if (!isRefusal(error) || error.code !== SubCode.TradeNotExist) throw error
    return { state: 'unknown', message: error.message }
  }
}

const done: RefundState = { state: 'done', message: '' }
