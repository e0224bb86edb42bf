import { expect, test } from 'vitest'
import { pageTitle } from '#web/lib/seo.ts'

test.each([
  ['登录', { title: '首页标题', sitename: '某文库' }, '登录 – 某文库'],
  ['登录', { title: '', sitename: '' }, '登录 – 文豆'],
  [undefined, { title: '首页标题', sitename: '某文库' }, '首页标题'],
  [undefined, { title: '', sitename: '某文库' }, '某文库'],
  [undefined, { title: '', sitename: '' }, '文豆'],
])('title %s on %o', (title, system, shown) => {
  expect(pageTitle(title, system)).toBe(shown)
})
