import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCipher, toSecretKey } from '#server/secrets/cipher.ts'
import { mailPassword, type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { expectNoPageErrors, openBrowser, openWindow, visit, waitForPath } from './browser.ts'
import { configure } from './owner.ts'
import { accessibilityFaults } from './page-checks.ts'
import { answerCaptcha, signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** Settings: found by a search, mail tested without saving, texts of mails, a captcha only after failures. */

let browser: Browser
let site: RunningSite
let mailbox: Mailbox
const root = { username: 'admin', password: 'root password' }

beforeAll(async () => {
  browser = await openBrowser()
  mailbox = await openMailbox()
  site = await startSite('sqlite', { ADMIN_PASSWORD: root.password })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
  await mailbox.close()
})

test('a setting is found by / and a few words; its field has the focus and is marked, also with unsaved input', async () => {
  const page = await openSignedIn()
  await visit(page, '/admin/config/system')
  await page.getByRole('heading', { name: '网站信息' }).waitFor()
  await find(page, '水印文字')
  expect(await markedLabel(page)).toContain('水印文字')
  await page.keyboard.type('内部资料')
  expect(await page.getByLabel('水印文字').inputValue()).toBe('内部资料')

  await find(page, 'icp 备案号')
  expect(await markedLabel(page)).toContain('ICP 备案号')
  expect(await page.getByLabel('水印文字').inputValue()).toBe('内部资料')
  await page.getByRole('button', { name: '保存设置' }).click()
  await page.getByText('设置已保存').waitFor()

  await find(page, 'captcha_after_failures')
  await waitForPath(page, '/admin/config/security')
  await expect.poll(() => focusedLabel(page)).toContain('登录失败几次后才需要验证码')
  expect(await markedLabel(page)).toContain('登录失败几次后才需要验证码')

  await page.getByRole('combobox', { name: '搜索设置' }).fill('茶叶的产地')
  await page.getByText('没有找到“茶叶的产地”').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expectNoPageErrors(page)
})

test('a secret whose key is lost is named on its page, and kept until it is entered again', async () => {
  const otherKey = toSecretKey('of another machine, which is not here')
  const lost = createCipher(() => [otherKey]).encrypt('email.password', 'hush-hush')
  await configure(site, { 'email.password': 'known' })
  await site.db.updateTable('setting').set({ value: lost }).where('name', '=', 'password').execute()
  const page = await openSignedIn()
  await visit(page, '/admin/config/email')
  await page.getByText('以下设置无法解密，现在没有生效：密码').waitFor()
  await page.getByText('把原来的 secret.key 复制到数据目录').waitFor()
  await itemOf(page, '密码').getByText('需要重新填写').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  const saveWith = async (label: string, value: string) => {
    await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByRole('button', { name: '保存设置' }).click()
    await page.getByText('没有未保存的修改').waitFor()
  }
  await saveWith('发件人名称', '豆')
  expect((await storedMailSettings()).find(({ name }) => name === 'password')?.value).toBe(lost)
  await itemOf(page, '密码')
    .getByRole('button', { name: /修\s?改/ })
    .click()
  await saveWith('密码', 'entered again')
  await page.getByText('以下设置无法解密').waitFor({ state: 'detached' })
  await configure(site, { 'email.password': '', 'email.from_name': '' })
  expectNoPageErrors(page)
})

test('mail is tested with what is typed, and saved only by the button for it', async () => {
  const stored = await storedMailSettings()
  const page = await openSignedIn()
  await visit(page, '/admin/config/email')
  await page.getByLabel('使用 TLS').click()
  await page.getByLabel('SMTP 服务器').fill('127.0.0.1')
  await page.getByLabel('端口').fill('1')
  await page.getByLabel('用户名').fill('wenku@example.com')
  await page.getByLabel('密码', { exact: true }).fill('not the password')
  await page.getByLabel('测试收件邮箱').fill('owner@example.com')
  const send = page.getByRole('button', { name: '发送测试邮件' })
  await send.click()
  await itemOf(page, '端口').getByText('1 端口拒绝连接').waitFor()

  await page.getByLabel('端口').fill(mailbox.settings['email.port'] ?? '')
  await page.getByLabel('测试收件邮箱').press('Enter')
  await itemOf(page, '密码').getByText('授权码').waitFor()
  expect(await itemOf(page, '端口').getByText('拒绝连接').count()).toBe(0)

  await page.getByLabel('密码', { exact: true }).fill(mailPassword)
  await send.click()
  await page.getByText('测试邮件已发送到 owner@example.com').waitFor()
  expect(mailbox.latest('owner@example.com').from).toContain('wenku@example.com')
  expect(await storedMailSettings()).toEqual(stored)
  await page.getByText('有未保存的修改').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expectNoPageErrors(page)
})

test('the texts of a mail are written beside their preview, sent as a test, saved, and restored by one click', async () => {
  await configure(site, mailbox.settings)
  const page = await openSignedIn()
  await visit(page, '/admin/config/mail_text')
  const body = page.getByLabel('重置密码邮件的正文')
  const preview = page.getByRole('figure', { name: '重置密码邮件的预览' })
  const before = await body.inputValue()
  await body.fill('点 {这里}')
  await body.blur()
  await page.getByText('没有 {这里} 这个占位符').waitFor()
  await body.fill('<i>亲爱的</i>：')
  const section = page.getByRole('region', { name: '重置密码' })
  await section.getByRole('button', { name: '{用户名}' }).click()
  await section.getByRole('button', { name: '{重置链接}' }).click()
  expect(await body.inputValue()).toBe('<i>亲爱的</i>：{用户名}{重置链接}')
  await preview.frameLocator('iframe').getByText('<i>亲爱的</i>：张三').waitFor()
  await preview.getByText('纯文本').click()
  await preview.getByText('张三https://wenku.example.com/').waitFor()

  await page.getByLabel('邮件', { exact: true }).click()
  await page.getByTitle('重置密码').last().click()
  await page.getByLabel('测试收件邮箱').fill('owner@example.com')
  await page.getByRole('button', { name: '发送测试邮件' }).click()
  await page.getByText('测试邮件已发送到').waitFor()
  expect(mailbox.latest('owner@example.com').text).toContain('<i>亲爱的</i>：张三')

  await page.getByRole('button', { name: '保存设置' }).click()
  await page.getByText('设置已保存').waitFor()
  expect(await storedText()).toBe('<i>亲爱的</i>：{用户名}{重置链接}')
  expect(await accessibilityFaults(page)).toEqual([])
  await section.getByRole('button', { name: '恢复默认文案' }).click()
  await page.getByText('已恢复默认文案').waitFor()
  expect(await body.inputValue()).toBe(before)
  expect(await storedText()).toBe('')
  await section.getByRole('button', { name: /撤销/ }).click()
  await expect.poll(() => body.inputValue()).toContain('亲爱的')
  expect(await storedText()).toContain('亲爱的')
  expectNoPageErrors(page)
})

test('the login form asks for a captcha only after three wrong passwords', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/login')
  const captcha = page.getByLabel('验证码', { exact: true })
  const tryPassword = async (password: string) => {
    await page.getByLabel('密码', { exact: true }).fill(password)
    const answered = page.waitForResponse((response) => response.url().endsWith('/user/login'))
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await answered
  }
  await page.getByLabel('用户名').fill(root.username)
  for (const wrong of ['one', 'two', 'three']) {
    await tryPassword(wrong)
    await page.getByText('账号或密码不正确').waitFor()
    expect(await captcha.count()).toBe(0)
  }
  await tryPassword(root.password)
  await page.getByText('请输入验证码').waitFor()
  await expect.poll(() => captcha.evaluate((field) => field === document.activeElement)).toBe(true)
  await answerCaptcha(page, site.db)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await waitForPath(page, /^\/(?!login)/)
  expectNoPageErrors(page)
})

async function openSignedIn(): Promise<Page> {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, root)
  return page
}

/** Opens the first result by keyboard. */
async function find(page: Page, query: string): Promise<void> {
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await page.keyboard.press('/')
  await expect.poll(() => focusedLabel(page)).toBe('搜索设置')
  // The header does not cover it.
  const box = await page.getByRole('combobox', { name: '搜索设置' }).boundingBox()
  expect(box?.y).toBeGreaterThan(56)
  await page.keyboard.type(query)
  await page.locator('.ant-select-item-option').first().waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => focusedLabel(page)).not.toBe('搜索设置')
}

/** The name of the field that has the focus. */
function focusedLabel(page: Page): Promise<string> {
  return page.evaluate(() => {
    const control = document.activeElement
    const label = control instanceof HTMLInputElement ? control.labels?.[0]?.textContent : undefined
    return label ?? control?.getAttribute('aria-label') ?? ''
  })
}

/** The text of the setting with an outline. */
function markedLabel(page: Page): Promise<string> {
  return page.evaluate(() => {
    const items = [...document.querySelectorAll('[id^="setting-"] > :first-child')]
    const marked = items.filter((item) => getComputedStyle(item).outlineStyle === 'solid')
    return marked.length === 1 ? (marked[0]?.textContent ?? '') : `${marked.length} are marked`
  })
}

function itemOf(page: Page, label: string) {
  return page.locator('.ant-form-item').filter({ has: page.getByText(label, { exact: true }) })
}

function storedMailSettings() {
  return site.db.selectFrom('setting').selectAll().where('category', '=', 'email').execute()
}

async function storedText(): Promise<string | undefined> {
  const rows = site.db.selectFrom('setting').select('value').where('name', '=', 'reset_link_body')
  return (await rows.executeTakeFirst())?.value
}
