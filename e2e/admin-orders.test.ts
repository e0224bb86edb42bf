import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { OrderType, PaymentMethod } from '#shared/enums.ts'
import { chooseMenuItem, confirmDialog, expectNoPageErrors, openBrowser, openWindow, visit } from './browser.ts'
import { configure } from './owner.ts'
import { signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { createMember, type Member, signInAsRoot } from './site-setup.ts'

/** What staff do with money: confirm a payment outside the site, give some of it back, export the list. */

let browser: Browser
let site: RunningSite
let root: Member
let buyer: Member
let page: Page
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wendou-orders-'))
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: 'root password' })
  root = await signInAsRoot(site, 'root password')
  buyer = await createMember(site, root, '买书的人')
  await configure(site, { 'pay.enable_cash': 'true', 'pay.cash_text': '到前台付现金' })
}, 60_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  page = await openWindow(browser, site.url)
  await signInAs(page, site, root)
})

test('a payment in cash is confirmed, a part of it goes back, and the list is exported', async () => {
  const { order_no } = await buyer.call(contract.orders.create, { order_type: OrderType.TopUp, quantity: 100 })
  const payment_type = PaymentMethod.Cash
  await buyer.call(contract.orders.claim, { order_no, payment_type, content: '今天下午付给了前台' })

  await visit(page, '/admin/dashboard')
  await page.getByRole('link', { name: /1\s*待确认付款/ }).click()
  const row = page.getByRole('row').filter({ hasText: order_no })
  await row.getByText('待确认付款').waitFor()
  await row.getByRole('button', { name: '确认收款' }).click()
  await page.getByText('买家的说明：今天下午付给了前台').waitFor()
  await page.getByText('请先核对已收到 10.00 元').waitFor()
  await confirmDialog(page, '确认收款')
  await row.waitFor({ state: 'detached' })
  expect(await balance()).toBe(100)

  await visit(page, '/admin/order')
  await row.getByText('已支付').waitFor()
  await page.getByText('¥10.00').first().waitFor()
  await row.getByRole('button', { name: /^退 ?款$/ }).click()
  await page.getByText('请先把钱退给买家（现金）').waitFor()
  await page.getByLabel('退款金额').fill('4')
  await page.getByLabel('原因').fill('多收了')
  await confirmDialog(page, /^退 ?款$/)
  await row.getByText('已退 ¥4.00').waitFor()
  await page.getByText('¥6.00').first().waitFor()
  expect(await balance()).toBe(60)

  await row.getByRole('button', { name: /^详 ?情$/ }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('多收了').waitFor()
  await drawer.getByText('4.00 元').first().waitFor()
  await page.getByRole('button', { name: 'Close' }).or(page.getByLabel('关闭')).first().click()

  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出 CSV' }).click()
  const path = join(folder, 'orders.csv')
  await (await coming).saveAs(path)
  const lines = readFileSync(path, 'utf8').slice(1).trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('订单,类型,状态,买家,金额')
  expect(lines[1]).toMatch(new RegExp(`${order_no},账户充值,已支付,买书的人,10.00,100,现金,`))
  expectNoPageErrors(page)
})

test('staff top up a member from the list of users, and the order says so', async () => {
  await visit(page, '/admin/user/list?wd=买书的人')
  const before = await balance()
  const row = page.getByRole('row').filter({ hasText: '买书的人' })
  await chooseMenuItem(row.getByRole('button', { name: '更多操作' }), '系统充值')
  await page.getByLabel('数量').fill('30')
  await page.getByLabel('原因').fill('活动奖品')
  await confirmDialog(page, /^保 ?存$/)
  await expect.poll(balance).toBe(before + 30)
  await visit(page, '/admin/order?payment_type=6')
  await page.getByRole('row').filter({ hasText: '充值 30' }).getByText('系统充值').waitFor()
  expectNoPageErrors(page)
})

async function balance(): Promise<number> {
  const { credit_count } = await site.db
    .selectFrom('user')
    .select('credit_count')
    .where('username', '=', '买书的人')
    .executeTakeFirstOrThrow()
  return credit_count
}
