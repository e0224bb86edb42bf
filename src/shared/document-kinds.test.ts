import { expect, test } from 'vitest'
import { documentExts, extOf, extsOf, kindFilters, kindOf, titleOf } from './document-kinds.ts'

test('every extension has one kind and one filter', () => {
  expect(new Set(documentExts).size).toBe(documentExts.length)
  const filtered = Object.keys(kindFilters).flatMap((filter) => extsOf(filter))
  expect(filtered.toSorted()).toEqual([...documentExts].toSorted())
  expect([kindOf('.wps'), kindOf('.et'), kindOf('.dps'), kindOf('.exe')]).toEqual(['word', 'excel', 'ppt', 'other'])
})

test('a name is taken apart whatever it holds', () => {
  expect(extOf('年度报告.DOCX')).toBe('.docx')
  expect(extOf('说明')).toBe('')
  expect(extOf('包.tar.gz ')).toBe('.gz')
  expect(titleOf('C:\\文档\\年度报告.docx')).toBe('年度报告')
  expect(titleOf('目录/.pdf')).toBe('.pdf')
  expect(titleOf('第 1 章. 绪论.pdf')).toBe('第 1 章. 绪论')
})
