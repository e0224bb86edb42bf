import { describe, expect, test } from 'vitest'
import { areaPath, indexAt, linePath, niceTop, pointAt } from '#web/admin/charts/geometry.ts'

const box = { width: 300, height: 100, top: 10 }

describe('a line', () => {
  test('begins at the left edge and ends at the right one, zero at the bottom', () => {
    expect(linePath([0, 5, 10], box)).toBe('M0 100L150 50L300 0')
  })

  test('is closed along the bottom to an area', () => {
    expect(areaPath([0, 5, 10], box)).toBe('M0 100L150 50L300 0L300 100L0 100Z')
    expect(areaPath([], box)).toBe('')
  })

  test('of a single day is a point at the right edge', () => {
    expect(linePath([10], box)).toBe('M300 0')
  })

  test('never leaves the plot', () => {
    expect(pointAt([50], 0, box)).toEqual([300, 0])
  })
})

describe('the top of the scale', () => {
  test.each([
    [[], 2],
    [[0, 0], 2],
    [[1], 2],
    [[2], 2],
    [[3], 4],
    [[7], 8],
    [[9], 10],
    [[10], 10],
    [[11], 20],
    [[432], 600],
    [[81_000], 100_000],
    [[1_000_000], 1_000_000],
  ])('of %j is %i', (values, top) => {
    expect(niceTop(values)).toBe(top)
  })

  test('has a whole number at its middle and no value above it', () => {
    for (let value = 0; value < 3000; value += 1) {
      expect(niceTop([value])).toBeGreaterThanOrEqual(value)
      expect(niceTop([value]) % 2).toBe(0)
    }
  })
})

test('the pointer chooses the nearest day, also beyond the edges', () => {
  expect([-1, 0, 0.01, 0.02, 0.5, 0.99, 1, 7].map((share) => indexAt(share, 30))).toEqual([0, 0, 0, 1, 15, 29, 29, 29])
  expect(indexAt(0.5, 1)).toBe(0)
})
