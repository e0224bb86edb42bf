import { randomInt } from 'node:crypto'
import type { PaidDifferently } from '../pay-simulator.ts'
import { Refusal } from './requests.ts'

export interface Order {
  body: OrderBody
  /** What was sent, to compare with what is sent again. */
  text: string
  tradeType: 'NATIVE' | 'MWEB' | 'JSAPI'
  isClosed: boolean
  payment: Payment | undefined
}

export interface OrderBody {
  appid: string
  mchid: string
  description: string
  out_trade_no: string
  notify_url: string
  time_expire?: string
  amount: { total: number; currency?: string }
  payer?: { openid: string }
}

interface Payment {
  transactionId: string
  at: number
  fen: number
  currency: string
  merchant: string
  app: string
}

export interface RefundBody {
  transaction_id?: string
  out_trade_no?: string
  out_refund_no: string
  notify_url?: string
  amount: { refund: number; total: number; currency: string }
}

export interface Refund {
  order: Order
  body: RefundBody
  text: string
  refundId: string
  status: 'PROCESSING' | 'SUCCESS' | 'CLOSED'
  at: number
}

/** Orders and refunds as WeChat keeps them, and its rules about them. */
export function openLedger(now: () => number) {
  const orders = new Map<string, Order>()
  const refunds = new Map<string, Refund>()

  const getOrder = (attemptNo: string) => {
    const order = orders.get(attemptNo)
    if (!order) throw new Refusal(404, 'ORDER_NOT_EXIST', '订单不存在')
    return order
  }

  const refundsOf = (order: Order) =>
    [...refunds.values()].filter((refund) => refund.order === order && refund.status !== 'CLOSED')

  return {
    orders,
    refunds,
    getOrder,
    create(body: OrderBody, text: string, tradeType: Order['tradeType']): Order {
      const known = orders.get(body.out_trade_no)
      if (known && known.text !== text) throw new Refusal(400, 'INVALID_REQUEST', '请求重入时，参数与首次请求时不一致')
      if (known?.payment) throw new Refusal(400, 'ORDERPAID', '该订单已支付')
      if (known?.isClosed) throw new Refusal(400, 'ORDER_CLOSED', '该订单已关闭')
      const order = known ?? { body, text, tradeType, isClosed: false, payment: undefined }
      orders.set(body.out_trade_no, order)
      return order
    },
    pay(attemptNo: string, paid: PaidDifferently = {}): void {
      const order = getOrder(attemptNo)
      const { appid, mchid, amount } = order.body
      order.payment ??= {
        transactionId: `42000${randomDigits(23)}`,
        at: now(),
        fen: paid.fen ?? amount.total,
        currency: paid.currency ?? 'CNY',
        merchant: paid.merchant ?? mchid,
        app: paid.app ?? appid,
      }
    },
    close(attemptNo: string): void {
      const order = getOrder(attemptNo)
      if (order.payment) throw new Refusal(400, 'ORDERPAID', '该订单已支付')
      order.isClosed = true
    },
    /** The transaction object of answers and notices. */
    present(order: Order) {
      const { body, tradeType, payment } = order
      const common = { appid: payment?.app ?? body.appid, mchid: payment?.merchant ?? body.mchid }
      const numbers = { ...common, out_trade_no: body.out_trade_no, attach: '' }
      if (!payment) {
        const trade_state = order.isClosed ? 'CLOSED' : 'NOTPAY'
        return { ...numbers, trade_state, trade_state_desc: '', amount: { total: body.amount.total, currency: 'CNY' } }
      }
      // A coupon lowers what the payer pays, not the total.
      const payer_total = Math.max(0, payment.fen - 1)
      return {
        ...numbers,
        transaction_id: payment.transactionId,
        trade_type: tradeType,
        trade_state: refundsOf(order).length > 0 ? 'REFUND' : 'SUCCESS',
        trade_state_desc: '支付成功',
        bank_type: 'OTHERS',
        success_time: beijing(payment.at, 'T', '+08:00'),
        payer: { openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' },
        amount: { total: payment.fen, payer_total, currency: payment.currency, payer_currency: payment.currency },
      }
    },
    refund(body: RefundBody, text: string, answer: 'done' | 'processing' | 'refused'): Refund {
      const known = refunds.get(body.out_refund_no)
      if (known) {
        if (known.text !== text) throw new Refusal(400, 'INVALID_REQUEST', '退款单号重复，且参数不一致')
        return known
      }
      const order = [...orders.values()].find(
        ({ body: { out_trade_no }, payment }) =>
          payment && (out_trade_no === body.out_trade_no || payment.transactionId === body.transaction_id),
      )
      if (!order?.payment) throw new Refusal(404, 'RESOURCE_NOT_EXISTS', '订单不存在或没有支付')
      if (body.amount.total !== order.payment.fen) throw new Refusal(400, 'PARAM_ERROR', '订单金额不一致')
      const refunded = refundsOf(order).reduce((sum, { body: { amount } }) => sum + amount.refund, 0)
      if (refunded + body.amount.refund > order.payment.fen) {
        throw new Refusal(400, 'INVALID_REQUEST', '申请退款金额超过订单可退金额')
      }
      if (answer === 'refused') throw new Refusal(403, 'NOT_ENOUGH', '基本账户余额不足，请充值后重新发起')
      const status = answer === 'done' ? 'SUCCESS' : 'PROCESSING'
      const refund: Refund = { order, body, text, refundId: `50300${randomDigits(23)}`, status, at: now() }
      refunds.set(body.out_refund_no, refund)
      return refund
    },
    finishRefunds(status: 'SUCCESS' | 'CLOSED'): void {
      for (const refund of refunds.values()) if (refund.status === 'PROCESSING') refund.status = status
    },
    getRefund(refundNo: string): Refund {
      const refund = refunds.get(refundNo)
      if (!refund) throw new Refusal(404, 'RESOURCE_NOT_EXISTS', '退款单不存在')
      return refund
    },
  }
}

export type Ledger = ReturnType<typeof openLedger>

export function randomDigits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('')
}

/** A time in Beijing. */
export function beijing(at: number, separator: string, zone = ''): string {
  return new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', separator) + zone
}
