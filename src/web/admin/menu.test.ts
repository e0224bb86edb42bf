import { expect, test } from 'vitest'
import { getAdminPages, permissionCatalogue } from '#shared/permissions.ts'
import { filterMenu, findGroup, findScreen, pageExists, pageLabel, toMenuPage } from '#web/admin/menu.tsx'

const permittedPages = getAdminPages(permissionCatalogue.map(({ path }) => path))

test('every page of the menu is opened by some permission', () => {
  const paths = filterMenu(() => true).flatMap(({ pages }) => pages.map(([path]) => path))
  expect(paths.filter((path) => !permittedPages.includes(path))).toEqual([])
})

test('groups without a page are hidden', () => {
  expect(filterMenu((page) => page === '/admin/user/group').map(({ key }) => key)).toEqual(['user'])
  expect(filterMenu(() => false)).toEqual([])
})

test('only pages that exist are found', () => {
  expect(findScreen('/admin/user/list/')?.title).toBe('用户')
  expect(findScreen('/admin/constructor')).toBeUndefined()
  expect(pageExists('/admin/config/nothing')).toBe(false)
  expect(pageExists('/admin/config/email')).toBe(true)
  expect(pageLabel('/admin/config/email')).toBe('邮件设置')
})

test('a page opened from another one highlights that one in the menu', () => {
  expect(pageExists('/admin/article/set')).toBe(true)
  expect(findGroup('/admin/article/set')?.key).toBe('article')
  expect(permittedPages).toContain(toMenuPage('/admin/article/set'))
})
