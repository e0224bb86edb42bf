import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue } from '#shared/settings.ts'
import { arriveAt, expectNoTroubles, openBrowser, openWindow, phone, visit } from './browser.ts'
import { configure } from './owner.ts'
import { logIn } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** The back office: its frame, the screens of settings, and what the described screens do. */

let browser: Browser
let site: RunningSite
const root = { username: 'admin', password: 'root password' }

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: root.password })
  await configure(site, { 'security.enable_captcha_login': 'false' })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

async function enter(options: Parameters<typeof openWindow>[2] = {}): Promise<Page> {
  const page = await openWindow(browser, site.url, options)
  await logIn(page, site, root)
  return page
}

test('the menu is 240 px wide, collapsed under 1000 px, a drawer on phones, and leads only to pages that exist', async () => {
  const page = await enter()
  await visit(page, '/admin')
  await page.getByRole('menuitem', { name: '仪表盘' }).waitFor()
  expect((await page.locator('aside').boundingBox())?.width).toBe(240)
  const groups = await page.getByRole('menuitem').allInnerTexts()
  expect(groups).not.toContain('文档')

  const tablet = await enter({ viewport: { width: 820, height: 1180 } })
  await visit(tablet, '/admin')
  await tablet.getByRole('menuitem').first().waitFor()
  expect((await tablet.locator('aside').boundingBox())?.width).toBe(64)

  const small = await enter({ viewport: phone })
  await visit(small, '/admin/user/list')
  await small.getByText('超级管理员').first().waitFor()
  const overflow = await small.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
  expectNoTroubles(page)
  expectNoTroubles(tablet)
  expectNoTroubles(small)
})

test('every group of settings has its screen with every field of the catalogue', async () => {
  const page = await enter()
  for (const [group, { title, fields }] of Object.entries(catalogue)) {
    await visit(page, `/admin/config/${group}`)
    await page.getByRole('button', { name: '保存设置' }).waitFor()
    const text = await page.locator('main').innerText()
    for (const { label } of Object.values(fields)) expect(text, `${title}: ${label}`).toContain(label)
  }
  expectNoTroubles(page)
})

test('a changed setting is on the public site at once; a secret is kept and never shown; a wrong value is said beside its field', async () => {
  const page = await enter()
  await visit(page, '/admin/config/system')
  await page.getByLabel('网站名称').fill('城南文库')
  await page.getByLabel('版权起始年份').fill('去年')
  await page.getByRole('button', { name: '保存设置' }).click()
  await page.getByText('请输入四位年份').waitFor()
  await page.getByLabel('版权起始年份').fill('2019')
  await page.getByRole('button', { name: '保存设置' }).click()
  await expect.poll(async () => (await fetch(site.url)).text()).toContain('城南文库')

  await visit(page, '/admin/config/email')
  await page.getByLabel('密码', { exact: true }).fill('smtp-secret')
  await page.getByRole('button', { name: '保存设置' }).click()
  await expect.poll(() => stored('email', 'password')).toBe('smtp-secret')
  await visit(page, '/admin/config/email')
  await page.getByLabel('发件人名称').fill('豆')
  expect(await page.content()).not.toContain('smtp-secret')
  await page.getByRole('button', { name: '保存设置' }).click()
  await expect.poll(() => stored('email', 'from_name')).toBe('豆')
  expect(await stored('email', 'password')).toBe('smtp-secret')
  expectNoTroubles(page)
})

test('the user menu edits the profile, changes the password and copies the token, in dialogs of 30 %', async () => {
  const page = await enter({ permissions: ['clipboard-read', 'clipboard-write'] })
  await visit(page, '/admin')
  const menu = page.locator('header').getByRole('button', { name: /admin/ })
  await menu.click()
  await page.getByText('复制令牌').click()
  await page.getByText('您的 JSON Web Token 已复制到剪贴板').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^eyJ/)

  await menu.click()
  await page.getByRole('menuitem', { name: '个人资料' }).click()
  const profile = page.getByRole('dialog')
  await profile.getByLabel(/签名/).fill('文豆的第一位管理员')
  await page.waitForTimeout(400)
  expect((await profile.boundingBox())?.width).toBeCloseTo(1440 * 0.3, -1)
  await profile.getByRole('button', { name: /保 存|确 定/ }).click()
  await page.getByText('修改成功').waitFor()
  await profile.waitFor({ state: 'detached' })

  await menu.click()
  await page.getByRole('menuitem', { name: '修改密码' }).click()
  const password = page.getByRole('dialog')
  await password.getByRole('button', { name: /保 存|确 定|修改密码/ }).click()
  for (const sentence of ['请输入原密码', '请输入新密码', '请再次输入新密码'])
    await password.getByText(sentence).waitFor()
  expectNoTroubles(page)
})

test('a punishment is made and seen; filters live in the address and survive a reload', async () => {
  const page = await enter()
  await visit(page, '/admin/user/list')
  await page.getByRole('button', { name: '新增用户' }).click()
  await page.getByLabel('用户名', { exact: true }).fill('捣蛋鬼')
  await page.getByLabel('密码', { exact: true }).fill('password of 捣蛋鬼')
  await page.getByLabel('用户组').last().click()
  await page.getByTitle('普通用户', { exact: true }).click()
  await page.getByRole('button', { name: '保 存' }).click()
  const row = page.getByRole('row', { name: /捣蛋鬼/ })
  await row
    .getByRole('link', { name: '处罚' })
    .or(row.getByRole('button', { name: '处罚' }))
    .click()
  await arriveAt(page, /^\/admin\/user\/punishment/)
  await page.getByLabel(/类型/).last().click()
  await page.getByTitle('禁止评论', { exact: true }).click()
  await page.getByLabel('原因').fill('刷广告')
  await page.getByRole('button', { name: '保 存' }).click()
  await page.getByRole('row', { name: /刷广告/ }).waitFor()
  await page.getByText('生效中').waitFor()

  await visit(page, '/admin/user/list?wd=捣蛋')
  await page.getByRole('row', { name: /捣蛋鬼/ }).waitFor()
  expect(await page.getByRole('row', { name: /admin/ }).count()).toBe(0)
  await page.reload()
  await page.getByRole('row', { name: /捣蛋鬼/ }).waitFor()
  expect(await page.getByPlaceholder('搜索关键字').inputValue()).toBe('捣蛋')
  expectNoTroubles(page)
})

async function stored(category: string, name: string): Promise<string | undefined> {
  const row = await site.db
    .selectFrom('setting')
    .select('value')
    .where('category', '=', category)
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.value
}
