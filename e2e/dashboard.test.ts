import { bit } from '#server/db/tables/column.ts'
import { readFileSync } from 'node:fs'
import { OrderStatus, OrderType, PaymentMethod, ReportReason, VipCard } from '#shared/enums.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '#shared/client.ts'
import { contract } from '#shared/contract/contract.ts'
import { wirePath } from '#shared/permissions.ts'
import { waitForPath, expectNoPageErrors, openBrowser, openWindow, visit } from './browser.ts'
import { accessibilityFaults } from './page-checks.ts'
import { createUploadClient } from './upload-client.ts'
import { configure } from './owner.ts'
import { signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { keepPassword } from './site-setup.ts'

/** The dashboard: pending work, activity, and the state of the machine. */

let browser: Browser
let site: RunningSite
const root = { username: 'admin', password: 'root password' }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: root.password, TZ: 'Asia/Shanghai' })
  await configure(site, { 'security.enable_captcha_login': 'false' })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

async function openSignedIn(): Promise<Page> {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, root)
  return page
}

function block(page: Page, title: string) {
  return page.locator('.ant-card').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
}

test('what waits leads to the list that shows it; without anything all is done', async () => {
  const page = await openSignedIn()
  await visit(page, '/admin/dashboard')
  await block(page, '等待处理').getByText('一切都处理好了').waitFor()
  const stamps = { created_at: Date.now(), updated_at: Date.now() }
  await site.db
    .insertInto('report')
    .values({
      document_id: 1,
      document_title: '可疑的文档',
      user_id: 1,
      username: '甲',
      reason: ReportReason.Spam,
      status: bit(false),
      ...stamps,
    })
    .execute()
  // The counts are cached for a while.
  const { call } = await createUploadClient(site.url, root)
  await expect.poll(async () => (await call(contract.stats.pending)).report).toBe(1)
  await page.reload()
  await block(page, '等待处理')
    .getByRole('link', { name: /1\s*未处理举报/ })
    .click()
  await waitForPath(page, '/admin/report?status=false')
  await page.getByText('可疑的文档').waitFor()
  expectNoPageErrors(page)
})

test('the checklist says what a new site lacks and leads there; items are done, settled, and the list dismissed and brought back', async () => {
  const page = await openSignedIn()
  const list = block(page, '开站清单')
  const openList = async () => {
    await visit(page, '/admin/dashboard')
    await list.getByText(/^\d+ \/ 15$/).waitFor()
  }
  await openList()
  await list.getByText('1 / 15').waitFor()
  await list.getByText('现在任何人都可以注册；“普通用户”可以上传文档（先审核），可以发布文章（先审核）。').waitFor()
  await list.getByRole('link', { name: '网站域名：去设置' }).click()
  await waitForPath(page, '/admin/config/system')
  expect(new URL(page.url()).hash).toBe('#domain')
  await expect
    .poll(() => page.getByRole('textbox', { name: '网站域名' }).evaluate((box) => box === document.activeElement))
    .toBe(true)
  await configure(site, { 'system.domain': 'https://wenku.example.com' })
  await openList()
  await list.getByText('3 / 15').waitFor()
  await list.getByRole('button', { name: 'ICP 备案号：不需要' }).click()
  await list.getByText('4 / 15').waitFor()
  await list.getByRole('button', { name: '谁可以注册、上传和发布：就这样' }).click()
  await list.getByText('5 / 15').waitFor()
  await list.getByText('已完成 5 项').click()
  await list.getByRole('button', { name: 'ICP 备案号：恢复' }).click()
  await list.getByText('4 / 15').waitFor()
  await list
    .getByRole('button', { name: '收起' })
    .or(list.getByRole('button', { name: '收 起' }))
    .click()
  await list.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('button', { name: '开站清单（还有 11 项）' }).click()
  await list.getByText('4 / 15').waitFor()
  await configure(site, { 'system.domain': '' })
  expectNoPageErrors(page)
})

test('after an upgrade the owner is offered the new defaults, each with one click', async () => {
  const setting = { category: 'checklist', name: 'upgraded', value: '1', updated_at: 0 }
  await site.db.insertInto('setting').values(setting).execute()
  await site.db.updateTable('group').set({ enable_upload: 0 }).where('is_default', '=', 1).execute()
  await configure(site, { 'display.pages_per_read': '5', 'converter.max_preview_free': '12' })
  const page = await openSignedIn()
  await visit(page, '/admin/dashboard')
  const list = block(page, '开站清单')
  await list.getByRole('heading', { name: '新版本带来的选择' }).waitFor()
  await list.getByRole('button', { name: '让用户上传文档：启用' }).click()
  await list.getByRole('button', { name: '让用户上传文档：启用' }).waitFor({ state: 'hidden' })
  await list.getByRole('button', { name: '页面连续显示：启用' }).click()
  await list.getByRole('button', { name: '页面连续显示：启用' }).waitFor({ state: 'hidden' })
  await list.getByRole('button', { name: '免费文档全文阅读：保持现状' }).click()
  await list.getByRole('button', { name: '免费文档全文阅读：保持现状' }).waitFor({ state: 'hidden' })
  const { call } = await createUploadClient(site.url, root)
  const { config } = await call(contract.settings.list, { category: ['display', 'converter'] })
  const valueOf = (name: string) => config.find((row) => row.name === name)?.value
  expect([valueOf('pages_per_read'), valueOf('max_preview_free')]).toEqual(['0', '12'])
  const { group } = await call(contract.groups.list)
  expect(group.find(({ is_default }) => is_default)).toMatchObject({
    enable_upload: true,
    enable_document_review: true,
  })
  await site.db.deleteFrom('setting').where('category', '=', 'checklist').execute()
  expectNoPageErrors(page)
})

test('the dashboard says when no worker has been heard of for a minute, and which programs the workers have', async () => {
  const page = await openSignedIn()
  await visit(page, '/admin/dashboard')
  await block(page, '转换环境').getByText('1 个工作进程').waitFor()
  await block(page, '转换环境').getByText('LibreOffice', { exact: true }).waitFor({ timeout: 30_000 })
  const alert = page.getByRole('alert').filter({ hasText: '没有工作进程在运行' })
  expect(await alert.count()).toBe(0)
  // The workers of another process have stopped without a word, and those of this one are not heard any more.
  await page.route('**/api/v1/stats/waiting', async (route) => {
    const reply = await route.fetch()
    const { worker_count: _count, ...rest } = (await reply.json()) as Record<string, unknown>
    await route.fulfill({ json: rest })
  })
  await page.reload()
  await alert.waitFor()
  expectNoPageErrors(page)
})

test('the menu follows where one is: from link to link, to a page below another one, and after a reload', async () => {
  const page = await openSignedIn()
  await visit(page, '/admin/dashboard')
  const current = page.locator('aside a[aria-current="page"]')
  const expectCurrent = async (name: string) => {
    await expect.poll(() => current.innerText()).toBe(name)
    expect(await current.isVisible()).toBe(true)
  }
  await expectCurrent('仪表盘')
  await block(page, '快捷入口').getByRole('link', { name: '评论管理' }).click()
  await expectCurrent('评论管理')
  await waitForPath(page, '/admin/comment')
  await visit(page, '/admin/article/set')
  await expectCurrent('文章管理')
  await page.reload()
  await expectCurrent('文章管理')
  await page.goBack()
  await expectCurrent('评论管理')
  for (const hidden of ['短信设置', '第三方登录'])
    expect(await page.locator('aside').getByText(hidden).count(), hidden).toBe(0)
  expectNoPageErrors(page)
})

test('visitors are counted without a cookie, and the chart shows them day by day', async () => {
  const visitor = await openWindow(browser, site.url, { userAgent: firefox })
  await visit(visitor, '/')
  await visit(visitor, '/category')
  expect(await visitor.context().cookies()).toEqual([])
  const counted = () =>
    site.db
      .selectFrom('daily_count')
      .select(['name', 'count'])
      .where('name', 'in', ['view', 'visitor'])
      .orderBy('name')
      .execute()
  await expect.poll(counted, { timeout: 10_000 }).toEqual([
    { name: 'view', count: 2 },
    { name: 'visitor', count: 1 },
  ])
  const page = await openSignedIn()
  await visit(page, '/admin/dashboard')
  const visits = page.getByRole('slider', { name: '近 30 天访问' })
  await visits.focus()
  expect(await visits.getAttribute('aria-valuetext')).toMatch(/^\d+月\d+日：浏览 2，访客 1$/)
  await page.keyboard.press('ArrowLeft')
  expect(await visits.getAttribute('aria-valuetext')).toMatch(/^\d+月\d+日：浏览 0，访客 0$/)
  expect(await page.getByRole('table', { name: '近 30 天访问' }).getByRole('row').count()).toBe(31)
  expectNoPageErrors(page)
})

test('the statistics follow the period that is chosen, and each part is saved as a file with its numbers', async () => {
  const noon = (daysAgo: number) => Date.parse(`${daysBefore(daysAgo)}T12:00:00+08:00`)
  const order = {
    user_id: 1,
    type: OrderType.Vip,
    quantity: 1,
    price: 200,
    amount: 200,
    status: OrderStatus.Paid,
    payment_method: PaymentMethod.Cash,
    expired_at: 0,
    updated_at: 0,
  }
  const paid = (daysAgo: number) => ({ created_at: noon(daysAgo), paid_at: noon(daysAgo) })
  await site.db
    .insertInto('order')
    .values([
      { ...order, ...paid(3), order_no: 'one', product_id: VipCard.Month, product_name: 'VIP 月卡', money: 1991 },
      { ...order, ...paid(60), order_no: 'two', product_id: VipCard.Year, product_name: 'VIP 年卡', money: 19_900 },
    ])
    .execute()
  const page = await openSignedIn()
  await visit(page, '/admin/dashboard')
  await page.getByRole('menuitem', { name: '运营' }).click()
  await page.locator('aside').getByRole('link', { name: '统计', exact: true }).click()
  await waitForPath(page, '/admin/statistics')
  await block(page, '最多阅读').getByText('这段时间没有人阅读文档').waitFor()
  const income = page.getByRole('table', { name: '收入（按商品）' })
  await income.getByRole('row', { name: 'VIP 月卡 1 19.91 0' }).waitFor()
  expect(await income.getByText('VIP 年卡').count()).toBe(0)

  await page.getByText('近 90 天', { exact: true }).click()
  await waitForPath(page, '/admin/statistics?days=90')
  await income.getByRole('row', { name: 'VIP 年卡 1 199.00 0' }).waitFor()
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: '收入（按商品）：导出 CSV' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toBe(`收入（按商品）-${compact(89)}-${compact(0)}.csv`)
  const saved = readFileSync(await file.path(), 'utf8')
  expect(saved).toBe('\uFEFF商品,作者,订单,金额（元）,豆子\r\nVIP 年卡,,1,199.00,0\r\nVIP 月卡,,1,19.91,0\r\n')

  const chosen = `first=${daysBefore(60)}&last=${daysBefore(60)}`
  await visit(page, `/admin/statistics?${chosen}`)
  await income.getByRole('row', { name: 'VIP 年卡 1 199.00 0' }).waitFor()
  expect(await income.getByText('VIP 月卡').count()).toBe(0)
  const funnel = page.getByRole('table', { name: '从访问到付款' })
  await funnel.getByRole('row', { name: `${daysBefore(60)} 0 0 0 1 1` }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await site.db.deleteFrom('order').execute()
  expectNoPageErrors(page)
})

/** A day in the site's time zone. */
function daysBefore(count: number): string {
  return new Date(Date.now() - count * 86_400_000).toLocaleDateString('sv', { timeZone: 'Asia/Shanghai' })
}

function compact(count: number): string {
  return daysBefore(count).replaceAll('-', '')
}

test('a request that fails empties only its own block, which can be retried', async () => {
  const page = await openSignedIn()
  let broken = true
  await page.route(/\/api\/v1\/(stats\/trend|device)$/, (route) =>
    broken ? route.fulfill({ status: 500, json: { code: 13, message: '数据库忙' } }) : route.continue(),
  )
  await visit(page, '/admin/dashboard')
  const device = block(page, '服务器状态')
  await block(page, '近 30 天').getByText('数据库忙').waitFor()
  await device.getByText('数据库忙').waitFor()
  await block(page, '网站内容').getByText('友情链接').waitFor()
  await block(page, '转换环境').getByText('LibreOffice').waitFor()
  broken = false
  await block(page, '近 30 天').getByRole('button', { name: '重 试' }).click()
  await page.getByRole('slider', { name: '近 30 天下载' }).waitFor()
  await device.getByRole('button', { name: '重 试' }).click()
  await device.getByText('每 5 秒更新').waitFor()
  broken = true
  await device.getByText('暂时无法更新，每 30 秒重试一次').waitFor({ timeout: 15_000 })
  await device.getByText('内存').waitFor()
})

test('the owner has the sitemap and the index renewed, reads the licence, and learns why no version is looked for', async () => {
  const page = await openSignedIn()
  await visit(page, '/admin/dashboard')
  await page.getByRole('button', { name: '更新站点地图' }).click()
  await page.getByText(/站点地图已更新，共 \d+ 个地址/).waitFor()
  await page.getByRole('button', { name: '重建搜索索引' }).click()
  await page.getByText('搜索索引正在后台重建').waitFor()
  await block(page, '新版本').getByText('未设置发布仓库').waitFor()
  await page.getByRole('button', { name: '查看全文' }).click()
  expect(await page.getByLabel('许可证全文').inputValue()).toContain('GNU AFFERO GENERAL PUBLIC LICENSE')
  expectNoPageErrors(page)
})

test('staff with few permissions see few blocks, and no other request is sent', async () => {
  const ours = { origin: site.url, fetch: (request: Request) => fetch(request) }
  const { token } = await client(ours)(contract.users.login, root)
  const call = client({ ...ours, token: () => token })
  const { id } = await call(contract.groups.create, { title: '评论员' })
  const { permission } = await call(contract.permissions.list)
  const held = permission.filter(({ path }) => path === wirePath('CommentAPI/ListComment')).map((row) => row.id)
  await call(contract.groups.setPermissions, { group_id: id, permission_id: held })
  const person = { username: '评论员甲', password: 'password of hers' }
  await call(contract.users.create, { ...person, group_id: [id] })
  await keepPassword(site, person.username)
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, person)
  const refused: string[] = []
  page.on('response', (response) => response.status() >= 400 && refused.push(response.url()))
  await visit(page, '/admin/dashboard')
  await block(page, '网站内容').getByText('文档', { exact: true }).waitFor()
  await block(page, '快捷入口').getByRole('link', { name: '评论管理' }).waitFor()
  for (const title of ['等待处理', '今日数据', '近 30 天', '服务器状态', '转换环境', '系统', '新版本'])
    expect(await block(page, title).count(), title).toBe(0)
  await page.waitForLoadState('networkidle')
  expect(refused).toEqual([])
  expectNoPageErrors(page)
})
