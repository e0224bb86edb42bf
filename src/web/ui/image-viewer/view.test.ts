import { expect, test } from 'vitest'
import {
  initialView,
  flip,
  clampToStage,
  moveBy,
  maxOffset,
  toTransform,
  rotate,
  zoomBy,
  zoomTo,
} from '#web/ui/image-viewer/view.ts'

const stage = { width: 1000, height: 800 }
const picture = { width: 800, height: 600 }

test('zooming keeps the point under the pointer', () => {
  const at = { x: 100, y: -50 }
  const near = zoomBy(initialView, 2, at)
  expect(near).toMatchObject({ scale: 2, x: -100, y: 50 })
  expect(zoomBy(near, 1 / 2, at)).toEqual(initialView)
})

test('the scale has a minimum and a maximum', () => {
  expect(zoomBy(initialView, 1000).scale).toBe(20)
  expect(zoomBy(initialView, 1 / 1000).scale).toBe(0.2)
  expect(zoomTo(zoomBy(initialView, 3), 1).scale).toBe(1)
})

test('a picture that fits stays in the middle; a larger one moves no further than its edges', () => {
  expect(clampToStage(moveBy(initialView, { x: 400, y: 400 }), picture, stage)).toMatchObject({ x: 0, y: 0 })
  const large = zoomBy(initialView, 2)
  expect(clampToStage(moveBy(large, { x: 5000, y: -5000 }), picture, stage)).toMatchObject({ x: 300, y: -200 })
  expect(clampToStage(moveBy(large, { x: 120, y: -60 }), picture, stage)).toMatchObject({ x: 120, y: -60 })
})

test('a rotated picture swaps width and height', () => {
  const across = rotate(zoomBy(initialView, 2), 1)
  expect(maxOffset(across, picture, stage)).toEqual({ x: 100, y: 400 })
  expect(maxOffset(rotate(across, 1), picture, stage)).toEqual({ x: 300, y: 200 })
})

test('a rotated picture is mirrored as it is seen', () => {
  expect(flip(initialView, 'x')).toMatchObject({ flipX: true, flipY: false })
  expect(flip(rotate(initialView, -1), 'x')).toMatchObject({ flipX: false, flipY: true })
  expect(flip(flip(initialView, 'y'), 'y')).toEqual(initialView)
})

test('rotation continues beyond 360 degrees', () => {
  expect(rotate(rotate(rotate(rotate(initialView, 1), 1), 1), 1).rotation).toBe(360)
  expect(toTransform({ ...flip(rotate(initialView, 1), 'y'), scale: 2 })).toBe(
    'translate(0px, 0px) rotate(90deg) scale(-2, 2)',
  )
})
