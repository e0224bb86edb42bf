import { brotliCompressSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordTransfers } from './audits.ts'
import { desktop, expectNoPageErrors, openBrowser, openWindow, phone, visit } from './browser.ts'
import { stylesOf, withoutStyles } from './page-checks.ts'
import { type RunningSite, startSite } from './running-site.ts'

let browser: Browser
let site: RunningSite
beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: 'root password' })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('the HTML alone shows the site: name, navigation and footer, without any script', async () => {
  const response = await fetch(site.url)
  const html = await response.text()
  expect(response.status).toBe(200)
  for (const words of ['<title>文豆', '首页', '文库资料', '文章资讯', '关于我们', '用户协议'])
    expect(html).toContain(words)
  expect(withoutStyles(html).length).toBeLessThan(80_000)
  const page = await openWindow(browser, site.url, { javaScriptEnabled: false })
  await page.goto('/')
  expect(await page.getByRole('navigation').first().innerText()).toContain('文库资料')
  expect(await page.getByRole('contentinfo').innerText()).toContain('关于我们')
})

test('the first load of /login moves at most 138 KB of script and 18 KB of style, and nothing of the admin', async () => {
  const page = await openWindow(browser, site.url)
  const moved = recordTransfers(page, { bodies: true })
  await visit(page, '/login')
  await page.waitForLoadState('networkidle')
  const total = (type: string) => moved.filter((one) => one.type === type).reduce((sum, { bytes }) => sum + bytes, 0)
  const scripts = moved.filter(({ type }) => type === 'script')
  expect(scripts.length).toBeGreaterThan(2)
  expect(total('script')).toBeGreaterThan(20_000)
  expect(total('script')).toBeLessThanOrEqual(138 * 1024)
  expect(total('stylesheet'), 'styles are in the page').toBe(0)
  const style = brotliCompressSync(stylesOf(await (await fetch(`${site.url}/login`)).text())).length
  expect(style).toBeGreaterThan(1000)
  expect(style).toBeLessThanOrEqual(18 * 1024)
  expect(scripts.filter(({ body }) => /ant-design|antCls|ConfigProvider/.test(body)).map(({ url }) => url)).toEqual([])
  expectNoPageErrors(page)
})

test.each([
  ['a desktop', desktop],
  ['a tablet', { width: 820, height: 1180 }],
  ['a phone', phone],
  ['the smallest phone', { width: 320, height: 568 }],
])('no public page scrolls sideways or breaks on %s, light or dark', async (_name, viewport) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await openWindow(browser, site.url, { viewport, colorScheme })
    for (const path of [
      '/',
      '/login',
      '/register',
      '/findpassword',
      '/category',
      '/article',
      '/article/about',
      '/search?wd=%E6%96%87',
      '/user/1',
      '/spider',
      '/404',
    ]) {
      await visit(page, path)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow, path).toBeLessThanOrEqual(0)
    }
    expectNoPageErrors(page)
  }
})

test('pages that do not exist answer 404 and say what to do', async () => {
  for (const path of [
    '/404',
    '/nowhere',
    '/article/none',
    '/user/999999',
    '/.git/config',
    '/..%2f..%2fetc/passwd',
    '/assets/',
    '/assets/root.js.map',
  ]) {
    const response = await fetch(site.url + path)
    expect(response.status, path).toBe(404)
  }
  const page = await openWindow(browser, site.url)
  await visit(page, '/nowhere')
  await page.getByText('页面不存在').first().waitFor()
  await page.getByRole('link', { name: /首页/ }).first().click()
  await page.getByRole('searchbox').or(page.getByPlaceholder('搜索文档')).first().waitFor()
})

test('a page is sent compressed, with a closed content policy, and not again when it has not changed', async () => {
  // An uncached address: a cached page may be revalidated between the two requests.
  const address = `${site.url}/register?redirect=/compressed`
  const first = await fetch(address)
  const policy = first.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/script-src 'self' 'sha256-/)
  expect(/script-src[^;]*unsafe-inline/.test(policy)).toBe(false)
  expect(first.headers.get('content-encoding')).toMatch(/br|gzip/)
  const again = await fetch(address, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  const asset = /\/assets\/[\w.-]+\.js/.exec(await first.text())?.[0] ?? ''
  const script = await fetch(site.url + asset)
  expect(script.headers.get('cache-control')).toContain('immutable')
})
