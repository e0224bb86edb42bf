import { expect, test } from 'vitest'
import {
  authorShare,
  creditsToFen,
  discountedPrice,
  fenToCredits,
  formatYuan,
  parseYuan,
  toYuanText,
  yuanHint,
} from './prices.ts'

test.each([
  [10, 10, 100],
  [1, 10, 10],
  [1, 3, 34],
  [2, 3, 67],
  [3, 3, 100],
  [1, 100_000, 1],
  [1001, 100_000, 2],
  [1999, 100, 1999],
  [29, 100, 29],
  [0, 10, 1],
  [90_000_000_000_001, 100_000, 90_000_000_001],
])('%i credits at %i for a yuan are paid with %i fen', (credits, creditsPerYuan, fen) => {
  expect(creditsToFen(credits, creditsPerYuan)).toBe(fen)
})

test.each([
  [2900, 10, 290],
  [2999, 10, 300],
  [2991, 10, 300],
  [1, 1, 1],
  [100, 1, 1],
  [101, 1, 2],
  [19_900, 7, 1393],
  [0, 10, 0],
])('%i fen at %i credits for a yuan are %i credits', (fen, creditsPerYuan, credits) => {
  expect(fenToCredits(fen, creditsPerYuan)).toBe(credits)
})

test('a price in money is never less after it was turned into credits and back', () => {
  for (const creditsPerYuan of [1, 3, 7, 10, 99, 100, 101, 100_000]) {
    for (let fen = 1; fen < 2000; fen++) {
      expect(creditsToFen(fenToCredits(fen, creditsPerYuan), creditsPerYuan)).toBeGreaterThanOrEqual(fen)
    }
  }
})

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [110, '1.10'],
  [990, '9.90'],
  [123_456, '1234.56'],
  [1_234_567_890, '12345678.90'],
])('%i fen are %s yuan', (fen, yuan) => {
  expect(formatYuan(fen)).toBe(yuan)
})

test.each([
  [15, 10, '（1.50 元）'],
  [1, 3, '（0.34 元）'],
  [0, 10, '（0.00 元）'],
])('%i credits at %i for a yuan are shown with %s', (credits, creditsPerYuan, text) => {
  expect(yuanHint(credits, creditsPerYuan)).toBe(text)
})

test.each([
  [10, 80, 8],
  [9, 80, 8],
  [1, 1, 1],
  [10, 0, 0],
  [10, 100, 10],
  [0, 80, 0],
])('a price of %i at %i percent is %i', (price, percent, discounted) => {
  expect(discountedPrice(price, percent)).toBe(discounted)
})

test.each([
  [10, { percent: 100, fee: 0 }, 10],
  [10, { percent: 70, fee: 0 }, 7],
  [9, { percent: 70, fee: 0 }, 6],
  [10, { percent: 70, fee: 2 }, 5],
  [10, { percent: 10, fee: 2 }, 0],
  [10, { percent: 0, fee: 0 }, 0],
  [0, { percent: 100, fee: 1 }, 0],
])('of %i credits paid, %j leaves %i for the author', (paid, terms, share) => {
  expect(authorShare(paid, terms)).toBe(share)
})

test.each([-1, 0.5, Number.NaN, Infinity])('%d is refused', (amount) => {
  expect(() => creditsToFen(amount, 10)).toThrow(RangeError)
  expect(() => fenToCredits(amount, 1)).toThrow(RangeError)
  expect(() => discountedPrice(amount, 1)).toThrow(RangeError)
})

test.each([
  ['19.91', 'fen', 1991],
  ['199', 'fen', 19_900],
  [' 0.5 ', 'fen', 50],
  ['19.', 'fen', 1900],
  ['0', 'fen', 0],
  ['0.045', 'li', 45],
  ['0.05', 'li', 50],
] as const)('%j yuan are %s: %i', (text, unit, amount) => {
  expect(parseYuan(text, unit)).toEqual({ amount })
})

test.each([
  ['19.905', 'fen', '最多两位小数，如 19.90：不到一分的钱收不了'],
  ['19.900', 'fen', '最多两位小数，如 19.90：不到一分的钱收不了'],
  ['0.0455', 'li', '最多三位小数，如 0.045'],
  ['', 'fen', '请输入金额，如 19.90，不带逗号和单位'],
  ['-1', 'fen', '请输入金额，如 19.90，不带逗号和单位'],
  ['1,990', 'fen', '请输入金额，如 19.90，不带逗号和单位'],
  ['1e3', 'fen', '请输入金额，如 19.90，不带逗号和单位'],
  ['19.9元', 'fen', '请输入金额，如 19.90，不带逗号和单位'],
  ['.5', 'fen', '请输入金额，如 19.90，不带逗号和单位'],
] as const)('%j is refused as %s: %s', (text, unit, problem) => {
  expect(parseYuan(text, unit)).toEqual({ problem })
})

test('what is shown is read back as it was', () => {
  for (let amount = 0; amount < 3000; amount += 1)
    for (const unit of ['fen', 'li'] as const) expect(parseYuan(toYuanText(amount, unit), unit)).toEqual({ amount })
  expect([toYuanText(45, 'li'), toYuanText(50, 'li'), toYuanText(100, 'li')]).toEqual(['0.045', '0.05', '0.10'])
})
