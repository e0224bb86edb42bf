import { expect, test } from 'vitest'
import { placeAt, positionOf } from '#web/features/documents/reader/reflow/marks.ts'

const marks = [
  { page: 1, top: 0 },
  { page: 2, top: 400 },
  { page: 3, top: 1000 },
]
const spans = [
  { first: 1, last: 3, top: 0, bottom: 1200 },
  { first: 11, last: 20, top: 1200, bottom: 2200 },
]

test('a place is a page and how much of it is above', () => {
  expect(placeAt(700, marks, spans, 1200)).toEqual({ page: 2, offset: 0.5 })
  expect(placeAt(1100, marks, spans, 1200)).toEqual({ page: 3, offset: 0.5 })
  expect(placeAt(-50, marks, spans, 1200)).toEqual({ page: 1, offset: 0 })
})

test('a page that was gone to is the current one, though there is a gap above it', () => {
  const top = positionOf({ page: 3, offset: 0 }, marks, 1200) ?? 0
  expect(top).toBeLessThan(1000)
  expect(placeAt(top, marks, spans, 1200)).toEqual({ page: 3, offset: 0 })
})

test('where no text is loaded, the place is estimated', () => {
  expect(placeAt(1750, marks, spans, 2200)).toEqual({ page: 16, offset: 0.5 })
  expect(positionOf({ page: 16, offset: 0 }, marks, 2200)).toBeUndefined()
})

test('a place is found again', () => {
  for (const y of [10, 399, 450, 1199]) {
    const place = placeAt(y, marks, spans, 1200)
    if (place.offset > 0) expect(positionOf(place, marks, 1200)).toBeCloseTo(y)
  }
})
