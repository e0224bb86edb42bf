import type { Settings } from '#shared/settings.ts'
import { fenToYuan } from '../money.ts'
import {
  InvalidNotice,
  type PayEnvironment,
  type PayInstruction,
  type PaymentRequest,
  type PaymentState,
  type RefundRequest,
  type RefundState,
} from '../pay-provider.ts'
import {
  assertBrowser,
  type Dialect,
  gatewayRefused,
  isUnknownOrder,
  refundRefused,
  unknownPayment,
} from './dialect.ts'
import { devices, EpayStatus, instructionOf, noticedPayment, orderFields, paymentOf } from './epay-order.ts'
import { type Fields, parseForm, textFields } from './fields.ts'
import { askGateway, badAnswer, gatewayAddress, requireSetting } from './gateway-client.ts'
import { isMd5Signature, md5Signature } from './signatures.ts'

/**
 * 易支付 with a shared key. It cannot close a payment, its queries are not signed, and its refunds have no number of
 * ours: only the whole can be refunded, because a part that is repeated could be paid twice.
 */
export function epay(settings: Settings['pay'], { nonce, timeoutMs }: PayEnvironment): Dialect {
  const account = () => ({
    gateway: gatewayAddress(settings.third_gateway),
    pid: requireSetting(settings.third_merchant_id, '商户 ID'),
    key: requireSetting(settings.third_key, '商户密钥'),
  })

  const ask = async (path: string, form?: Fields): Promise<Fields> => {
    const { body } = await askGateway(`${account().gateway}${path}`, { form, timeoutMs })
    const answer = textFields(body)
    if (answer.code === undefined) throw badAnswer('看不懂支付网关的回答')
    return answer
  }

  const findOrder = async (attemptNo: string): Promise<Fields | undefined> => {
    const { pid, key } = account()
    const search = new URLSearchParams({ act: 'order', pid, key, out_trade_no: attemptNo })
    const answer = await ask(`/api.php?${String(search)}`)
    if (answer.code === '1') return answer
    if (isUnknownOrder(answer.msg ?? '')) return undefined
    throw gatewayRefused(answer.code, answer.msg)
  }

  const query = async (attemptNo: string): Promise<PaymentState> => {
    const order = await findOrder(attemptNo)
    return order ? paymentOf(order, attemptNo, account().pid) : unknownPayment(attemptNo, account().pid)
  }

  const create = async (request: PaymentRequest): Promise<PayInstruction> => {
    assertBrowser(request)
    const { gateway, key } = account()
    const signed = (fields: Fields) => ({ ...fields, sign: md5Signature(fields, key), sign_type: 'MD5' })
    const order = orderFields(settings, request)
    const page = `${gateway}/submit.php?${String(new URLSearchParams(signed(order)))}`
    if (!settings.third_channel) return { kind: 'redirect', url: page }
    const device = devices[request.client]
    const answer = await ask('/mapi.php', signed({ ...order, clientip: request.ip, device }))
    if (answer.code !== '1') throw gatewayRefused(answer.code, answer.msg)
    return shown(answer, request, gateway) ?? { kind: 'redirect', url: page }
  }

  const isWhollyRefunded = async (attemptNo: string): Promise<boolean> =>
    (await findOrder(attemptNo))?.status === EpayStatus.Refunded

  const refund = async ({ attemptNo, fen, totalFen }: RefundRequest): Promise<RefundState> => {
    if (fen !== totalFen) return { state: 'refused', message: wholeRefundsOnly }
    if (await isWhollyRefunded(attemptNo)) return { state: 'done', message: '' }
    const { pid, key } = account()
    const answer = await ask('/api.php?act=refund', { pid, key, out_trade_no: attemptNo, money: fenToYuan(fen) })
    return answer.code === '1' ? { state: 'done', message: answer.msg ?? '' } : refundRefused(answer.msg)
  }

  return {
    create,
    query,
    refund,
    async queryRefund({ attemptNo }) {
      return { state: (await isWhollyRefunded(attemptNo)) ? 'done' : 'unknown', message: '' }
    },
    verifyNotice({ method, query: search, body }) {
      const fields = parseForm(method === 'GET' ? search : Buffer.from(body).toString())
      const isSigned = (fields.sign_type ?? 'MD5') === 'MD5' && isMd5Signature(fields.sign, fields, account().key)
      if (!isSigned) throw new InvalidNotice('通知的签名不对')
      return noticedPayment(fields, account().pid)
    },
    async test() {
      await query(`test${nonce()}`.slice(0, 32))
    },
  }
}

const wholeRefundsOnly = '易支付（MD5）只能全额退款，部分退款请在支付网关的后台办理'

function shown(answer: Fields, { client }: PaymentRequest, gateway: string): PayInstruction | undefined {
  const { payurl, qrcode, urlscheme } = answer
  if (payurl) return instructionOf({ kind: 'jump', content: payurl }, { gateway, client })
  if (qrcode) return instructionOf({ kind: 'qrcode', content: qrcode }, { gateway, client })
  return urlscheme ? instructionOf({ kind: 'urlscheme', content: urlscheme }, { gateway, client }) : undefined
}
