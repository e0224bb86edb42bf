import { createHash } from 'node:crypto'
import { beijingTime, Complaint, type GatewayOrder, isWhollyRefunded, paidYuan, Refusal } from './gateway-orders.ts'
import { type Endpoint, noticeFields, type SimulatedDialect, type SimulatedRequest } from './simulated-dialect.ts'

const pid = '1001'
const key = 'w8fK3nV0qZ5rT7yB'

/** 易支付 as its gateways speak it: MD5 over sorted fields with the key at the end. */
export function simulateEpay(): SimulatedDialect {
  const refuse = (msg: string) => ({ code: -1, msg })

  const assertKey = ({ fields }: SimulatedRequest) => {
    if (fields.pid !== pid) throw new Complaint('商户不存在')
    if (fields.key !== key) throw new Complaint('商户密钥错误')
  }

  const place = ({ fields, orders }: SimulatedRequest) => {
    if (fields.pid !== pid) throw new Complaint('商户不存在')
    if (fields.sign_type !== 'MD5' || fields.sign !== md5(fields, key)) throw new Complaint('签名校验失败')
    return orders.place({
      attemptNo: fields.out_trade_no ?? '',
      money: fields.money ?? '',
      name: fields.name ?? '',
      notifyUrl: fields.notify_url ?? '',
      returnUrl: fields.return_url ?? '',
    })
  }

  const page: Endpoint = {
    call: 'create',
    isPage: true,
    refuse,
    answer: (request) => ({ attemptNo: place(request).attemptNo }),
  }

  return {
    settings: { third_dialect: 'epay', third_merchant_id: pid, third_key: key, third_channel: 'alipay' },
    endpoints: {
      'GET /submit.php': page,
      'POST /submit.php': page,
      'POST /mapi.php': {
        call: 'create',
        refuse,
        answer(request) {
          if (!request.fields.type || !request.fields.clientip) throw new Complaint('缺少参数 type 或 clientip')
          const { attemptNo, transactionId } = place(request)
          return { code: 1, msg: '', trade_no: transactionId, payurl: request.cashier(attemptNo) }
        },
      },
      'GET /api.php?act=order': {
        call: 'query',
        refuse,
        answer(request) {
          assertKey(request)
          return {
            code: 1,
            msg: '查询订单号成功！',
            ...orderFields(request.orders.find(request.fields.out_trade_no ?? '')),
          }
        },
      },
      'POST /api.php?act=refund': {
        call: 'refund',
        refuse,
        answer(request) {
          assertKey(request)
          const { out_trade_no: attemptNo = '', money = '' } = request.fields
          // There is no number of the merchant's: every request is another refund.
          const refundNo = `${attemptNo}-${request.orders.find(attemptNo).refunds.size}`
          if (isWhollyRefunded(request.orders.find(attemptNo))) throw new Refusal('该订单已全额退款')
          request.orders.refund({ attemptNo, refundNo, money })
          return { code: 1, msg: '退款成功！' }
        },
      },
    },
    notice: (order, fault) => ({ method: 'GET', fields: noticeFields(paidFields(order), signed, fault) }),
    returnQuery: (order) => noticeFields(paidFields(order), signed),
  }
}

/** What both versions tell of an order. */
export function orderFields(order: GatewayOrder): Record<string, string | number> {
  const isPaid = order.state === 'paid'
  return {
    trade_no: order.transactionId,
    out_trade_no: order.attemptNo,
    api_trade_no: isPaid ? `2026${order.transactionId}` : '',
    type: 'alipay',
    pid: Number(order.paid.merchant ?? pid),
    addtime: beijingTime(Date.now()),
    endtime: isPaid ? beijingTime(order.paidAt) : '',
    name: order.name,
    money: paidYuan(order),
    status: statusOf(order),
  }
}

const OrderStatus = { Unpaid: 0, Paid: 1, Refunded: 2 }

function statusOf(order: GatewayOrder): number {
  if (order.state !== 'paid') return OrderStatus.Unpaid
  return isWhollyRefunded(order) ? OrderStatus.Refunded : OrderStatus.Paid
}

/** What both versions send when it is paid. */
export function paidFields(order: GatewayOrder): Record<string, string> {
  return {
    pid: order.paid.merchant ?? pid,
    trade_no: order.transactionId,
    out_trade_no: order.attemptNo,
    type: 'alipay',
    name: order.name,
    money: paidYuan(order),
    trade_status: 'TRADE_SUCCESS',
    param: '',
  }
}

function signed(fields: Record<string, string>, isForged: boolean): Record<string, string> {
  return { ...fields, sign: md5(fields, isForged ? 'another-key' : key), sign_type: 'MD5' }
}

/** The text that all gateways sign. */
export function sortedText(fields: Record<string, string>): string {
  return Object.entries(fields)
    .filter(([name, value]) => value !== '' && name !== 'sign' && name !== 'sign_type' && name !== 'hash')
    .map(([name, value]) => ({ name, line: `${name}=${value}` }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ line }) => line)
    .join('&')
}

export function md5(fields: Record<string, string>, secret: string): string {
  return createHash('md5')
    .update(`${sortedText(fields)}${secret}`, 'utf8')
    .digest('hex')
}
