import { parseDocument } from 'htmlparser2'
import { expect, test } from 'vitest'
import { findAll, findFirst, validateSelector } from './selectors.ts'

const document = parseDocument('<div class=a><p>1<p>2</div>')

test('elements are found by CSS; no selector finds nothing', () => {
  expect(findFirst('.a > p', document)?.name).toBe('p')
  expect(findAll('.a > p', document)).toHaveLength(2)
  expect(findFirst('h1', document)).toBeUndefined()
  expect(findFirst(' ', document)).toBeUndefined()
  expect(findAll('', document)).toEqual([])
})

test.each(['p:unknown', 'a[', '> >', 'p:nth-child(x)'])('%j is refused', (selector) => {
  expect(validateSelector(selector)).toBe('选择器无法识别，请按 CSS 的写法填写，例如 .title h1 或 #content')
  expect(() => findFirst(selector, document)).toThrow(expect.objectContaining({ reason: 'bad_rule' }))
})

test('the form is told what is wrong', () => {
  expect(validateSelector('')).toBe('请填写选择器')
  expect(validateSelector('a'.repeat(501))).toBe('选择器不能超过 500 个字符')
  expect(validateSelector('#content .title:not(.ad), div:has(> h1)')).toBeUndefined()
  expect(validateSelector('a[href*="../"] > b.c#d')).toBeUndefined()
})

test.each(['h1..title', '.title >', 'h1,', 'a.', '##x'])('%j, which would find nothing, is refused', (selector) => {
  expect(validateSelector(selector)).toMatch(/^选择器无法识别/)
})
