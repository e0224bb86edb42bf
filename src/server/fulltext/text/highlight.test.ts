import { expect, test } from 'vitest'
import { extractExcerpt } from './highlight.ts'
import { parseQuery } from './query.ts'

function marked(text: string, words: string): string {
  const query = parseQuery(words)
  if (!query) throw new Error('no words')
  const excerpt = extractExcerpt(text, query)
  return excerpt.ranges
    .toReversed()
    .reduce((line, [from, to]) => `${line.slice(0, from)}[${line.slice(from, to)}]${line.slice(to)}`, excerpt.text)
}

test('a line break between hanzi disappears, also inside a hit', () => {
  expect(marked('全程大约十四公\n里，累计\n爬升', '公里')).toBe('全程大约十四[公里]，累计爬升')
  expect(marked('累计\n爬升', '爬升')).toBe('累计[爬升]')
})

test('other whitespace becomes one space', () => {
  expect(marked('one\n\ntwo  three 四', 'two')).toBe('one [two] three 四')
  expect(marked('见 Word\n文档', '文档')).toBe('见 Word [文档]')
})
