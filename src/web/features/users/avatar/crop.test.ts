import { expect, test } from 'vitest'
import { farthestZoom, largestCrop, moved, placement, zoomed, zoomOf } from '#web/features/users/avatar/crop.ts'

const wide = { width: 800, height: 400 }
const middle = largestCrop(wide)

test('one begins with as much as fits, from the middle', () => {
  expect(middle).toEqual({ left: 200, top: 0, side: 400 })
  expect(largestCrop({ width: 300, height: 900 })).toEqual({ left: 0, top: 300, side: 300 })
})

test('the picture follows the hand, and its edges stop at the square', () => {
  expect(moved(middle, wide, { x: 0.25, y: 0 })).toEqual({ left: 100, top: 0, side: 400 })
  expect(moved(middle, wide, { x: 9, y: 9 })).toEqual({ left: 0, top: 0, side: 400 })
  expect(moved(middle, wide, { x: -9, y: -9 })).toEqual({ left: 400, top: 0, side: 400 })
})

test('what one points at stays under the pointer', () => {
  const closer = zoomed(middle, wide, 2, { x: 0.25, y: 0.75 })
  expect(closer).toEqual({ left: 250, top: 150, side: 200 })
  const pointedAt = (crop: typeof middle) => [crop.left + crop.side * 0.25, crop.top + crop.side * 0.75]
  expect(pointedAt(closer)).toEqual(pointedAt(middle))
})

test('going back out never leaves the picture', () => {
  const corner = moved(zoomed(middle, wide, 4), wide, { x: 9, y: 9 })
  expect(corner).toEqual({ left: 0, top: 0, side: 100 })
  expect(zoomed(corner, wide, 1)).toEqual({ left: 0, top: 0, side: 400 })
  expect(zoomed(middle, wide, 0)).toEqual(middle)
})

test('one comes no closer than the pixels allow', () => {
  expect(farthestZoom(wide)).toBe(6.25)
  expect(farthestZoom({ width: 5000, height: 5000 })).toBe(8)
  expect(farthestZoom({ width: 20, height: 30 })).toBe(1)
  expect(zoomOf(zoomed(middle, wide, 99), wide)).toBe(6.25)
})

test('the crop fills a box of any size', () => {
  expect(placement({ left: 100, top: 50, side: 200 }, wide)).toEqual({ width: '400%', left: '-50%', top: '-25%' })
})
