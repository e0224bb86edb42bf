import { expect, test } from 'vitest'
import { zoomByPinch, zoomPercent, zoomByTap, zoomStep } from '#web/features/documents/reader/pages/zoom.ts'

const a4 = { width: 600, height: 900 }

test.each([
  ['width', { width: 800, height: 600 }, 100],
  ['width', { width: 390, height: 600 }, 49],
  ['page', { width: 800, height: 600 }, 50],
  [125, { width: 10, height: 10 }, 125],
] as const)('%s in %o is %i percent', (zoom, viewport, percent) => {
  expect(zoomPercent(a4, { zoom, viewport })).toBe(percent)
})

test.each([
  [100, 1, 125],
  [104, 1, 125],
  [104, -1, 100],
  [50, -1, undefined],
  [49, -1, undefined],
  [49, 1, 50],
  [300, 1, undefined],
] as const)('from %i percent in direction %i comes %j', (percent, direction, next) => {
  expect(zoomStep(percent, direction)).toBe(next)
})

test('cropped or rotated, what is left of the page fills the column', () => {
  const viewport = { width: 800, height: 600 }
  const crop = { left: 0.1, top: 0, right: 0.1, bottom: 0 }
  expect(zoomPercent(a4, { zoom: 'width', viewport, crop })).toBe(125)
  expect(zoomPercent(a4, { zoom: 'width', viewport, rotation: 90 })).toBe(67)
  expect(zoomPercent(a4, { zoom: 'width', viewport, spread: 'double' })).toBe(49)
})

test('a double tap fills the width with the column under the finger, or doubles the width', () => {
  expect(zoomByTap(50, 0.48)).toBe(100)
  expect(zoomByTap(50, 0.95)).toBe(100)
  expect(zoomByTap(50, 0.7)).toBe(69)
  expect(zoomByTap(50, 0.01), 'at most four times').toBe(200)
  expect(zoomByTap(400)).toBe(500)
})

test('a pinch multiplies the zoom, and ends at the fitted width', () => {
  expect(zoomByPinch(50, 2, 50)).toBe(100)
  expect(zoomByPinch(100, 0.3, 50)).toBe('width')
  expect(zoomByPinch(50, 1.02, 50)).toBe('width')
  expect(zoomByPinch(300, 4, 50)).toBe(500)
})
