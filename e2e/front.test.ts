import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePdf } from '#server/samples/pdf.ts'
import { groups } from '#shared/contract/access.ts'
import { reading } from '#shared/contract/reading.ts'
import { desktop, expectNoPageErrors, openBrowser, openWindow, phone, visit, waitForPath } from './browser.ts'
import { configure } from './owner.ts'
import { signInAs } from './person.ts'
import { type RunningSite, startSite, startSiteForTest } from './running-site.ts'
import { allowContributions, createMember, publishAndWait, signInAsRoot } from './site-setup.ts'
import { createUploadClient } from './upload-client.ts'

/** What the site shows around its pages, where they are found, and what other programs are told of them. */

let browser: Browser
let site: RunningSite

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: 'root password' })
  await configure(site, {
    'display.wechat_qrcode': '/favicon.svg',
    'display.wechat_tip': '关注公众号',
    'display.contact_link': '/article/contact',
    'display.contact_tip': '联系客服',
    'system.analytics': 'window._hmt = []; window._czc = []',
    'security.enable_captcha_login': 'false',
  })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('/document lists all documents, and an article is found by its number', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/document')
  await waitForPath(page, '/document')
  await page.getByRole('heading', { name: '全部文档' }).waitFor()
  const entry = page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '文库资料' })
  expect(await entry.getAttribute('aria-current')).toBe('page')
  await page.getByRole('main').getByRole('link', { name: 'PDF', exact: true }).click()
  await waitForPath(page, '/document?ext=pdf')
  const { id, identifier } = await site.db
    .selectFrom('article')
    .select(['id', 'identifier'])
    .where('identifier', '=', 'about')
    .executeTakeFirstOrThrow()
  const response = await fetch(`${site.url}/article/${id}`, { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([301, `/article/${identifier}`])
  const html = await (await fetch(`${site.url}/article/${id}`)).text()
  expect(html).toMatch(/<link rel="canonical" href="[^"]*\/article\/about"/)
  // The page belongs to the site itself: it has no author, no count of views and no comments.
  expect(html).not.toMatch(/次浏览|rel="author"|id="comments"/)
  expect((await fetch(`${site.url}/article/999999`)).status).toBe(404)
  expectNoPageErrors(page)
})

test.each([
  ['a desktop', desktop],
  ['a tablet', { width: 820, height: 1180 }],
])('on %s the right bar has the codes and the contact', async (_name, viewport) => {
  const page = await openWindow(browser, site.url, { viewport })
  await visit(page, '/category')
  const bar = page.getByRole('complementary', { name: '快捷操作' })
  for (const name of ['发布文章', '上传文档', '联系客服']) await bar.getByRole('link', { name }).waitFor()
  await bar.getByRole('button', { name: '关注公众号' }).click()
  await bar.getByRole('figure').waitFor()
  // Over a text that is read there are no pens.
  await visit(page, '/article/about')
  await bar.getByRole('link', { name: '联系客服' }).waitFor()
  expect(await bar.getByRole('link', { name: /发布|上传/ }).count()).toBe(0)
  expectNoPageErrors(page)
})

test('visitors are invited to upload and publish only if new members may', async () => {
  const countInvitations = () =>
    Promise.all(
      ['/', '/category', '/article'].map(async (path) => {
        const html = await (await fetch(site.url + path)).text()
        return html.match(/href="\/(upload|post)"/g)?.length ?? 0
      }),
    )
  expect(Math.min(...(await countInvitations()))).toBeGreaterThan(0)
  const { call } = await createUploadClient(site.url, { username: 'admin', password: 'root password' })
  const { group } = await call(groups.list)
  const standard = group.find(({ is_default }) => is_default)
  if (!standard) throw new Error('there is no default group')
  await call(groups.update, { ...standard, enable_upload: false, enable_article: false })
  await expect.poll(countInvitations).toEqual([0, 0, 0])
  await call(groups.update, standard)
})

test('on a phone they are in the drawer', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
  await visit(page, '/category')
  await page.getByRole('button', { name: '打开导航' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('link', { name: '联系客服' }).waitFor()
  await drawer.getByRole('figure').filter({ hasText: '关注公众号' }).waitFor()
})

test('a member who comes back finds what they were reading in the first half of a phone’s screen', async () => {
  const root = await signInAsRoot(site, 'root password')
  await allowContributions(root, { reviewed: false })
  const member = await createMember(site, root, '回来的人')
  const { uuid } = await publishAndWait(site, member, { name: '山志.pdf', bytes: makePdf({ title: '山志', pages: 9 }) })
  await member.call(reading.save, { place: [{ uuid, page: 4, read_at: Date.now() }] })
  const page = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
  await visit(page, '/')
  const welcome = page.getByRole('heading', { level: 1 })
  const shelf = page.getByRole('region', { name: '继续阅读' })
  expect((await welcome.boundingBox())?.height).toBeGreaterThan(40)
  expect(await shelf.count()).toBe(0)
  expect(await page.getByText(/\d (份文档|位用户)/).count(), 'the numbers of a small site are no news').toBe(0)
  await signInAs(page, site, member)
  for (const version of ['v1', 'v2']) {
    await configure(site, { 'display.home_version': version })
    await visit(page, '/')
    await shelf.getByText('读到 4/9 页').waitFor()
    const [search, reads] = [
      await page.getByRole('main').getByRole('combobox').boundingBox(),
      await shelf.boundingBox(),
    ]
    expect(reads?.y, version).toBeLessThan(400)
    expect(reads?.y, version).toBeGreaterThan(search?.y ?? Infinity)
  }
  await configure(site, { 'display.home_version': 'v1' })
  expectNoPageErrors(page)
})

test('analytics are told of pages that are opened without loading the site again', async () => {
  const page = await openWindow(browser, site.url)
  await page.addInitScript(() => {
    Object.assign(window, { heard: [] })
    addEventListener('wendou:pageview', (event) =>
      (window as unknown as Reported).heard.push((event as CustomEvent).detail),
    )
  })
  await visit(page, '/')
  await page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '文章资讯' }).click()
  await waitForPath(page, '/article')
  await expect.poll(async () => (await told(page))._hmt).toEqual([['_trackPageview', '/article']])
  await page.getByRole('banner').getByRole('link', { name: '登录' }).click()
  await waitForPath(page, /^\/login/)
  await expect.poll(async () => (await told(page))._hmt.length).toBe(2)
  const { _czc, heard } = await told(page)
  expect(_czc[0]).toEqual(['_trackPageview', '/article', '/'])
  expect(heard[0]).toEqual({ path: '/article', title: await articlesTitle(), previous: '/' })
})

test('a login that the proxy refuses says so in a sentence', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/login')
  await page.route('**/api/v1/user/login', (route) =>
    route.fulfill({
      status: 502,
      contentType: 'text/html',
      body: '<html><body><h1>502 Bad Gateway</h1></body></html>',
    }),
  )
  await page.getByLabel('用户名').fill('admin')
  await page.getByRole('textbox', { name: '密码' }).fill('root password')
  await page.getByRole('main').getByRole('button', { name: '登录' }).click()
  const problem = page.getByText(/^登录失败，请稍后重试（502/)
  await problem.waitFor()
  expect(await problem.innerText()).not.toContain('<')
})

test('settings and categories are stored for the next start, the default pictures are files', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/category')
  const read = () => page.evaluate(() => localStorage.getItem('wendou-site') ?? '{}')
  await expect
    .poll(async () => JSON.parse(await read()), { timeout: 15_000 })
    .toMatchObject({ settings: { system: { sitename: expect.any(String) } }, categories: expect.any(String) })
  for (const path of ['/logo.svg', '/avatar.svg'])
    expect((await fetch(site.url + path)).headers.get('content-type'), path).toBe('image/svg+xml')
  // In the page itself, as its colours are those of the palette.
  expect(await page.getByRole('banner').locator('a[href="/"] svg rect').count()).toBe(1)
})

test('the address of the API can be given at the start', async () => {
  const other = await startSiteForTest('sqlite', { API_BASE_URL: `${site.url}/` })
  const page = await openWindow(browser, other.url)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/')) asked.push(new URL(request.url()).origin)
  })
  await visit(page, '/')
  await page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '文章资讯' }).click()
  await page.getByRole('heading', { name: '文章' }).first().waitFor()
  await expect.poll(() => asked.length).toBeGreaterThan(1)
  expect(new Set(asked)).toEqual(new Set([new URL(site.url).origin]))
})

interface Reported {
  _hmt: unknown[]
  _czc: unknown[]
  heard: unknown[]
}

function told(page: Page): Promise<Reported> {
  return page.evaluate(() => {
    const { _hmt, _czc, heard } = window as unknown as Reported
    return { _hmt, _czc, heard }
  })
}

async function articlesTitle(): Promise<string> {
  const html = await (await fetch(`${site.url}/article`)).text()
  return /<title>([^<]*)/.exec(html)?.[1] ?? ''
}
