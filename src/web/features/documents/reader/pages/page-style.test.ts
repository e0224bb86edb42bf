import { expect, test } from 'vitest'
import { layoutPages } from '#web/features/documents/reader/pages/page-layout.ts'
import { boxStyle, layerStyle } from '#web/features/documents/reader/pages/page-style.ts'

const crop = { left: 0.1, top: 0.2, right: 0.1, bottom: 0 }
const options = {
  sizes: [{ width: 600, height: 900, count: 3 }],
  count: 3,
  zoom: 'width',
  viewport: { width: 0, height: 0 },
  ads: { every: 5, height: () => 0 },
} as const

test('before the first measurement the style holds for cropped and for whole pages', () => {
  const style = boxStyle(layoutPages(options).box(2), layoutPages({ ...options, crop }).box(2))
  expect(style.top, 'the same for both').toBe('calc(150cqi + 16px)')
  expect(style.height).toBe('calc(150cqi + 0px)')
  const shorter = boxStyle(layoutPages(options).box(1), layoutPages({ ...options, crop: { ...crop, top: 0 } }).box(1))
  expect(shorter.height).toBe('calc(calc(150cqi + 0px) + calc(37.5cqi + 0px) * var(--cropped))')
})

test('a whole page needs no layer of its own size', () => {
  expect(layerStyle(undefined, 0, true)).toBeUndefined()
})

test('a cropped page is larger than its box and shifted in it', () => {
  expect(layerStyle(crop, 0, true)).toMatchObject({
    width: 'calc(100cqw + 25cqw)',
    height: 'calc(100cqh + 25cqh)',
    transform: 'translate(calc(-10%), calc(-20%))',
  })
  expect(layerStyle(crop, 0, false)).toMatchObject({ width: 'calc(100cqw + 25cqw * var(--cropped))' })
})

test('a page rotated by a quarter is as wide as its box is high', () => {
  expect(layerStyle(undefined, 90, true)).toMatchObject({
    width: 'calc(100cqh + 0cqh)',
    height: 'calc(100cqw + 0cqw)',
    transform: 'translate(100cqw, 0) rotate(90deg) translate(calc(0%), calc(0%))',
  })
})
