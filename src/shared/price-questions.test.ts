import { expect, test } from 'vitest'
import { type CardPrices, findPriceQuestions, questionPricesInForce } from './price-questions.ts'
import { defaultSettings } from './settings.ts'

const before: CardPrices = { vip: defaultSettings().vip, creditsPerYuan: 10 }
const ask = (vip: Partial<CardPrices['vip']>, creditsPerYuan = 10) =>
  findPriceQuestions(before, { vip: { ...before.vip, ...vip }, creditsPerYuan }, '豆子')

test('nothing is asked about what has not changed, or is as usual', () => {
  expect(ask({})).toEqual([])
  expect(ask({ year_price: 29_900, year_original_price: 39_900, month_document_discount: 50 })).toEqual([])
})

test('an original price that is not above the price', () => {
  expect(ask({ year_original_price: 9900 })).toEqual(['年卡原价 99.00 元不高于价格 199.00 元：原价不会显示。'])
  expect(ask({ year_original_price: 19_900 })).toHaveLength(1)
  // A card that is not sold has nothing to be struck.
  expect(ask({ year_price: 0, year_original_price: 9900 })).toEqual([])
})

test('documents for nothing', () => {
  expect(ask({ month_document_discount: 0 })).toEqual([
    '月卡的折扣是 0：用这张卡下载付费文档全部免费，作者也没有所得。',
  ])
})

test('a price that credits cannot express', () => {
  expect(ask({ month_price: 1991 })).toEqual([
    '月卡 19.91 元不是整数个豆子：用豆子支付要 200 豆子，合 20.00 元；用钱支付仍是 19.91 元。',
  ])
  expect(ask({ month_price: 1990 })).toEqual([])
})

test('another rate is asked about for every card that is sold', () => {
  expect(ask({ month_price: 0 }, 3)).toHaveLength(0)
  expect(findPriceQuestions({ ...before, creditsPerYuan: 10 }, { ...before, creditsPerYuan: 7 }, '豆子')).toEqual([])
  const odd = { vip: { ...before.vip, year_price: 19_991, quarter_price: 0 }, creditsPerYuan: 100 }
  expect(findPriceQuestions(odd, { ...odd, creditsPerYuan: 10 }, '豆子')).toEqual([
    '年卡 199.91 元不是整数个豆子：用豆子支付要 2000 豆子，合 200.00 元；用钱支付仍是 199.91 元。',
  ])
})

test('a price in another unit by mistake', () => {
  expect(ask({ year_price: 199 })).toContain('年卡价格从 199.00 元变成 1.99 元。')
  expect(ask({ year_price: 1_990_000 })).toContain('年卡价格从 199.00 元变成 19900.00 元。')
  expect(ask({ year_price: 5000 })).toEqual([])
})

test('prices that were set before they were asked about', () => {
  const inForce = (vip: Partial<CardPrices['vip']>) =>
    questionPricesInForce({ vip: { ...before.vip, ...vip }, creditsPerYuan: 10 }, '豆子')
  expect(inForce({})).toEqual([])
  expect(inForce({ year_original_price: 9900, quarter_document_discount: 0, month_price: 1991 })).toEqual([
    '年卡原价 99.00 元不高于价格 199.00 元：原价不会显示。',
    '季卡的折扣是 0：用这张卡下载付费文档全部免费，作者也没有所得。',
    '月卡 19.91 元不是整数个豆子：用豆子支付要 200 豆子，合 20.00 元；用钱支付仍是 19.91 元。',
  ])
  expect(inForce({ quarter_price: 0, quarter_document_discount: 0 })).toEqual([])
})
