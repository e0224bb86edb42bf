import { expect, test } from 'vitest'
import { findPosition, withPosition } from '#web/features/documents/reader/position/reading-positions.ts'

test('a position is found again', () => {
  const text = withPosition(withPosition(null, 'a', 12), 'b', 3)
  expect(findPosition(text, 'a')).toBe(12)
  expect(findPosition(text, 'b')).toBe(3)
  expect(findPosition(text, 'c')).toBe(1)
})

test('the latest position counts, and the first page is not stored', () => {
  const text = withPosition(withPosition(null, 'a', 12), 'a', 20)
  expect(findPosition(text, 'a')).toBe(20)
  expect(withPosition(text, 'a', 1)).toBe('[]')
})

test('only the most recent documents are stored', () => {
  let text: string | null = null
  for (let number = 0; number < 300; number += 1) text = withPosition(text, `d${number}`, 2)
  expect(findPosition(text, 'd299')).toBe(2)
  expect(findPosition(text, 'd0')).toBe(1)
})

test.each([['{'], ['null'], ['[["a","x"],["b",-1],3]'], ['{"a":1}']])('%s in the storage is ignored', (text) => {
  expect(findPosition(text, 'a')).toBe(1)
  expect(findPosition(withPosition(text, 'a', 5), 'a')).toBe(5)
})
