import { expect, test } from 'vitest'
import { ReportReason } from '#shared/enums.ts'
import { readInboxQuery, toInboxParams } from '#web/admin/reports/inbox-query.ts'

const open = { isHandled: false, reasons: [], wd: '', page: 1 }

test.each([
  ['', open],
  ['status=false', open],
  ['status=0', open],
  ['status=true&status=false', open],
  ['status=1', { ...open, isHandled: true }],
  ['status=true&wd=茶&page=3', { ...open, isHandled: true, wd: '茶', page: 3 }],
  ['reason=7&reason=11', { ...open, reasons: [ReportReason.Copyright, ReportReason.Other] }],
  ['reason=99&page=-1&status=maybe', open],
])('%s is read', (query, expected) => {
  expect(readInboxQuery(new URLSearchParams(query))).toEqual(expected)
})

test('a query survives its address', () => {
  const query = { isHandled: true, reasons: [ReportReason.Copyright, ReportReason.Spam], wd: '茶 经', page: 2 }
  expect(readInboxQuery(toInboxParams(query))).toEqual(query)
})
