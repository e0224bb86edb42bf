import { expect, test } from 'vitest'
import { findSamePlace, lettersOf, occurrences, readLetters } from '#web/features/documents/reader/reflow/letters.ts'

test('text is the same in lines with hyphens, in other letters and with other blanks', () => {
  expect(lettersOf('An ex-\nample, ＡＢＣ')).toBe(lettersOf('an example,\tabc'))
})

test('each letter keeps its place', () => {
  const lines = ['一 二', '三'].map((text, line) => ({ text, placeAt: (char: number) => [line, char] }))
  expect(readLetters(lines)).toEqual({
    text: '一二三',
    places: [
      [0, 0],
      [0, 2],
      [1, 0],
    ],
  })
})

test('a text is looked for as often as it stands there', () => {
  expect(occurrences('哈哈哈哈哈', '哈哈')).toEqual([0, 2])
  expect(occurrences('哈', '')).toEqual([])
})

test('of several places it is the one with the same text around it', () => {
  const text = '春风吹过山谷秋风吹过平原'
  const withHead = `年度报告风吹过第一节${text}`
  const second = text.lastIndexOf('风吹过')
  expect(findSamePlace({ text, start: second, length: 3 }, withHead)).toBe(withHead.lastIndexOf('风吹过'))
  expect(findSamePlace({ text, start: 1, length: 3 }, withHead)).toBe(withHead.indexOf('风吹过山谷'))
  expect(findSamePlace({ text: '冬雪', start: 0, length: 2 }, withHead)).toBeUndefined()
})
