import { expect, test } from 'vitest'
import { telling } from './selectivity.ts'
import { pageRow } from '../engine/store.ts'

/** Tokens that one of so many pages has, of two million in documents of ten. */
const rarity: Record<string, number> = { 的是: 3, 研究: 20, 究方: 50, 方式: 25, 璀璨: 9000, 饕餮: 500_000 }

const pages = 2_000_000
const row = (page: number) => pageRow({ kind: 'document', id: Math.floor(page / 10) }, (page % 10) + 1)
const told = telling({
  newest(_, tokens, limit) {
    const each = Math.min(...tokens.map((token) => rarity[token] ?? Infinity))
    return Array.from({ length: Math.min(limit, Math.floor(pages / each)) }, (_, at) => row(pages - (at + 1) * each))
  },
  last: (_, limit) => Array.from({ length: limit }, (_, at) => row(pages - at - 1)),
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
