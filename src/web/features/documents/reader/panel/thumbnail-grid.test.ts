import { expect, test } from 'vitest'
import { thumbnailGrid } from '#web/features/documents/reader/panel/thumbnail-grid.ts'

const panel = { width: 256, top: 0, height: 500, ratio: 0.7 }

test('of 2,000 pages only those around the visible ones are rendered', () => {
  const start = thumbnailGrid({ ...panel, count: 2000 })
  expect(start.visible[0]).toBe(1)
  expect(start.visible.length).toBeLessThan(30)
  const middle = thumbnailGrid({ ...panel, count: 2000, top: start.place(1001).top })
  expect(middle.visible).toContain(1001)
  expect(middle.visible).not.toContain(1)
  expect(middle.visible.length).toBeLessThan(30)
})

test('rows follow each other without overlap, and the list holds them all', () => {
  const grid = thumbnailGrid({ ...panel, count: 5 })
  expect(grid.place(2).left).toBeGreaterThanOrEqual(grid.itemWidth)
  expect(grid.place(3).top - grid.place(1).top).toBe(grid.rowHeight)
  expect(grid.height).toBe(3 * grid.rowHeight)
  expect(grid.visible).toEqual([1, 2, 3, 4, 5])
})

test('nothing is rendered before the list is measured', () => {
  expect(thumbnailGrid({ ...panel, width: 0, count: 10 }).visible).toEqual([])
})
