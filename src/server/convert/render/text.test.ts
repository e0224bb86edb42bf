import { expect, test } from 'vitest'
import { cleanText, parseLines } from './text.ts'

const asIs = { scale: 1, left: 0, top: 0 }
const line = (text: string) => ({ text, bbox: { x: 850, y: 351, w: 993, h: 109 } })

test('lines have their position on the page, in points', () => {
  const json = JSON.stringify({ blocks: [{ type: 'image' }, { lines: [line('第一行'), line('第二行')] }] })
  expect(parseLines(json, asIs)).toEqual([
    [85, 35.1, 99.3, 10.9, '第一行'],
    [85, 35.1, 99.3, 10.9, '第二行'],
  ])
  expect(parseLines(json, { scale: 0.1, left: 5, top: 0 })[0]).toEqual([13.5, 3.5, 9.9, 1.1, '第一行'])
})

test('blanks between Chinese characters are removed, those around Latin words stay', () => {
  expect(cleanText('中 文 文 档 ， 你 好')).toBe('中文文档，你好')
  expect(cleanText('使用 Debian  系统')).toBe('使用 Debian 系统')
})

test('control characters and lone surrogates are removed', () => {
  expect(cleanText('a\u0000b\u0007c\ud800')).toBe('a b c')
  expect(cleanText('\u0001\u0002')).toBe('')
})

test('the text of a page is limited, and invalid JSON gives no lines', () => {
  const endless = JSON.stringify({ blocks: [{ lines: Array.from({ length: 3000 }, () => line('字'.repeat(100))) }] })
  expect(parseLines(endless, asIs).reduce((sum, [, , , , text]) => sum + text.length, 0)).toBe(200_000)
  expect(parseLines('{"blocks":[', asIs)).toEqual([])
})

test('the box of an indented line begins at its text', () => {
  const line = { text: '\u3000\u3000老桥修于', bbox: { x: 720, y: 1000, w: 840, h: 140 } }
  const json = JSON.stringify({ blocks: [{ lines: [line] }] })
  expect(parseLines(json, { scale: 1, left: 0, top: 0 })).toEqual([[100, 100, 56, 14, '老桥修于']])
})
