import { expect, test } from 'vitest'
import { findCoverArea } from './cover-area.ts'
import { cutFrame } from './page-frame.ts'

interface Block {
  left: number
  top: number
  right: number
  bottom: number
}

/** A page of 100 × 140 pixels with grey blocks on it. */
function page(blocks: Block[], grey = 128) {
  const [width, height] = [100, 140]
  const pixels = new Uint8Array(width * height).fill(255)
  for (const { left, top, right, bottom } of blocks)
    for (let y = top; y < bottom; y++) pixels.fill(grey, y * width + left, y * width + right)
  return { pixels, width, height }
}

test('an empty page has no cover', () => {
  expect(findCoverArea(page([]))).toBeUndefined()
})

test('a page with a picture or a coloured ground is shown whole', () => {
  expect(findCoverArea(page([{ left: 0, top: 0, right: 100, bottom: 70 }]))).toEqual({ left: 0, top: 0, share: 1 })
})

const lines = Array.from({ length: 10 }, (_, n) => ({ left: 15, top: 30 + n * 10, right: 85, bottom: 33 + n * 10 }))

test('of lines of text the upper part is shown, without the margins', () => {
  const area = findCoverArea(page(lines, 100))
  expect(area?.share).toBe(0.85)
  expect(area?.left).toBeCloseTo(0.075)
  expect(area?.top).toBeCloseTo(30 / 140 - 0.068)
})

test('a short title above the lines is shown large and whole, though the lines are cut', () => {
  const { left, top, share } = findCoverArea(page([{ left: 30, top: 16, right: 70, bottom: 22 }, ...lines], 100)) ?? {}
  expect(share).toBe(0.5)
  expect(left).toBeCloseTo(0.25)
  expect(top).toBeCloseTo(16 / 140 - 0.04)
})

test('a logo or a short table is not cut at its foot', () => {
  expect(findCoverArea(page([{ left: 40, top: 20, right: 60, bottom: 104 }]))?.share).toBe(0.65)
})

test('a few words in a corner are not enlarged without bounds, and nothing beyond the page is shown', () => {
  expect(findCoverArea(page([{ left: 0, top: 0, right: 8, bottom: 3 }]))).toEqual({ left: 0, top: 0, share: 0.45 })
  const area = findCoverArea(page([{ left: 90, top: 130, right: 100, bottom: 135 }]))
  expect(area?.left).toBeCloseTo(0.55)
  expect(area?.top).toBeCloseTo(0.55)
})

test('an area becomes a frame of the same proportions', () => {
  const frame = {
    width: 600,
    height: 800,
    scale: 2,
    matrix: [2, 0, 0, 2, -10, -20] as [number, number, number, number, number, number],
  }
  expect(cutFrame(frame, { left: 0.1, top: 0.25, share: 0.5 })).toEqual({
    width: 300,
    height: 400,
    scale: 2,
    matrix: [2, 0, 0, 2, -70, -220],
  })
})
