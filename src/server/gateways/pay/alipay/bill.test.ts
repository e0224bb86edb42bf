import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { billArchive, type BillRow } from '#server/testing/pay/alipay/bill-archive.ts'
import { readArchive } from './bill.ts'

const at = Date.UTC(2026, 10, 16, 15, 59, 59)
const row: BillRow = { kind: '交易', no: 'A000001', alipayNo: '2026', refundNo: '', subject: '卡', fen: 1999, at }

test('reads the list of payments and refunds, and not the summary', async () => {
  const rows: BillRow[] = [row, { ...row, kind: '退款', refundNo: 'R000001', fen: 500 }]
  const archive = Buffer.from(billArchive('2026-11-16', rows))
  const entry = { attemptNo: 'A000001', transactionId: '2026', at }
  expect(await readArchive(archive)).toEqual([
    { ...entry, kind: 'payment', refundNo: '', fen: 1999 },
    { ...entry, kind: 'refund', refundNo: 'R000001', fen: 500 },
  ])
})

test('reads a day on which nothing was sold', async () => {
  expect(await readArchive(Buffer.from(billArchive('2026-11-16', [])))).toEqual([])
})

test('reads UTF-8 and titles with commas, quotes and line ends', async () => {
  const columns = '支付宝交易号,商户订单号,业务类型,商品名称,完成时间,订单金额(元),退款批次号/请求号'
  const line = '2026\t,A000001\t,交易,"a,""b""\nc",2026-11-16 23:59:59,19.99,'
  const archive = zipSync({ 'a.csv': Buffer.from(`#说明\n${columns}\n${line}\n#完`) })
  expect(await readArchive(Buffer.from(archive))).toMatchObject([{ attemptNo: 'A000001', fen: 1999, at }])
})

test.each([
  ['what is no archive', Buffer.from('<html>')],
  ['half an archive', Buffer.from(billArchive('2026-11-16', [row])).subarray(0, 300)],
  ['a row whose amount is none', Buffer.from(billArchive('2026-11-16', [{ ...row, fen: Number.NaN }]))],
])('does not guess at %s', async (_, archive) => {
  await expect(readArchive(archive)).rejects.toMatchObject({ code: 'bad-answer' })
})
