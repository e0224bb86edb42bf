import type { openBills } from './bills.ts'
import type { LoginCodes } from './codes.ts'
import { encrypt, type PlatformKeys } from './keys.ts'
import {
  beijing,
  randomDigits,
  type Ledger,
  type Order,
  type OrderBody,
  type Refund,
  type RefundBody,
} from './ledger.ts'
import {
  checkFields,
  isBeijingTime,
  isExactly,
  isFen,
  isNotifyUrl,
  isNumber,
  isText,
  Refusal,
  type Fields,
  type WeChatRequest,
} from './requests.ts'

export interface WeChatState {
  url: string
  merchant: string
  appIds: string[]
  keys: PlatformKeys
  ledger: Ledger
  bills: ReturnType<typeof openBills>
  refundAnswer: 'done' | 'processing' | 'refused'
  /** Merchants that were opened lately have no platform certificates. */
  hasCertificates: boolean
  loginCodes: LoginCodes
}

export interface Reply {
  status: number
  body: string | Buffer
  /** Files are not. */
  isSigned?: boolean
}

interface Operation {
  call: string
  method: string
  /** Its group is the number that the call is about. */
  path: RegExp
  answer(state: WeChatState, request: WeChatRequest, number: string): Reply
}

const json = (value: object): Reply => ({ status: 200, body: JSON.stringify(value) })

export const operations: Operation[] = [
  {
    call: 'create',
    method: 'POST',
    path: /^\/v3\/pay\/transactions\/(?:native|h5|jsapi)$/,
    answer: (state, request) => json(create(state, request)),
  },
  {
    call: 'query',
    method: 'GET',
    path: /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)$/,
    answer(state, { query }, number) {
      if (query.get('mchid') !== state.merchant) throw new Refusal(400, 'PARAM_ERROR', '商户号有误', true)
      return json(state.ledger.present(state.ledger.getOrder(number)))
    },
  },
  {
    call: 'close',
    method: 'POST',
    path: /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)\/close$/,
    answer(state, { body }, number) {
      checkFields(parse(body), { mchid: isExactly(state.merchant) })
      state.ledger.close(number)
      return { status: 204, body: '' }
    },
  },
  {
    call: 'refund',
    method: 'POST',
    path: /^\/v3\/refund\/domestic\/refunds$/,
    answer({ ledger, refundAnswer }, { body }) {
      const parsed = parse(body)
      checkFields(parsed, refundFields)
      return json(presentRefund(ledger.refund(parsed as RefundBody, body, refundAnswer)))
    },
  },
  {
    call: 'refund-query',
    method: 'GET',
    path: /^\/v3\/refund\/domestic\/refunds\/([^/]+)$/,
    answer: ({ ledger }, _, number) => json(presentRefund(ledger.getRefund(number))),
  },
  {
    call: 'bill',
    method: 'GET',
    path: /^\/v3\/bill\/tradebill$/,
    answer({ bills, url }, { query }) {
      const names = [...query.keys()].toSorted().join()
      if (names !== 'bill_date,bill_type' || query.get('bill_type') !== 'ALL') {
        throw new Refusal(400, 'PARAM_ERROR', '账单参数有误', true)
      }
      const { token, hash } = bills.make(query.get('bill_date') ?? '')
      const download_url = `${url}/v3/billdownload/file?token=${token}&tartype=%7B%7D`
      return json({ hash_type: 'SHA1', hash_value: hash, download_url })
    },
  },
  {
    call: 'bill-file',
    method: 'GET',
    path: /^\/v3\/billdownload\/file$/,
    answer: ({ bills }, { query }) => ({ status: 200, body: bills.read(query.get('token') ?? ''), isSigned: false }),
  },
  {
    call: 'certificates',
    method: 'GET',
    path: /^\/v3\/certificates$/,
    answer({ keys, hasCertificates }) {
      if (!hasCertificates)
        throw new Refusal(404, 'RESOURCE_NOT_EXISTS', '无可用的平台证书，请在商户平台申请使用微信支付公钥')
      return json({
        data: keys.certificates.map(({ serial, pem, validFrom, validTo }) => ({
          serial_no: serial,
          effective_time: beijing(validFrom, 'T', '+08:00'),
          expire_time: beijing(validTo, 'T', '+08:00'),
          encrypt_certificate: encrypt(pem, keys.apiKey, 'certificate'),
        })),
      })
    },
  },
]

function create({ url, merchant, appIds, ledger, loginCodes }: WeChatState, { path, body }: WeChatRequest): object {
  const parsed = parse(body)
  const fields: Fields = {
    appid: isText(32),
    mchid: isExactly(merchant),
    description: isText(127),
    out_trade_no: isNumber,
    'time_expire?': isBeijingTime,
    'attach?': isText(128),
    notify_url: isNotifyUrl,
    amount: { total: isFen, 'currency?': isExactly('CNY') },
  }
  const kind = path.slice(path.lastIndexOf('/') + 1)
  if (kind === 'h5') fields['scene_info'] = { payer_client_ip: isText(45), h5_info: { type: isExactly('Wap') } }
  if (kind === 'jsapi') fields['payer'] = { openid: isText(128) }
  checkFields(parsed, fields)
  const order = parsed as OrderBody
  if (!appIds.includes(order.appid)) throw new Refusal(400, 'APPID_MCHID_NOT_MATCH', 'appid和mchid不匹配', true)
  if (order.payer && loginCodes.isOfOtherApp(order.payer.openid, order.appid)) {
    throw new Refusal(400, 'OPENIDMISMATCH', 'appid和openid不匹配', true)
  }
  if (kind === 'native') {
    ledger.create(order, body, 'NATIVE')
    return { code_url: `weixin://wxpay/bizpayurl?pr=${order.out_trade_no}` }
  }
  if (kind === 'h5') {
    ledger.create(order, body, 'MWEB')
    return { h5_url: `${url}/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx${order.out_trade_no}&package=1037687096` }
  }
  ledger.create(order, body, 'JSAPI')
  return { prepay_id: `wx${order.out_trade_no}${randomDigits(4)}` }
}

const refundFields: Fields = {
  'transaction_id?': isText(32),
  'out_trade_no?': isNumber,
  out_refund_no: isNumber,
  'reason?': (value) => isText(80)(value) && Buffer.byteLength(String(value)) <= 80,
  'notify_url?': isNotifyUrl,
  amount: { refund: isFen, total: isFen, currency: isExactly('CNY') },
}

function presentRefund({ order, body, refundId, status, at }: Refund): object {
  return {
    refund_id: refundId,
    out_refund_no: body.out_refund_no,
    transaction_id: order.payment?.transactionId,
    out_trade_no: order.body.out_trade_no,
    channel: 'ORIGINAL',
    user_received_account: '支付用户零钱',
    create_time: beijing(at, 'T', '+08:00'),
    status,
    amount: { ...body.amount, payer_total: body.amount.total, payer_refund: body.amount.refund },
  }
}

/** What a notice of a payment has in its envelope. */
export function paymentNotice(ledger: Ledger, order: Order) {
  return {
    event: 'TRANSACTION.SUCCESS',
    type: 'transaction',
    url: order.body.notify_url,
    content: ledger.present(order),
  }
}

export function refundNotice({ order, body, refundId, status, at }: Refund) {
  const content = {
    mchid: order.payment?.merchant,
    transaction_id: order.payment?.transactionId,
    out_trade_no: order.body.out_trade_no,
    refund_id: refundId,
    out_refund_no: body.out_refund_no,
    refund_status: status,
    success_time: beijing(at, 'T', '+08:00'),
    user_received_account: '支付用户零钱',
    amount: { ...body.amount, payer_total: body.amount.total, payer_refund: body.amount.refund },
  }
  return { event: `REFUND.${status}`, type: 'refund', url: body.notify_url ?? '', content }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new Refusal(400, 'PARAM_ERROR', '请求体不是JSON', true)
  }
}
