import { expect, test } from 'vitest'
import { cleanText, placeLines, type Quad, type RawLine } from './lines.ts'

const asIs = { scale: 1, left: 0, top: 0 }

/** Characters of the given widths in a row from (85, 35), 11 points high; a negative width moves on. */
function row(text: string, width: (char: string) => number): RawLine {
  let x = 85
  const quads = Array.from(text).map((char): Quad => {
    const [left, right] = [x, x + width(char)]
    x = right
    return [left, 35, right, 35, left, 46, right, 46]
  })
  return { text, quads, direction: [1, 0] }
}

function moved([ulX, ulY, urX, urY, llX, llY, lrX, lrY]: Quad, by: number): Quad {
  return [ulX + by, ulY, urX + by, urY, llX + by, llY, lrX + by, lrY]
}

const isLatin = (char: string) => char < '\u0100'
const printed = (char: string) => (isLatin(char) ? 5 : 10)
/** Its letters are equally wide in Arial too. */
const evenly = '使用 boned 系统'

test('lines have their position on the page, in points', () => {
  const lines = [row('第一行', printed), row('第二行', printed)]
  expect(placeLines(lines, asIs)).toEqual([
    [85, 35, 30, 11, '第一行'],
    [85, 35, 30, 11, '第二行'],
  ])
  expect(placeLines(lines, { scale: 0.1, left: 5, top: 0 })[0]).toEqual([13.5, 3.5, 3, 1.1, '第一行'])
})

test('a line of several runs has the length of each, the gap before it, and its width in tenths', () => {
  expect(placeLines([row(evenly, printed)], asIs)).toEqual([
    [85, 35, 75, 11, evenly, [2, 0, 200, 5, 50, 250, 2, 50, 200]],
  ])
})

test('a word is divided where a browser would set its letters elsewhere', () => {
  const [line] = placeLines([row('nnnnWWWWiiiinnnn', printed)], asIs)
  expect(line?.[5]).toEqual([4, 0, 200, 4, 0, 200, 4, 0, 200, 4, 0, 200])
})

test('the letters of a ligature share its width', () => {
  const [line] = placeLines([row('offices', (char) => ({ f: 15, i: 0 })[char] ?? 5)], asIs)
  expect(line?.[4]).toBe('offices')
  expect(line?.[5]?.filter((_, at) => at % 3 === 2).reduce((sum, width) => sum + width, 0)).toBe(500)
})

test('Chinese characters stand in one row only with those of their width and distance', () => {
  const [line] = placeLines([row('甲乙，丙丁', (char) => (char === '，' ? 5 : 10))], asIs)
  expect(line?.[5]).toEqual([2, 0, 200, 1, 0, 50, 2, 0, 200])
  const { quads, ...heading } = row('目录', printed)
  const apart = quads.map((quad, at): Quad => moved(quad, at * 2))
  expect(placeLines([{ ...heading, quads: apart }], asIs)[0]?.[5]).toEqual([1, 0, 100, 1, 20, 100])
})

test('oblique characters stand where they are halfway up', () => {
  const { quads, ...line } = row('斜体ab', printed)
  const oblique = quads.map(([x, y, end, , , bottom]): Quad => [x + 2, y, end + 2, y, x - 2, bottom, end - 2, bottom])
  expect(placeLines([{ ...line, quads: oblique }], asIs)).toEqual(placeLines([{ ...line, quads }], asIs))
})

test('blanks between Chinese characters leave a gap, also where they are not in the text', () => {
  const [line] = placeLines([row('目　录 一', printed)], asIs)
  expect(line).toEqual([85, 35, 45, 11, '目录一', [1, 0, 100, 1, 100, 100, 1, 50, 100]])
})

test('characters beyond U+FFFF count as two', () => {
  const [line] = placeLines([row('𠮷a', () => 10)], asIs)
  expect(line?.[5]).toEqual([2, 0, 100, 1, 0, 100])
})

test('long words are divided, evenly spaced Chinese characters are not', () => {
  const [line] = placeLines([row(`${'文'.repeat(40)}${'a'.repeat(20)}`, printed)], asIs)
  expect(line?.[5]).toEqual([40, 0, 4000, 12, 0, 600, 8, 0, 400])
})

test('words are divided from their punctuation', () => {
  const [line] = placeLines([row('(ab)', printed)], asIs)
  expect(line?.[5]).toEqual([1, 0, 50, 2, 0, 100, 1, 0, 50])
})

test('characters that do not follow each other have no runs', () => {
  const { quads, ...line } = row('abc def', printed)
  expect(placeLines([{ ...line, quads: quads.toReversed() }], asIs)[0]).toHaveLength(5)
})

test('a line that goes down the page has its angle, length and thickness', () => {
  const quads = [0, 1].map((n): Quad => [61, 50 + n * 10, 61, 60 + n * 10, 50, 50 + n * 10, 50, 60 + n * 10])
  expect(placeLines([{ text: '直排', quads, direction: [0, 1] }], asIs)).toEqual([
    [50, 50, 11, 20, '直排', [2, 0, 200], [90, 20, 11]],
  ])
})

test('blanks between Chinese characters are removed, those around Latin words stay', () => {
  expect(cleanText('中 文 文 档 ， 你 好')).toBe('中文文档，你好')
  expect(cleanText('使用 Debian  系统')).toBe('使用 Debian 系统')
})

test('control characters and lone surrogates are removed', () => {
  expect(cleanText('a\u0000b\u0007c\ud800')).toBe('a b c')
  expect(cleanText('\u0001\u0002')).toBe('')
  const [line] = placeLines([row('甲\u0007\ud800乙', printed)], asIs)
  expect(line?.slice(4)).toEqual(['甲乙', [1, 0, 100, 1, 150, 100]])
})

test('the text of a page is limited', () => {
  const endless = Array.from({ length: 3000 }, () => row('字'.repeat(100), printed))
  expect(placeLines(endless, asIs).reduce((sum, [, , , , text]) => sum + text.length, 0)).toBe(200_000)
})

test('the box of an indented line begins at its text', () => {
  expect(placeLines([row('\u3000\u3000老桥修于', printed)], asIs)).toEqual([[105, 35, 40, 11, '老桥修于']])
})
