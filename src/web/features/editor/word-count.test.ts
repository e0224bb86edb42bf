import { expect, test } from 'vitest'
import { countWords } from '#web/features/editor/word-count.ts'

test.each([
  ['', 0],
  ['  \n\t', 0],
  ['你好，世界。', 6],
  ['Hello world', 2],
  ['用 React 19 写网页', 6],
  ['中文English混排', 5],
  ['𠮷野家', 3],
])('%j has %i', (text, count) => {
  expect(countWords(text)).toBe(count)
})
