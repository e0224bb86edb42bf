import { expect, test } from 'vitest'
import { contract } from './contract/contract.ts'
import type { Endpoint } from './endpoint.ts'
import { getAdminPages, getPermissionArea, permissionAreas, permissionCatalogue, wirePath } from './permissions.ts'

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

test('each permission for orders, VIP and download codes opens something', () => {
  const endpoints = Object.values(contract).flatMap((area) => Object.values<Endpoint>(area))
  const asked = endpoints.flatMap(({ access }) => (typeof access === 'object' ? [wirePath(access.permission)] : []))
  // Of others; buyers remove their own by the same endpoint.
  asked.push(wirePath('OrderAPI/DeleteOrder'))
  const areas = new Set(['OrderAPI', 'VIPAPI', 'DownloadCodeAPI'])
  const paths = permissionCatalogue.map(({ path }) => path)
  expect(paths.filter((path) => areas.has(getPermissionArea(path).key) && !asked.includes(path))).toEqual([])
})

test('every area is asked for by some endpoint', () => {
  const endpoints = Object.values(contract).flatMap((area) => Object.values<Endpoint>(area))
  const asked = endpoints.flatMap(({ access }) => (typeof access === 'object' ? [wirePath(access.permission)] : []))
  const existing = new Set([...asked, '/api/v1/upload/banner'].map((path) => getPermissionArea(path).key))
  expect(new Set(permissionAreas.map(({ key }) => key))).toEqual(existing)
})
