import { expect, test } from 'vitest'
import { beside, firstFrom, ordinalOf, totalOf } from '#web/features/documents/reader/hit-order.ts'

const pages = [
  { page: 3, hits: 2 },
  { page: 7, hits: 1 },
  { page: 40, hits: 3 },
]

test('hits are counted over the whole document', () => {
  expect(totalOf(pages)).toBe(6)
  expect(ordinalOf(pages, { page: 3, hit: 0 })).toBe(1)
  expect(ordinalOf(pages, { page: 40, hit: 2 })).toBe(6)
  expect(ordinalOf(pages, { page: 7, hit: 1 })).toBe(0)
  expect(ordinalOf(pages, { page: 5, hit: 0 })).toBe(0)
  expect(ordinalOf(pages, undefined)).toBe(0)
})

test('one begins where one is, and behind the last hit at the first', () => {
  expect(firstFrom(pages, 1)).toEqual({ page: 3, hit: 0 })
  expect(firstFrom(pages, 7)).toEqual({ page: 7, hit: 0 })
  expect(firstFrom(pages, 8)).toEqual({ page: 40, hit: 0 })
  expect(firstFrom(pages, 41)).toEqual({ page: 3, hit: 0 })
  expect(firstFrom([], 1)).toBeUndefined()
})

test('from hit to hit, over the pages without any, round and round', () => {
  const walk = (direction: 1 | -1) => {
    const met: string[] = []
    let place = { page: 3, hit: 0 }
    for (let step = 0; step < 6; step += 1) {
      place = beside(pages, place, direction) ?? place
      met.push(`${place.page}.${place.hit}`)
    }
    return met
  }
  expect(walk(1)).toEqual(['3.1', '7.0', '40.0', '40.1', '40.2', '3.0'])
  expect(walk(-1)).toEqual(['40.2', '40.1', '40.0', '7.0', '3.1', '3.0'])
  expect(beside(pages, { page: 9, hit: 0 }, 1)).toEqual({ page: 40, hit: 0 })
  expect(beside([], { page: 9, hit: 0 }, 1)).toBeUndefined()
})
