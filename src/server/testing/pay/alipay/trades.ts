import { randomInt } from 'node:crypto'
import type { PaidDifferently } from '../pay-simulator.ts'
import { time, yuan } from './formats.ts'
import type { AlipayRequest } from './request.ts'
import { Refused } from './request.ts'

export interface Refund {
  no: string
  fen: number
  at: number
}

export interface Trade {
  no: string
  alipayNo: string
  fen: number
  subject: string
  notifyUrl: string
  returnUrl: string
  /** Nobody has scanned the code yet: to queries it does not exist. */
  isOpened: boolean
  state: 'waiting' | 'paid' | 'closed'
  createdAt: number
  paidAt: number
  paid: PaidDifferently
  refunds: Refund[]
}

/** Alipay's books. */
export class Trades {
  readonly all = new Map<string, Trade>()
  isRefusingRefunds = false

  create({ content, notifyUrl, returnUrl }: AlipayRequest): Trade {
    const { out_trade_no: no = '', subject = '', total_amount: amount = '' } = content
    const fen = Math.round(Number(amount) * 100)
    const before = this.all.get(no)
    if (before && (before.fen !== fen || before.subject !== subject)) throw failed('ACQ.CONTEXT_INCONSISTENT')
    if (before?.state === 'paid') throw failed('ACQ.TRADE_HAS_SUCCESS')
    if (before?.state === 'closed') throw failed('ACQ.TRADE_HAS_CLOSE')
    const trade = before ?? {
      no,
      alipayNo: `20261117220014${String(randomInt(1e14)).padStart(14, '0')}`,
      fen,
      subject,
      notifyUrl,
      returnUrl,
      isOpened: false,
      state: 'waiting',
      createdAt: Date.now(),
      paidAt: 0,
      paid: {},
      refunds: [],
    }
    this.all.set(no, trade)
    return trade
  }

  /** One that somebody has opened. */
  get(no = ''): Trade {
    const trade = this.all.get(no)
    if (!trade?.isOpened) throw failed('ACQ.TRADE_NOT_EXIST')
    return trade
  }

  pay(no: string, paid: PaidDifferently = {}): Trade {
    const trade = this.all.get(no)
    if (!trade) throw new Error(`nobody has opened a payment ${no}`)
    Object.assign(trade, { isOpened: true, state: 'paid', paidAt: Date.now(), paid })
    return trade
  }

  close(no = ''): Trade {
    const trade = this.get(no)
    if (trade.state !== 'waiting') throw failed('ACQ.TRADE_STATUS_ERROR')
    trade.state = 'closed'
    return trade
  }

  /** Whether money moved: not for one that was done before. */
  refund({ out_trade_no, out_request_no: no = '', refund_amount = '' }: Record<string, string>): boolean {
    const trade = this.get(out_trade_no)
    const fen = Math.round(Number(refund_amount) * 100)
    const before = trade.refunds.find((refund) => refund.no === no)
    if (before && before.fen !== fen) throw failed('ACQ.DISCORDANT_REPEAT_REQUEST')
    if (before) return false
    if (trade.state !== 'paid') throw failed('ACQ.TRADE_STATUS_ERROR')
    if (this.isRefusingRefunds) throw failed('ACQ.SELLER_BALANCE_NOT_ENOUGH')
    if (fen + refundedFen(trade) > paidFen(trade)) throw failed('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL')
    trade.refunds.push({ no, fen, at: Date.now() })
    return true
  }

  findRefund(no: string): { trade: Trade; refund: Refund } {
    for (const trade of this.all.values()) {
      const refund = trade.refunds.find((refund) => refund.no === no)
      if (refund) return { trade, refund }
    }
    throw new Error(`no refund ${no}`)
  }
}

export function paidFen({ fen, paid }: Trade): number {
  return paid.fen ?? fen
}

export function refundedFen({ refunds }: Trade): number {
  return refunds.reduce((sum, { fen }) => sum + fen, 0)
}

export function statusOf(trade: Trade): string {
  if (trade.state === 'waiting') return 'WAIT_BUYER_PAY'
  const isRefunded = refundedFen(trade) === paidFen(trade)
  return trade.state === 'paid' && !isRefunded ? 'TRADE_SUCCESS' : 'TRADE_CLOSED'
}

/** What a query tells. */
export function describeTrade(trade: Trade): Record<string, string> {
  return {
    buyer_logon_id: 'bu***@example.com',
    buyer_pay_amount: '0.00',
    buyer_user_id: '2088000000000099',
    out_trade_no: trade.no,
    ...(trade.paidAt > 0 && { send_pay_date: time(trade.paidAt) }),
    store_name: '文豆/网店',
    total_amount: yuan(paidFen(trade)),
    trade_no: trade.alipayNo,
    trade_status: statusOf(trade),
    ...(trade.paid.currency && { trans_currency: trade.paid.currency }),
  }
}

function failed(subCode: string): Refused {
  return new Refused('40004', subCode)
}
