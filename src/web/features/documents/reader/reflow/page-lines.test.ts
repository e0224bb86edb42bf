import { expect, test } from 'vitest'
import { lettersOf } from '#web/features/documents/reader/reflow/letters.ts'
import { findMark, toPageLines, toSelected } from '#web/features/documents/reader/reflow/page-lines.ts'

const lines = toPageLines(
  ['年度报告 风', '春风吹过山谷，', '秋风吹过平', '原。An ex-', 'ample.'].map((text, line) => ({ line, text })),
)
const letters = lettersOf('春风吹过山谷，秋风吹过平原。An example.')

function select(quote: string) {
  const wanted = lettersOf(quote)
  return { page: 2, quote, letters, start: letters.lastIndexOf(wanted), length: wanted.length }
}

test('a selection is stored as if it had been made on the page', () => {
  expect(toSelected(select('风吹过平原'), lines)).toEqual({
    page: 2,
    quote: '风吹过平\n原',
    start_line: 2,
    start_char: 1,
    end_line: 3,
    end_char: 1,
  })
  expect(toSelected(select('example'), lines)).toMatchObject({ quote: 'ex-\nample', start_line: 3, end_line: 4 })
})

test('of words that stand there several times those that were selected are stored and marked', () => {
  const stored = toSelected(select('风'), lines)
  expect(stored).toMatchObject({ start_line: 2, start_char: 1, end_char: 2 })
  expect(findMark(stored, lines, letters)).toBe(letters.lastIndexOf('风'))
})

test('without the lines of the page the words are stored', () => {
  expect(toSelected(select('平原'), undefined)).toMatchObject({ page: 2, quote: '平原', start_line: 0, end_char: 0 })
  expect(findMark({ ...toSelected(select('平原'), undefined) }, lines, letters)).toBeUndefined()
})
