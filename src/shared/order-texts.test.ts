import { expect, test } from 'vitest'
import { allCodes } from './codes.ts'
import { OrderStatus, OrderType, PaymentMethod, paymentMethodLabels } from './enums.ts'
import {
  differenceText,
  givenBack,
  methodText,
  paidText,
  priceText,
  refundedText,
  roundingText,
  withdrawnLine,
  withdrawnText,
} from './order-texts.ts'

const order = {
  status: OrderStatus.Pending as OrderStatus,
  order_type: OrderType.Document as OrderType,
  payment_type: 0,
  amount: 30,
  money: 300,
  received_money: 0,
}
const paidBy = (payment_type: PaymentMethod) => ({
  ...order,
  status: OrderStatus.Paid,
  received_money: 300,
  payment_type,
  payment_title: paymentMethodLabels[payment_type],
})

test('an order is to be paid in credits or in money, a top-up in money alone', () => {
  expect(paidText(order, '豆子')).toBe('30 豆子 或 ¥3.00')
  expect(paidText({ ...order, order_type: OrderType.Vip }, '豆子')).toBe('¥3.00 或 30 豆子')
  expect(paidText({ ...order, order_type: OrderType.TopUp }, '豆子')).toBe('¥3.00')
})

test.each([
  [PaymentMethod.Credits, '30 豆子'],
  [PaymentMethod.WeChatPay, '¥3.00'],
  [PaymentMethod.Cash, '¥3.00'],
  [PaymentMethod.SystemTopUp, '工作人员充值'],
  [PaymentMethod.DownloadCode, '1 个下载码'],
  [PaymentMethod.Advertisement, '看广告所得'],
  [PaymentMethod.Trial, '未收款'],
])('what was paid by method %i', (method, text) => {
  expect(paidText(paidBy(method), '豆子')).toBe(text)
})

test.each([
  ['¥2.00', { payment_type: PaymentMethod.Alipay, refunded_money: 200, refunded_credits: 0 }],
  // Credits of a top-up are taken back: that is no refund.
  ['¥2.00', { payment_type: PaymentMethod.Alipay, refunded_money: 200, refunded_credits: 20 }],
  ['', { payment_type: PaymentMethod.SystemTopUp, refunded_money: 0, refunded_credits: 20 }],
  ['20 豆子', { payment_type: PaymentMethod.Credits, refunded_money: 0, refunded_credits: 20 }],
  ['', { payment_type: PaymentMethod.Credits, refunded_money: 0, refunded_credits: 0 }],
] as const)('what went back: %s', (text, refunds) => {
  expect(refundedText(refunds, '豆子')).toBe(text)
})

test.each([
  [OrderType.Vip, PaymentMethod.WeChatPay, '¥19.91'],
  [OrderType.Vip, 0, '¥19.91'],
  [OrderType.Vip, PaymentMethod.Credits, '200 豆子'],
  [OrderType.TopUp, PaymentMethod.Cash, '¥19.91'],
  [OrderType.Document, PaymentMethod.WeChatPay, '200 豆子'],
])('the price of an order of type %i paid by method %i is written as it was set', (order_type, payment_type, text) => {
  expect(priceText({ order_type, payment_type, price: 200, money: 1991 }, '豆子')).toBe(text)
})

test.each([
  [{ amount: 200, money: 1991 }, 10, '豆子按 1 元 10 个折算，不足 1 个的按 1 个算：200 豆子合 20.00 元'],
  [{ amount: 290, money: 2900 }, 10, ''],
  [{ amount: 1991, money: 1991 }, 100, ''],
  // The rate has changed since the order was made: nothing is said of it.
  [{ amount: 200, money: 1991 }, 20, ''],
])('%j at %i credits for a yuan: what is said of rounding', (order, creditsPerYuan, text) => {
  expect(roundingText(order, creditsPerYuan, '豆子')).toBe(text)
})

test('every way of payment has its name, once something was paid', () => {
  for (const method of allCodes(PaymentMethod)) expect(methodText(paidBy(method), '豆子'), String(method)).not.toBe('')
  expect(methodText(paidBy(PaymentMethod.Credits), '豆子')).toBe('豆子支付')
  expect(methodText({ ...order, payment_type: PaymentMethod.Cash, payment_title: '现金' }, '豆子')).toBe('')
})

test('what staff have counted is what was paid, and what is missing or too much is said', () => {
  const cash = paidBy(PaymentMethod.Cash)
  expect([paidText(cash, '豆子'), differenceText(cash)]).toEqual(['¥3.00', ''])
  const short = { ...cash, received_money: 250 }
  expect([paidText(short, '豆子'), differenceText(short)]).toEqual(['¥2.50', '少收 ¥0.50'])
  const over = { ...cash, received_money: 301 }
  expect([paidText(over, '豆子'), differenceText(over)]).toEqual(['¥3.01', '多收 ¥0.01'])
  expect(differenceText(paidBy(PaymentMethod.Credits))).toBe('')
})

test('what each method gives back: money, credits, or nothing where nothing was paid', () => {
  const { Credits, SystemTopUp, DownloadCode, Advertisement, Cash, WeChatPay } = PaymentMethod
  expect([WeChatPay, Cash].map(givenBack)).toEqual(['money', 'money'])
  expect(givenBack(Credits)).toBe('credits')
  expect([SystemTopUp, DownloadCode, Advertisement].map(givenBack)).toEqual(['nothing', 'nothing', 'nothing'])
})

const back = {
  amount: 30,
  received_money: 300,
  refunded_money: 0,
  refunded_credits: 0,
  withdrawn_credits: 0,
  is_refunding: false,
}

test.each([
  ['', OrderType.Document, PaymentMethod.Alipay, { refunded_money: 299 }],
  ['文档', OrderType.Document, PaymentMethod.Alipay, { refunded_money: 300 }],
  ['文档', OrderType.Document, PaymentMethod.DownloadCode, { refunded_credits: 30 }],
  ['VIP 卡', OrderType.Vip, PaymentMethod.Credits, { refunded_credits: 30 }],
  ['12 豆子', OrderType.TopUp, PaymentMethod.Alipay, { refunded_money: 150, withdrawn_credits: 12 }],
  // All of them were spent.
  ['', OrderType.TopUp, PaymentMethod.SystemTopUp, { refunded_credits: 30 }],
] as const)('what was withdrawn: %j', (text, order_type, payment_type, changes) => {
  expect(withdrawnText({ ...back, order_type, payment_type, ...changes }, '豆子')).toBe(text)
})

test('what was withdrawn is a line with a space before numbers and Latin letters', () => {
  const line = (order_type: OrderType, changes: { payment_type: PaymentMethod; withdrawn_credits?: number }) =>
    withdrawnLine({ ...back, order_type, ...changes }, '豆子')
  const topUp = { payment_type: PaymentMethod.Alipay, refunded_money: 150, withdrawn_credits: 493 }
  const paid = { payment_type: PaymentMethod.DownloadCode, refunded_credits: 30 }
  expect(line(OrderType.TopUp, topUp)).toBe('已收回 493 豆子')
  expect(line(OrderType.Vip, paid)).toBe('已收回 VIP 卡')
  expect(line(OrderType.Document, paid)).toBe('已收回文档')
  expect(line(OrderType.TopUp, { ...topUp, withdrawn_credits: 0 })).toBe('')
})
