import { expect, test } from 'vitest'
import { documentExts, getExt, getFilterExts, kindFilters, getDocumentKind, toTitle } from './document-kinds.ts'

test('every extension has one kind and one filter', () => {
  expect(new Set(documentExts).size).toBe(documentExts.length)
  const filtered = Object.keys(kindFilters).flatMap((filter) => getFilterExts(filter))
  expect(filtered.toSorted()).toEqual([...documentExts].toSorted())
  expect([getDocumentKind('.wps'), getDocumentKind('.et'), getDocumentKind('.dps'), getDocumentKind('.exe')]).toEqual([
    'word',
    'excel',
    'ppt',
    'other',
  ])
})

test('a file name is split into title and extension, whatever it contains', () => {
  expect(getExt('年度报告.DOCX')).toBe('.docx')
  expect(getExt('说明')).toBe('')
  expect(getExt('包.tar.gz ')).toBe('.gz')
  expect(toTitle('C:\\文档\\年度报告.docx')).toBe('年度报告')
  expect(toTitle('目录/.pdf')).toBe('.pdf')
  expect(toTitle('第 1 章. 绪论.pdf')).toBe('第 1 章. 绪论')
})
