import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { OrderStatus, OrderType, PaymentMethod } from '#shared/enums.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { startWeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import { chooseMenuItem, confirmDialog, expectNoPageErrors, openWindow, phone, visit, waitForPath } from './browser.ts'
import { startLibrary } from './library.ts'
import { configure } from './owner.ts'
import { accessibilityFaults } from './page-checks.ts'
import { signInAs } from './person.ts'
import type { RunningSite } from './running-site.ts'
import { addCategory, createMember, type Member, publishAndWait } from './site-setup.ts'
import type { PublishedDocument } from './upload-client.ts'

/** What a member buys, from the offer to the receipt. */

let browser: Browser
let site: RunningSite
let root: Member
let buyer: Member
let tea: PublishedDocument
let silk: PublishedDocument
beforeAll(async () => {
  const { author, ...opened } = await startLibrary('写书的人')
  ;({ browser, site, root } = opened)
  await configure(site, {
    'score.show_exchange': 'true',
    'pay.enable_bank_card': 'true',
    'pay.bank_card_text': '户名：文豆\n账号：6222 0000 0000',
    'pay.topup_bonus': '100+10',
  })
  await addCategory(root, '教材')
  buyer = await createMember(site, root, '买书的人')
  const { id } = await buyer.call(contract.users.get)
  await root.call(contract.credits.adjust, { user_id: id, amount: 40, reason: '见面礼', key: 'welcome-gift' })
  const add = (title: string, price: number) =>
    publishAndWait(site, author, { name: `${title}.pdf`, bytes: makePdf({ title, pages: 2 }), price })
  tea = await add('茶经', 30)
  silk = await add('蚕书', 90)
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

async function openAsBuyer(options?: Parameters<typeof openWindow>[2]): Promise<Page> {
  const page = await openWindow(browser, site.url, options)
  await signInAs(page, site, buyer)
  return page
}

test('a document is bought with credits on its order page, by keyboard, and downloaded at once', async () => {
  const page = await openAsBuyer()
  await visit(page, `/document/${tea.uuid}`)
  await page.getByText('30 豆子（3.00 元）').first().waitFor()
  await page.getByRole('button', { name: /^下载/ }).first().click()
  const dialog = page.getByRole('dialog', { name: '下载文档' })
  await dialog.getByRole('button', { name: '其他方式支付' }).click()
  await waitForPath(page, /^\/order\?order_no=\w+$/)
  await page.getByRole('timer').waitFor()
  const credits = page.getByRole('radio', { name: /豆子支付/ })
  await expect.poll(() => credits.isChecked()).toBe(true)
  expect(await accessibilityFaults(page)).toEqual([])
  await credits.focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.getByRole('radio', { name: /银行卡/ }).isChecked()).toBe(true)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '支付成功' }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: '立即下载' }).click()
  expect((await download).suggestedFilename()).toBe('茶经.pdf')
  // The balance beside the name is the one after the payment.
  await page.getByRole('button', { name: /的菜单/ }).click()
  await page.getByText('10 豆子', { exact: true }).waitFor()
  expectNoPageErrors(page)
})

test('who lacks credits tops up by bank transfer on a phone; the page follows when staff confirm', async () => {
  const page = await openAsBuyer({ viewport: phone })
  await visit(page, `/document/${silk.uuid}`)
  await page.getByRole('button', { name: /下载文档/ }).click()
  await page.getByRole('dialog').getByRole('link', { name: '去充值' }).click()
  await waitForPath(page, '/order/topup?quantity=80')
  await expect.poll(() => page.getByRole('radio', { name: /^100 豆子/ }).isChecked()).toBe(true)
  await page.getByText('得到 110 豆子').waitFor()
  await page.getByLabel('其他数量').fill('1.5')
  await page.getByRole('button', { name: '去支付' }).click()
  await page.getByText('请输入 1 到').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize(phone)
  await page.getByRole('radio', { name: /^100 豆子/ }).check({ force: true })
  await page.getByRole('button', { name: '去支付' }).click()
  await waitForPath(page, /^\/order\?order_no=/)

  await page.getByRole('button', { name: '支付 ¥10.00' }).click()
  await page.getByText('账号：6222 0000 0000').waitFor()
  await page.getByRole('button', { name: '我已付款' }).click()
  await page.getByText('请写下付款的人和时间').waitFor()
  await page.getByLabel('付款说明').fill('张三，今天上午')
  const image = await sharp({ create: { width: 90, height: 160, channels: 3, background: '#335577' } })
    .png()
    .toBuffer()
  await page.getByLabel('选择付款截图').setInputFiles({ name: '截图.png', mimeType: 'image/png', buffer: image })
  await page.getByRole('img', { name: '付款截图' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: '我已付款' }).click()
  await page.getByRole('heading', { name: '等待确认收款' }).waitFor()

  const { order } = await root.call(contract.orders.list, { is_claimed: true })
  expect(order).toMatchObject([{ claim: '张三，今天上午', claim_picture: expect.stringMatching(/^\/uploads\//) }])
  await root.call(contract.orders.confirm, { id: order[0]?.id ?? 0 })
  // The page asks seldom while staff are waited for, and at once when it is looked at again.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.getByRole('heading', { name: '支付成功' }).waitFor()
  await page.getByRole('link', { name: '去看看' }).click()
  await waitForPath(page, '/me/credit')
  await page.getByText('120 豆子').first().waitFor()
  expectNoPageErrors(page)
})

test('who comes back from a provider is not believed, and can go on paying', async () => {
  const { order_no } = await buyer.call(contract.orders.create, { order_type: OrderType.TopUp, quantity: 70 })
  const page = await openAsBuyer()
  await visit(page, `/order?order_no=${order_no}&trade_status=TRADE_SUCCESS&sign=x`)
  await page.getByText('正在确认付款…').waitFor()
  await page.getByRole('button', { name: '还没有付款，继续支付' }).click()
  await waitForPath(page, `/order?order_no=${order_no}`)
  await page.getByRole('radio', { name: /银行卡/ }).waitFor()
  await page.getByRole('button', { name: '手机上付款' }).click()
  await page.getByRole('dialog', { name: '手机上付款' }).locator('svg path').waitFor()
  await page.keyboard.press('Escape')

  // In another tab it is closed; this page says so by itself.
  await buyer.call(contract.orders.close, { order_no })
  await page.getByRole('heading', { name: '订单已关闭' }).waitFor()
  await site.db.updateTable('order').set({ has_surplus: 1 }).where('order_no', '=', order_no).execute()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.getByText('已收到付款，但订单已关闭，管理人员会为您处理或退款').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expectNoPageErrors(page)
})

test('an order expires under the eyes of the buyer, who orders again', async () => {
  const { order_no } = await buyer.call(contract.orders.create, { order_type: OrderType.TopUp, quantity: 60 })
  const page = await openAsBuyer()
  await page.clock.install()
  await visit(page, `/order?order_no=${order_no}`)
  await page.getByRole('timer').waitFor()
  await site.db
    .updateTable('order')
    .set({ expired_at: Date.now() - 1 })
    .where('order_no', '=', order_no)
    .execute()
  await page.clock.fastForward(31 * 60_000)
  await page.getByRole('heading', { name: '订单已过期' }).waitFor()
  await page.clock.resume()
  await page.getByRole('button', { name: '重新下单' }).click()
  await expect.poll(() => page.url()).not.toContain(order_no)
  expectNoPageErrors(page)
})

test('the own orders are filtered, one is closed after a question, and one leaves the list', async () => {
  await buyer.call(contract.orders.create, { order_type: OrderType.TopUp, quantity: 55 })
  const page = await openAsBuyer()
  await visit(page, '/order')
  await waitForPath(page, '/me/order')
  await page.getByRole('link', { name: '茶经' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByLabel('状态').selectOption('pending')
  await waitForPath(page, /^\/me\/order\?status=pending/)
  const row = page.getByRole('listitem').filter({ hasText: '充值 55 豆子' })
  await row.getByRole('button', { name: /关闭订单/ }).click()
  const question = page.getByRole('dialog', { name: '关闭这个订单？' })
  await question.getByRole('button', { name: '取消' }).click()
  await row.getByRole('button', { name: /关闭订单/ }).click()
  await question.getByRole('button', { name: '关闭订单' }).click()
  await row.waitFor({ state: 'detached' })
  await visit(page, '/me/order?status=closed')
  await row.getByRole('button', { name: /^删除/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: '去掉' }).click()
  await row.waitFor({ state: 'detached' })
  const { order } = await buyer.call(contract.orders.own, { status: [OrderStatus.Closed], wd: '充值 55' })
  expect(order).toEqual([])
  expectNoPageErrors(page)
})

test('the receipt prints alone, dark on white', async () => {
  const page = await openAsBuyer({ viewport: phone, colorScheme: 'dark' })
  await visit(page, '/me/order')
  await page.getByRole('link', { name: '茶经' }).click()
  await waitForPath(page, /^\/me\/order\/\w+$/)
  await page.getByRole('heading', { name: '收据' }).waitFor()
  await page.getByText('豆子支付', { exact: true }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const part of [
    page.getByRole('banner').first(),
    page.getByRole('contentinfo'),
    page.getByRole('button', { name: '打印' }),
  ])
    await part.waitFor({ state: 'hidden' })
  const ink = await page.evaluate(() => getComputedStyle(document.documentElement).color)
  expect(ink).toBe('rgb(27, 31, 29)')
  expectNoPageErrors(page)
})

test('VIP cards are offered to everybody where the owner sells them, and bought by an order', async () => {
  const guest = await openWindow(browser, site.url, { viewport: phone })
  await visit(guest, '/joinvip')
  await guest.getByText('网站暂时不出售 VIP 会员').waitFor()
  await configure(site, { 'vip.enable': 'true', 'vip.month_original_price': '3900' })
  await visit(guest, '/joinvip')
  await guest.getByRole('link', { name: '登录后开通月卡' }).waitFor()
  expect(await accessibilityFaults(guest)).toEqual([])
  const page = await openAsBuyer()
  await visit(page, '/joinvip')
  await page.getByText('¥39.00').waitFor()
  await page.getByRole('button', { name: '开通月卡' }).click()
  await waitForPath(page, /^\/order\?order_no=/)
  await page.getByText('VIP 月卡').waitFor()
  await page.getByText('290 豆子').first().waitFor()
  await visit(page, '/me/vip')
  await page.getByText('还没有 VIP 记录').waitFor()
  const { order } = await root.call(contract.orders.list, { order_type: [OrderType.Vip] })
  await root.call(contract.orders.confirm, { id: order[0]?.id ?? 0, payment_type: PaymentMethod.Cash })
  await visit(page, '/me/vip')
  await page.getByText('您是 VIP 会员（月卡）').waitFor()
  await page.getByText('使用中').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('link', { name: '续费' }).click()
  await waitForPath(page, '/joinvip')
  expectNoPageErrors(page)
})

test('staff top up a member from the list of users, and the order says so', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, root)
  await visit(page, '/admin/user/list?wd=买书的人')
  const balance = async () => (await buyer.call(contract.users.get)).credit_count
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

test('nothing of orders scrolls sideways on the smallest phone', async () => {
  const { order } = await buyer.call(contract.orders.own, {})
  const page = await openAsBuyer({ viewport: { width: 320, height: 568 } })
  const paths = [
    ...order.map(({ order_no }) => `/order?order_no=${order_no}`),
    `/me/order/${order[0]?.order_no ?? ''}`,
    '/me/order',
    '/me/vip',
    '/order/topup',
    '/joinvip',
  ]
  for (const path of paths) {
    await visit(page, path)
    await page.getByRole('heading').first().waitFor()
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(await overflow(), path).toBeLessThanOrEqual(0)
  }
  expectNoPageErrors(page)
})

test('who may try payments out is told so, buys with a button, and the owner takes it back at the end', async () => {
  const words = '试运行：您可以选“试运行”付款'
  const { id } = await buyer.call(contract.users.get)
  await configure(site, { 'pay.test_mode': 'true', 'pay.trial_users': String(id) })
  const others = await openWindow(browser, site.url)
  await visit(others, '/joinvip')
  await others.getByRole('heading').first().waitFor()
  expect(await others.getByText(words).count()).toBe(0)

  const { order_no } = await buyer.call(contract.orders.create, { order_type: OrderType.TopUp, quantity: 70 })
  const page = await openAsBuyer()
  await visit(page, `/order?order_no=${order_no}`)
  await page.getByText(words).waitFor()
  await page.getByRole('radio', { name: /试运行/ }).check()
  await page.getByRole('button', { name: '试运行：不付款，直接算作已支付' }).click()
  await page.getByText('这是试运行的订单，没有收款').waitFor()
  await page.getByRole('link', { name: '查看订单' }).click()
  await page.getByText('未收款', { exact: true }).waitFor()

  const back = await openWindow(browser, site.url)
  await signInAs(back, site, root)
  await visit(back, '/admin/dashboard')
  await back.getByText(words).waitFor()
  await visit(back, '/admin/config/pay#test_mode')
  await back.getByLabel('试运行：用按钮代替付款').click()
  await back.getByRole('button', { name: '保存设置' }).click()
  const dialog = back.getByRole('dialog', { name: '试运行付的订单' })
  await dialog.getByText(order_no).waitFor()
  await dialog.getByRole('button', { name: '全部收回（1）' }).click()
  await back.getByText('已收回 1 个订单发放的内容').waitFor()
  expect(await accessibilityFaults(back)).toEqual([])
  expectNoPageErrors(page)
  expectNoPageErrors(back)
})

test('inside WeChat the tab learns who pays, opens the payment and sees that it was made', async () => {
  const simulator = await startWeChatSimulator()
  onTestFinished(() => simulator.close())
  const settings = Object.entries(simulator.settings).map(([name, value]) => [`pay.${name}`, value])
  await configure(site, { ...Object.fromEntries(settings), 'system.domain': site.url })
  const { order_no } = await buyer.call(contract.orders.create, { order_type: OrderType.TopUp, quantity: 80 })
  const page = await openAsBuyer({ viewport: phone, userAgent: 'Mozilla/5.0 (iPhone) Mobile MicroMessenger/8.0.50' })
  await page.exposeFunction('payInWeChat', async () => {
    const attempt = simulator.calls.find(({ call }) => call === 'create')
    simulator.pay(attempt?.attemptNo ?? '')
    await simulator.notify(attempt?.attemptNo ?? '')
  })
  await page.addInitScript(() => {
    const { payInWeChat } = window as unknown as { payInWeChat(): Promise<void> }
    const invoke = async (_name: string, _parameters: unknown, done: (result: object) => void) => {
      await payInWeChat()
      done({ err_msg: 'get_brand_wcpay_request:ok' })
    }
    Object.assign(window, { WeixinJSBridge: { invoke } })
  })
  await visit(page, `/order?order_no=${order_no}`)
  await page.getByRole('radio', { name: /微信支付/ }).check()
  await page.getByRole('button', { name: '支付 ¥8.00' }).click()
  await page.getByRole('heading', { name: '支付成功' }).waitFor()
  // The code has left the address: a reload does not use it again.
  await waitForPath(page, `/order?order_no=${order_no}`)
  expect(simulator.complaints).toEqual([])
  expectNoPageErrors(page)
})
