import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '#shared/client.ts'
import { oauth } from '#shared/contract/oauth.ts'
import { type OidcServer, startOidcServer } from '#server/testing/oauth/oidc-server.ts'
import { startVendors, type Vendors } from '#server/testing/oauth/vendors.ts'
import { recordTransfers } from './audits.ts'
import { expectNoPageErrors, openBrowser, openWindow, phone, visit, waitForPath } from './browser.ts'
import { configure } from './owner.ts'
import { accessibilityFaults } from './page-checks.ts'
import { fillLogin, signInAs } from './person.ts'
import { journeyEngine, type RunningSite, startSite } from './running-site.ts'
import { keepPassword } from './site-setup.ts'

/** Accounts of other sites: log in, register, bind and unbind, and the mini program's scan. */

let browser: Browser
let site: RunningSite
let vendors: Vendors
let oidc: OidcServer
const root = { username: 'admin', password: 'root password' }
const member = { username: '普通会员', password: 'member password' }

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite(journeyEngine, { ADMIN_PASSWORD: root.password })
  vendors = await startVendors(site.url)
  oidc = await startOidcServer(site.url)
  await configure(site, {
    ...vendors.settings,
    ...oidc.settings,
    'oauth.oidc_title': '公司账号',
    // Pages follow the settings at once.
    'ssr.cache_seconds': '0',
    'ssr.stale_seconds': '0',
    'security.enable_captcha_login': 'false',
  })
  const { json } = await send('/user/login', root)
  await send('/user', { ...member, email: '', group_id: [2] }, String(json.token))
  await keepPassword(site, member.username)
})
afterAll(async () => {
  await browser.close()
  await site.stop()
  await vendors.close()
  await oidc.close()
})

test('a member binds an OpenID account by logging in on the way, and then logs in with it', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/login?redirect=%2Fcategory')
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('link', { name: '公司账号' }).click()
  await logInAtIssuer(page, 'alice')
  await page.getByText('公司账号账号“alice at OIDC”还没有绑定本站的用户').waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: '登录并绑定' }).click()
  await waitForPath(page, /^\/login/)
  await fillLogin(page, site, member)
  await page.getByText('绑定成功').waitFor()
  await waitForPath(page, '/category')

  const another = await openWindow(browser, site.url, { viewport: phone, colorScheme: 'dark' })
  await visit(another, '/login?redirect=%2Fcategory')
  await another.getByRole('link', { name: '公司账号' }).click()
  await logInAtIssuer(another, 'alice')
  await waitForPath(another, '/category')
})

test('someone new registers with GitHub, without a password, and sets one', async () => {
  vendors.person = { id: '31', name: '小文 😀', email: 'wen@example.com', unionid: '' }
  const page = await openWindow(browser, site.url)
  await visit(page, '/register')
  await page.getByRole('link', { name: 'GitHub' }).click()
  await page.getByRole('heading', { name: '第一次来' }).waitFor()
  expect(await page.getByLabel('用户名').inputValue()).toBe('小文')
  expect(await page.getByLabel('邮箱（可以不填）').inputValue()).toBe('wen@example.com')
  await page.getByLabel('用户名').fill('a')
  await page.getByRole('button', { name: '注册并绑定' }).click()
  await page.getByText('用户名需要 3 到 32 个字符').first().waitFor()
  await page.getByLabel('用户名').fill('文文文')
  await page.getByRole('button', { name: '注册并绑定' }).click()
  await waitForPath(page, '/me')

  await visit(page, '/me/security')
  await page.getByText('您还没有设置密码').waitFor()
  await page.getByRole('link', { name: '设置密码' }).click()
  await page.getByLabel('新密码', { exact: true }).fill('a first password')
  await page.getByLabel('确认新密码').fill('a first password')
  await page.getByRole('button', { name: '设置密码' }).click()
  await page.getByText('密码已设置').waitFor()
  await page.getByLabel('原密码').waitFor()
})

test('accounts are bound and unbound on the security page', async () => {
  vendors.person = { id: '77', name: '小微', email: '', unionid: '' }
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, member)
  await visit(page, '/me/security')
  await page.getByRole('button', { name: '绑定QQ' }).click()
  await page.getByText('绑定成功').waitFor()
  await waitForPath(page, '/me/security')
  await page.getByText('小微').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: '解除绑定QQ' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '解除绑定' }).click()
  await page.getByText('已解除绑定').waitFor()
  await page.getByRole('button', { name: '绑定QQ', exact: true }).waitFor()

  // The person of the test before has registered with this GitHub account.
  vendors.person = { id: '31', name: '小文', email: 'wen@example.com', unionid: '' }
  await page.getByRole('button', { name: '绑定GitHub' }).click()
  await page.getByText('绑定失败').waitFor()
  await page.getByText('这个账号已经绑定了本站的另一个用户').waitFor()
  await page.getByRole('link', { name: '返回账号安全' }).click()
  await waitForPath(page, '/me/security')
})

test('the mini program binds by a scan, and logs a browser in', async () => {
  const person = { id: '501', name: '小程', email: '', unionid: '' }
  const scan = () =>
    client({ fetch, origin: site.url })(oauth.miniProgramLogin, {
      code: vendors.miniProgram.giveCode(person),
      scene: vendors.miniProgram.scenes.at(-1) ?? '',
    })
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, member)
  await visit(page, '/me/security')
  await page.getByRole('button', { name: '绑定微信小程序' }).click()
  await page.getByAltText('小程序码').waitFor()
  await scan()
  await page.getByText('绑定成功').waitFor()
  await page.getByRole('button', { name: '解除绑定微信小程序' }).waitFor()

  const other = await openWindow(browser, site.url, { viewport: phone })
  await visit(other, '/login?redirect=%2Fcategory')
  await other.getByRole('link', { name: '小程序扫码' }).click()
  await other.getByAltText('小程序码').waitFor()
  expect(await accessibilityFaults(other)).toEqual([])
  await scan()
  await waitForPath(other, '/category')
  expectNoPageErrors(other)
})

test('what goes wrong is told, and nothing is sent twice', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/oauth/weibo?error_code=21330')
  await page.getByText('您取消了授权').waitFor()
  await visit(page, '/oauth/github?code=any&state=guess')
  await page.getByText('不是在这个浏览器里开始的').waitFor()
  await visit(page, '/oauth')
  await waitForPath(page, /^\/login/)
})

test('the callback works while the site requires login, and leads to login while it is closed', async () => {
  vendors.person = { id: '31', name: '小文', email: 'wen@example.com', unionid: '' }
  await configure(site, { 'security.login_required': 'true' })
  try {
    const page = await openWindow(browser, site.url)
    await visit(page, '/login')
    await page.getByRole('link', { name: 'GitHub' }).click()
    await waitForPath(page, '/me')
  } finally {
    await configure(site, { 'security.login_required': 'false' })
  }
  await configure(site, { 'security.is_close': 'true' })
  try {
    const page = await openWindow(browser, site.url)
    await visit(page, '/oauth/github?code=a&state=b')
    await waitForPath(page, /^\/login/)
    expect(await page.getByRole('navigation', { name: '其他登录方式' }).count()).toBe(0)
  } finally {
    await configure(site, { 'security.is_close': 'false' })
  }
})

test('the buttons come after the page, in scripts of their own', async () => {
  const hasButtons = ({ body }: { body: string }) => body.includes('其他登录方式')
  const load = async () => {
    const page = await openWindow(browser, site.url)
    const moved = recordTransfers(page, { bodies: true })
    await visit(page, '/login')
    await page.waitForLoadState('networkidle')
    return { page, scripts: () => moved.filter(({ type }) => type === 'script') }
  }
  const { page, scripts: withButtons } = await load()
  await page.getByRole('navigation', { name: '其他登录方式' }).waitFor()
  await expect.poll(() => withButtons().some(hasButtons)).toBe(true)
  await configure(site, { 'system.domain': '' })
  const without = (await load()).scripts()
  await configure(site, { 'system.domain': site.url })
  const urls = new Set(without.map(({ url }) => url))
  const later = withButtons().filter(({ url }) => !urls.has(url))
  expect(later.filter(hasButtons)).toHaveLength(1)
  expect(without.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(138 * 1024)
})

test('the owner finds the addresses to register on the settings screens', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, root)
  await visit(page, '/admin/config/oauth')
  await page.getByText(`${site.url}/oauth/github`).waitFor()
  await visit(page, '/admin/config/miniprogram')
  await page.getByText('downloadFile 合法域名').waitFor()
})

/** The issuer's own pages: any name, any password. */
async function logInAtIssuer(page: Page, name: string): Promise<void> {
  await page.waitForURL(/\/interaction\//)
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: /continue/i }).click()
}

async function send(path: string, body: object, token = ''): Promise<{ json: Record<string, unknown> }> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(`${site.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(response.status).toBe(200)
  return { json: (await response.json()) as Record<string, unknown> }
}
