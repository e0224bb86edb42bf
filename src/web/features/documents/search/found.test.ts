import { expect, test } from 'vitest'
import { countText, inSight } from '#web/features/documents/search/found.ts'

test('where counting ends there may be more', () => {
  expect(countText({ total: 1234, more: false, type: 0 })).toBe('1,234 份文档')
  expect(countText({ total: 1000, more: true, type: 0 })).toBe('超过 1,000 份文档')
  expect(countText({ total: 2, more: false, type: 1 })).toBe('2 篇文章')
})

test('what was found far behind in an excerpt is brought into sight', () => {
  const near = { text: '雪山日出', ranges: [[2, 4]] }
  expect(inSight(near)).toEqual(near)
  for (const filling of ['海', '😀']) {
    const before = filling.repeat(100)
    const { text, ranges } = inSight({ text: `${before}日出，又日出`, ranges: [2, 6].map((at) => spot(before, at)) })
    expect(text).toMatch(new RegExp(`^…(${filling}){15,30}日出，又日出$`, 'u'))
    expect(ranges.map(([from, to]) => text.slice(from, to))).toEqual(['日出', '日出'])
  }
})

function spot({ length }: string, end: number): number[] {
  return [length + end - 2, length + end]
}
