import { expect, test } from 'vitest'
import { priceText } from '#web/domain/prices.ts'

const credits = { credit_name: '豆子', credit_exchange: 10, show_exchange: false }

test('a price is in the credits of the site', () => {
  expect(priceText(30, credits)).toBe('30 豆子')
  expect(priceText(0, credits)).toBe('免费')
})

test.each([
  [30, 10, '30 豆子（3.00 元）'],
  [1, 10, '1 豆子（0.10 元）'],
  [12_345, 100, '12345 豆子（123.45 元）'],
  // Never less than what is paid: whole fen, rounded up.
  [1, 3, '1 豆子（0.34 元）'],
  [1, 100_000, '1 豆子（0.01 元）'],
])('%i credits at %i to the yuan, where the owner shows the exchange', (price, credit_exchange, text) => {
  expect(priceText(price, { ...credits, credit_exchange, show_exchange: true })).toBe(text)
  expect(priceText(0, { ...credits, credit_exchange, show_exchange: true })).toBe('免费')
})
