import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answers, arriveAt, openBrowser, openWindow, visit } from './browser.ts'
import { configure } from './owner.ts'
import { fillLogin, logIn, tokenOf } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** What becomes of an account in an open browser: sessions that end, other tabs, doors that close, storage that is blocked. */

let browser: Browser
let site: RunningSite
const root = { username: 'admin', password: 'root password' }
const member = { username: '普通会员', password: 'member password' }

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: root.password })
  await configure(site, { 'security.enable_captcha_login': 'false' })
  const reply = await send('POST', '/user/login', '', root)
  const { token } = (await reply.json()) as { token: string }
  expect((await send('POST', '/user', token, { ...member, email: '', group_id: [2] })).status).toBe(200)
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('a session that has ended elsewhere leads to login at the next page for members', async () => {
  const page = await openWindow(browser, site.url)
  await logIn(page, site, member)
  await visit(page, '/category')
  // The page asks for the account once when it opens; the session ends only after that.
  await page.waitForLoadState('networkidle')
  await send('DELETE', '/user/logout', await tokenOf(page))
  await choose(page, member.username, '个人中心')
  await arriveAt(page, '/login?redirect=%2Fme')
  await fillLogin(page, site, member)
  await arriveAt(page, '/me')
})

test('a site that closes while it is open leads to login, where the notice stands', async () => {
  const [stranger, page] = [await openWindow(browser, site.url), await openWindow(browser, site.url)]
  await visit(stranger, '/user/1')
  await stranger.getByRole('banner').getByRole('link', { name: '文库资料' }).click()
  await arriveAt(stranger, '/category')
  await logIn(page, site, member)
  await configure(site, { 'security.is_close': 'true', 'security.close_statement': '维护中' })
  try {
    await stranger.goBack()
    await arriveAt(stranger, '/login?redirect=%2Fuser%2F1')
    await stranger.getByText('维护中').waitFor()
    await choose(page, member.username, '个人主页')
    await arriveAt(page, /^\/login\?redirect=%2Fuser%2F\d+$/)
    await page.getByText('只有管理人员可以访问').waitFor()
  } finally {
    await configure(site, { 'security.is_close': 'false' })
  }
})

test('with login required, logging in leads straight to where one wanted', async () => {
  await configure(site, { 'security.login_required': 'true' })
  try {
    const page = await openWindow(browser, site.url)
    const passed: string[] = []
    page.on('framenavigated', (frame) => passed.push(new URL(frame.url()).pathname))
    await visit(page, '/login?redirect=%2Fcategory')
    await fillLogin(page, site, member)
    await arriveAt(page, '/category')
    await page.waitForTimeout(500)
    expect([...new Set(passed)]).toEqual(['/login', '/category'])
  } finally {
    await configure(site, { 'security.login_required': 'false' })
  }
})

test('when another tab changes the account, nothing of the first stays in the form', async () => {
  const page = await openWindow(browser, site.url)
  await logIn(page, site, member)
  await visit(page, '/me/profile')
  await page.getByLabel('联系地址').fill('会员的地址')
  const other = await page.context().newPage()
  await other.goto('/')
  await other.evaluate(() => localStorage.clear())
  await logIn(other, site, root)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect.poll(() => page.getByLabel('用户名').inputValue()).toBe(root.username)
  expect(await page.getByLabel('联系地址').inputValue()).toBe('')
})

test('logging out of a page for members is not called a lost session', async () => {
  const page = await openWindow(browser, site.url)
  await logIn(page, site, member)
  await visit(page, '/me')
  await page.evaluate(() => {
    const look = () => {
      if (document.body.textContent.includes('登录已失效')) sessionStorage.setItem('seen', 'lost')
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    window.addEventListener('beforeunload', () => sessionStorage.setItem('left', location.pathname))
  })
  await choose(page, member.username, '退出登录')
  await page.getByText('已退出登录').waitFor()
  await arriveAt(page, '/login?redirect=%2Fme')
  expect(await page.evaluate(() => [sessionStorage.getItem('seen'), sessionStorage.getItem('left')])).toEqual([
    null,
    '/me',
  ])
})

test('where storage is blocked the site works, and one is a member until the page is left', async () => {
  const page = await openWindow(browser, site.url)
  await page.addInitScript(() => {
    const get = () => {
      throw new DOMException('blocked', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get })
  })
  await visit(page, '/login?redirect=%2Fcategory')
  await fillLogin(page, site, member)
  await arriveAt(page, '/category')
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await choose(page, member.username, '个人中心')
  await arriveAt(page, '/me')
  await visit(page, '/category')
  await page.getByRole('banner').getByRole('link', { name: '登录' }).waitFor()
})

test('what is typed before the scripts come is kept', async () => {
  const page = await openWindow(browser, site.url)
  const { promise: scripts, resolve: come } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await scripts
    await route.continue()
  })
  await page.goto('/login?redirect=%2Fcategory', { waitUntil: 'commit' })
  await page.getByLabel('用户名').fill(member.username)
  expect(await page.getByRole('button', { name: '登录', exact: true }).isDisabled()).toBe(true)
  come()
  await answers(page)
  await page.getByLabel('密码', { exact: true }).fill(member.password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await arriveAt(page, '/category')
})

/** A command of the member's menu. */
async function choose(page: Page, username: string, command: string): Promise<void> {
  await page.getByRole('button', { name: `${username} 的菜单` }).click()
  await page.getByRole('menuitem', { name: command }).click()
}

function send(method: string, path: string, token: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return fetch(`${site.url}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}
