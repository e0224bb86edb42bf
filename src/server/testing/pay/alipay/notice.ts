import { sign } from 'node:crypto'
import type { NoticeFault } from '../pay-simulator.ts'
import { time, yuan } from './formats.ts'
import { alipayKey, appId, applicationKey, sellerId, unrelatedKey } from './identities.ts'
import { paidFen, statusOf, type Trade } from './trades.ts'

interface Composing {
  key?: string
  /** Alipay's Java code signs empty values, its PHP code does not. */
  signsEmpty?: boolean
}

/** A signed form, as notices and the buyer's return are. The order of keys is that of `fields`. */
export function composeForm(
  fields: Record<string, string>,
  { key = alipayKey, signsEmpty = false }: Composing = {},
): URLSearchParams {
  const text = Object.keys(fields)
    .filter((name) => signsEmpty || fields[name] !== '')
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
  const signature = sign('RSA-SHA256', Buffer.from(text), key).toString('base64')
  return new URLSearchParams({ sign: signature, ...fields, sign_type: 'RSA2' })
}

export async function sendNotice(url: string, body: string): Promise<{ status: number; body: string }> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded; text/html; charset=utf-8' }
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, body: await response.text() }
}

export function noticeFields(trade: Trade): Record<string, string> {
  return {
    gmt_create: time(trade.createdAt),
    charset: 'utf-8',
    gmt_payment: time(trade.paidAt),
    notify_time: time(Date.now()),
    subject: trade.subject,
    buyer_id: '2088000000000099',
    passback_params: '',
    notify_id: `notice-${trade.no}`,
    notify_type: 'trade_status_sync',
    invoice_amount: yuan(paidFen(trade)),
    trade_status: statusOf(trade),
    receipt_amount: yuan(paidFen(trade)),
    buyer_pay_amount: yuan(paidFen(trade)),
    point_amount: '0.00',
    fund_bill_list: `[{"amount":"${yuan(paidFen(trade))}","fundChannel":"ALIPAYACCOUNT"}]`,
    app_id: trade.paid.app ?? appId,
    seller_id: trade.paid.merchant ?? sellerId,
    out_trade_no: trade.no,
    total_amount: yuan(paidFen(trade)),
    trade_no: trade.alipayNo,
    version: '1.0',
    ...(trade.paid.currency && { trans_currency: trade.paid.currency }),
  }
}

export function noticeWith(fault: NoticeFault | undefined, fields: Record<string, string>): string {
  const form = composeForm(fields, fault === 'wrong-key' || fault === 'unknown-serial' ? { key: unrelatedKey } : {})
  if (fault === 'wrong-api-key') return composeForm(fields, { key: applicationKey }).toString()
  if (fault === 'probe') form.set('sign', 'WRONG/SIGNATURE')
  if (fault === 'byte-changed')
    form.set('total_amount', form.get('total_amount')?.replace(/.$/, (digit) => (digit === '1' ? '2' : '1')) ?? '')
  if (fault === 'duplicate-keys') form.append('total_amount', '0.01')
  return form.toString()
}
