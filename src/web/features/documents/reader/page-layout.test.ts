import { expect, test } from 'vitest'
import {
  css,
  inPixels,
  layOut,
  pageAt,
  pageGap,
  sizesOf,
  type Zoom,
} from '#web/features/documents/reader/page-layout.ts'

const sizes = [
  { width: 600, height: 900, count: 2 },
  { width: 800, height: 400, count: 1 },
]
const room = { width: 600, height: 700 }

function laid(zoom: Zoom, between = { every: 5, height: () => 0 }) {
  return layOut({ sizes, count: 3, zoom, room, between })
}

test('fit to width, every page is as wide as the column and stands below the one before it', () => {
  const layout = laid('width')
  expect([1, 2, 3].map((page) => inPixels(layout.box(page).top, 600))).toEqual([0, 900 + pageGap, 1800 + 2 * pageGap])
  expect(inPixels(layout.box(3).height, 600)).toBe(300)
  expect(inPixels(layout.end(3), 600)).toBe(2100 + 3 * pageGap)
})

test('the same layout holds for any width of the column, so that CSS can place pages before it is known', () => {
  expect(css(laid('width').box(2).top)).toBe(`calc(150cqi + ${pageGap}px)`)
  expect(inPixels(laid('width').box(2).top, 300)).toBe(450 + pageGap)
})

test('fit to page, a page is never higher than the room nor wider than the column', () => {
  const { box } = laid('page')
  expect(inPixels(box(1).height, 600)).toBe(700)
  expect(inPixels(box(1).width, 600)).toBeCloseTo(466.67, 1)
  expect(inPixels(box(3).width, 600)).toBe(600)
})

test('at 100 % a page has its natural size: 72 points are 96 pixels', () => {
  const { box } = laid(100)
  expect(inPixels(box(1).width, 600)).toBe(800)
  expect(inPixels(laid(50).box(1).width, 600)).toBe(400)
})

test('what stands between pages moves the following ones down', () => {
  const layout = laid('width', { every: 2, height: () => 100 })
  expect(inPixels(layout.box(2).top, 600)).toBe(900 + pageGap)
  expect(inPixels(layout.box(3).top, 600)).toBe(1800 + 2 * pageGap + 100)
  const single = laid('width', { every: 1, height: () => 100 })
  expect(inPixels(single.end(3), 600) - inPixels(single.box(3).top, 600)).toBe(300 + pageGap)
})

test('a height in the list belongs to one page', () => {
  const layout = laid('width')
  const at = (y: number) => pageAt(layout, { y, column: 600, count: 3 })
  expect([-50, 0, 899, 900 + pageGap, 5000].map(at)).toEqual([1, 1, 1, 2, 3])
})

test('20,000 pages are laid out at once and found again', () => {
  const layout = layOut({
    sizes: [{ width: 595, height: 842, count: 20_000 }],
    count: 20_000,
    zoom: 'width',
    room,
    between: { every: 5, height: () => 0 },
  })
  const { top } = layout.box(15_000)
  expect(pageAt(layout, { y: inPixels(top, 600) + 1, column: 600, count: 20_000 })).toBe(15_000)
})

test.each([
  ['no sizes', []],
  ['a size of nothing', [{ width: 0, height: 0, count: 3 }]],
])('%s: pages are laid out as A4', (_name, runs) => {
  expect(sizesOf(runs, 3)(2)).toEqual({ width: 595, height: 842 })
})

test('pages beyond the known sizes are like the first', () => {
  expect(sizesOf(sizes, 10)(7)).toMatchObject({ width: 600, height: 900 })
})
