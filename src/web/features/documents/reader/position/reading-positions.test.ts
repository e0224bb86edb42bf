import { expect, test } from 'vitest'
import { findPosition, withPosition } from '#web/features/documents/reader/position/reading-positions.ts'

const pageIn = (text: string | null, uuid: string, user = 0) => findPosition(text, uuid, user)?.[1]

test('a position is found again', () => {
  const text = withPosition(withPosition(null, ['a', 12, 1000, 0]), ['b', 3, 2000, 0])
  expect(findPosition(text, 'a', 0)).toEqual(['a', 12, 1000, 0, 12])
  expect(pageIn(text, 'b')).toBe(3)
  expect(pageIn(text, 'c')).toBeUndefined()
})

test('the latest position counts, the furthest page is kept, and the first page alone is not stored', () => {
  const text = withPosition(withPosition(null, ['a', 20, 1, 0]), ['a', 12, 2, 0])
  expect(pageIn(text, 'a')).toBe(12)
  expect(findPosition(withPosition(text, ['a', 1, 3, 0]), 'a', 0)).toEqual(['a', 1, 3, 0, 20])
  expect(withPosition(null, ['a', 1, 3, 0])).toBe('[]')
})

test('members do not see places of other members, but those of the visitor they were', () => {
  const text = withPosition(withPosition(null, ['a', 12, 1, 7]), ['b', 5, 1, 0])
  expect(pageIn(text, 'a', 7)).toBe(12)
  expect(pageIn(text, 'a', 8)).toBeUndefined()
  expect(pageIn(text, 'b', 8)).toBe(5)
})

test('only the most recent documents are stored', () => {
  let text: string | null = null
  for (let number = 0; number < 300; number += 1) text = withPosition(text, [`d${number}`, 2, number, 0])
  expect(pageIn(text, 'd299')).toBe(2)
  expect(pageIn(text, 'd0')).toBeUndefined()
})

test('a place that an earlier version stored is found', () => {
  expect(findPosition('[["a",12]]', 'a', 7)).toEqual(['a', 12, 0, 0, 12])
})

test.each([['{'], ['null'], ['[["a","x"],["b",-1],3]'], ['{"a":1}']])('%s in the storage is ignored', (text) => {
  expect(pageIn(text, 'a')).toBeUndefined()
  expect(pageIn(withPosition(text, ['a', 5, 1, 0]), 'a')).toBe(5)
})
