import { expect, test } from 'vitest'
import { keywordsOf } from '#web/features/documents/browse/keywords.ts'

test('the words of a page, however they are divided, each once', () => {
  const page = [{ keywords: '数学,教案，习题' }, { keywords: '' }, { keywords: ' 教案、PDF; pdf ' }]
  expect(keywordsOf(page).map((word) => word.toLowerCase())).toEqual(['数学', '教案', '习题', 'pdf'])
  expect(keywordsOf(page, 2)).toEqual(['数学', '教案'])
})
