import { expect, test } from 'vitest'
import { failureReasons } from '#shared/conversion.ts'
import { DocumentStatus, wireStatusLabels } from '#shared/document-status.ts'
import { describeStatus, statusFilters } from '#web/features/documents/own/own-status.ts'

test('only a failure or a rejection has a reason', () => {
  const reasons = { convert_error: '文件已加密', reject_reason: '内容重复' }
  expect(describeStatus({ status: DocumentStatus.Failed, ...reasons })).toEqual({
    tone: 'bad',
    label: '转换失败',
    reason: '文件已加密；替换文件不占上传数量',
  })
  expect(describeStatus({ status: DocumentStatus.Rejected, ...reasons })).toEqual({
    tone: 'bad',
    label: '审核未通过',
    reason: '内容重复',
  })
  expect(describeStatus({ status: DocumentStatus.Converted, ...reasons })).toEqual({
    tone: 'good',
    label: '已发布',
    reason: '',
  })
})

test('a format that cannot be shown online is no failure', () => {
  const unsupported = failureReasons.unsupported.message
  expect(describeStatus({ status: DocumentStatus.Failed, convert_error: unsupported })).toEqual({
    tone: 'good',
    label: '可下载，不支持预览',
    reason: '',
  })
})

test('the filters cover every status exactly once', () => {
  const covered = Object.values(statusFilters).flatMap(({ status }) => status)
  expect(covered.toSorted((a, b) => a - b)).toEqual(Object.keys(wireStatusLabels).map(Number))
})
