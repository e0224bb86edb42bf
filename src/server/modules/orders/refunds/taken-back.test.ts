import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { codes } from '#shared/contract/codes.ts'
import { credits } from '#shared/contract/credits.ts'
import { notifications } from '#shared/contract/notifications.ts'
import { orders } from '#shared/contract/orders.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { DownloadCodeKind, OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import { refundedText, takenBack, withdrawnText } from '#shared/order-texts.ts'
import { findBrokenOrders } from '#server/cli/check-orders.ts'
import { addCredit } from '#server/modules/credits/credits.ledger.ts'
import { openPaySite, type PaySite, sharedClock } from '#server/testing/pay/pay-site.ts'
import type { PaySimulator } from '#server/testing/pay/pay-simulator.ts'
import { startWeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

/** Refunds to the buyer and withdrawals of what was granted are reported separately, and truthfully. */

let site: PaySite
let wechat: PaySimulator
let author: Person
beforeAll(async () => {
  const clock = sharedClock()
  wechat = await startWeChatSimulator(clock)
  site = await openPaySite(clock, wechat)
  author = await site.member()
  await site.configure({
    'vip.enable': 'true',
    'download.enable_code_download': 'true',
    'download.times_every_day': '1000',
    'download.times_every_ip': '1000',
    'pay.enable_cash': 'true',
    'pay.enable_advertisement': 'true',
    'pay.advertisement_credits': '5',
  })
})
afterAll(async () => {
  const broken = await Array.fromAsync(findBrokenOrders(await site.app.context()))
  await site.close()
  await wechat.close()
  expect(broken).toEqual([])
})

describe('nothing was paid, and nothing goes back:', () => {
  test('a document got by a code is withdrawn, and the code works again', async () => {
    const buyer = await site.member()
    const { id: document } = await storeDocument(site, { owner: author, price: 30 })
    const code = await makeCode({ kind: DownloadCodeKind.AnyDocument })
    const id = await orderDocument(buyer, document)
    await payWithCode(buyer, id, code)
    const share = await site.balanceOf(author)
    expect(await refusal(takeBackOf(id, 10))).toMatchObject({ reason: 'orders.withdrawnWhole' })
    expect((await site.root.call(orders.detail, { id })).download_code).toBe('usable')
    expect(await takeBackOf(id, 30)).toEqual({ state: 'done', message: '下载码恢复为未使用，可以再次使用' })
    expect(await logged()).toMatchObject({
      sentence: expect.stringMatching(/^撤回了：“.+”$/),
      change: '收回 文档；原因：不想要了',
    })
    expect(await told(buyer)).toBe(
      '已撤回，您没有付款，不涉及退款，这份文档不再算作已购买；下载码恢复为未使用，可以再次使用',
    )
    expect(await words(buyer, id)).toEqual(['withdrawn', '', '文档'])
    expect([await site.balanceOf(buyer), await site.balanceOf(author)]).toEqual([0, share - 30])
    expect(await ledger(author)).toMatchObject({ amount: -30, title: '售出撤回', note: '不想要了' })
    expect(await buyer.call(downloads.terms, { id: document })).toMatchObject({ cost: 30 })
    // Whoever has it: it is as if it had not been used.
    const other = await site.member()
    await payWithCode(other, await orderDocument(other, document), code)
    expect(await refusal(takeBackOf(id, 30))).toMatchObject({ reason: 'orders.refundTooMuch' })
  })

  test('a code that has expired or was voided meanwhile does not', async () => {
    const buyer = await site.member()
    const { id: document } = await storeDocument(site, { owner: author, price: 3 })
    const code = await makeCode({ kind: DownloadCodeKind.AnyDocument, note: '作废' })
    const id = await orderDocument(buyer, document)
    await payWithCode(buyer, id, code)
    const [batch] = (await site.root.call(codes.list, { wd: '作废' })).batch
    await site.root.call(codes.void, { id: batch?.id ?? 0 })
    expect((await site.root.call(orders.detail, { id })).download_code).toBe('unusable')
    await takeBackOf(id, 3)
    expect(await told(buyer)).toContain('；下载码已经过期、作废或停用，不能再用')
    const again = payWithCode(buyer, await orderDocument(buyer, document), code)
    expect(await refusal(again)).toMatchObject({ reason: 'codes.voided' })
  })

  test('credits got by a code are withdrawn; the code works again only if none of them was spent', async () => {
    const [saver, spender] = [await site.member(), await site.member()]
    const [first, second] = [await makeCreditCode(), await makeCreditCode()]
    const saved = await redeem(saver, first)
    await takeBackOf(saved, 10)
    expect(await told(saver)).toBe('已撤回，您没有付款，不涉及退款，扣回 10 豆子')
    await takeBackOf(saved, 20)
    expect(await told(saver)).toContain('扣回 20 豆子；下载码恢复为未使用，可以再次使用')
    expect(await words(saver, saved)).toEqual(['withdrawn', '', '30 豆子'])
    expect(await ledger(saver)).toMatchObject({ amount: -20, title: '充值撤回' })
    await redeem(spender, first)

    const spent = await redeem(spender, second)
    await site.db.updateTable('user').set({ credit_count: 5 }).where('id', '=', spender.id).execute()
    expect(await takeBackOf(spent, 30)).toMatchObject({ message: '换得的豆子已经花掉一部分，下载码不能再用' })
    expect(await told(spender)).toContain('扣回 5 豆子；换得的已经花掉一部分，下载码不能再用')
    expect(await refusal(spender.call(codes.redeem, { code: second }))).toMatchObject({ reason: 'codes.used' })
    const { refund } = await site.root.call(orders.detail, { id: spent })
    expect(refund).toMatchObject([{ taken_credits: 5, missing_credits: 25 }])
  })

  test('credits given by staff, or for watching, are withdrawn, in part too', async () => {
    const member = await site.member()
    const given = await site.root.call(orders.systemTopUp, { user_id: member.id, amount: 20, remark: '测试' })
    const id = await idOf(given.order_no)
    await takeBackOf(id, 8)
    expect(await logged()).toMatchObject({ change: '收回 8 豆子；原因：不想要了' })
    expect(await told(member)).toBe('已撤回，您没有付款，不涉及退款，扣回 8 豆子')
    expect(await words(member, id)).toEqual(['partial', '', '8 豆子'])
    await member.call(orders.opportunities)
    site.advanceClock(20_000)
    const watched = await idOf((await member.call(orders.watched, {})).order_no)
    await takeBackOf(watched, 5)
    expect(await words(member, watched)).toEqual(['withdrawn', '', '5 豆子'])
    expect(await site.balanceOf(member)).toBe(12)
  })
})

describe('what was paid goes back, and what was bought is withdrawn with it:', () => {
  test('credits to the balance', async () => {
    const buyer = await site.member()
    await addCredit(await site.app.context(), { userId: buyer.id, amount: 30, reason: 'register' })
    const { id: document } = await storeDocument(site, { owner: author, price: 30 })
    const id = await orderDocument(buyer, document)
    await buyer.call(orders.pay, { order_no: await numberOf(id), payment_type: PaymentMethod.Credits })
    await takeBackOf(id, 12)
    expect(await told(buyer)).toBe('已退回 12 豆子到您的余额')
    expect(await words(buyer, id)).toEqual(['partial', '12 豆子', ''])
    await takeBackOf(id, 18)
    expect(await told(buyer)).toBe('已退回 18 豆子到您的余额，这份文档不再算作已购买')
    expect(await words(buyer, id)).toEqual(['refunded', '30 豆子', '文档'])
    expect(await ledger(buyer)).toMatchObject({ amount: 18, title: '退款' })
  })

  test('money by hand, where the site moves none', async () => {
    const buyer = await site.member()
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.Vip, product_id: VipCard.Month })
    const id = await idOf(order_no)
    await site.root.call(orders.confirm, { id, payment_type: PaymentMethod.Cash })
    await takeBackOf(id, 2900)
    expect(await told(buyer)).toBe('已退款 29.00 元，由工作人员另行退给您，这张 VIP 卡已经结束')
    expect(await words(buyer, id)).toEqual(['refunded', '¥29.00', 'VIP 卡'])
  })

  test('money by the provider; nothing is told as long as it has not answered', async () => {
    const buyer = await site.member()
    const { orderNo, attemptNo } = await site.beginTopUp(buyer, PaymentMethod.WeChatPay)
    wechat.pay(attemptNo)
    await wechat.notify(attemptNo)
    const id = await idOf(orderNo)
    wechat.answerRefunds('processing')
    await takeBackOf(id, 500)
    expect(await words(buyer, id)).toEqual(['running', '', ''])
    expect((await site.root.call(orders.list, { wd: orderNo })).order).toMatchObject([
      { is_refunding: true, refunded_money: 0, withdrawn_credits: 0 },
    ])
    wechat.answerRefunds('done')
    site.advanceClock(6 * 3_600_000)
    await site.runDueJobs()
    expect(await told(buyer)).toBe('已退款 5.00 元，原路退回，扣回 50 豆子')
    expect(await words(buyer, id)).toEqual(['partial', '¥5.00', '50 豆子'])
  })
})

test('what earlier versions told of is told truly now', async () => {
  const buyer = await site.member()
  const id = await redeem(buyer, await makeCreditCode())
  await takeBackOf(id, 30)
  await told(buyer)
  const params = JSON.stringify({ order: id, outcome: 'refunded', money: 0, credits: 30, reason: '' })
  await site.db.updateTable('notification').set({ params }).where('user_id', '=', buyer.id).execute()
  expect(await told(buyer)).toBe('已撤回，您没有付款，不涉及退款')
})

type NewCodes = Parameters<typeof site.root.call<typeof codes.create>>[1]

async function makeCode(batch: Omit<NewCodes, 'count'>): Promise<string> {
  return (await site.root.call(codes.create, { count: 1, ...batch })).code[0] ?? ''
}

function makeCreditCode(): Promise<string> {
  return makeCode({ kind: DownloadCodeKind.Credits, credits: 30 })
}

async function redeem(member: Person, code: string): Promise<number> {
  return idOf((await member.call(codes.redeem, { code })).order_no)
}

async function orderDocument(buyer: Person, product_id: number): Promise<number> {
  return idOf((await buyer.call(orders.create, { order_type: OrderType.Document, product_id })).order_no)
}

async function payWithCode(buyer: Person, id: number, downcode: string) {
  return buyer.call(orders.pay, { order_no: await numberOf(id), payment_type: PaymentMethod.DownloadCode, downcode })
}

async function idOf(order_no: string): Promise<number> {
  const row = site.db.selectFrom('order').select('id').where('order_no', '=', order_no)
  return (await row.executeTakeFirstOrThrow()).id
}

async function numberOf(id: number): Promise<string> {
  const row = site.db.selectFrom('order').select('order_no').where('id', '=', id)
  return (await row.executeTakeFirstOrThrow()).order_no
}

let keys = 0
const takeBackOf = (id: number, amount: number) =>
  site.root.call(orders.refund, { id, amount, reason: '不想要了', key: `taken back ${(keys += 1)}` })

/** The latest notice, after the name of the order. */
async function told(member: Person): Promise<string> {
  await site.runDueJobs()
  const [latest] = (await member.call(notifications.list, {})).notification
  return latest?.title.replace(/^您的订单“[^”]*”/, '') ?? ''
}

/** The label of the order, what went back and what was withdrawn, as list, receipt and export write it. */
async function words(buyer: Person, id: number): Promise<string[]> {
  const order = await buyer.call(orders.get, { order_no: await numberOf(id) })
  return [takenBack(order), refundedText(order, '豆子'), withdrawnText(order, '豆子')]
}

/** The latest entry of the operation log. */
async function logged() {
  return (await site.root.call(audits.list, {})).audit[0]
}

async function ledger(member: Person) {
  return (await member.call(credits.entries, {})).entry[0]
}
