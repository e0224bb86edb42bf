import { zipSync } from 'fflate'
import { time, yuan } from './formats.ts'
import { paidFen, type Trade } from './trades.ts'

export interface BillRow {
  kind: '交易' | '退款'
  no: string
  alipayNo: string
  refundNo: string
  subject: string
  fen: number
  at: number
}

export function rowsOf(trade: Trade): BillRow[] {
  const { no, alipayNo, subject, paidAt, refunds } = trade
  if (paidAt === 0) return []
  const row = { no, alipayNo, subject }
  return [
    { ...row, kind: '交易', refundNo: '', fen: paidFen(trade), at: paidAt },
    ...refunds.map((refund) => ({
      ...row,
      kind: '退款' as const,
      refundNo: refund.no,
      fen: refund.fen,
      at: refund.at,
    })),
  ]
}

const columns =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注'
const summaryColumns = '门店编号,门店名称,交易订单总笔数,退款订单总笔数,订单金额（元）,商家实收（元）'

/** The list and its summary, as CSV in GBK; their names are in GBK too. */
export function billArchive(day: string, rows: BillRow[]): Uint8Array {
  const title = [`#支付宝业务明细查询`, `#账号：[20880000000000010156]`, `#起始日期：[${day} 00:00:00]`]
  const list = [
    ...title,
    '#-----------------------------------------业务明细列表----------------------------------------',
    columns,
    ...rows.map(line),
    '#-----------------------------------------业务明细列表结束------------------------------------',
    `#交易合计：${rows.length}笔`,
  ]
  const summary = [...title, summaryColumns, `合计,,${rows.length},0,0.00,0.00`]
  const name = (words: string) => Buffer.from(gbk(`20880000000000010156_${day}_${words}.csv`)).toString('latin1')
  return zipSync({
    [name('业务明细')]: gbk(`${list.join('\r\n')}\r\n`),
    [name('业务明细(汇总)')]: gbk(`${summary.join('\r\n')}\r\n`),
  })
}

function line({ kind, no, alipayNo, refundNo, subject, fen, at }: BillRow): string {
  const done = `${time(at)}\t`
  const amount = `${kind === '退款' ? '-' : ''}${yuan(fen)}`
  const zeros = Array.from({ length: 5 }, () => '0.00')
  const title = `"${subject.replaceAll('"', '""')}"`
  const buyer = ['', '', '', '', 'bu***@example.com']
  const cells = [`${alipayNo}\t`, `${no}\t`, `${kind}\t`, title, done, done, ...buyer, amount, amount, ...zeros, '']
  return [...cells, '0.00', '0.00', refundNo && `${refundNo}\t`, '0.00', '0.00', ''].join(',')
}

let codes: Map<string, number[]> | undefined

/** Node decodes GBK, but does not encode it. What GBK does not have becomes a question mark. */
function gbk(text: string): Uint8Array {
  codes ??= gbkCodes()
  const table = codes
  return Uint8Array.from(Array.from(text).flatMap((char) => table.get(char) ?? [63]))
}

function gbkCodes(): Map<string, number[]> {
  const decoder = new TextDecoder('gbk')
  const table = new Map(Array.from({ length: 128 }, (_, code) => [String.fromCharCode(code), [code]]))
  for (let lead = 0x81; lead <= 0xfe; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      const char = decoder.decode(Uint8Array.of(lead, trail))
      if (char.length === 1 && char !== '\ufffd' && !table.has(char)) table.set(char, [lead, trail])
    }
  }
  return table
}
