import type { Settings } from '#shared/settings.ts'
import { fenToYuan, yuanToFen } from '../money.ts'
import {
  InvalidNotice,
  type PayEnvironment,
  type PayInstruction,
  type PaymentRequest,
  type PaymentState,
  type RefundState,
} from '../pay-provider.ts'
import { assertBrowser, clockHint, type Dialect, gatewayRefused, isUnknownOrder, unknownPayment } from './dialect.ts'
import { parseBeijingTime } from '../beijing-time.ts'
import { type Fields, parseForm, productName, textFields } from './fields.ts'
import {
  askGateway,
  badAnswer,
  gatewayAddress,
  type GatewayAnswer,
  isObject,
  requireSetting,
} from './gateway-client.ts'
import { isMd5Signature, md5Signature } from './signatures.ts'

const officialGateway = 'https://api.xunhupay.com'
const officialHosts = /(^|\.)(xunhupay|dpweixin)\.com$/

/** 虎皮椒. It cannot close a payment; refunds are made in its own back office, which tells us of them by a notice. */
export function xunhupay(settings: Settings['pay'], { now, nonce, timeoutMs }: PayEnvironment): Dialect {
  const account = () => ({
    gateway: gatewayAddress(settings.third_gateway.trim() || officialGateway),
    appid: requireSetting(settings.third_merchant_id, '商户 ID（appid）'),
    secret: requireSetting(settings.third_key, '商户密钥（appsecret）'),
  })

  const ask = async (path: string, fields: Fields): Promise<GatewayAnswer & { code: string; message: string }> => {
    const { gateway, appid, secret } = account()
    const form = { ...fields, appid, time: String(Math.floor(now() / 1000)), nonce_str: nonce() }
    const signed = { ...form, hash: md5Signature(form, secret) }
    const answer = await askGateway(`${gateway}/payment/${path}`, { form: signed, timeoutMs })
    const { errcode, errmsg = '' } = textFields(answer.body)
    if (errcode === undefined) throw badAnswer('看不懂虎皮椒的回答')
    const reason = errcode === wrongHash ? '签名错误，请核对商户密钥（appsecret）' : errmsg
    return { ...answer, code: errcode, message: `${reason}${clockHint(answer.date, now())}` }
  }

  const query = async (attemptNo: string): Promise<PaymentState> => {
    const { appid } = account()
    const { code, message, body } = await ask('query.html', { out_trade_order: attemptNo })
    if (code === '0' && isObject(body.data)) return paymentOf(textFields(body.data), attemptNo, appid)
    if (code === '0' || isUnknownOrder(message)) return unknownPayment(attemptNo, appid)
    throw gatewayRefused(code, message)
  }

  const create = async (request: PaymentRequest): Promise<PayInstruction> => {
    assertBrowser(request)
    const { gateway, secret } = account()
    const { code, message, body } = await ask('do.html', {
      version: '1.1',
      trade_order_id: request.attemptNo,
      total_fee: fenToYuan(request.fen),
      title: productName(request.title),
      notify_url: request.notifyUrl,
      return_url: request.returnUrl,
      callback_url: request.returnUrl,
      ...(request.client === 'phone' && wapFields(request)),
    })
    if (code !== '0') throw gatewayRefused(code, message)
    const { hash, url = '', ...rest } = textFields(body)
    if (!isMd5Signature(hash, { url, ...rest }, secret)) throw badAnswer('虎皮椒的回答签名不对，请核对商户密钥')
    if (!isExpectedPage(url, gateway)) throw badAnswer('虎皮椒给出的付款地址不是它自己的网站')
    return { kind: 'redirect', url }
  }

  return {
    create,
    query,
    refund: () => Promise.resolve(noRefunds),
    queryRefund: () => Promise.resolve(noRefunds),
    verifyNotice({ body }) {
      const fields = parseForm(Buffer.from(body).toString())
      const { appid, secret } = account()
      if (!isMd5Signature(fields.hash, fields, secret)) throw new InvalidNotice('通知的签名不对')
      if (fields.appid !== appid) throw new InvalidNotice('通知属于另一个商户')
      if (!stateByStatus[fields.status ?? '']) return undefined
      const fen = yuanToFen(fields.total_fee ?? '')
      if (fen === undefined || !fields.trade_order_id) throw new InvalidNotice('通知里没有订单号或金额')
      return { attemptNo: fields.trade_order_id, fen }
    },
    async test() {
      await query(`test${nonce()}`.slice(0, 32))
    },
  }
}

const wrongHash = '40029'
const noRefunds: RefundState = {
  state: 'refused',
  message: '虎皮椒不能从这里退款，请登录虎皮椒的商户后台办理',
}

/** Statuses after which there was money: paid, refunded, refunding, refund failed. */
const stateByStatus: Partial<Record<string, 'paid' | 'refunded'>> = {
  OD: 'paid',
  CD: 'refunded',
  RD: 'refunded',
  UD: 'paid',
}

function paymentOf(data: Fields, attemptNo: string, appid: string): PaymentState {
  if (data.out_trade_order && data.out_trade_order !== attemptNo) throw badAnswer('虎皮椒答的是另一笔订单')
  const fen = yuanToFen(data.total_amount ?? data.total_fee ?? '')
  if (fen === undefined) throw badAnswer('虎皮椒的回答里没有金额')
  const payment = { attemptNo, merchant: data.appid || appid, fen, currency: 'CNY' }
  const state = stateByStatus[data.status ?? '']
  if (!state) return { ...payment, state: 'unpaid', transactionId: '', paidAt: null }
  // A cancelled payment may bear the status of a refunded one; no buyer paid it.
  const isCancelled = data.status === 'CD' && !data.transaction_id && !data.paid_date
  if (isCancelled) return { ...payment, state: 'closed', transactionId: '', paidAt: null }
  const transactionId = data.open_order_id || data.transaction_id
  if (!transactionId) throw badAnswer('虎皮椒的回答里没有订单号')
  return { ...payment, state, transactionId, paidAt: parseBeijingTime(data.paid_date) }
}

/** For a browser on a phone outside WeChat. */
function wapFields({ returnUrl }: PaymentRequest): Fields {
  const { origin, hostname } = new URL(returnUrl)
  return { type: 'WAP', wap_url: origin, wap_name: hostname.slice(0, 32) }
}

function isExpectedPage(page: string, gateway: string): boolean {
  const [url, own] = [URL.parse(page), new URL(gateway)]
  if (!url) return false
  return (
    url.origin === own.origin || (url.protocol === 'https:' && (url.host === own.host || officialHosts.test(url.host)))
  )
}
