import { createHash } from 'node:crypto'
import { beijing, randomDigits, type Ledger } from './ledger.ts'
import { Refusal } from './requests.ts'

const headings = (
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,' +
  '应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,' +
  '手续费,费率,订单金额,申请退款金额,费率备注'
).split(',')
const totalHeadings = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'

interface Line {
  at: number
  cells: Record<string, string>
  fen: number
  refundedFen: number
}

export function openBills(ledger: Ledger, now: () => number) {
  const forgotten = new Set<string>()
  const added: Line[] = []
  const files = new Map<string, Buffer>()

  const paymentLines = (): Line[] =>
    [...ledger.orders.values()].flatMap(({ body, payment }) => {
      const { out_trade_no: attemptNo, description } = body
      if (!payment || forgotten.has(attemptNo)) return []
      return [paymentLine({ ...payment, attemptNo, description })]
    })

  const refundLines = (): Line[] =>
    [...ledger.refunds.values()].flatMap(({ order, body, refundId, status, at }) => {
      if (!order.payment || status === 'CLOSED') return []
      const { refund: fen } = body.amount
      const { out_trade_no: attemptNo, description } = order.body
      const { cells } = paymentLine({ ...order.payment, at, attemptNo, description })
      const refund = {
        交易状态: 'REFUND',
        应结订单金额: '0.00',
        代金券金额: '0.00',
        微信退款单号: refundId,
        商户退款单号: body.out_refund_no,
        退款金额: yuan(fen - 1),
        充值券退款金额: '0.01',
        退款类型: 'ORIGINAL',
        退款状态: status,
        订单金额: '0.00',
        申请退款金额: yuan(fen),
      }
      return [{ at, cells: { ...cells, ...refund }, fen: 0, refundedFen: fen }]
    })

  return {
    forget(attemptNo: string): void {
      forgotten.add(attemptNo)
    },
    add(attemptNo: string, fen: number): void {
      const transactionId = `42000${randomDigits(23)}`
      added.push(paymentLine({ at: now(), app: '', merchant: '', transactionId, attemptNo, fen, description: '' }))
    },
    /** Of today, too, so that a test need not wait for tomorrow. */
    make(day: string): { token: string; hash: string } {
      if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw new Refusal(400, 'PARAM_ERROR', '账单日期有误', true)
      if (day > beijing(now(), ' ').slice(0, 10)) throw new Refusal(400, 'INVALID_REQUEST', '账单日期有误')
      const lines = [...paymentLines(), ...refundLines(), ...added].filter(({ at }) => beijing(at, ' ').startsWith(day))
      if (lines.length === 0) throw new Refusal(400, 'NO_STATEMENT_EXIST', '账单文件不存在')
      const sum = (pick: (line: Line) => number) => yuan(lines.reduce((total, line) => total + pick(line), 0))
      const [paid, refunded] = [sum(({ fen }) => fen), sum(({ refundedFen }) => refundedFen)]
      const totals = [String(lines.length), paid, refunded, '0.00', '0.00000', paid, refunded]
      const rows = [
        headings.join(','),
        ...lines.map(({ cells }) => toRow(headings.map((heading) => cells[heading] ?? ''))),
        totalHeadings,
        toRow(totals),
        '',
      ]
      const file = Buffer.from(`\uFEFF${rows.join('\r\n')}`)
      const token = randomDigits(24)
      files.set(token, file)
      return { token, hash: createHash('sha1').update(file).digest('hex') }
    },
    read(token: string): Buffer {
      const file = files.get(token)
      if (!file) throw new Refusal(404, 'RESOURCE_NOT_EXISTS', '账单不存在')
      return file
    },
  }
}

/** A coupon of one fen was used. */
function paymentLine(payment: {
  at: number
  app: string
  merchant: string
  transactionId: string
  attemptNo: string
  fen: number
  description: string
}): Line {
  const { at, fen } = payment
  const cells = {
    交易时间: beijing(at, ' '),
    公众账号ID: payment.app,
    商户号: payment.merchant,
    特约商户号: '0',
    微信订单号: payment.transactionId,
    商户订单号: payment.attemptNo,
    交易类型: 'NATIVE',
    交易状态: 'SUCCESS',
    付款银行: 'OTHERS',
    货币种类: 'CNY',
    应结订单金额: yuan(fen - 1),
    代金券金额: '0.01',
    微信退款单号: '0',
    商户退款单号: '0',
    退款金额: '0.00',
    充值券退款金额: '0.00',
    商品名称: payment.description,
    手续费: '0.00000',
    费率: '0.60%',
    订单金额: yuan(fen),
    申请退款金额: '0.00',
  }
  return { at, cells, fen, refundedFen: 0 }
}

function toRow(cells: string[]): string {
  return cells.map((cell) => `\`${cell}`).join(',')
}

function yuan(fen: number): string {
  return (fen / 100).toFixed(2)
}
