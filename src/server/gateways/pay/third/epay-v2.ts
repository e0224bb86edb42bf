import type { KeyObject } from 'node:crypto'
import type { Settings } from '#shared/settings.ts'
import { fenToYuan } from '../money.ts'
import {
  InvalidNotice,
  type PayEnvironment,
  type PayInstruction,
  PayProviderError,
  type PaymentRequest,
  type PaymentState,
  type RefundRequest,
  type RefundState,
} from '../pay-provider.ts'
import {
  assertBrowser,
  clockHint,
  type Dialect,
  gatewayRefused,
  isRecent,
  isUnknownOrder,
  refundRefused,
  unknownPayment,
} from './dialect.ts'
import { devices, instructionOf, noticedPayment, orderFields, paymentOf } from './epay-order.ts'
import { type Fields, parseForm, textFields } from './fields.ts'
import { askGateway, badAnswer, gatewayAddress, requireSetting } from './gateway-client.ts'
import { isPair, readPrivateKey, readPublicKey } from '../rsa-keys.ts'
import { isRsaSignature, rsaSignature } from './signatures.ts'

/** 易支付 with RSA: our key signs requests, the platform's signs answers and notices, and both carry a time. */
export function epayV2(settings: Settings['pay'], { now, nonce, timeoutMs }: PayEnvironment): Dialect {
  const account = () => {
    const gateway = gatewayAddress(settings.third_gateway)
    const pid = requireSetting(settings.third_merchant_id, '商户 ID')
    return { gateway, pid, ...readKeys(settings) }
  }

  const signed = (fields: Fields): Fields => {
    const stamped = { ...fields, timestamp: String(Math.floor(now() / 1000)) }
    return { ...stamped, sign: rsaSignature(stamped, account().privateKey), sign_type: 'RSA' }
  }

  const isGenuine = (fields: Fields) =>
    isRecent(fields.timestamp, now()) && isRsaSignature(fields.sign, fields, account().publicKey)

  /** A refusal need not be signed. */
  const ask = async (path: string, fields: Fields): Promise<Fields & { code: string }> => {
    const { gateway, pid } = account()
    const { body, date } = await askGateway(`${gateway}/api/pay/${path}`, {
      form: signed({ pid, ...fields }),
      timeoutMs,
    })
    const { code, ...answer } = textFields(body)
    if (code === undefined) throw badAnswer('看不懂支付网关的回答')
    const isSigned = answer.sign !== undefined || code === '0'
    if (isSigned && !isGenuine({ code, ...answer })) {
      throw badAnswer(`支付网关的回答签名不对，请核对平台公钥${clockHint(date, now())}`)
    }
    return { ...answer, code, msg: `${answer.msg ?? ''}${clockHint(date, now())}` }
  }

  const query = async (attemptNo: string): Promise<PaymentState> => {
    const { pid } = account()
    const answer = await ask('query', { out_trade_no: attemptNo })
    if (answer.code === '0') return paymentOf(answer, attemptNo, pid)
    if (isUnknownOrder(answer.msg ?? '')) return unknownPayment(attemptNo, pid)
    throw gatewayRefused(answer.code, answer.msg)
  }

  const create = async (request: PaymentRequest): Promise<PayInstruction> => {
    assertBrowser(request)
    const { gateway } = account()
    const order = orderFields(settings, request)
    const page = `${gateway}/api/pay/submit?${String(new URLSearchParams(signed(order)))}`
    if (!settings.third_channel) return { kind: 'redirect', url: page }
    const device = devices[request.client]
    const answer = await ask('create', { ...order, method: 'web', clientip: request.ip, device })
    if (answer.code !== '0') throw gatewayRefused(answer.code, answer.msg)
    const { pay_type: kind, pay_info: content } = answer
    const isShowable = (kind === 'jump' || kind === 'qrcode' || kind === 'urlscheme') && content
    const instruction = isShowable && instructionOf({ kind, content }, { gateway, client: request.client })
    return instruction || { kind: 'redirect', url: page }
  }

  const queryRefund = async ({ refundNo }: Pick<RefundRequest, 'refundNo'>): Promise<RefundState> => {
    const answer = await ask('refundquery', { out_refund_no: refundNo })
    if (answer.code === '0')
      return { state: answer.status === refundDone ? 'done' : 'processing', message: answer.msg ?? '' }
    if (isUnknownOrder(answer.msg ?? '')) return { state: 'unknown', message: '' }
    throw gatewayRefused(answer.code, answer.msg)
  }

  const refund = async (request: RefundRequest): Promise<RefundState> => {
    const answer = await ask('refund', {
      out_trade_no: request.attemptNo,
      out_refund_no: request.refundNo,
      money: fenToYuan(request.fen),
    })
    const told = await queryRefund(request).catch(() => undefined)
    // An earlier request with this number may have been accepted.
    if (answer.code !== '0') return told && told.state !== 'unknown' ? told : refundRefused(answer.msg)
    // Not every gateway can be asked about refunds; it has accepted this one.
    return told?.state === 'processing' ? told : { state: 'done', message: answer.msg ?? '' }
  }

  return {
    create,
    query,
    refund,
    queryRefund,
    // A refusal changes nothing: whether it was paid is asked next.
    async close(attemptNo) {
      await ask('close', { out_trade_no: attemptNo })
    },
    verifyNotice({ method, query: search, body }) {
      const fields = parseForm(method === 'GET' ? search : Buffer.from(body).toString())
      if (fields.sign_type !== 'RSA' || !isGenuine(fields)) throw new InvalidNotice('通知的签名或时间不对')
      return noticedPayment(fields, account().pid)
    },
    async test() {
      await query(`test${nonce()}`.slice(0, 32))
    },
  }
}

const refundDone = '1'

function readKeys(settings: Settings['pay']): { privateKey: KeyObject; publicKey: KeyObject } {
  const privateKey = readPrivateKey(requireSetting(settings.third_private_key, '商户私钥'))
  const publicKey = readPublicKey(requireSetting(settings.third_public_key, '平台公钥'))
  if (!privateKey) throw new PayProviderError('not-configured', '商户私钥不完整，请重新复制')
  if (!publicKey) throw new PayProviderError('not-configured', '平台公钥不完整，请重新复制')
  if (isPair(privateKey, publicKey)) {
    throw new PayProviderError('not-configured', '平台公钥填成了商户自己的公钥，请填写支付网关给出的平台公钥')
  }
  return { privateKey, publicKey }
}
