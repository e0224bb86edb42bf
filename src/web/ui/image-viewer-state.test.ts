import { expect, test } from 'vitest'
import {
  atRest,
  flipped,
  held,
  moved,
  reach,
  transformOf,
  turned,
  zoomed,
  zoomedTo,
} from '#web/ui/image-viewer-state.ts'

const stage = { width: 1000, height: 800 }
const picture = { width: 800, height: 600 }

test('what lies under the pointer stays there while one zooms', () => {
  const at = { x: 100, y: -50 }
  const near = zoomed(atRest, 2, at)
  expect(near).toMatchObject({ scale: 2, x: -100, y: 50 })
  expect(zoomed(near, 1 / 2, at)).toEqual(atRest)
})

test('zooming has an end both ways', () => {
  expect(zoomed(atRest, 1000).scale).toBe(20)
  expect(zoomed(atRest, 1 / 1000).scale).toBe(0.2)
  expect(zoomedTo(zoomed(atRest, 3), 1).scale).toBe(1)
})

test('a picture that fits lies in the middle; a larger one can be moved to its edges and no further', () => {
  expect(held(moved(atRest, { x: 400, y: 400 }), picture, stage)).toMatchObject({ x: 0, y: 0 })
  const large = zoomed(atRest, 2)
  expect(held(moved(large, { x: 5000, y: -5000 }), picture, stage)).toMatchObject({ x: 300, y: -200 })
  expect(held(moved(large, { x: 120, y: -60 }), picture, stage)).toMatchObject({ x: 120, y: -60 })
})

test('a turned picture is as wide as it was high', () => {
  const across = turned(zoomed(atRest, 2), 1)
  expect(reach(across, picture, stage)).toEqual({ x: 100, y: 400 })
  expect(reach(turned(across, 1), picture, stage)).toEqual({ x: 300, y: 200 })
})

test('mirrored is mirrored as one sees it, also when the picture is turned', () => {
  expect(flipped(atRest, 'x')).toMatchObject({ flipX: true, flipY: false })
  expect(flipped(turned(atRest, -1), 'x')).toMatchObject({ flipX: false, flipY: true })
  expect(flipped(flipped(atRest, 'y'), 'y')).toEqual(atRest)
})

test('turning goes on past a whole turn', () => {
  expect(turned(turned(turned(turned(atRest, 1), 1), 1), 1).turn).toBe(360)
  expect(transformOf({ ...flipped(turned(atRest, 1), 'y'), scale: 2 })).toBe(
    'translate(0px, 0px) rotate(90deg) scale(-2, 2)',
  )
})
