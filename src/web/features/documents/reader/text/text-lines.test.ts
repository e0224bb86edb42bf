import { expect, test } from 'vitest'
import { positionLines, readPageText, type TextLine } from '#web/features/documents/reader/text/text-lines.ts'

/** A font in which every character is as wide as high. */
const square = (text: string) => text.length
const page = (...lines: TextLine[]) => ({ width: 200, height: 400, lines })

test('lines are placed where they are printed, in the size that makes them as wide', () => {
  expect(positionLines(page([20, 40, 100, 10, '文档']), square)).toEqual([
    {
      index: 0,
      text: '文档',
      left: 10,
      top: 10,
      height: 2.5,
      angle: 0,
      runs: [{ from: 0, to: 2, size: 5, gap: 0, blank: 0 }],
      around: [1, 8, 1, 2],
    },
  ])
})

test('each run has its own size; gaps are kept with and without a blank', () => {
  const line: TextLine = [20, 40, 60, 10, '文档 PDFx', [2, 0, 200, 3, 50, 150, 1, 100, 100]]
  expect(positionLines(page(line), square)[0]?.runs).toEqual([
    { from: 0, to: 3, size: 1, gap: 0, blank: 0.5 - 1 },
    { from: 3, to: 6, size: 0.5, gap: 0, blank: 0 },
    { from: 6, to: 7, size: 1, gap: 1, blank: 0 },
  ])
})

test('a sign that the browser takes from a font of its choice has its width', () => {
  const runs = positionLines(page([20, 40, 60, 10, '▶ 文档', [1, 0, 80, 2, 50, 200]]), square)[0]?.runs
  expect(runs?.map(({ width }) => width)).toEqual([1 + 5 / 8, undefined])
})

test('runs that are not the whole text are ignored', () => {
  for (const runs of [[2, 0, 200], [], [9, 0, 100]]) {
    const [line] = positionLines(page([20, 40, 60, 10, '文档 PDF', runs]), square)
    expect(line?.runs).toEqual([{ from: 0, to: 6, size: 1, gap: 0, blank: 0 }])
  }
})

test('a line that goes down the page is turned around its middle', () => {
  const [line] = positionLines(page([100, 100, 10, 40, '直排', [2, 0, 400], [90, 40, 10]]), square)
  expect(line).toMatchObject({ left: 52.5, top: 30, height: 2.5, angle: 90, runs: [{ size: 2 }] })
})

test('the blank space between lines is divided, above and below up to the height of a line', () => {
  const lines = positionLines(page([20, 40, 60, 10, 'a'], [20, 56, 60, 10, 'b'], [120, 40, 60, 10, 'c']), square)
  expect(lines.map(({ around }) => around)).toEqual([
    [1, 2, 0.3, 2],
    [0.3, 2, 1, 2],
    [1, 2, 1, 2],
  ])
})

test('a line has no blank space over another column, unless a line over both is between', () => {
  const left: TextLine = [20, 40, 60, 10, '左']
  const right: TextLine = [120, 100, 60, 10, '右']
  const sides = (...lines: TextLine[]) =>
    positionLines(page(...lines), square).map(({ around }) => [around[3], around[1]])
  expect(sides(left, right)).toEqual([
    [2, 2],
    [2, 2],
  ])
  expect(sides(left, [20, 70, 160, 10, '通栏'], right)).toEqual([
    [2, 12],
    [2, 2],
    [12, 2],
  ])
  // A bullet makes no column.
  expect(sides([20, 40, 6, 10, '•'], right)).toEqual([
    [2, 4.7],
    [12, 2],
  ])
})

test('blank lines, and lines without a size, are left out', () => {
  const lines: TextLine[] = [
    [0, 0, 10, 10, '  '],
    [0, 0, 0, 10, 'a'],
    [0, 0, 10, 0, 'b'],
    [0, 0, 10, 10, 'c'],
  ]
  expect(positionLines({ width: 10, height: 10, lines }, square).map(({ text }) => text)).toEqual(['c'])
  expect(positionLines({ width: 0, height: 10, lines }, square)).toEqual([])
})

test('an invalid response gives no text', () => {
  expect(readPageText(null)).toBeUndefined()
  expect(readPageText({ width: 1, height: 1 })).toBeUndefined()
  const lines = [[1, 2, 3, 4, 'x'], ['a'], 5, [1, 2, 3, 4, 'y', [1, 0, 5]], [1, 2, 3, 4, 'z', ['1']]]
  expect(readPageText({ width: 1, height: 1, lines })?.lines).toEqual([
    [1, 2, 3, 4, 'x'],
    [1, 2, 3, 4, 'y', [1, 0, 5]],
  ])
})
