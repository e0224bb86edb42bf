import { expect, test } from 'vitest'
import { splitByHighlights } from '#web/features/documents/reader/find/highlights.ts'

const mark = (from: number, to: number, hit: number) => ({ line: 0, from, to, hit })

test('a line without highlights is one segment', () => {
  expect(splitByHighlights('读书破万卷', [])).toEqual([{ from: 0, text: '读书破万卷', hits: [] }])
})

test('a highlight is a segment of its own', () => {
  expect(splitByHighlights('读书破万卷', [mark(2, 4, 7)])).toEqual([
    { from: 0, text: '读书', hits: [] },
    { from: 2, text: '破万', hits: [7] },
    { from: 4, text: '卷', hits: [] },
  ])
  expect(splitByHighlights('读书', [mark(0, 2, 0)])).toEqual([{ from: 0, text: '读书', hits: [0] }])
})

test('touching highlights stay separate, and overlapping ones share a segment', () => {
  expect(splitByHighlights('哈哈哈哈', [mark(0, 2, 0), mark(2, 4, 1)]).map(({ hits }) => hits)).toEqual([[0], [1]])
  expect(splitByHighlights('abcd', [mark(0, 3, 0), mark(1, 4, 1)])).toEqual([
    { from: 0, text: 'a', hits: [0] },
    { from: 1, text: 'bc', hits: [0, 1] },
    { from: 3, text: 'd', hits: [1] },
  ])
})

test('no text is lost, even when a highlight is longer than the line', () => {
  const parts = splitByHighlights('文档 <b>', [mark(3, 99, 0)])
  expect(parts.map(({ text }) => text).join('')).toBe('文档 <b>')
  expect(parts.at(-1)).toEqual({ from: 3, text: '<b>', hits: [0] })
})
