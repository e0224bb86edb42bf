import { expect, test } from 'vitest'
import { pageRow } from '../engine/store.ts'
import { mostSelective } from './selectivity.ts'

/** One page of so many has the token, among two million pages in documents of ten. */
const rarity: Record<string, number> = { 的是: 3, 研究: 20, 究方: 50, 方式: 25, 璀璨: 9000, 饕餮: 500_000 }

const pages = 2_000_000
const row = (page: number) => pageRow({ kind: 'document', id: Math.floor(page / 10) }, (page % 10) + 1)
const choose = mostSelective({
  newestWith(_, tokens, limit) {
    const each = Math.min(...tokens.map((token) => rarity[token] ?? Infinity))
    return Array.from({ length: Math.min(limit, Math.floor(pages / each)) }, (_, at) => row(pages - (at + 1) * each))
  },
  newest: (_, limit) => Array.from({ length: limit }, (_, at) => row(pages - at - 1)),
})
const chosen = (...tokens: string[]) =>
  choose(
    'document',
    tokens.map((token) => [token]),
  ).flat()

test('a single token is always looked up', () => {
  expect(chosen('的是')).toEqual(['的是'])
})

test('beside a rare token the long posting lists are not read', () => {
  expect(chosen('的是', '璀璨', '研究')).toEqual(['璀璨'])
  expect(chosen('饕餮', '璀璨')).toEqual(['饕餮'])
})

test('frequent tokens are combined, rarest first, until few enough texts are left to recheck', () => {
  expect(chosen('研究', '究方', '方式')).toEqual(['究方', '方式', '研究'])
  expect(chosen('研究', '究方', '方式', '的是')).toEqual(['究方', '方式', '研究'])
})
