import * as z from 'zod/mini'
import { PayProviderError, type RefundRequest, type RefundState } from '../pay-provider.ts'
import type { WeChatClient } from './client.ts'
import { isRefusal } from './transactions.ts'

/** Codes that say no to this refund; others are about our settings or about WeChat's health. */
const isNo = ({ code, isTemporary }: PayProviderError) => !isTemporary && code !== 'SIGNERROR'

export async function requestRefund(client: WeChatClient, request: RefundRequest): Promise<RefundState> {
  const { refundNo, attemptNo, reason, notifyUrl } = request
  try {
    const refund = await client.post(
      '/v3/refund/domestic/refunds',
      {
        ...(request.transactionId ? { transaction_id: request.transactionId } : { out_trade_no: attemptNo }),
        out_refund_no: refundNo,
        ...(reason && { reason: toReason(reason) }),
        notify_url: notifyUrl,
        amount: { refund: request.fen, total: request.totalFen, currency: 'CNY' },
      },
      Refund,
    )
    return toRefundState(refund.status)
  } catch (error) {
    if (!(error instanceof PayProviderError) || !isNo(error)) throw error
    // An earlier request with this number may have been accepted: a refusal is believed only if there is no refund.
    const earlier = await queryRefund(client, refundNo)
    return earlier.state === 'unknown' ? { state: 'refused', message: error.message } : earlier
  }
}

const Refund = z.object({ status: z.string() })

/** At most 80 bytes. */
function toReason(reason: string): string {
  const { read } = new TextEncoder().encodeInto(reason, new Uint8Array(80))
  return reason.slice(0, read).toWellFormed()
}

export async function queryRefund(client: WeChatClient, refundNo: string): Promise<RefundState> {
  try {
    const target = `/v3/refund/domestic/refunds/${encodeURIComponent(refundNo)}`
    return toRefundState((await client.get(target, Refund)).status)
  } catch (error) {
    if (!isRefusal(error, 'RESOURCENOTEXISTS')) throw error
    return { state: 'unknown', message: '微信支付没有这笔退款' }
  }
}

/** An abnormal refund is not over: it can be sent to another card in WeChat's own back office. */
const states: Record<string, RefundState> = {
  SUCCESS: { state: 'done', message: '退款成功' },
  PROCESSING: { state: 'processing', message: '退款处理中' },
  CLOSED: { state: 'refused', message: '退款已关闭' },
  ABNORMAL: {
    state: 'processing',
    message: '退款异常：付款人的银行卡收不到钱，请在微信商户平台“交易中心”手动处理这笔退款',
  },
}

export function toRefundState(status: string): RefundState {
  return states[status] ?? { state: 'processing', message: `微信支付：退款状态 ${status.slice(0, 32)}` }
}
