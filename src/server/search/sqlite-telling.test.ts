import { expect, test } from 'vitest'
import { telling } from './sqlite-telling.ts'

/** Tokens that one of so many rows has, of two million. */
const rarity: Record<string, number> = { 的是: 3, 研究: 20, 究方: 50, 方式: 25, 璀璨: 9000, 饕餮: 500_000 }

const told = telling((_, tokens, limit) => {
  const each = Math.min(...tokens.map((token) => rarity[token] ?? Infinity))
  const count = Math.min(limit, Math.floor(2_000_000 / each))
  return { last: 2_000_000, rows: Array.from({ length: count }, (_, index) => 2_000_000 - (index + 1) * each) }
})
const of = (...tokens: string[]) =>
  told(
    'document',
    tokens.map((token) => [token]),
  ).flat()

test('one alone is what there is', () => {
  expect(of('的是')).toEqual(['的是'])
})

test('beside a rare one the long lists are left alone', () => {
  expect(of('的是', '璀璨', '研究')).toEqual(['璀璨'])
  expect(of('饕餮', '璀璨')).toEqual(['饕餮'])
})

test('frequent ones are all needed, the rarest first, until few enough are left to be read', () => {
  expect(of('研究', '究方', '方式')).toEqual(['究方', '方式', '研究'])
  expect(of('研究', '究方', '方式', '的是')).toEqual(['究方', '方式', '研究'])
})
