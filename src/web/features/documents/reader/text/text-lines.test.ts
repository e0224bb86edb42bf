import { expect, test } from 'vitest'
import { positionLines, readPageText } from '#web/features/documents/reader/text/text-lines.ts'

test('lines are placed where they are printed, stretched to their printed width', () => {
  const page = { width: 200, height: 400, lines: [[20, 40, 100, 10, '文档']] as const }
  expect(positionLines(page, () => 200)).toEqual([
    { index: 0, text: '文档', left: 10, top: 10, height: 2.5, stretch: 5 },
  ])
})

test('blank lines, and lines without a size, are left out', () => {
  const lines = [
    [0, 0, 10, 10, '  '],
    [0, 0, 0, 10, 'a'],
    [0, 0, 10, 0, 'b'],
    [0, 0, 10, 10, 'c'],
  ] as const
  expect(positionLines({ width: 10, height: 10, lines }, () => 50).map(({ text }) => text)).toEqual(['c'])
  expect(positionLines({ width: 0, height: 10, lines }, () => 50)).toEqual([])
})

test('an invalid response gives no text', () => {
  expect(readPageText(null)).toBeUndefined()
  expect(readPageText({ width: 1, height: 1 })).toBeUndefined()
  expect(readPageText({ width: 1, height: 1, lines: [[1, 2, 3, 4, 'x'], ['a'], 5] })?.lines).toEqual([
    [1, 2, 3, 4, 'x'],
  ])
})
