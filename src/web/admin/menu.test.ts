import { expect, test } from 'vitest'
import { pagesOf, permissionCatalogue } from '#shared/permissions.ts'
import { groupOf, menuFor, menuPageOf, pageLabel } from '#web/admin/menu.tsx'
import { findScreen, pageExists } from '#web/admin/registry.ts'

const every = pagesOf(permissionCatalogue.map(({ path }) => path))

test('the menu names no page that no permission opens', () => {
  const named = menuFor(() => true).flatMap(({ pages }) => pages.map(([path]) => path))
  expect(named.filter((path) => !every.includes(path))).toEqual([])
})

test('groups without a page vanish', () => {
  expect(menuFor((page) => page === '/admin/user/group').map(({ key }) => key)).toEqual(['user'])
  expect(menuFor(() => false)).toEqual([])
})

test('pages that do not exist are no pages', () => {
  expect(findScreen('/admin/user/list/')?.title).toBe('用户')
  expect(findScreen('/admin/constructor')).toBeUndefined()
  expect(pageExists('/admin/config/nothing')).toBe(false)
  expect(pageExists('/admin/config/email')).toBe(true)
  expect(pageLabel('/admin/config/email')).toBe('邮件设置')
})

test('a page one reaches from another is marked as that one', () => {
  expect(pageExists('/admin/article/set')).toBe(true)
  expect(groupOf('/admin/article/set')?.key).toBe('article')
  expect(every).toContain(menuPageOf('/admin/article/set'))
})
