import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { aliyunProtocol } from '#server/testing/sms/aliyun-protocol.ts'
import { openSmsServer, type SmsServer } from '#server/testing/sms/sms-server.ts'
import { desktop, expectNoPageErrors, openBrowser, openWindow, phone, visit, waitForPath } from './browser.ts'
import { configure } from './owner.ts'
import { accessibilityFaults } from './page-checks.ts'
import { answerCaptcha, logIn, signInAs } from './person.ts'
import { journeyEngine, type RunningSite, startSite } from './running-site.ts'
import { createMember, type Member, signInAsRoot } from './site-setup.ts'

/** Codes by sms and mail: to register, to log in, to recover a password, to bind a number. */

let browser: Browser
let site: RunningSite
let server: SmsServer
let mailbox: Mailbox
let root: Member
beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite(journeyEngine, { ADMIN_PASSWORD: 'root password' })
  server = await openSmsServer(aliyunProtocol)
  mailbox = await openMailbox()
  root = await signInAsRoot(site, 'root password')
  await configure(site, { ...server.settings, ...mailbox.settings, 'sms.times_every_address': '1000' })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
  await server.close()
  await mailbox.close()
})

const registered = '13912340001'

/** Answers the captcha, has the code sent, and fills in what arrived. */
async function fillSentCode(page: Page, mobile: string, label = '短信验证码'): Promise<void> {
  // As if a minute had passed since the last message to the number.
  await site.db.deleteFrom('rate_limit').where('key', '=', `sms:${mobile}`).execute()
  const before = server.received.length
  await answerCaptcha(page, site.db)
  const field = page.getByLabel(label)
  await field.locator('xpath=..').getByRole('button', { name: '发送验证码' }).click()
  await expect.poll(() => server.received.length).toBe(before + 1)
  expect(server.received.at(-1)?.mobile).toBe(mobile)
  await field.fill(server.codeFor(mobile))
}

test('a visitor registers with a number, by keyboard, without a password', async () => {
  const page = await openWindow(browser, site.url)
  // The tabs come from the server, their script follows the page's: no key counts before it is there.
  await page.route(/\/assets\/register-tabs-/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await visit(page, '/register')
  await page.getByRole('tab', { name: '用户名注册' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('tab', { name: '手机号注册', selected: true }).waitFor()
  await page.getByLabel('手机号', { exact: true }).fill('12345')
  await page.getByRole('button', { name: '注册', exact: true }).click()
  await page.getByText('请输入正确的手机号码').waitFor()
  await page.getByLabel('手机号', { exact: true }).fill(registered)
  await fillSentCode(page, registered)
  expect(await page.getByRole('button', { name: /秒后重发/ }).isDisabled()).toBe(true)
  await page.keyboard.press('Enter')
  await waitForPath(page, '/me')
  await page
    .getByText(/用户[a-z0-9]{10}/)
    .first()
    .waitFor()
  expectNoPageErrors(page)
})

test('the member logs in by sms, and comes back to the page that was asked for', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone })
  await visit(page, '/login?redirect=%2Fcategory')
  await page.getByRole('tab', { name: '短信登录' }).click()
  await page.getByLabel('手机号', { exact: true }).fill(registered)
  await fillSentCode(page, registered)
  const code = page.getByLabel('短信验证码')
  const right = await code.inputValue()
  await code.fill('000000' === right ? '000001' : '000000')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.getByText('验证码不正确或已过期').waitFor()
  await code.fill(right)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await waitForPath(page, '/category')
  expectNoPageErrors(page)
})

test('the member sets a password by sms, and logs in with the number and the password', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/login')
  await page.getByRole('link', { name: '忘记密码？' }).click()
  await page.getByRole('link', { name: '用手机号找回' }).click()
  await waitForPath(page, '/findpassword-mobile')
  await page.getByLabel('手机号', { exact: true }).fill(registered)
  await fillSentCode(page, registered)
  await page.getByLabel('新密码', { exact: true }).fill('a brand new password')
  await page.getByLabel('确认新密码').fill('a brand new password')
  await page.getByRole('button', { name: '重置密码' }).click()
  await waitForPath(page, '/login')
  await logIn(page, site, { username: registered, password: 'a brand new password' })
  await waitForPath(page, '/me')
  expectNoPageErrors(page)
})

test('another member binds a number, changes it and unbinds it', async () => {
  const member = await createMember(site, root, '换号的人')
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, member)
  await visit(page, '/me/security')
  const [first, second] = ['13912340002', '13912340003'] as const
  await page.getByRole('button', { name: '绑定手机号' }).click()
  await page.getByLabel('手机号', { exact: true }).fill(first)
  await fillSentCode(page, first)
  await page.getByLabel('登录密码').fill(member.password)
  await page.getByRole('button', { name: '绑定手机号' }).click()
  await page.getByText('139****0002').waitFor()

  await page.getByRole('button', { name: '更换手机号' }).click()
  await fillSentCode(page, first, '原手机号')
  await page.getByLabel('新手机号', { exact: true }).fill(second)
  await fillSentCode(page, second, '新手机号的验证码')
  await page.getByRole('button', { name: '更换手机号' }).click()
  await page.getByText('139****0003').waitFor()

  await page.getByRole('button', { name: '解绑' }).click()
  await fillSentCode(page, second)
  await page.getByRole('button', { name: '确认解绑' }).click()
  await page.getByText('还没有绑定手机号').waitFor()
  expectNoPageErrors(page)
})

test('a number of another account is moved after a question', async () => {
  const member = await createMember(site, root, '新机主')
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, member)
  await visit(page, '/me/security')
  await page.getByRole('button', { name: '绑定手机号' }).click()
  await page.getByLabel('手机号', { exact: true }).fill(registered)
  await fillSentCode(page, registered)
  await page.getByLabel('登录密码').fill(member.password)
  await page.getByRole('button', { name: '绑定手机号' }).click()
  await page.getByText('绑定着另一个账号').waitFor()
  await page.getByRole('button', { name: '改绑到现在的账号' }).click()
  await page.getByText('139****0001').waitFor()
  expectNoPageErrors(page)
})

test('a member logs in by a code to a proven address', async () => {
  const member = await createMember(site, root, '收信的人')
  const { id } = await member.call(contract.users.get)
  const email = 'letters@example.com'
  await root.call(contract.users.profile, { id, email })
  await site.db.updateTable('user').set({ email_verified_at: 1 }).where('id', '=', id).execute()
  const page = await openWindow(browser, site.url)
  await visit(page, '/login')
  await page.getByRole('tab', { name: '邮箱登录' }).click()
  await page.getByLabel('邮箱', { exact: true }).fill(email)
  await answerCaptcha(page, site.db)
  await page.getByRole('button', { name: '发送验证码' }).click()
  await expect.poll(() => mailbox.mails().some(({ to }) => to.includes(email)), { timeout: 20_000 }).toBe(true)
  await page.getByLabel('邮箱验证码').fill(/\d{6}/.exec(mailbox.latest(email).text)?.[0] ?? '')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await waitForPath(page, '/me')
  expectNoPageErrors(page)
})

test('only the ways that are on are shown', async () => {
  const page = await openWindow(browser, site.url)
  await configure(site, { 'sms.enable': 'false', 'email.enable_login': 'false' })
  try {
    await visit(page, '/login')
    await page.getByLabel('用户名或邮箱').waitFor()
    expect(await page.getByRole('tab').count()).toBe(0)
    await visit(page, '/findpassword-mobile')
    await page.getByText('网站没有启用短信').waitFor()
  } finally {
    await configure(site, { 'sms.enable': 'true', 'email.enable_login': 'true' })
  }
})

test('an owner sends a test message and reads the records', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, { username: 'admin', password: 'root password' })
  await visit(page, '/admin/config/sms')
  await page.getByLabel('测试手机号').fill('13912340009')
  await page.getByRole('button', { name: '发送测试短信' }).click()
  await page.getByText('服务商已接受发往 13912340009 的测试短信').waitFor()
  server.behave('refuse')
  await page.getByRole('button', { name: '发送测试短信' }).click()
  await page.getByText('the balance is used up').waitFor()
  server.behave('accept')
  await visit(page, '/admin/user/sms')
  await page.getByRole('cell', { name: '13912340009' }).first().waitFor()
  await page.getByText(/今天发送/).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expectNoPageErrors(page)
})

test('the pages are accessible and fit every width, light and dark', async () => {
  const member = await createMember(site, root, '看页面的人')
  const visitor = await openWindow(browser, site.url)
  const own = await openWindow(browser, site.url)
  await signInAs(own, site, member)
  const screens: [Page, path: string, open?: () => Promise<void>][] = [
    [visitor, '/login', () => visitor.getByRole('tab', { name: '短信登录' }).click()],
    [visitor, '/register', () => visitor.getByRole('tab', { name: '手机号注册' }).click()],
    [visitor, '/findpassword-mobile'],
    [own, '/me/security', () => own.getByRole('button', { name: '绑定手机号' }).click()],
  ]
  for (const [page, path, open] of screens) {
    await page.setViewportSize(desktop)
    await visit(page, path)
    await open?.()
    await page.getByLabel('短信验证码').waitFor()
    expect(await accessibilityFaults(page), path).toEqual([])
    for (const width of [1440, 820, 390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow, `${path} at ${width}`).toBeLessThanOrEqual(0)
    }
    expectNoPageErrors(page)
  }
})
