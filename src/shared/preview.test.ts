import { expect, test } from 'vitest'
import { previewPages } from './preview.ts'

test('the smaller of both limits wins', () => {
  expect(previewPages(100, { max_preview: 12, max_preview_percent: 100 })).toBe(12)
  expect(previewPages(100, { max_preview: 12, max_preview_percent: 5 })).toBe(5)
  expect(previewPages(10, { max_preview: 12, max_preview_percent: 100 })).toBe(10)
})

test('without one of the limits the other still applies', () => {
  expect(previewPages(100, { max_preview: 0, max_preview_percent: 20 })).toBe(20)
  expect(previewPages(100, { max_preview: 30, max_preview_percent: 0 })).toBe(30)
  expect(previewPages(100, { max_preview: 0, max_preview_percent: 0 })).toBe(100)
})

test('at least one page is shown, unless the document has none', () => {
  expect(previewPages(3, { max_preview: 12, max_preview_percent: 1 })).toBe(1)
  expect(previewPages(0, { max_preview: 12, max_preview_percent: 50 })).toBe(0)
})
