import { expect, test } from 'vitest'
import {
  nextStep,
  parsePageNumber,
  pictureDelayMs,
  pagesToRender,
  pagesShownFor,
} from '#web/features/documents/reader/pages/page-steps.ts'

const limits = { step: 5, preview: 12 }

test.each([
  [1, 5],
  [5, 5],
  [6, 10],
  [11, 12],
  [99, 12],
])('to see page %i, %i pages are shown', (page, shown) => {
  expect(pagesShownFor(page, limits)).toBe(shown)
})

test('a document shorter than a step is shown completely', () => {
  expect(pagesShownFor(1, { step: 5, preview: 2 })).toBe(2)
})

test('without steps all pages of the preview are shown, and follow while scrolling', () => {
  expect(pagesShownFor(1, { step: 0, preview: 300 })).toBe(300)
  expect(nextStep(300, { step: 0, preview: 320 })).toBe(320)
})

test('each step shows more pages until the preview ends', () => {
  expect(nextStep(5, limits)).toBe(10)
  expect(nextStep(10, limits)).toBe(12)
  expect(nextStep(12, limits)).toBe(12)
})

test.each([
  ['7', 7],
  [' 12 ', 12],
  ['13', undefined],
  ['0', undefined],
  ['-1', undefined],
  ['1e1', undefined],
  ['', undefined],
  [null, undefined],
])('page=%j in the address opens page %j', (text, page) => {
  expect(parsePageNumber(text, 12)).toBe(page)
})

test('the pages in view are rendered, and two on each side of the current one', () => {
  expect(pagesToRender({ from: 6, to: 7, current: 6 }, 12)).toEqual([4, 8])
  expect(pagesToRender({ from: 3, to: 9, current: 6 }, 12)).toEqual([3, 9])
  expect(pagesToRender({ from: 1, to: 1, current: 1 }, 2)).toEqual([1, 2])
})

test('the pictures around a page are requested after its own, the next ones before the previous ones', () => {
  const around = [31, 32, 33, 34, 35].toSorted((a, b) => pictureDelayMs(a, 33) - pictureDelayMs(b, 33))
  expect(around.filter((page) => page !== 33)).toEqual([34, 32, 35, 31])
  expect(pictureDelayMs(33, 33)).toBe(pictureDelayMs(34, 33))
})
