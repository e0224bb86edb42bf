import { expect, test } from 'vitest'
import { maxZoom, largestCrop, moveCrop, imagePlacement, zoomCrop, currentZoom } from '#web/domain/pictures/crop.ts'

const wide = { width: 800, height: 400 }
const middle = largestCrop(wide)

test('the first crop is the largest that fits, centered', () => {
  expect(middle).toEqual({ left: 200, top: 0, width: 400, height: 400 })
  expect(largestCrop({ width: 300, height: 900 })).toEqual({ left: 0, top: 300, width: 300, height: 300 })
})

test('a banner is cropped wide, from tall and from long pictures', () => {
  expect(largestCrop({ width: 900, height: 900 }, 3)).toEqual({ left: 0, top: 300, width: 900, height: 300 })
  expect(largestCrop({ width: 900, height: 100 }, 3)).toEqual({ left: 300, top: 0, width: 300, height: 100 })
})

test('the picture follows the pointer, and its edges stop at the crop', () => {
  expect(moveCrop(middle, wide, { x: 0.25, y: 0 })).toMatchObject({ left: 100, top: 0 })
  expect(moveCrop(middle, wide, { x: 9, y: 9 })).toMatchObject({ left: 0, top: 0 })
  expect(moveCrop(middle, wide, { x: -9, y: -9 })).toMatchObject({ left: 400, top: 0 })
})

test('zooming keeps the point under the pointer', () => {
  const closer = zoomCrop(middle, wide, 2, { x: 0.25, y: 0.75 })
  expect(closer).toEqual({ left: 250, top: 150, width: 200, height: 200 })
  const pointedAt = (crop: typeof middle) => [crop.left + crop.width * 0.25, crop.top + crop.height * 0.75]
  expect(pointedAt(closer)).toEqual(pointedAt(middle))
})

test('zooming keeps the aspect ratio', () => {
  const banner = largestCrop({ width: 1600, height: 1600 }, 2)
  expect(zoomCrop(banner, { width: 1600, height: 1600 }, 4)).toEqual({ left: 600, top: 700, width: 400, height: 200 })
})

test('zooming out never leaves the picture', () => {
  const corner = moveCrop(zoomCrop(middle, wide, 4), wide, { x: 9, y: 9 })
  expect(corner).toEqual({ left: 0, top: 0, width: 100, height: 100 })
  expect(zoomCrop(corner, wide, 1)).toEqual({ left: 0, top: 0, width: 400, height: 400 })
  expect(zoomCrop(middle, wide, 0)).toEqual(middle)
})

test('the zoom is limited by the number of pixels', () => {
  expect(maxZoom(middle, wide)).toBe(6.25)
  const [large, small] = [
    { width: 5000, height: 5000 },
    { width: 20, height: 30 },
  ]
  expect(maxZoom(largestCrop(large), large)).toBe(8)
  expect(maxZoom(largestCrop(small), small)).toBe(1)
  expect(currentZoom(zoomCrop(middle, wide, 99), wide)).toBe(6.25)
})

test('the crop fills a box of any size', () => {
  const crop = { left: 100, top: 50, width: 200, height: 100 }
  expect(imagePlacement(crop, wide)).toEqual({ width: '400%', left: '-50%', top: '-50%' })
})
