import { randomInt } from 'node:crypto'
import type { PaidDifferently } from '../pay-simulator.ts'

/** The orders of a simulated gateway, whatever its dialect. */
export interface GatewayOrder extends NewOrder {
  state: 'unpaid' | 'paid' | 'closed'
  transactionId: string
  paidAt: number
  /** Where the payment differs from the order. */
  paid: PaidDifferently
  refunds: Map<string, { fen: number; isDone: boolean }>
}

export interface NewOrder {
  attemptNo: string
  money: string
  name: string
  notifyUrl: string
  returnUrl: string
}

/** What the gateway says no to, as it would to an honest merchant. */
export class Refusal extends Error {}

/** A request that no correct merchant sends: kept as a complaint too. */
export class Complaint extends Refusal {}

export interface GatewayOrders {
  decision: 'done' | 'processing' | 'refused'
  find(attemptNo: string): GatewayOrder
  place(order: NewOrder): GatewayOrder
  pay(attemptNo: string, paid?: PaidDifferently): GatewayOrder
  close(attemptNo: string): void
  refund(refund: { attemptNo: string; refundNo: string; money: string }): void
  findRefund(refundNo: string): { order: GatewayOrder; fen: number; isDone: boolean }
}

export function keepOrders(): GatewayOrders {
  const orders = new Map<string, GatewayOrder>()

  const find = (attemptNo: string) => {
    const order = orders.get(attemptNo)
    if (!order) throw new Refusal('订单号不存在')
    return order
  }

  const place = (order: NewOrder) => {
    assertWellFormed(order)
    const known = orders.get(order.attemptNo)
    if (known?.state === 'paid') throw new Refusal('该订单已支付')
    if (known && known.money !== order.money) throw new Complaint('同一订单号的金额前后不同')
    const placed = known ?? {
      ...order,
      state: 'unpaid' as const,
      transactionId: `${Date.now()}${randomInt(1e6, 1e7)}`,
      paidAt: 0,
      paid: {},
      refunds: new Map(),
    }
    orders.set(order.attemptNo, placed)
    return placed
  }

  const kept: GatewayOrders = {
    decision: 'done',
    find,
    place,
    pay(attemptNo, paid = {}) {
      const order = find(attemptNo)
      if (order.state === 'closed') throw new Refusal('订单已关闭')
      return Object.assign(order, { state: 'paid', paidAt: Date.now(), paid })
    },
    close(attemptNo) {
      const order = find(attemptNo)
      if (order.state === 'paid') throw new Refusal('订单已支付，不能关闭')
      order.state = 'closed'
    },
    refund({ attemptNo, refundNo, money }) {
      const order = find(attemptNo)
      if (order.refunds.has(refundNo)) return
      if (order.state !== 'paid') throw new Refusal('订单未支付')
      const fen = toFen(money)
      if (fen > paidFen(order) - refundedFen(order)) throw new Refusal('退款金额大于可退金额')
      if (kept.decision === 'refused') throw new Refusal('商户余额不足')
      order.refunds.set(refundNo, { fen, isDone: kept.decision === 'done' })
    },
    findRefund(refundNo) {
      const order = [...orders.values()].find(({ refunds }) => refunds.has(refundNo))
      const refund = order?.refunds.get(refundNo)
      if (!order || !refund) throw new Refusal('退款单不存在')
      refund.isDone ||= kept.decision === 'done'
      return { order, ...refund }
    },
  }
  return kept
}

function assertWellFormed({ attemptNo, money, name, notifyUrl, returnUrl }: NewOrder): void {
  if (!/^[0-9A-Za-z]{6,32}$/.test(attemptNo)) throw new Complaint(`订单号不合要求：${attemptNo}`)
  if (!/^\d+\.\d\d$/.test(money) || Number(money) <= 0) throw new Complaint(`金额不合要求：${money}`)
  if (!name || Buffer.byteLength(name) > 127) throw new Complaint(`商品名称不合要求：${name}`)
  if (!/^https?:\/\/[^?#]+$/.test(notifyUrl)) throw new Complaint(`通知地址不合要求：${notifyUrl}`)
  if (!/^https?:\/\//.test(returnUrl)) throw new Complaint(`返回地址不合要求：${returnUrl}`)
}

function toFen(money: string): number {
  return Math.round(Number(money) * 100)
}

function paidFen({ money, paid }: GatewayOrder): number {
  return paid.fen ?? toFen(money)
}

export function refundedFen({ refunds }: GatewayOrder): number {
  return [...refunds.values()].reduce((sum, { fen }) => sum + fen, 0)
}

/** What was paid, or is to be paid, in yuan. */
export function paidYuan(order: GatewayOrder): string {
  return (paidFen(order) / 100).toFixed(2)
}

export function isWhollyRefunded(order: GatewayOrder): boolean {
  return order.refunds.size > 0 && refundedFen(order) >= paidFen(order)
}

/** `yyyy-mm-dd hh:mm:ss` in Beijing. */
export function beijingTime(at: number): string {
  return new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}
