import { expect, test } from 'vitest'
import { addMargins, getCrop, mayHaveMargins } from './page-margins.ts'

const measured = (margins: string) => getCrop({ margins, text_pages: 2, pages: 2 })

test('the crop is what the fullest page leaves empty at each edge, but for a small rest', () => {
  const margins = addMargins(addMargins(undefined, [[0.2, 0.1, 0.2, 0.1]]), [[0.1, 0.2, 0.3, 0.1]])
  expect(measured(margins)).toEqual({ left: 0.085, top: 0.085, right: 0.185, bottom: 0.085 })
})

test('blank pages do not count; a document of blank pages is not cropped', () => {
  expect(
    measured(
      addMargins(undefined, [
        [1, 1, 1, 1],
        [0.2, 0.2, 0.2, 0.2],
      ]),
    )?.left,
  ).toBe(0.185)
  expect(measured(addMargins(undefined, [[1, 1, 1, 1]]))).toBeUndefined()
})

test('with a full page, and with one that was not measured, nothing is cropped', () => {
  for (const full of [[0, 0, 0, 0] as const, undefined]) {
    const margins = addMargins(undefined, [[0.2, 0.2, 0.2, 0.2], full])
    expect(mayHaveMargins(margins)).toBe(false)
    expect(measured(margins)).toBeUndefined()
  }
})

test('nothing is cropped until all pages are measured', () => {
  const margins = addMargins(undefined, [[0.2, 0.2, 0.2, 0.2]])
  expect(getCrop({ margins, text_pages: 1, pages: 2 })).toBeUndefined()
  expect(getCrop({ margins: '', text_pages: 2, pages: 2 })).toBeUndefined()
  // Its first pages were extracted by a version that did not measure them.
  expect(measured(addMargins('', [[0.2, 0.2, 0.2, 0.2]]))).toBeUndefined()
})
