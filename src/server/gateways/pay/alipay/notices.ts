import type { KeyObject } from 'node:crypto'
import { InvalidNotice, type Notice, type NoticeAnswer, type RawNotice } from '../pay-provider.ts'
import { isSignedBy, textToSign } from './signature.ts'
import { paymentOf } from './trades.ts'

export interface NoticeContext {
  publicKey: KeyObject
  merchantOf(appId: string, sellerId: string): string
}

/** Notices have no time limit: a repeated one is stopped by settling a payment once. */
export function readNotice({ method, body }: RawNotice, { publicKey, merchantOf }: NoticeContext): Notice {
  if (method !== 'POST') throw new InvalidNotice('not a POST')
  const fields = readForm(body)
  assertSigned(fields, publicKey)

  const field = (name: string) => fields.get(name) || undefined
  if (field('notify_type') !== 'trade_status_sync') return { kind: 'other' }
  const payment = paymentOf(
    {
      out_trade_no: field('out_trade_no'),
      trade_no: field('trade_no'),
      trade_status: field('trade_status'),
      total_amount: field('total_amount'),
      trans_currency: field('trans_currency'),
      paid_at: field('gmt_payment'),
    },
    merchantOf(field('app_id') ?? '', field('seller_id') ?? ''),
  )
  if (!payment) throw new InvalidNotice('a field is missing or malformed')
  // The trade of a partial refund is still a paid one: without this it would look like another payment.
  if (!field('refund_fee')) return { kind: 'payment', payment }
  const refund = { state: 'done', message: '' } as const
  return { kind: 'refund', refundNo: field('out_biz_no') ?? '', attemptNo: payment.attemptNo, refund }
}

/** Anything but `success` is repeated, eight times within about 25 hours. */
export function answerNotice(isAccepted: boolean): NoticeAnswer {
  return { status: isAccepted ? 200 : 400, type: 'text/plain', body: isAccepted ? 'success' : 'fail' }
}

/** Decoded once. A key that is there twice could be read in two ways. */
function readForm(body: Uint8Array): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [key, value] of new URLSearchParams(new TextDecoder().decode(body))) {
    if (fields.has(key)) throw new InvalidNotice(`${key} is there twice`)
    fields.set(key, value)
  }
  return fields
}

/** Alipay's Java code signs empty values, its PHP code leaves them out; both are in use. */
function assertSigned(fields: Map<string, string>, publicKey: KeyObject): void {
  if (fields.get('sign_type') !== 'RSA2') throw new InvalidNotice('not signed by RSA2')
  const signature = fields.get('sign') ?? ''
  const signed = [...fields].filter(([key]) => key !== 'sign' && key !== 'sign_type')
  const filled = signed.filter(([, value]) => value !== '')
  if (isSignedBy(publicKey, textToSign(signed), signature)) return
  if (filled.length < signed.length && isSignedBy(publicKey, textToSign(filled), signature)) return
  throw new InvalidNotice('wrong signature')
}
