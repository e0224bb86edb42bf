import { expect, test } from 'vitest'
import { placeIn, withPlace } from '#web/features/documents/reader/places.ts'

test('a place is found again', () => {
  const text = withPlace(withPlace(null, 'a', 12), 'b', 3)
  expect(placeIn(text, 'a')).toBe(12)
  expect(placeIn(text, 'b')).toBe(3)
  expect(placeIn(text, 'c')).toBe(1)
})

test('the latest place counts, and the first page is no place to remember', () => {
  const text = withPlace(withPlace(null, 'a', 12), 'a', 20)
  expect(placeIn(text, 'a')).toBe(20)
  expect(withPlace(text, 'a', 1)).toBe('[]')
})

test('only the documents read last are remembered', () => {
  let text: string | null = null
  for (let number = 0; number < 300; number += 1) text = withPlace(text, `d${number}`, 2)
  expect(placeIn(text, 'd299')).toBe(2)
  expect(placeIn(text, 'd0')).toBe(1)
})

test.each([['{'], ['null'], ['[["a","x"],["b",-1],3]'], ['{"a":1}']])('%s in the storage is no place', (text) => {
  expect(placeIn(text, 'a')).toBe(1)
  expect(placeIn(withPlace(text, 'a', 5), 'a')).toBe(5)
})
