import { expect, test } from 'vitest'
import { buildOutline, currentEntry, openEntries } from '#web/features/documents/reader/panel/outline-tree.ts'

const entry = (title: string, page: number, level: number) => ({ title, page, level })
const book = [
  entry('一', 1, 0),
  entry('一之一', 2, 1),
  entry('一之一之一', 2, 2),
  entry('一之二', 5, 1),
  entry('二', 9, 0),
  entry('二之一', 9, 3),
]

test('entries are nested by their level, whatever numbers it skips', () => {
  const tree = buildOutline(book)
  expect(tree.map(({ title }) => title)).toEqual(['一', '二'])
  expect(tree[0]?.children.map(({ title }) => title)).toEqual(['一之一', '一之二'])
  expect(tree[0]?.children[0]?.children.map(({ index }) => index)).toEqual([2])
  expect(tree[1]?.children.map(({ title }) => title)).toEqual(['二之一'])
})

test('an outline that begins below the first level is complete', () => {
  expect(buildOutline([entry('a', 1, 2), entry('b', 2, 0)]).map(({ title }) => title)).toEqual(['a', 'b'])
})

test.each([
  [1, '一'],
  [4, '一之一'],
  [5, '一之二'],
  [30, '二'],
])('on page %i one is in %s', (page, title) => {
  expect(book[currentEntry(book, page)]?.title).toBe(title)
})

test('before the first entry one is in none', () => {
  expect(currentEntry([entry('a', 3, 0)], 2)).toBe(-1)
})

test('a short outline is open; of a long one only the chapters around the current page', () => {
  const tree = buildOutline(book)
  expect([...openEntries(tree, -1, 6)].toSorted()).toEqual([0, 1, 2, 3, 4, 5])
  expect([...openEntries(tree, 2, 500)].toSorted()).toEqual([0, 1, 2])
})
