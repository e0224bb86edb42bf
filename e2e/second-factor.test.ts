import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '#shared/client.ts'
import { contract } from '#shared/contract/contract.ts'
import { fromBase32, totp } from '#server/modules/auth/second-factor/totp.ts'
import { expectNoPageErrors, openBrowser, openWindow, phone, visit, waitForPath } from './browser.ts'
import { configure } from './owner.ts'
import { fillLogin, logIn, signInAs } from './person.ts'
import { journeyEngine, type RunningSite, startSite } from './running-site.ts'
import { keepPassword } from './site-setup.ts'

/** A member and the owner protect their accounts, lose what they protect them with, and come in again. */

let browser: Browser
let site: RunningSite
const root = { username: 'admin', password: 'root password' }

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite(journeyEngine, { ADMIN_PASSWORD: root.password })
  await configure(site, { 'security.enable_captcha_login': 'false', 'system.domain': site.url })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('a member switches two-step verification on, logs in with it, loses the phone and comes in by a recovery code', async () => {
  const member = await addMember('守门人')
  const page = await openWindow(browser, site.url)
  await logIn(page, site, member)
  const { secret, codes } = await enrol(page)
  expect(codes).toHaveLength(10)

  await logOut(page)
  await visit(page, '/login')
  await fillLogin(page, site, member)
  const dialog = page.getByRole('dialog', { name: '两步验证' })
  await dialog.getByLabel('验证码').fill('000000')
  await dialog.getByRole('button', { name: '登录' }).click()
  await dialog.getByText('验证码不正确').waitFor()
  await dialog.getByLabel('验证码').fill(codeOf(secret))
  await page.keyboard.press('Enter')
  await waitForPath(page, /^\/(?!login)/)

  await logOut(page)
  await visit(page, '/login')
  await fillLogin(page, site, member)
  await dialog.getByRole('button', { name: '取消' }).click()
  await page.getByText('还差一步').waitFor()
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await dialog.getByRole('button', { name: /使用恢复码/ }).click()
  await dialog.getByLabel('恢复码').fill(codes[0] ?? '')
  await dialog.getByRole('button', { name: '登录' }).click()
  await waitForPath(page, /^\/(?!login)/)

  await visit(page, '/me/security')
  await page.getByText('还有 9 个没有用过').waitFor()
  await page.getByText('以密码 + 恢复码登录').waitFor()
  await page.getByRole('button', { name: '停用', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '停用' }).click()
  await page.getByText('未开启').waitFor()
  await logOut(page)
  await logIn(page, site, member)
  expectNoPageErrors(page)
})

test('a dangerous act asks for a proof, in a dialog above the one that asked for it, and is then done', async () => {
  const member = await addMember('谨慎的人')
  const page = await openWindow(browser, site.url, { viewport: phone })
  await logIn(page, site, member)
  const { codes } = await enrol(page)
  await clearProofs()
  await page.getByRole('button', { name: '重新生成' }).click()
  await page.getByRole('dialog', { name: '重新生成恢复码？' }).getByRole('button', { name: '重新生成' }).click()
  const proof = page.getByRole('dialog', { name: '验证身份' })
  await proof.getByRole('button', { name: /使用恢复码/ }).click()
  await proof.getByLabel('恢复码').fill(codes[0] ?? '')
  await proof.getByRole('button', { name: '继续' }).click()
  await page.getByRole('dialog', { name: '保存恢复码' }).waitFor()
  expect(await readCodes(page)).not.toContain(codes[1])
  expectNoPageErrors(page)
})

test('a member adds a passkey, gives it a name, and logs in without typing', async () => {
  const member = await addMember('无密码的人')
  const page = await openWindow(browser, site.url)
  await logIn(page, site, member)
  const device = await addAuthenticator(page)
  await visit(page, '/me/security')
  await clearProofs()
  await page.getByRole('button', { name: '添加通行密钥' }).click()
  const proof = page.getByRole('dialog', { name: '验证身份' })
  await proof.getByLabel('登录密码').fill(member.password)
  await proof.getByRole('button', { name: '继续' }).click()
  await page.getByRole('button', { name: /^给.*改名$/ }).click()
  await page.getByRole('dialog').getByLabel('名称').fill('我的笔记本')
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await page.getByText('我的笔记本').waitFor()

  await logOut(page)
  await visit(page, '/login')
  expect(await page.getByLabel('用户名').getAttribute('autocomplete')).toBe('username webauthn')
  // The device answers the browser's suggestion in the name field by itself.
  await waitForPath(page, /^\/(?!login)/)
  await visit(page, '/me/security')
  await page.getByText('以通行密钥登录').first().waitFor()

  await page.getByLabel(/也要求通行密钥/).click()
  await closeCodes(page)
  await logOut(page)
  await device.touch(false)
  await visit(page, '/login?redirect=/me/profile')
  await page.getByRole('button', { name: '使用通行密钥登录' }).waitFor()
  await fillLogin(page, site, member)
  const secondStep = page.getByRole('dialog', { name: '两步验证' })
  await device.touch(true)
  await secondStep.getByRole('button', { name: '使用通行密钥' }).click()
  await waitForPath(page, '/me/profile')

  await logOut(page)
  await device.touch(false)
  await visit(page, '/login?redirect=/me/profile')
  const button = page.getByRole('button', { name: '使用通行密钥登录' })
  await button.waitFor()
  await device.touch(true)
  await button.click()
  await waitForPath(page, '/me/profile')
  expectNoPageErrors(page)
})

test('the owner demands it of the staff: they reach only their own security page until they are enrolled', async () => {
  await configure(site, { 'security.staff_second_factor': 'true', 'security.staff_second_factor_days': '0' })
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, root)
  await page.goto('/admin/user/group')
  await waitForPath(page, '/me/security')
  await page.getByText('开启之前，其他功能都不能使用').waitFor()
  const { codes } = await enrol(page)

  await visit(page, '/admin/user/group')
  await clearProofs()
  const row = page.getByRole('row').filter({ has: page.getByText('客服', { exact: true }) })
  await row.getByRole('button', { name: '权限' }).click()
  const drawer = page.getByRole('dialog').first()
  await drawer.getByRole('checkbox', { name: '评论', exact: true }).check()
  await drawer.getByRole('button', { name: '保 存' }).click()
  const proof = page.getByRole('dialog', { name: '验证身份' })
  await proof.getByRole('button', { name: /使用恢复码/ }).click()
  await proof.getByLabel('恢复码').fill(codes[2] ?? '')
  await proof.getByRole('button', { name: '继续' }).click()
  await page.getByText('权限已保存').waitFor()
  expectNoPageErrors(page)
})

async function addMember(username: string): Promise<{ username: string; password: string }> {
  const options = { origin: site.url, fetch: (request: Request) => fetch(request) }
  const { token } = await client(options)(contract.users.login, root)
  const person = { username, password: `password of ${username}` }
  await client({ ...options, token: () => token })(contract.users.create, { ...person, group_id: [2] })
  await keepPassword(site, username)
  return person
}

/** Binds an authenticator app on the security page. */
async function enrol(page: Page): Promise<{ secret: string; codes: string[] }> {
  await visit(page, '/me/security')
  await page.getByRole('button', { name: '绑定', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '绑定验证器' })
  const secret = (await dialog.locator('code').innerText()).replaceAll(/\s/g, '')
  await dialog.locator('svg').first().waitFor()
  await dialog.getByLabel('验证码').fill(codeOf(secret, 0))
  await dialog.getByRole('button', { name: '完成绑定' }).click()
  return { secret, codes: await closeCodes(page) }
}

async function closeCodes(page: Page): Promise<string[]> {
  const codes = await readCodes(page)
  const dialog = page.getByRole('dialog', { name: '保存恢复码' })
  await dialog.getByLabel('我已经保存好了').check()
  await dialog.getByRole('button', { name: '完成' }).click()
  await dialog.waitFor({ state: 'detached' })
  return codes
}

async function readCodes(page: Page): Promise<string[]> {
  const list = page.getByRole('dialog', { name: '保存恢复码' }).getByRole('list', { name: '恢复码' })
  await list.waitFor()
  return list.getByRole('listitem').allInnerTexts()
}

/** The code after the current one by default: that of now was used to bind the app. */
function codeOf(secret: string, stepsAhead = 1): string {
  return totp(fromBase32(secret), Math.floor(Date.now() / 30_000) + stepsAhead)
}

async function logOut(page: Page): Promise<void> {
  await page.goto('/robots.txt')
  await page.evaluate(() => localStorage.clear())
}

/** As if all had logged in long ago. */
async function clearProofs(): Promise<void> {
  await site.db.updateTable('session').set({ proven_at: 0 }).execute()
}

/** A device with a fingerprint reader, which is touched whenever it asks, until it is not. */
async function addAuthenticator(page: Page): Promise<{ touch(enabled: boolean): Promise<void> }> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async touch(enabled) {
      await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
  }
}
