import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { PayProviderError } from '../pay-provider.ts'
import { parseBill, readDailyBill } from './bill.ts'

const headings =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
const totals =
  '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额\n`2,`0.01,`0.00,`0.00,`0.00000,`0.01,`0.00\n'
const payment = (name: string, fee = '12.34') =>
  `\`2021-01-28 17:07:11,\`wx81be,\`1601959334,\`0,\`,\`42000009252021,\`S2021012817,\`ofyak5q,\`NATIVE,\`SUCCESS,\`OTHERS,\`CNY,\`10.00,\`2.34,\`0,\`0,\`0.00,\`0.00,\`,\`,\`${name},\`,\`0.00000,\`1.00%,\`${fee},\`0.00,\``
const refund = (status: string) =>
  `\`2021-01-28 18:07:11,\`wx81be,\`1601959334,\`0,\`,\`42000009252021,\`S2021012817,\`ofyak5q,\`NATIVE,\`REFUND,\`OTHERS,\`CNY,\`0.00,\`0.00,\`503000,\`R2021,\`4.00,\`1.00,\`ORIGINAL,\`${status},\`书,\`,\`0.00000,\`1.00%,\`0.00,\`5.00,\``
const bill = (...lines: string[]) => `\uFEFF${[headings, ...lines, totals].join('\r\n')}`

const paid = {
  kind: 'payment',
  attemptNo: 'S2021012817',
  transactionId: '42000009252021',
  refundNo: '',
  fen: 1234,
  at: Date.UTC(2021, 0, 28, 9, 7, 11),
}

test('reads payments and refunds, by what was asked for and not by what coupons left of it', () => {
  expect(parseBill(bill(payment('书'), refund('SUCCESS'), refund('PROCESSING'), refund('FAIL')))).toEqual([
    paid,
    { ...paid, kind: 'refund', refundNo: 'R2021', fen: 500, at: Date.UTC(2021, 0, 28, 10, 7, 11) },
    { ...paid, kind: 'refund', refundNo: 'R2021', fen: 500, at: Date.UTC(2021, 0, 28, 10, 7, 11) },
  ])
})

test.each(['', '一,二', '一,`二,`三', '`', ',`'])('reads a line whose name is %j', (name) => {
  expect(parseBill(bill(payment(name)))).toEqual([paid])
})

test('reads a bill of nothing', () => {
  expect(parseBill(bill())).toEqual([])
})

test.each([
  ['no bill', '<html>'],
  ['no totals: it was cut off', `${headings}\n${payment('书')}\n`],
  ['a line cut off', bill('`2021-01-28 17:07:11,`wx81be')],
  ['an amount with an exponent', bill(payment('书', '1e2'))],
  ['a negative amount', bill(payment('书', '-1.00'))],
])('refuses %s', (_, text) => {
  expect(() => parseBill(text)).toThrow(PayProviderError)
})

const file = Buffer.from(bill(payment('书')))
const hash_value = createHash('sha1').update(file).digest('hex')

const day = '2021-01-28'
const tenOClock = Date.UTC(2021, 0, 29, 2)

const clientWith = (answer: () => object, downloads: string[] = []) => ({
  get: async <T extends z.ZodMiniType>(_target: string, schema: T) => schema.parse(answer()),
  download: async (target: string) => {
    downloads.push(target)
    return file
  },
})

const refusing = (code: string) =>
  clientWith(() => {
    throw new PayProviderError(code, '')
  })

const download_url = 'https://api.mch.weixin.qq.com/v3/billdownload/file?token=a%2Fb&x=1'

test('downloads the file from WeChat’s own address, and no other', async () => {
  const downloads: string[] = []
  const client = clientWith(() => ({ hash_type: 'SHA1', hash_value, download_url }), downloads)
  expect(await readDailyBill(client, day, tenOClock)).toEqual([paid])
  expect(downloads).toEqual(['/v3/billdownload/file?token=a%2Fb&x=1'])
})

test('refuses a file that is not the one that was promised', async () => {
  const client = clientWith(() => ({ hash_type: 'SHA1', hash_value: '0'.repeat(40), download_url }))
  await expect(readDailyBill(client, day, tenOClock)).rejects.toMatchObject({ code: 'bad-answer', isTemporary: true })
})

test('a day without payments has an empty bill, once bills are there', async () => {
  expect(await readDailyBill(refusing('NOSTATEMENTEXIST'), day, tenOClock)).toEqual([])
  expect(await readDailyBill(refusing('NOSTATEMENTEXIST'), day, tenOClock - 1)).toBeUndefined()
})

test('a bill that is being made is not there yet', async () => {
  expect(await readDailyBill(refusing('STATEMENTCREATING'), day, tenOClock)).toBeUndefined()
  expect(await readDailyBill(refusing('PARAMERROR'), day, tenOClock - 1)).toBeUndefined()
  await expect(readDailyBill(refusing('PARAMERROR'), day, tenOClock)).rejects.toMatchObject({ code: 'PARAMERROR' })
})
