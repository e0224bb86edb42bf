import { expect, test } from 'vitest'
import { getAdminPages, permissionCatalogue } from '#shared/permissions.ts'
import { alwaysAllowedPages } from '#shared/admin-pages.ts'
import { filterMenu, findGroup, findScreen, findStartPage, pageLabel, toMenuPage } from '#web/admin/menu.tsx'

const permittedPages = getAdminPages(permissionCatalogue.map(({ path }) => path))

test('every page of the menu is opened by some permission', () => {
  const paths = filterMenu(() => true).flatMap(({ pages }) => pages.map(([path]) => path))
  expect(paths.filter((path) => !permittedPages.includes(path))).toEqual([])
})

test('groups without a page are hidden', () => {
  expect(filterMenu((page) => page === '/admin/user/group').map(({ key }) => key)).toEqual(['user'])
  expect(filterMenu(() => false)).toEqual([])
})

test('checking, selling and running the site are groups of their own; what somebody may not open is in none', () => {
  const titles = filterMenu((page) => ['/admin/report', '/admin/order', '/admin/banner'].includes(page))
  expect(titles.map(({ title, pages }) => [title, pages.length])).toEqual([
    ['审核', 1],
    ['交易', 1],
    ['运营', 1],
  ])
  const usersOnly = getAdminPages(['/api.v1.UserAPI/ListUser'])
  const labels = filterMenu((page) => usersOnly.includes(page)).flatMap(({ pages }) => pages.map(([, label]) => label))
  expect(labels).toContain('用户管理')
  expect(labels).not.toContain('权限管理')
})

test('only pages that exist are found', () => {
  expect(findScreen('/admin/user/list/')?.title).toBe('用户')
  expect(findScreen('/admin/spider/source')?.title).toBe('采集源')
  expect(findScreen('/admin/constructor')).toBeUndefined()
  expect(pageLabel('/admin/config/nothing')).toBeUndefined()
  expect(pageLabel('/admin/config/email')).toBe('邮件设置')
  expect(pageLabel('/admin/config/spider')).toBe('采集设置')
})

test('a page opened from another one highlights that one in the menu', () => {
  expect(pageLabel('/admin/article/set')).toBe('文章编辑')
  expect(findGroup('/admin/article/set')?.key).toBe('article')
  expect(permittedPages).toContain(toMenuPage('/admin/article/set'))
})

test('the path of a group, and the index, lead to the first page that can be opened', () => {
  const all = () => true
  expect(findStartPage('/admin/index', all)).toBe('/admin/dashboard')
  expect(findStartPage('/admin/document', all)).toBe('/admin/document/list')
  expect(findStartPage('/admin/document', (page) => page === '/admin/document/recycle')).toBe('/admin/document/recycle')
  expect(findStartPage('/admin/biz', (page) => page === '/admin/banner')).toBe('/admin/banner')
  expect(findStartPage('/admin/user', () => false)).toBe('/admin/dashboard')
  expect(findStartPage('/admin/user/list', all)).toBeUndefined()
  expect(findStartPage('/admin/nothing', all)).toBeUndefined()
  for (const { key } of filterMenu(all)) expect(alwaysAllowedPages).toContain(`/admin/${key}`)
})

test('the menu follows where one is: also with a trailing slash, below a page and at the start', () => {
  expect(toMenuPage('/admin/user/list/')).toBe('/admin/user/list')
  expect(findGroup('/admin/user/list/')?.key).toBe('user')
  expect(toMenuPage('/admin/report/7')).toBe('/admin/report')
  expect(toMenuPage('/admin/order/difference')).toBe('/admin/order/difference')
  expect(findGroup('/admin/report/7')?.key).toBe('check')
  for (const start of ['/admin', '/admin/', '/admin/index']) expect(toMenuPage(start)).toBe('/admin/dashboard')
})
