import { expect, test } from 'vitest'
import { isUnlisted, pageMeta, pageTitle } from '#web/domain/seo.ts'

test.each([
  ['登录', { title: '首页标题', sitename: '某文库' }, '登录 – 某文库'],
  ['登录', { title: '', sitename: '' }, '登录 – 文豆'],
  [undefined, { title: '首页标题', sitename: '某文库' }, '首页标题'],
  [undefined, { title: '', sitename: '某文库' }, '某文库'],
  [undefined, { title: '', sitename: '' }, '文豆'],
])('title %s on %o', (title, system, shown) => {
  expect(pageTitle(title, system)).toBe(shown)
})

const system = {
  title: '首页标题',
  sitename: '某文库',
  description: '一个文库',
  keywords: '文库',
  domain: 'https://wenku.example.com',
  logo: '/uploads/config/logo.webp',
}
const open = { is_close: false, login_required: false }
const site = { settings: { system, security: open } }

test('a page describes itself, and the site fills the gaps', () => {
  const meta = pageMeta(site, { title: '关于', description: '很长\n的   说明', path: '/article/about' })
  expect(meta).toEqual([
    { title: '关于 – 某文库' },
    { name: 'description', content: '很长 的 说明' },
    { name: 'keywords', content: '文库' },
    { tagName: 'link', rel: 'canonical', href: 'https://wenku.example.com/article/about' },
    { property: 'og:type', content: 'website' },
    { property: 'og:title', content: '关于' },
    { property: 'og:description', content: '很长 的 说明' },
    { property: 'og:site_name', content: '某文库' },
    { property: 'og:locale', content: 'zh_CN' },
    { property: 'og:url', content: 'https://wenku.example.com/article/about' },
    { property: 'og:image', content: 'https://wenku.example.com/uploads/config/logo.webp' },
    { name: 'twitter:card', content: 'summary' },
  ])
})

test('a description is truncated to the length that search engines show', () => {
  const [, description] = pageMeta(site, { description: '字'.repeat(1000) })
  expect(description).toEqual({ name: 'description', content: `${'字'.repeat(199)}…` })
})

test('search engines index nothing of a site that is not public', () => {
  const hidden = { name: 'robots', content: 'noindex' }
  expect(pageMeta(site)).not.toContainEqual(hidden)
  for (const security of [
    { ...open, is_close: true },
    { ...open, login_required: true },
  ])
    expect(pageMeta({ settings: { system, security } })).toContainEqual(hidden)
})

test.each([
  '/login',
  '/register/',
  '/findpassword',
  '/unsubscribe',
  '/search',
  '/upload',
  '/post',
  '/user',
  '/me',
  '/me/profile',
  '/admin',
])('%s is not for search engines', (path) => expect(isUnlisted(path)).toBe(true))

test.each(['/', '/user/1', '/user/1/document', '/article/login', '/category', '/member', '/administration'])(
  '%s is for search engines',
  (path) => expect(isUnlisted(path)).toBe(false),
)
