import { expect, test } from 'vitest'
import { columnWidth, fitColumns } from '#web/admin/engine/fit-columns.ts'

const columns = [
  { key: 'id', label: '编号', width: 72 },
  { key: 'title', label: '文档', width: 270 },
  { key: 'status', label: '状态', width: 120 },
  { key: 'pages', label: '页数', width: 76 },
]
const keys = (list: { key: string }[]) => list.map(({ key }) => key)

test('all columns are shown where there is room for them', () => {
  expect(fitColumns(columns, 538)).toEqual({ shown: columns, folded: [] })
})

test.each([
  [537, ['title', 'status', 'pages'], ['id']],
  [500, ['title', 'status'], ['id', 'pages']],
  [400, ['title', 'pages'], ['id', 'status']],
  [100, ['title'], ['id', 'status', 'pages']],
])('in %i pixels the less important ones are folded', (width, shown, folded) => {
  const fit = fitColumns(columns, width)
  expect([keys(fit.shown), keys(fit.folded)]).toEqual([shown, folded])
})

test('a column is as wide as its heading needs', () => {
  expect(columnWidth({ key: 'view_count', label: '浏览 / 评论 / 收藏', width: 76, sort: true })).toBeGreaterThan(140)
})
