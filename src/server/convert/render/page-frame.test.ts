import { expect, test } from 'vitest'
import { toPageFrame } from './page-frame.ts'

test('an ordinary page keeps its size', () => {
  expect(toPageFrame([0, 0, 595.28, 841.89])).toEqual({
    width: 595.28,
    height: 841.89,
    scale: 1,
    matrix: [1, 0, 0, 1, -0, -0],
  })
})

test('a page of ten million points is scaled down in proportion', () => {
  expect(toPageFrame([0, 0, 1e7, 5e6])).toMatchObject({ width: 2000, height: 1000, scale: 2e-4 })
})

test('no page is more than twenty times as long as wide', () => {
  expect(toPageFrame([0, 0, 10, 10_000])).toMatchObject({ width: 500, height: 10_000 })
  expect(toPageFrame([0, 0, 10_000, 10])).toMatchObject({ width: 2000, height: 100 })
})

test('an invalid box is replaced by A4', () => {
  for (const box of [
    [0, 0, 0, 0],
    [10, 10, 5, 5],
    [0, 0, NaN, 5],
    [0, 0, Infinity, 5],
  ] as const)
    expect(toPageFrame(box)).toMatchObject({ width: 595, height: 842 })
})
