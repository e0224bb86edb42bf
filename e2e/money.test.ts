import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { OrderType, PaymentMethod } from '#shared/enums.ts'
import { findField } from '#shared/settings.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { type AlipaySimulator, startAlipaySimulator } from '#server/testing/pay/alipay-simulator.ts'
import { sharedClock } from '#server/testing/pay/pay-site.ts'
import type { PaySimulator } from '#server/testing/pay/pay-simulator.ts'
import { startThirdPartySimulator } from '#server/testing/pay/third-simulator.ts'
import { startWeChatSimulator, type WeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import {
  confirmDialog,
  desktop,
  expectNoPageErrors,
  openBrowser,
  openWindow,
  phone,
  selectOption,
  visit,
  waitForPath,
} from './browser.ts'
import { accessibilityFaults } from './page-checks.ts'
import { signInAs } from './person.ts'
import { type Engine, type RunningSite, startSite } from './running-site.ts'
import { addCategory, createMember, type Member, publish, signIn } from './site-setup.ts'

/** Everything about money from an empty site on, against gateways that speak the providers' protocols. */

const iPhone = {
  viewport: phone,
  isMobile: true,
  hasTouch: true,
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
}
const dayMs = 86_400_000

let browser: Browser
let site: RunningSite
const clock = sharedClock()
let wechat: WeChatSimulator
let alipay: AlipaySimulator
let epay: PaySimulator
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  wechat = await startWeChatSimulator(clock)
  alipay = await startAlipaySimulator()
  epay = await startThirdPartySimulator('epay')
})
afterEach(async () => {
  await site.stop()
  await Promise.all([wechat, alipay, epay].map((simulator) => simulator.close()))
})

describe.each(['sqlite', 'postgres'] as const)('money on %s', (engine) => {
  test('is taken, spent, given back, counted, and found when it got lost', async () => {
    const { root, member, owner } = await openEmptySite(engine)
    const silk = await add(root, '蚕书', 90)
    await setUpVip(owner)
    const [tea, oil] = [await add(root, '茶经', 30), await add(root, '花果油', 60)]
    await setUpPayments(owner)
    const code = await makeDownloadCode(owner)
    await root.waitUntilFinished([silk.id, tea.id, oil.id])

    const page = await openWindow(browser, site.url)
    await signInAs(page, site, member)
    await topUpByWeChat(page)
    await buyOnPhone(member, tea.uuid)
    await joinVip(page)
    await downloadAsVip(page, oil.uuid)
    await buyWithCode(page, silk.uuid, code)
    await sayPaidInCash(page)

    await confirmCash(owner)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.getByRole('heading', { name: '支付成功' }).waitFor()
    expect(await balanceOf(member)).toBe(150)
    await refundTea(owner)
    await exportMonth(owner)
    await findLostPayment(owner, member, page)

    for (const window of [owner, page]) expectNoPageErrors(window)
    for (const { complaints } of [wechat, alipay, epay]) expect(complaints).toEqual([])
  })
})

async function openEmptySite(engine: Engine): Promise<{ root: Member; member: Member; owner: Page }> {
  const password = 'root password'
  site = await startSite(engine, { ADMIN_PASSWORD: password })
  const root = await signIn(site, { username: 'admin', password })
  await addCategory(root, '古籍')
  const member = await createMember(site, root, '买书的人')
  const owner = await openWindow(browser, site.url)
  await signInAs(owner, site, root)
  return { root, member, owner }
}

/** It is converted while the journey goes on. */
function add(root: Member, title: string, price: number) {
  return publish(root, { name: `${title}.pdf`, bytes: makePdf({ title, pages: 2 }), price })
}

async function setUpVip(owner: Page): Promise<void> {
  await visit(owner, '/admin/config/vip')
  await fillIn(owner, 'vip', {
    enable: 'true',
    month_price: '19',
    month_original_price: '29.00',
    mark_charged: 'true',
  })
  await save(owner)
}

async function setUpPayments(owner: Page): Promise<void> {
  await visit(owner, '/admin/config/system')
  await fillIn(owner, 'system', { domain: site.url })
  await save(owner)
  await visit(owner, '/admin/config/pay')
  await owner.getByText('高级', { exact: true }).click()
  for (const [simulator, title] of [
    [wechat, '微信支付'],
    [alipay, '支付宝'],
    [epay, '第三方支付'],
  ] as const) {
    await fillIn(owner, 'pay', simulator.settings)
    await owner.getByRole('button', { name: `测试${title}` }).click()
    await owner.getByText(`${title}的设置可以使用`).waitFor()
  }
  // Alipay is connected directly already: through the third party it would not be offered again.
  await fillIn(owner, 'pay', { third_channel: 'qqpay', third_title: '云付' })
  await fillIn(owner, 'pay', { enable_cash: 'true', cash_text: '到前台付现金' })
  await save(owner)
  await visit(owner, '/admin/config/download')
  await fillIn(owner, 'download', { enable_code_download: 'true' })
  await save(owner)
}

/** Types the settings of a group that has not been saved before into its form; what is off is folded until it is on. */
async function fillIn(owner: Page, group: string, values: Record<string, string>): Promise<void> {
  const isSwitch = ([name]: [string, string]) => findField(group, name)?.kind === 'switch'
  const entries = Object.entries(values)
  for (const [name, value] of [...entries.filter(isSwitch), ...entries.filter((entry) => !isSwitch(entry))]) {
    const { label: title = '', kind, options = {}, money } = findField(group, name) ?? {}
    const label = money ? `${title}（元）` : title
    if (kind === 'switch') {
      if (value === 'true') await owner.getByRole('switch', { name: label, exact: true }).click()
    } else if (kind === 'select') {
      await selectOption(owner.getByRole('combobox', { name: label, exact: true }), options[value] ?? '')
    } else {
      await owner.getByLabel(label, { exact: true }).and(owner.locator('input, textarea')).fill(value)
    }
  }
}

async function save(owner: Page): Promise<void> {
  await owner.getByRole('button', { name: '保存设置' }).click()
  await owner.getByText('没有未保存的修改').waitFor()
}

async function makeDownloadCode(owner: Page): Promise<string> {
  await visit(owner, '/admin/downloadcode')
  await owner.getByRole('button', { name: '新增下载码' }).click()
  await owner.getByLabel('数量', { exact: true }).fill('1')
  await owner.getByRole('button', { name: /^保 ?存$/ }).click()
  const codes = owner.getByLabel('下载码', { exact: true })
  const code = await codes.inputValue()
  await owner.getByRole('button', { name: '已经另外保存，关闭' }).click()
  return code
}

async function topUpByWeChat(page: Page): Promise<void> {
  await visit(page, '/order/topup')
  await page.getByRole('radio', { name: /^100 豆子/ }).check({ force: true })
  await page.getByRole('button', { name: '去支付' }).click()
  await waitForPath(page, /^\/order\?order_no=/)
  await page.getByRole('radio', { name: /微信支付/ }).check()
  await page.getByRole('button', { name: '支付 ¥10.00' }).click()
  await page.getByRole('heading', { name: '用微信扫码付款' }).waitFor()
  await page.locator('svg path[fill="#121614"]').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize(desktop)
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  const attemptNo = lastCreated(wechat)
  wechat.pay(attemptNo)
  expect(await wechat.notify(attemptNo)).toMatchObject({ status: 200 })
  await page.getByRole('heading', { name: '支付成功' }).waitFor()
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  await page.getByRole('link', { name: '去看看' }).click()
  await page.getByText('100 豆子').first().waitFor()
}

/** Nothing is told to the site: it asks Alipay itself. */
async function buyOnPhone(member: Member, uuid: string): Promise<void> {
  const page = await openWindow(browser, site.url, iPhone)
  await signInAs(page, site, member)
  await visit(page, `/document/${uuid}`)
  await page.getByRole('button', { name: /下载文档/ }).tap()
  await page.getByRole('dialog').getByRole('button', { name: '其他方式支付' }).tap()
  await waitForPath(page, /^\/order\?order_no=/)
  await page.getByRole('radio', { name: /支付宝/ }).check()
  await page.getByRole('button', { name: '支付 ¥3.00' }).tap()
  await page.getByRole('button', { name: '确认付款' }).tap()
  await page.getByRole('heading', { name: '支付成功' }).waitFor()
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: '立即下载' }).tap()
  expect((await coming).suggestedFilename()).toBe('茶经.pdf')
  expectNoPageErrors(page)
}

async function joinVip(page: Page): Promise<void> {
  await visit(page, '/joinvip')
  await page.getByRole('button', { name: '开通月卡' }).click()
  await waitForPath(page, /^\/order\?order_no=/)
  await page.getByRole('radio', { name: /云付/ }).check()
  await page.getByRole('button', { name: '支付 ¥19.00' }).click()
  await page.getByRole('button', { name: '付款', exact: true }).click()
  await page.getByRole('heading', { name: '支付成功' }).waitFor()
  await page.getByRole('link', { name: '去看看' }).click()
  await page.getByText('您是 VIP 会员（月卡）').waitFor()
}

async function downloadAsVip(page: Page, uuid: string): Promise<void> {
  const dialog = await openOffer(page, uuid)
  await dialog.getByText('免费（VIP，原价 60 豆子）').waitFor()
  const coming = page.waitForEvent('download')
  await dialog.getByRole('button', { name: '下载', exact: true }).click()
  expect((await coming).suggestedFilename()).toBe('花果油.pdf')
}

async function buyWithCode(page: Page, uuid: string, code: string): Promise<void> {
  const dialog = await openOffer(page, uuid)
  await dialog.getByText('72 豆子（VIP 价，原价 90 豆子）').waitFor()
  await dialog.getByRole('button', { name: '其他方式支付' }).click()
  await page.getByRole('radio', { name: /下载码/ }).check()
  await page.getByRole('textbox', { name: '下载码' }).fill(code)
  await page.getByRole('button', { name: '使用下载码' }).click()
  await page.getByRole('heading', { name: '支付成功' }).waitFor()
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: '立即下载' }).click()
  expect((await coming).suggestedFilename()).toBe('蚕书.pdf')
}

async function openOffer(page: Page, uuid: string) {
  await visit(page, `/document/${uuid}`)
  await page.getByRole('button', { name: /^下载/ }).first().click()
  return page.getByRole('dialog', { name: '下载文档' })
}

async function sayPaidInCash(page: Page): Promise<void> {
  await visit(page, '/order/topup')
  await page.getByRole('radio', { name: /^50 豆子/ }).check({ force: true })
  await page.getByRole('button', { name: '去支付' }).click()
  await page.getByRole('radio', { name: /现金/ }).check()
  await page.getByRole('button', { name: '支付 ¥5.00' }).click()
  await page.getByText('到前台付现金').waitFor()
  await page.getByLabel('付款说明').fill('今天下午付给了前台')
  await page.getByRole('button', { name: '我已付款' }).click()
  await page.getByRole('heading', { name: '等待确认收款' }).waitFor()
}

async function confirmCash(owner: Page): Promise<void> {
  await visit(owner, '/admin/dashboard')
  await owner.getByRole('link', { name: /1\s*待确认付款/ }).click()
  const row = owner.getByRole('row').filter({ hasText: '充值 50 豆子' })
  await row.getByText('待确认付款').waitFor()
  await row.getByRole('button', { name: '确认收款' }).click()
  await owner.getByText('买家的说明：今天下午付给了前台').waitFor()
  await owner.getByText('应收 5.00 元').waitFor()
  await owner.getByLabel('收到的金额').fill('4.5')
  await owner.getByText('比应收少收 0.50 元').waitFor()
  await owner.getByLabel('收到的金额').fill('5')
  await owner.getByText('比应收少收').waitFor({ state: 'detached' })
  await confirmDialog(owner, '确认收款')
  await row.waitFor({ state: 'detached' })
}

async function refundTea(owner: Page): Promise<void> {
  await visit(owner, '/admin/order')
  await owner.getByText('¥37.00').first().waitFor()
  const row = owner.getByRole('row').filter({ hasText: '茶经' })
  await row.getByRole('button', { name: /^退 ?款$/ }).click()
  await owner.getByText('款项由支付宝原路退回给买家').waitFor()
  await owner.getByLabel('退款金额').fill('1')
  await owner.getByLabel('原因').fill('多收了')
  await confirmDialog(owner, /^退 ?款$/)
  await row.getByText('已退 ¥1.00').waitFor()
  await owner.getByText('¥36.00').first().waitFor()
  expect(alipay.calls.filter(({ call }) => call === 'refund')).toHaveLength(1)
  await row.getByRole('button', { name: /^详 ?情$/ }).click()
  await owner.getByRole('dialog').getByText('多收了').waitFor()
  await owner.getByRole('button', { name: 'Close' }).or(owner.getByLabel('关闭')).first().click()
}

async function exportMonth(owner: Page): Promise<void> {
  await owner.getByPlaceholder('支付时间').click()
  await owner.getByText('本月', { exact: true }).click()
  await waitForPath(owner, /paid_at=/)
  const coming = owner.waitForEvent('download')
  await owner.getByRole('button', { name: '导出 CSV' }).click()
  const lines = readFileSync(await (await coming).path(), 'utf8')
    .slice(1)
    .trimEnd()
    .split('\r\n')
  const [headings, ...rows] = lines.map((line) => line.split(','))
  const wanted = ['类型', '状态', '金额', '支付方式', '已退款', '已收回'].map(
    (heading) => headings?.indexOf(heading) ?? -1,
  )
  expect(rows.map((cells) => wanted.map((at) => cells[at]))).toEqual([
    ['账户充值', '已支付', '5.00', '现金', '', ''],
    ['购买文档', '已支付', '', '下载码', '', ''],
    ['开通 VIP', '已支付', '19.00', '云付', '', ''],
    ['购买文档', '已支付，退了一部分', '3.00', '支付宝', '1.00', ''],
    ['账户充值', '已支付', '10.00', '微信支付', '', ''],
  ])
}

/** Neither the notice nor any question tells us of a payment: the bill of that day does. */
async function findLostPayment(owner: Page, member: Member, page: Page): Promise<void> {
  wechat.refuse('query', { status: 500, code: 'SYSTEM_ERROR', message: '系统异常，请稍后重试' })
  const { order_no } = await member.call(contract.orders.create, { order_type: OrderType.TopUp, quantity: 500 })
  await member.call(contract.orders.pay, { order_no, payment_type: PaymentMethod.WeChatPay })
  clock.offset = -2 * dayMs
  wechat.pay(lastCreated(wechat))
  clock.offset = 0
  await moveBack(order_no, 2 * dayMs)
  await visit(page, `/order?order_no=${order_no}`)
  await page.getByRole('heading', { name: '订单已过期' }).waitFor()
  await expect.poll(async () => (await orderRow(order_no)).closed_at).not.toBeNull()
  wechat.refuse('query', undefined)

  await visit(owner, '/admin/order/difference')
  await owner.getByRole('button', { name: '立即对账' }).click()
  await confirmDialog(owner, '立即对账')
  const row = owner.getByRole('row').filter({ hasText: order_no })
  await row.getByText('收款：平台有，本站没有').waitFor()
  await row.getByText('¥50.00').waitFor()
  await visit(page, `/order?order_no=${order_no}`)
  await page.getByRole('heading', { name: '付款来晚了一步' }).waitFor()

  await row.getByRole('link', { name: order_no }).click()
  const order = owner.getByRole('row').filter({ hasText: '充值 500 豆子' })
  await order.getByRole('button', { name: /^补 ?发$/ }).click()
  await confirmDialog(owner, /^补 ?发$/)
  await order.getByText('已支付').waitFor()
  expect(await balanceOf(member)).toBe(650)
}

/** As if the order had been made earlier: what was planned for it is due. */
async function moveBack(orderNo: string, ms: number): Promise<void> {
  const { id } = await orderRow(orderNo)
  const { db } = site
  await db
    .updateTable('order')
    .set((eb) => ({ created_at: eb('created_at', '-', ms), expired_at: eb('expired_at', '-', ms) }))
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('payment')
    .set((eb) => ({ created_at: eb('created_at', '-', ms) }))
    .where('order_id', '=', id)
    .execute()
  await db
    .updateTable('job')
    .set((eb) => ({ run_at: eb('run_at', '-', ms) }))
    .where('key', '=', `expire-order:${id}`)
    .execute()
}

function orderRow(orderNo: string) {
  return site.db.selectFrom('order').selectAll().where('order_no', '=', orderNo).executeTakeFirstOrThrow()
}

function lastCreated({ calls }: PaySimulator): string {
  return calls.findLast(({ call }) => call === 'create')?.attemptNo ?? ''
}

async function balanceOf(member: Member): Promise<number> {
  return (await member.call(contract.users.get)).credit_count
}
