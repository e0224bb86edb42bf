import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makePdf } from '#server/samples/pdf.ts'
import { mailPassword, type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { confirmDialog, expectNoPageErrors, openBrowser, openWindow, visit, selectOption } from './browser.ts'
import { logIn, printedPassword, register } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** A new owner's first hour, from an empty folder: every change in the admin shows on the site at once. */

let browser: Browser
let site: RunningSite
let mailbox: Mailbox
let session: BrowserContextOptions['storageState']
let owner: Page
let visitor: Page

beforeAll(async () => {
  browser = await openBrowser()
  mailbox = await openMailbox()
  site = await startSite()
})
afterAll(async () => {
  await browser.close()
  await site.stop()
  await mailbox.close()
})
beforeEach(async () => {
  // Nothing moves: there is no waiting for drawers.
  owner = await openWindow(browser, site.url, { reducedMotion: 'reduce', ...(session && { storageState: session }) })
  visitor = await openWindow(browser, site.url)
})

test('the owner logs in as the console said, and gives the site its name and its logo', async () => {
  await logIn(owner, site, { username: 'admin', password: printedPassword(site) })
  session = await owner.context().storageState()
  await visit(owner, '/admin/config/system')
  await owner.getByLabel('网站名称').fill('城南文库')
  await owner.getByLabel('首页标题').fill('城南文库：街坊的书架')
  await upload('网站标志', await painted({ width: 240, height: 60 }))
  await saveSettings()
  await onSite('/', (page) => page.getByRole('banner').locator('img[src^="/uploads/"]'))
  expect(await visitor.title()).toContain('街坊的书架')
  await onSite('/login', (page) => page.getByText('城南文库').first())
  expectNoPageErrors(owner)
  expectNoPageErrors(visitor)
})

test('categories and navigation', async () => {
  await begin('/admin/document/category', '新增分类')
  await owner.getByLabel('名称').fill('街道志\n老照片')
  await save()
  await onSite('/category', (page) => page.getByRole('link', { name: '街道志' }))
  await onSite('/category', (page) => page.getByRole('link', { name: '老照片' }))

  await begin('/admin/navigation', '新增导航')
  await owner.getByLabel('名称').fill('街坊手册')
  await owner.getByLabel('链接').fill('/article/about')
  await save()
  await onSite('/', (page) => page.getByRole('navigation', { name: '主导航' }).getByText('街坊手册'))
  expectNoPageErrors(owner)
})

test('a banner, an advertisement and a friend link', async () => {
  await begin('/admin/banner', '新增横幅')
  await owner.getByLabel('标题').fill('开馆第一天')
  await upload('图片', await painted({ width: 960, height: 400 }), '裁剪图片')
  await owner.getByLabel('链接').fill('/category')
  await save()
  await onSite('/', (page) => page.getByRole('img', { name: '开馆第一天' }))

  await begin('/admin/advertisement', '新增广告')
  await selectOption(owner.getByRole('dialog').getByLabel('位置'), '全站 · 页面顶部')
  await owner.getByLabel('内容').fill('<p>街口面馆开业八折</p>')
  await save()
  await onSite('/category', (page) => page.frameLocator('iframe[title="广告"]').getByText('街口面馆开业八折'))

  await begin('/admin/friendlink', '新增友情链接')
  await owner.getByLabel('名称').fill('城北文库')
  await owner.getByLabel('网址').fill('https://north.example.com')
  await save()
  const friend = (page: Page) => page.getByRole('contentinfo').getByRole('link', { name: '城北文库' })
  await onSite('/', friend)
  expect(await friend(visitor).getAttribute('href')).toMatch(/^https:\/\/north\.example\.com\/?$/)
  expectNoPageErrors(owner)
  expectNoPageErrors(visitor)
})

test('what the footer says', async () => {
  await visit(owner, '/admin/config/display')
  await owner.getByLabel('版权声明').fill('资料由街坊捐赠，请勿转卖。')
  await saveSettings()
  await onSite('/', (page) => page.getByRole('contentinfo').getByText('资料由街坊捐赠'))
  await visit(owner, '/admin/config/footer')
  await owner.getByLabel('捐助').fill('/article/about')
  await owner.getByLabel('意见反馈').fill('')
  await saveSettings()
  await onSite('/', (page) => page.getByRole('contentinfo').getByRole('link', { name: '捐助' }))
  expect(await visitor.getByRole('contentinfo').getByRole('link', { name: '意见反馈' }).count()).toBe(0)
  expectNoPageErrors(owner)
})

test('mail goes out: a wrong password is said, with the right one a test mail arrives', async () => {
  await visit(owner, '/admin/config/email')
  await owner.getByLabel('启用邮件').click()
  await owner.getByLabel('使用 TLS').click()
  await owner.getByLabel('SMTP 服务器').fill('127.0.0.1')
  await owner.getByLabel('端口').fill(mailbox.settings['email.port'] ?? '')
  await owner.getByLabel('用户名').fill('wenku@example.com')
  await owner.getByLabel('密码', { exact: true }).fill('not the password')
  await owner.getByLabel('测试收件邮箱').fill('owner@example.com')
  await owner.getByRole('button', { name: '发送测试邮件' }).click()
  await owner.getByRole('alert').filter({ hasText: '用户名或密码不正确' }).first().waitFor()
  expect(mailbox.mails()).toEqual([])

  await owner.getByLabel('密码', { exact: true }).fill(mailPassword)
  await owner.getByRole('button', { name: '发送测试邮件' }).click()
  await owner.getByText('测试邮件已发送到 owner@example.com').waitFor()
  await saveSettings()
  expect(mailbox.latest('owner@example.com').subject).toContain('城南文库')
})

test('a member uploads the first document; the owner reviews it, and visitors read it', async () => {
  const member = await openWindow(browser, site.url)
  await register(member, site, { username: '老街坊', password: 'neighbour password', email: 'old@example.com' })
  await visit(member, '/upload')
  const buffer = Buffer.from(makePdf({ title: '街道志稿', pages: 2 }))
  await member.locator('input[type=file]').setInputFiles({ name: '街道志稿.pdf', mimeType: 'application/pdf', buffer })
  await member.getByLabel('分类（必选）').selectOption({ label: '街道志' })
  await member.getByLabel('已获得作者授权').check()
  await member.getByRole('button', { name: /^开始上传/ }).click()
  await expect.poll(statuses, { timeout: 30_000 }).toEqual([6])
  expect(await (await fetch(site.url)).text()).not.toContain('街道志稿')

  await visit(owner, '/admin/document/list?status=6')
  const row = owner.getByRole('row').filter({ hasText: '街道志稿' })
  await row.getByRole('button', { name: '审核通过', exact: true }).click()
  await confirmDialog(owner, '审核通过')
  await expect.poll(statuses).toEqual([2])
  await onSite('/', (page) => page.getByRole('link', { name: /街道志稿/ }))
  await visitor
    .getByRole('link', { name: /街道志稿/ })
    .first()
    .click()
  await visitor.getByRole('heading', { level: 1, name: '街道志稿' }).waitFor()
  await visitor.getByRole('figure').first().locator('img').waitFor()
  expectNoPageErrors(member)
  expectNoPageErrors(owner)
  expectNoPageErrors(visitor)
})

/** A page that is asked for soon after the change shows it. */
async function onSite(path: string, find: (page: Page) => Locator): Promise<void> {
  const found = find(visitor).first()
  const isShown = async () => {
    await visit(visitor, path)
    return found.waitFor({ timeout: 2000 }).then(
      () => true,
      () => false,
    )
  }
  await expect.poll(isShown, { message: `${String(found)} on ${path}`, timeout: 30_000 }).toBe(true)
}

async function begin(path: string, button: string): Promise<void> {
  await visit(owner, path)
  await owner.getByRole('button', { name: button }).click()
}

/** Saves the open form; it closes when that is done. */
async function save(): Promise<void> {
  const form = owner.getByRole('dialog')
  await form.getByRole('button', { name: /^保 ?存$/ }).click()
  await form.waitFor({ state: 'hidden' })
}

async function saveSettings(): Promise<void> {
  await owner.getByRole('button', { name: '保存设置' }).click()
  await owner.getByText('设置已保存，立即生效').waitFor()
}

/** Puts a picture into a field, by way of a dialog where there is one. */
async function upload(label: string, buffer: Buffer, dialog?: string): Promise<void> {
  const field = owner.locator('.ant-form-item').filter({ has: owner.getByText(label, { exact: true }) })
  await field.locator('input[type=file]').setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer })
  if (dialog) {
    const cutting = owner.getByRole('dialog', { name: dialog })
    await cutting.getByRole('button', { name: '裁剪并上传' }).click()
    await cutting.waitFor({ state: 'hidden' })
  }
  await expect.poll(() => field.getByRole('textbox').inputValue()).toMatch(/^\/uploads\//)
}

async function statuses(): Promise<number[]> {
  const rows = await site.db.selectFrom('document').select('status').execute()
  return rows.map(({ status }) => status)
}

function painted(size: { width: number; height: number }): Promise<Buffer> {
  return sharp({ create: { ...size, channels: 3, background: '#336655' } })
    .png()
    .toBuffer()
}
