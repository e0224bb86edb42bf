import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { waitForPath, load, openBrowser, openWindow } from './browser.ts'
import { configure } from './owner.ts'
import { fillLogin, signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { keepPassword } from './site-setup.ts'

/** Every guard of the specification, on the first load and on navigation. */

let browser: Browser
let site: RunningSite
const root = { username: 'admin', password: 'root password' }
const member = { username: '普通会员', password: 'member password' }

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: root.password })
  await configure(site, { 'security.enable_captcha_login': 'false' })
  const token = await tokenFor(root)
  const created = await call('POST', '/user', token, { ...member, email: '', group_id: [2] })
  expect(created).toBe(200)
  await keepPassword(site, member.username)
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

describe('an anonymous visitor', () => {
  let page: Page
  beforeEach(async () => {
    page = await openWindow(browser, site.url)
  })

  test.each(['/me', '/me/profile', '/me/password'])(
    'who opens %s is asked to log in, and then gets there',
    async (path) => {
      await load(page, path)
      await waitForPath(page, `/login?redirect=${encodeURIComponent(path)}`)
      await fillLogin(page, site, member)
      await waitForPath(page, path)
    },
  )

  test.each([
    ['/admin', '/admin/dashboard'],
    ['/admin/user/list?wd=admin', '/admin/user/list?wd=admin'],
    ['/admin/config/system', '/admin/config/system'],
  ])('who opens %s is asked to log in, and then gets to %s', async (path, target) => {
    await load(page, path)
    await waitForPath(page, `/login?redirect=${encodeURIComponent(path)}`)
    await fillLogin(page, site, root)
    await waitForPath(page, target)
  })

  test('who goes to login from another page comes back to it', async () => {
    await load(page, '/article/about?from=footer')
    await page.getByRole('banner').getByRole('link', { name: '登录' }).click()
    await waitForPath(page, `/login?redirect=${encodeURIComponent('/article/about?from=footer')}`)
    await page.getByRole('link', { name: '注册一个' }).click()
    await waitForPath(page, `/register?redirect=${encodeURIComponent('/article/about?from=footer')}`)
    await page.goBack()
    await fillLogin(page, site, member)
    await waitForPath(page, '/article/about?from=footer')
  })

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/ok\r\nx'])(
    'is not sent to %j by a forged redirect',
    async (target) => {
      await load(page, `/login?redirect=${encodeURIComponent(target)}`)
      await fillLogin(page, site, member)
      await waitForPath(page, /^\/(me|ok.*)$/)
      expect(new URL(page.url()).origin).toBe(site.url)
    },
  )
})

describe('a member without admin pages', () => {
  test('is told so in the back office, with a way home, and does not see login again', async () => {
    const page = await openWindow(browser, site.url)
    await signInAs(page, site, member)
    for (const path of ['/admin', '/admin/user/list']) {
      await load(page, path)
      await page.getByRole('heading', { name: '您没有进入管理后台的权限' }).waitFor()
      await waitForPath(page, path)
      expect(await page.getByText(member.username).count()).toBe(1)
    }
    await page.getByRole('link', { name: '返回首页' }).click()
    await waitForPath(page, '/')
    await load(page, '/admin/user/list')
    await page.getByRole('button', { name: '换一个账号登录' }).click()
    await waitForPath(page, `/login?redirect=${encodeURIComponent('/admin/user/list')}`)
    await fillLogin(page, site, root)
    await waitForPath(page, '/admin/user/list')
    await signInAs(page, site, member)
    for (const path of ['/login', '/register']) {
      await load(page, path)
      await waitForPath(page, /^\/user\/\d+$/)
    }
  })
})

describe('a member with admin pages', () => {
  test('enters allowed pages, the dashboard and the index, and is sent to /admin from others', async () => {
    const page = await openWindow(browser, site.url)
    await signInAs(page, site, root)
    await load(page, '/admin/user/list')
    await waitForPath(page, '/admin/user/list')
    await load(page, '/admin/dashboard')
    await waitForPath(page, '/admin/dashboard')
    await load(page, '/admin/no/such/page')
    await waitForPath(page, /^\/admin(\/dashboard)?$/)
    for (const [path, target] of [
      ['/admin', '/admin/dashboard'],
      ['/admin/index', '/admin/dashboard'],
      ['/admin/document', '/admin/document/list'],
      ['/admin/article', '/admin/article/list'],
      ['/admin/user', '/admin/user/list'],
      ['/admin/check', '/admin/review'],
      ['/admin/config', '/admin/config/system'],
    ] as const) {
      await load(page, path)
      await waitForPath(page, target)
    }
  })
})

describe('while login is required', () => {
  beforeAll(() => configure(site, { 'security.login_required': 'true' }))
  afterAll(() => configure(site, { 'security.login_required': 'false' }))

  test('an anonymous visitor reaches login, register and recovery, and nothing else', async () => {
    const page = await openWindow(browser, site.url)
    for (const path of ['/', '/category', '/article/about', '/search?wd=a', '/user/1', '/nowhere']) {
      await load(page, path)
      await waitForPath(page, `/login?redirect=${encodeURIComponent(path)}`)
    }
    for (const path of ['/login', '/register', '/findpassword']) {
      await load(page, path)
      await page.getByRole('button', { name: /^(登录|注册|发送重置邮件)$/ }).waitFor()
      await waitForPath(page, new RegExp(`^${path}`))
    }
    await page.getByRole('link', { name: '文豆' }).first().click()
    await waitForPath(page, /^\/login/)
  })

  test('a member goes everywhere', async () => {
    const page = await openWindow(browser, site.url)
    await load(page, '/login')
    await fillLogin(page, site, member)
    await waitForPath(page, '/me')
    await load(page, '/category')
    await waitForPath(page, '/category')
  })
})

describe('while the site is closed', () => {
  beforeAll(() =>
    configure(site, {
      'security.is_close': 'true',
      'security.close_statement': '<b>维护中</b><script>alert(1)</script>',
    }),
  )
  afterAll(() => configure(site, { 'security.is_close': 'false' }))

  test('an anonymous visitor reaches only login, where the notice stands', async () => {
    const page = await openWindow(browser, site.url)
    for (const path of ['/', '/register', '/findpassword', '/article/about', '/me']) {
      await load(page, path)
      await waitForPath(page, /^\/login/)
    }
    await page.getByText('维护中').waitFor()
    expect(await page.content()).not.toContain('alert(1)')
  })

  test('a member without permissions stays on login', async () => {
    const page = await openWindow(browser, site.url)
    await load(page, '/login')
    await fillLogin(page, site, member)
    await page.getByText('只有管理人员可以访问').waitFor()
    await load(page, '/')
    await waitForPath(page, /^\/login/)
  })

  test('staff work as usual', async () => {
    const page = await openWindow(browser, site.url)
    await signInAs(page, site, root)
    await load(page, '/')
    await waitForPath(page, '/')
    await load(page, '/admin/user/list')
    await waitForPath(page, '/admin/user/list')
  })
})

test('a logout in one tab is noticed by the other when it is looked at', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, member)
  const other = await page.context().newPage()
  await load(other, '/me')
  // What it has asked for would store the session again.
  await other.waitForLoadState('networkidle')
  await page.evaluate(() => localStorage.clear())
  // Looked at again and again, as the page may not be listening yet.
  await expect
    .poll(async () => {
      await other.evaluate(() => window.dispatchEvent(new Event('focus')))
      return new URL(other.url()).pathname
    })
    .toBe('/login')
})

async function tokenFor({ username, password }: typeof root): Promise<string> {
  const response = await fetch(`${site.url}/api/v1/user/login`, {
    method: 'POST',
    body: JSON.stringify({ username, password }),
  })
  return ((await response.json()) as { token: string }).token
}

async function call(method: string, path: string, token: string, body: object): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return (await fetch(`${site.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })).status
}
