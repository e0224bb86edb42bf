import { expect, test } from 'vitest'
import { fenToYuan, yuanToFen } from './money.ts'

test.each([
  ['0', 0],
  ['0.01', 1],
  ['1', 100],
  ['1.5', 150],
  ['19.99', 1999],
  ['1234567890.12', 123_456_789_012],
])('%s yuan are %i fen', (yuan, fen) => {
  expect(yuanToFen(yuan)).toBe(fen)
  expect(yuanToFen(fenToYuan(fen))).toBe(fen)
})

test.each([
  '',
  ' 1.00',
  '1.00 ',
  '1e2',
  '0x10',
  '-1',
  '+1',
  '1.',
  '.5',
  '1.005',
  '01',
  '1,000',
  '１',
  'NaN',
  '12345678901',
])('%j is no amount', (yuan) => {
  expect(yuanToFen(yuan)).toBeUndefined()
})

test.each([-1, 0.5, Number.NaN, Infinity])('%d fen are refused', (fen) => {
  expect(() => fenToYuan(fen)).toThrow(RangeError)
})
