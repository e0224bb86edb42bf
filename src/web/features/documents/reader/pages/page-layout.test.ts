import { expect, test } from 'vitest'
import {
  cropOf,
  leftInPixels,
  toCss,
  toPixels,
  layoutPages,
  pageAt,
  pageGap,
  pageSizes,
  type Arrangement,
  type Zoom,
} from '#web/features/documents/reader/pages/page-layout.ts'

const sizes = [
  { width: 600, height: 900, count: 2 },
  { width: 800, height: 400, count: 1 },
]
const viewport = { width: 600, height: 700 }

function layoutAt(zoom: Zoom, ads = { every: 5, height: () => 0 }) {
  return layoutPages({ sizes, count: 3, zoom, viewport, ads })
}

test('fit to width, every page is as wide as the column and below the one before it', () => {
  const layout = layoutAt('width')
  expect([1, 2, 3].map((page) => toPixels(layout.box(page).top, 600))).toEqual([0, 900 + pageGap, 1800 + 2 * pageGap])
  expect(toPixels(layout.box(3).height, 600)).toBe(300)
  expect(toPixels(layout.end(3), 600)).toBe(2100 + 3 * pageGap)
})

test('the layout is independent of the column’s width, so that CSS can apply it before measuring', () => {
  expect(toCss(layoutAt('width').box(2).top)).toBe(`calc(150cqi + ${pageGap}px)`)
  expect(toPixels(layoutAt('width').box(2).top, 300)).toBe(450 + pageGap)
})

test('fit to page, a page is neither taller than the viewport nor wider than the column', () => {
  const { box } = layoutAt('page')
  expect(toPixels(box(1).height, 600)).toBe(700)
  expect(toPixels(box(1).width, 600)).toBeCloseTo(466.67, 1)
  expect(toPixels(box(3).width, 600)).toBe(600)
})

test('at 100 % a page has its natural size: 72 points are 96 pixels', () => {
  const { box } = layoutAt(100)
  expect(toPixels(box(1).width, 600)).toBe(800)
  expect(toPixels(layoutAt(50).box(1).width, 600)).toBe(400)
})

test('ads between pages move the following ones down', () => {
  const layout = layoutAt('width', { every: 2, height: () => 100 })
  expect(toPixels(layout.box(2).top, 600)).toBe(900 + pageGap)
  expect(toPixels(layout.box(3).top, 600)).toBe(1800 + 2 * pageGap + 100)
  const single = layoutAt('width', { every: 1, height: () => 100 })
  expect(toPixels(single.end(3), 600) - toPixels(single.box(3).top, 600)).toBe(300 + pageGap)
})

test('a vertical position belongs to one page', () => {
  const layout = layoutAt('width')
  const at = (y: number) => pageAt(layout, { y, column: 600, count: 3 })
  expect([-50, 0, 899, 900 + pageGap, 5000].map(at)).toEqual([1, 1, 1, 2, 3])
})

test('20,000 pages are laid out and found again', () => {
  const layout = layoutPages({
    sizes: [{ width: 595, height: 842, count: 20_000 }],
    count: 20_000,
    zoom: 'width',
    viewport,
    ads: { every: 5, height: () => 0 },
  })
  const { top } = layout.box(15_000)
  expect(pageAt(layout, { y: toPixels(top, 600) + 1, column: 600, count: 20_000 })).toBe(15_000)
})

test.each([
  ['no sizes', []],
  ['a size of nothing', [{ width: 0, height: 0, count: 3 }]],
])('%s: pages are laid out as A4', (_name, runs) => {
  expect(pageSizes(runs, 3)(2)).toEqual({ width: 595, height: 842 })
})

test('pages beyond the known sizes are like the first', () => {
  expect(pageSizes(sizes, 10)(7)).toMatchObject({ width: 600, height: 900 })
})

const crop = { left: 0.1, top: 0.2, right: 0.1, bottom: 0.1 }

function arranged(arrangement: Partial<Arrangement>, ads = { every: 5, height: (_: number) => 0 }) {
  const pages = [{ width: 600, height: 900, count: 5 }]
  return layoutPages({ sizes: pages, count: 5, zoom: 'width', viewport, ads, ...arrangement })
}

test('cropped, a page is as high as what is left of it', () => {
  const { box } = arranged({ crop })
  expect(toPixels(box(1).width, 600)).toBe(600)
  expect(toPixels(box(1).height, 600)).toBeCloseTo((600 * 630) / 480, 5)
})

test('rotated by a quarter, width and height change places; by a half, nothing does', () => {
  expect(toPixels(arranged({ rotation: 90 }).box(1).height, 600)).toBe(400)
  expect(toPixels(arranged({ rotation: 180 }).box(1).height, 600)).toBe(900)
  expect(toPixels(arranged({ rotation: 270, crop }).box(1).height, 600)).toBeCloseTo((600 * 480) / 630, 5)
})

test('two pages share a row and its width; the last one may be alone', () => {
  const layout = arranged({ spread: 'double' })
  const half = (600 - pageGap) / 2
  expect([1, 2, 3].map((page) => toPixels(layout.box(page).width, 600))).toEqual([half, half, half])
  expect([1, 2].map((page) => leftInPixels(layout.box(page), 600))).toEqual([0, half + pageGap])
  expect(toPixels(layout.box(2).top, 600)).toBe(0)
  expect(toPixels(layout.box(3).top, 600)).toBe(half * 1.5 + pageGap)
  expect([1, 2, 3, 4, 5].map(layout.row)).toEqual([
    [1, 2],
    [1, 2],
    [3, 4],
    [3, 4],
    [5, 5],
  ])
  expect(leftInPixels(layout.box(5), 600), 'in the middle').toBe((600 - half) / 2)
  expect(pageAt(layout, { y: half * 1.5 + pageGap + 1, column: 600, count: 5 })).toBe(3)
})

test('a cover stands alone', () => {
  expect([1, 2, 3, 4, 5].map(arranged({ spread: 'cover' }).row)).toEqual([
    [1, 1],
    [2, 3],
    [2, 3],
    [4, 5],
    [4, 5],
  ])
})

test('ads stand below rows, one for each', () => {
  const ads = { every: 1, height: (index: number) => 100 + index }
  const layout = arranged({ spread: 'double' }, ads)
  expect([1, 2, 3, 4, 5].map(layout.ad)).toEqual([undefined, 1, undefined, 3, undefined])
  expect([1, 2, 3, 4, 5].map(arranged({}, { ...ads, every: 2 }).ad)).toEqual([undefined, 0, undefined, 1, undefined])
  const [first, second] = [layout.end(2), layout.box(3).top]
  expect(toPixels(first, 600)).toBe(toPixels(second, 600))
  expect(toPixels(first, 600)).toBe(((600 - pageGap) / 2) * 1.5 + pageGap + 101)
})

test('a rest of the margins stays; margins hardly wider than it are not cropped', () => {
  expect(cropOf({ left: 0.12, top: 0.02, right: 0.14 })).toEqual({
    left: expect.closeTo(0.1),
    top: 0,
    right: expect.closeTo(0.12),
    bottom: 0,
  })
  expect(cropOf({ left: 0.03, top: 0.3, right: 0.03, bottom: 0.3 })).toBeUndefined()
  expect(cropOf(undefined)).toBeUndefined()
})
