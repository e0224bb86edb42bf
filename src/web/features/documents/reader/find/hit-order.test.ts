import { expect, test } from 'vitest'
import { adjacentHit, firstHitFrom, hitNumber, countHits } from '#web/features/documents/reader/find/hit-order.ts'

const pages = [
  { page: 3, hits: 2 },
  { page: 7, hits: 1 },
  { page: 40, hits: 3 },
]

test('hits are counted over the whole document', () => {
  expect(countHits(pages)).toBe(6)
  expect(hitNumber(pages, { page: 3, hit: 0 })).toBe(1)
  expect(hitNumber(pages, { page: 40, hit: 2 })).toBe(6)
  expect(hitNumber(pages, { page: 7, hit: 1 })).toBe(0)
  expect(hitNumber(pages, { page: 5, hit: 0 })).toBe(0)
  expect(hitNumber(pages, undefined)).toBe(0)
})

test('the search starts at the current page, and after the last hit at the first', () => {
  expect(firstHitFrom(pages, 1)).toEqual({ page: 3, hit: 0 })
  expect(firstHitFrom(pages, 7)).toEqual({ page: 7, hit: 0 })
  expect(firstHitFrom(pages, 8)).toEqual({ page: 40, hit: 0 })
  expect(firstHitFrom(pages, 41)).toEqual({ page: 3, hit: 0 })
  expect(firstHitFrom([], 1)).toBeUndefined()
})

test('stepping goes from hit to hit cyclically, past pages without hits', () => {
  const walk = (direction: 1 | -1) => {
    const met: string[] = []
    let position = { page: 3, hit: 0 }
    for (let step = 0; step < 6; step += 1) {
      position = adjacentHit(pages, position, direction) ?? position
      met.push(`${position.page}.${position.hit}`)
    }
    return met
  }
  expect(walk(1)).toEqual(['3.1', '7.0', '40.0', '40.1', '40.2', '3.0'])
  expect(walk(-1)).toEqual(['40.2', '40.1', '40.0', '7.0', '3.1', '3.0'])
  expect(adjacentHit(pages, { page: 9, hit: 0 }, 1)).toEqual({ page: 40, hit: 0 })
  expect(adjacentHit([], { page: 9, hit: 0 }, 1)).toBeUndefined()
})
