import { expect, test } from 'vitest'
import { locate, partsOf, textOf, type PageLine } from '#web/features/documents/reader/notes/anchor.ts'

const page = (...texts: string[]): PageLine[] => texts.map((text, line) => ({ line, text }))
const range = (start_line: number, start_char: number, end_line: number, end_char: number) => ({
  start_line,
  start_char,
  end_line,
  end_char,
})

test('a range over three lines has a part of each', () => {
  const lines = page('学而时习之', '不亦说乎', '有朋自远方来')
  expect(partsOf(lines, range(0, 3, 2, 2))).toEqual([
    { line: 0, from: 3, to: 5 },
    { line: 1, from: 0, to: 4 },
    { line: 2, from: 0, to: 2 },
  ])
  expect(textOf(lines, range(0, 3, 2, 2))).toBe('习之\n不亦说乎\n有朋')
})

test('a range that ends at the beginning of a line has no part of it', () => {
  expect(partsOf(page('学而', '时习'), range(0, 0, 1, 0))).toEqual([{ line: 0, from: 0, to: 2 }])
})

test('a quotation stays where it was', () => {
  const mark = { ...range(0, 3, 1, 2), quote: '习之\n不亦' }
  expect(locate(page('学而时习之', '不亦说乎'), mark)).toBe(mark)
})

test('after a new conversion with other lines it is found by its text', () => {
  const mark = { ...range(0, 3, 1, 2), quote: '习之\n不亦' }
  expect(locate(page('标题', '学而 时', '习之不亦说乎'), mark)).toEqual(range(2, 0, 2, 4))
})

test('of several places the nearest to the former one counts', () => {
  const mark = { ...range(2, 1, 2, 3), quote: '说乎' }
  expect(locate(page('说乎', '一二三', '四五六说乎', '说乎', '说乎'), mark)).toEqual(range(2, 3, 2, 5))
})

test('characters outside the basic plane do not shift positions', () => {
  const mark = { ...range(0, 0, 0, 2), quote: '之后' }
  expect(locate(page('𠮷之后'), mark)).toEqual(range(0, 2, 0, 4))
})

test.each([['被改写了'], ['']])('a page without the text has no place for it: %s', (text) => {
  expect(locate(page(text), { ...range(0, 0, 0, 2), quote: '学而' })).toBeUndefined()
})
