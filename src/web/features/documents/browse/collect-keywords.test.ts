import { expect, test } from 'vitest'
import { collectKeywords } from '#web/features/documents/browse/collect-keywords.ts'

test('keywords with any separator are collected without duplicates', () => {
  const page = [{ keywords: '数学,教案，习题' }, { keywords: '' }, { keywords: ' 教案、PDF; pdf ' }]
  expect(collectKeywords(page).map((word) => word.toLowerCase())).toEqual(['数学', '教案', '习题', 'pdf'])
  expect(collectKeywords(page, 2)).toEqual(['数学', '教案'])
})
