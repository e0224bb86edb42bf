import { expect, test } from 'vitest'
import { documentStatusLabels } from '#shared/document-status.ts'
import { standingOf, standings } from '#web/features/documents/browse/status-words.ts'

test('what went wrong is said with its reason, and only then', () => {
  const reasons = { convert_error: '文件已加密', reject_reason: '内容重复' }
  expect(standingOf({ status: 3, ...reasons })).toEqual({ tone: 'bad', word: '转换失败', why: '文件已加密' })
  expect(standingOf({ status: 7, ...reasons })).toEqual({ tone: 'bad', word: '审核未通过', why: '内容重复' })
  expect(standingOf({ status: 2, ...reasons })).toEqual({ tone: 'good', word: '已公开', why: '' })
})

test('every state can be looked for, and every one that can be looked for exists', () => {
  const found = Object.values(standings).flatMap(({ status }) => status)
  expect(found.toSorted((a, b) => a - b)).toEqual(Object.keys(documentStatusLabels).map(Number))
})
