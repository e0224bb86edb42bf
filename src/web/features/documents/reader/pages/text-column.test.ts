import { expect, test } from 'vitest'
import { textColumnAt } from '#web/features/documents/reader/pages/text-column.ts'
import type { TextLine } from '#web/features/documents/reader/text/text-lines.ts'

const line = (x: number, y: number, width: number): TextLine => [x, y, width, 10, 'x']
/** A title above two columns; every fifth line ends a paragraph. */
const paper = [
  line(50, 20, 500),
  ...Array.from({ length: 40 }, (_, row) => line(50, 60 + row * 14, row % 5 === 4 ? 80 : 240)),
  ...Array.from({ length: 40 }, (_, row) => line(310, 60 + row * 14, row % 5 === 4 ? 80 : 240)),
]

test('the column under the finger, not the page', () => {
  expect(textColumnAt(paper, 120, 300)).toEqual({ left: 50, right: 290 })
  expect(textColumnAt(paper, 400, 300)).toEqual({ left: 310, right: 550 })
})

test('short lines and a title nearby do not change it', () => {
  expect(textColumnAt(paper, 100, 121)).toEqual({ left: 50, right: 290 })
  expect(textColumnAt(paper, 400, 62)).toEqual({ left: 310, right: 550 })
})

test('beside the text there is no column', () => {
  expect(textColumnAt(paper, 300, 300)).toEqual({ left: 50, right: 550 })
  expect(textColumnAt(paper, 20, 300)).toBeUndefined()
  expect(textColumnAt([], 20, 300)).toBeUndefined()
})
