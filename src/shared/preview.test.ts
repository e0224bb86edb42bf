import { expect, test } from 'vitest'
import { previewPages } from './preview.ts'

const pages = (pages: number, limits: { max_preview: number; max_preview_percent: number }) =>
  previewPages({ pages, price: 1 }, { converter: { max_preview_free: 0, ...limits } })

test('the smaller of both limits wins', () => {
  expect(pages(100, { max_preview: 12, max_preview_percent: 100 })).toBe(12)
  expect(pages(100, { max_preview: 12, max_preview_percent: 5 })).toBe(5)
  expect(pages(10, { max_preview: 12, max_preview_percent: 100 })).toBe(10)
})

test('without one of the limits the other still applies', () => {
  expect(pages(100, { max_preview: 0, max_preview_percent: 20 })).toBe(20)
  expect(pages(100, { max_preview: 30, max_preview_percent: 0 })).toBe(30)
  expect(pages(100, { max_preview: 0, max_preview_percent: 0 })).toBe(100)
})

test('at least one page is shown, unless the document has none', () => {
  expect(pages(3, { max_preview: 12, max_preview_percent: 1 })).toBe(1)
  expect(pages(0, { max_preview: 12, max_preview_percent: 50 })).toBe(0)
})

test('free documents and priced ones have a limit of their own; the percentage is for both', () => {
  const limits = { max_preview: 12, max_preview_free: 40, max_preview_percent: 100 }
  const of = (price: number, change: Partial<typeof limits> = {}) =>
    previewPages({ pages: 100, price }, { converter: { ...limits, ...change } })
  expect([of(1), of(0)]).toEqual([12, 40])
  expect(of(0, { max_preview_free: 0 })).toBe(100)
  expect(of(0, { max_preview_percent: 10 })).toBe(10)
})
