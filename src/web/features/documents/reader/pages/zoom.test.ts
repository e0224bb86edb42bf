import { expect, test } from 'vitest'
import { zoomPercent, zoomByTap, zoomStep } from '#web/features/documents/reader/pages/zoom.ts'

const a4 = { width: 600, height: 900 }

test.each([
  ['width', { width: 800, height: 600 }, 100],
  ['width', { width: 390, height: 600 }, 49],
  ['page', { width: 800, height: 600 }, 50],
  [125, { width: 10, height: 10 }, 125],
] as const)('%s in %o is %i percent', (zoom, room, percent) => {
  expect(zoomPercent(zoom, a4, room)).toBe(percent)
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

test('a double tap doubles the width, another goes back', () => {
  expect(zoomByTap('width', 49)).toBe(98)
  expect(zoomByTap(98, 49)).toBe('width')
  expect(zoomByTap('width', 180)).toBe(300)
})
