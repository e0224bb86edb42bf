import { expect, test } from 'vitest'
import { getAdminPages, getPermissionArea, permissionCatalogue } from './permissions.ts'

test.each([
  ['/api.v1.DocumentAPI/ListDocument', 'DocumentAPI', '文档'],
  ['/api/v1/upload/banner', 'upload', '上传管理'],
  ['/api/v1/document/list', 'DocumentAPI', '文档'],
  ['/api/v1/searchrecord', 'SearchRecordAPI', '搜索记录'],
  ['/api/v1/user/permission', 'UserAPI', '用户'],
  ['/api/v1/something/else', 'something', 'something'],
  ['/api.v1.SomethingAPI/Method', 'SomethingAPI', 'SomethingAPI'],
])('the group of %s is %s', (path, key, title) => {
  expect(getPermissionArea(path)).toEqual({ key, title })
})

test('every permission belongs to an area with a name', () => {
  for (const { path } of permissionCatalogue) expect(getPermissionArea(path).title).toMatch(/[\u4e00-\u9fff]|VIP/)
})

test('a REST path opens the pages of its group only if it is the list', () => {
  expect(getAdminPages(['/api/v1/friendlink/list'])).toEqual(['/admin/friendlink'])
  expect(getAdminPages(['/api/v1/friendlink', '/api/v1/upload/banner', '/api/v1/upload/list'])).toEqual([])
})
