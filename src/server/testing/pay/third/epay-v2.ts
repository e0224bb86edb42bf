import { createPublicKey, createSign, createVerify, generateKeyPairSync } from 'node:crypto'
import { orderFields, paidFields, sortedText } from './epay.ts'
import { Complaint, refundedFen } from './gateway-orders.ts'
import { type Endpoint, noticeFields, type SimulatedDialect, type SimulatedRequest } from './simulated-dialect.ts'

const pid = '1001'
const RefundStatus = { Processing: 0, Done: 1 }

/** 易支付 V2: both sides sign with RSA, and what is older than five minutes is refused. */
export function simulateEpayV2(): SimulatedDialect {
  keys ??= [newKeys(), newKeys(), newKeys()]
  const [merchant, platform, forger] = keys

  const signed = (fields: Record<string, string>, isForged: boolean) => {
    const signer = createSign('RSA-SHA256').update(sortedText(fields))
    const sign = signer.sign(isForged ? forger.privateKey : platform.privateKey, 'base64')
    return { ...fields, sign, sign_type: 'RSA' }
  }

  const stamped = (fields: Record<string, string | number>, isForged: boolean) => {
    const answer: typeof fields = { ...fields, timestamp: now() }
    const text = Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, String(value)]))
    return { ...answer, sign: signed(text, isForged).sign, sign_type: 'RSA' }
  }

  const assertGenuine = ({ fields }: SimulatedRequest) => {
    if (fields.pid !== pid) throw new Complaint('商户不存在')
    if (!(Math.abs(Date.now() / 1000 - Number(fields.timestamp)) <= 300)) throw new Complaint('时间戳错误')
    const verifier = createVerify('RSA-SHA256').update(sortedText(fields))
    const isSigned = fields.sign_type === 'RSA' && verifier.verify(merchant.publicKey, fields.sign ?? '', 'base64')
    if (!isSigned) throw new Complaint('签名校验失败')
  }

  const place = (request: SimulatedRequest) => {
    assertGenuine(request)
    const { fields, orders } = request
    return orders.place({
      attemptNo: fields.out_trade_no ?? '',
      money: fields.money ?? '',
      name: fields.name ?? '',
      notifyUrl: fields.notify_url ?? '',
      returnUrl: fields.return_url ?? '',
    })
  }

  const refuse = (msg: string, isForged: boolean) => stamped({ code: -1, msg }, isForged)

  const endpoint = (
    call: Endpoint['call'],
    answer: (request: SimulatedRequest) => Record<string, string | number>,
  ): Endpoint => ({
    call,
    refuse,
    answer(request) {
      assertGenuine(request)
      return stamped({ code: 0, msg: 'success', ...answer(request) }, request.isForged)
    },
  })

  const page: Endpoint = {
    call: 'create',
    isPage: true,
    refuse,
    answer: (request) => ({ attemptNo: place(request).attemptNo }),
  }

  const noticed = (order: Parameters<typeof paidFields>[0], age = 0) => ({
    ...paidFields(order),
    timestamp: String(Number(now()) - age),
  })

  return {
    settings: {
      third_dialect: 'epay_v2',
      third_merchant_id: pid,
      third_private_key: merchant.privateKey,
      // Gateways show their key without its PEM lines.
      third_public_key: createPublicKey(platform.publicKey).export({ format: 'der', type: 'spki' }).toString('base64'),
      third_channel: 'wxpay',
    },
    endpoints: {
      'GET /api/pay/submit': page,
      'POST /api/pay/submit': page,
      'POST /api/pay/create': endpoint('create', (request) => {
        const { method, type, clientip, device } = request.fields
        if (method !== 'web' || !type || !clientip) throw new Complaint('缺少参数 method、type 或 clientip')
        const { attemptNo, transactionId } = place(request)
        const isScanned = device === 'pc'
        const pay_info = isScanned ? `weixin://wxpay/bizpayurl?pr=${attemptNo}` : request.cashier(attemptNo)
        return { trade_no: transactionId, pay_type: isScanned ? 'qrcode' : 'jump', pay_info }
      }),
      'POST /api/pay/query': endpoint('query', ({ fields, orders }) => {
        const order = orders.find(fields.out_trade_no ?? '')
        const refunded = refundedFen(order)
        return { ...orderFields(order), ...(refunded > 0 && { refundmoney: (refunded / 100).toFixed(2) }) }
      }),
      'POST /api/pay/close': endpoint('close', ({ fields, orders }) => {
        orders.close(fields.out_trade_no ?? '')
        return {}
      }),
      'POST /api/pay/refund': endpoint('refund', ({ fields, orders }) => {
        const { out_trade_no: attemptNo = '', out_refund_no: refundNo = '', money = '' } = fields
        orders.refund({ attemptNo, refundNo, money })
        return { refund_no: `R${refundNo}`, out_refund_no: refundNo, money }
      }),
      'POST /api/pay/refundquery': endpoint('query', ({ fields, orders }) => {
        const { order, isDone } = orders.findRefund(fields.out_refund_no ?? '')
        return {
          out_refund_no: fields.out_refund_no ?? '',
          out_trade_no: order.attemptNo,
          status: isDone ? RefundStatus.Done : RefundStatus.Processing,
        }
      }),
    },
    notice: (order, fault) => ({
      method: 'GET',
      fields: noticeFields(noticed(order, fault === 'old-timestamp' ? 600 : 0), signed, fault),
    }),
    returnQuery: (order) => noticeFields(noticed(order), signed),
  }
}

/** They take a second to make. */
let keys: [merchant: KeyTexts, platform: KeyTexts, forger: KeyTexts] | undefined

interface KeyTexts {
  publicKey: string
  privateKey: string
}

function newKeys(): KeyTexts {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}

function now(): string {
  return String(Math.floor(Date.now() / 1000))
}
