import { expect, test } from 'vitest'
import { nextVisit, waitBeforeKeeping, type Visit } from '#web/features/documents/reader/position/visit.ts'

/** The page kept after a reader was on pages at these times (ms), each until the next. */
function keptAfter(steps: readonly (readonly [page: number, at: number])[], start: number): number {
  let kept = start
  let visit: Visit | undefined
  for (const [index, [page, at]] of steps.entries()) {
    visit = nextVisit(visit, page, at)
    const wait = waitBeforeKeeping(kept, visit, at)
    const until = steps[index + 1]?.[1] ?? Infinity
    if (wait !== undefined && at + wait <= until) kept = page
  }
  return kept
}

test('reading on is kept page by page, however fast', () => {
  expect(
    keptAfter(
      [
        [1, 0],
        [2, 700],
        [3, 1400],
        [5, 2100],
        [6, 2800],
      ],
      1,
    ),
  ).toBe(6)
})

test('scrolling up to a button and down again keeps page 40', () => {
  expect(
    keptAfter(
      [
        [40, 0],
        [31, 5000],
        [18, 6000],
        [6, 7000],
        [1, 8000],
        [1, 30_000],
      ],
      1,
    ),
  ).toBe(40)
  expect(
    keptAfter(
      [
        [30, 0],
        [12, 1000],
        [1, 2000],
        [1, 9000],
        [9, 60_000],
        [24, 61_000],
        [40, 62_000],
        [41, 65_000],
      ],
      40,
    ),
  ).toBe(41)
})

test('the first page never replaces one beyond the third, and does replace the third', () => {
  expect(
    keptAfter(
      [
        [1, 0],
        [1, 600_000],
      ],
      4,
    ),
  ).toBe(4)
  expect(
    keptAfter(
      [
        [1, 0],
        [1, 600_000],
      ],
      3,
    ),
  ).toBe(1)
})

test('where a reader stays some seconds is his place, also further up', () => {
  expect(
    keptAfter(
      [
        [12, 0],
        [13, 2000],
        [14, 4000],
        [3, 9000],
      ],
      40,
    ),
  ).toBe(3)
  expect(
    keptAfter(
      [
        [12, 0],
        [13, 2000],
        [40, 2900],
        [40, 2950],
      ],
      40,
    ),
  ).toBe(40)
})

test('a glance at a page far on is no place while there is one to lose', () => {
  expect(
    keptAfter(
      [
        [12, 0],
        [80, 5000],
        [12, 6000],
      ],
      12,
    ),
  ).toBe(12)
  expect(
    keptAfter(
      [
        [1, 0],
        [41, 100],
      ],
      1,
    ),
  ).toBe(41)
})
