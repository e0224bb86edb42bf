import { expect, test } from 'vitest'
import { offeredAmounts, parseAmount } from '#web/features/orders/top-up/top-up-amounts.ts'

test('the offered amounts are the numbers of the setting, in order', () => {
  expect(offeredAmounts(['500', ' 50', '100', '50', 'x', '0', '-5', '1e3', ''])).toEqual([50, 100, 500])
})

test.each([
  ['120', 120],
  [' 7 ', 7],
  ['10000000', 10_000_000],
  ['10000001', 0],
  ['0', 0],
  ['', 0],
  ['1.5', 0],
  ['0x10', 0],
  ['１２', 0],
])('%j is an amount of %i', (text, amount) => {
  expect(parseAmount(text)).toBe(amount)
})
