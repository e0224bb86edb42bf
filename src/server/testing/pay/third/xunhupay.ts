import { md5 } from './epay.ts'
import { beijingTime, Complaint, type GatewayOrder, isWhollyRefunded, paidYuan } from './gateway-orders.ts'
import { noticeFields, type SimulatedDialect, type SimulatedRequest } from './simulated-dialect.ts'

const appid = '201906170000'
const secret = '8f3ab21c9d0e4f55a7b6c1d2e3f40516'

/** 虎皮椒: forms with a hash; its query answers are not signed in a way that is written down. */
export function simulateXunhupay(): SimulatedDialect {
  const refuse = (errmsg: string) => ({ errcode: errmsg === wrongHash ? 40029 : 500, errmsg })

  const assertGenuine = ({ fields }: SimulatedRequest) => {
    if (fields.appid !== appid) throw new Complaint('appid 无效')
    if (!/^\d{10}$/.test(fields.time ?? '')) throw new Complaint('缺少参数 time')
    if (!fields.nonce_str || fields.nonce_str.length > 32) throw new Complaint('nonce_str 不合要求')
    if (fields.hash !== md5(fields, secret)) throw new Complaint(wrongHash)
  }

  return {
    settings: { third_dialect: 'xunhupay', third_merchant_id: appid, third_key: secret },
    endpoints: {
      'POST /payment/do.html': {
        call: 'create',
        refuse,
        answer(request) {
          assertGenuine(request)
          const { fields } = request
          if (fields.version !== '1.1') throw new Complaint('version 不合要求')
          if (fields.type && (fields.type !== 'WAP' || !fields.wap_url || !fields.wap_name)) {
            throw new Complaint('H5 支付缺少 wap_url 或 wap_name')
          }
          const { attemptNo, transactionId } = request.orders.place({
            attemptNo: fields.trade_order_id ?? '',
            money: fields.total_fee ?? '',
            name: fields.title ?? '',
            notifyUrl: fields.notify_url ?? '',
            returnUrl: fields.return_url ?? '',
          })
          const url = request.cashier(attemptNo)
          const answer = { oderid: transactionId, url, url_qrcode: `${url}.png`, errmsg: 'success!' }
          const hash = md5({ ...answer, errcode: '0' }, request.isForged ? 'another-secret' : secret)
          return { ...answer, errcode: 0, hash }
        },
      },
      'POST /payment/query.html': {
        call: 'query',
        refuse,
        answer(request) {
          assertGenuine(request)
          const order = request.orders.find(request.fields.out_trade_order ?? '')
          return { errcode: 0, errmsg: 'success!', data: orderData(order), hash: 'unspecified' }
        },
      },
    },
    notice: (order, fault) => ({ method: 'POST', fields: noticeFields(paidFields(order), signed, fault) }),
    returnQuery: () => '',
  }
}

const wrongHash = '签名错误'

function orderData(order: GatewayOrder): Record<string, string> {
  const isPaid = order.state === 'paid'
  return {
    appid: order.paid.merchant ?? appid,
    open_order_id: order.transactionId,
    out_trade_order: order.attemptNo,
    title: order.name,
    total_amount: paidYuan(order),
    status: statusOf(order),
    transaction_id: isPaid ? `4200${order.transactionId}` : '',
    paid_date: isPaid ? beijingTime(order.paidAt) : '',
  }
}

function paidFields(order: GatewayOrder): Record<string, string> {
  return {
    appid: order.paid.merchant ?? appid,
    trade_order_id: order.attemptNo,
    total_fee: paidYuan(order),
    transaction_id: `4200${order.transactionId}`,
    open_order_id: order.transactionId,
    order_title: order.name,
    status: isWhollyRefunded(order) ? 'CD' : 'OD',
    plugins: '',
    time: String(Math.floor(Date.now() / 1000)),
    nonce_str: 'f2d7a1',
  }
}

function statusOf(order: GatewayOrder): string {
  if (order.state !== 'paid') return 'WP'
  return isWhollyRefunded(order) ? 'CD' : 'OD'
}

function signed(fields: Record<string, string>, isForged: boolean): Record<string, string> {
  return { ...fields, hash: md5(fields, isForged ? 'another-secret' : secret) }
}
