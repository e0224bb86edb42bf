import * as z from 'zod/mini'
import { InvalidNotice, type Notice, type PayEnvironment, type RawNotice } from '../pay-provider.ts'
import { decrypt, EncryptedResource } from './encryption.ts'
import { parseJson } from './refusals.ts'
import { toRefundState } from './refunds.ts'
import { isGenuine, isRecent, readSignatureHeaders } from './signature.ts'
import { toPaymentState, Transaction, type Account } from './transactions.ts'
import type { VerificationKeys } from './verification-keys.ts'

interface Parts {
  keys: VerificationKeys
  apiKey: Buffer
  account: Account
  environment: PayEnvironment
}

/** Nothing is parsed before the signature over the raw bytes is found to be right. */
export async function readWeChatNotice(parts: Parts, { headers, body }: RawNotice): Promise<Notice> {
  const signed = readSignatureHeaders(headers)
  if (!signed) throw new InvalidNotice('通知没有完整的签名')
  if (!isRecent(signed, parts.environment.now())) throw new InvalidNotice('通知的时间与服务器的时钟相差太多')
  // WeChat tries whether signatures are verified.
  if (signed.signature.startsWith('WECHATPAY/SIGNTEST/')) throw new InvalidNotice('微信支付的签名探测')
  const key = await parts.keys.find(signed.serial)
  if (!key) throw new InvalidNotice(`通知的序列号不认识：${signed.serial.slice(0, 64)}`)
  if (!isGenuine(signed, body, key)) throw new InvalidNotice('通知的签名不对')
  return readContent(parts, parseJson(Buffer.from(body).toString()))
}

const Envelope = z.object({
  event_type: z.string(),
  resource: z.extend(EncryptedResource, { original_type: z.optional(z.string()) }),
})

const RefundContent = z.object({
  mchid: z.string(),
  out_trade_no: z.string(),
  out_refund_no: z.string(),
  refund_status: z.string(),
})

function readContent({ apiKey, account }: Parts, json: unknown): Notice {
  const { success, data } = z.safeParse(Envelope, json)
  if (!success) throw new InvalidNotice('看不懂通知')
  const isPayment = data.event_type === 'TRANSACTION.SUCCESS'
  if (!isPayment && !data.event_type.startsWith('REFUND.')) return { kind: 'other' }
  const text = decrypt(data.resource, apiKey)
  if (text === undefined) throw new InvalidNotice('APIv3 密钥不对：解不开通知')
  return isPayment ? readPayment(account, parseJson(text)) : readRefund(account, parseJson(text))
}

function readPayment(account: Account, json: unknown): Notice {
  const { success, data } = z.safeParse(Transaction, json)
  const payment = success ? toPaymentState(data, account) : undefined
  if (!payment) throw new InvalidNotice('看不懂付款通知')
  return { kind: 'payment', payment }
}

function readRefund({ merchant }: Account, json: unknown): Notice {
  const { success, data } = z.safeParse(RefundContent, json)
  if (!success) throw new InvalidNotice('看不懂退款通知')
  if (data.mchid !== merchant) throw new InvalidNotice('退款通知属于别的商户')
  return {
    kind: 'refund',
    refundNo: data.out_refund_no,
    attemptNo: data.out_trade_no,
    refund: toRefundState(data.refund_status),
  }
}
