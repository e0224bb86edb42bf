import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { orders } from '#shared/contract/orders.ts'
import { settings } from '#shared/contract/settings.ts'
import { stats } from '#shared/contract/stats.ts'
import { OrderStatus, OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import { moneyText, paidText } from '#shared/order-texts.ts'
import { creditsToFen, fenToCredits, formatYuan } from '#shared/prices.ts'
import { startAlipaySimulator } from '#server/testing/pay/alipay-simulator.ts'
import { openPaySite, type PaySite, sharedClock } from '#server/testing/pay/pay-site.ts'
import type { PaySimulator } from '#server/testing/pay/pay-simulator.ts'
import { startThirdPartySimulator } from '#server/testing/pay/third-simulator.ts'
import { startWeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import { seededRandom } from '#server/testing/seeded-random.ts'
import type { Person } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

/** The price that is shown is the price that is charged, to the fen, whatever the price and the exchange rate are. */

const rounds = 12
const dayMs = 86_400_000

const clock = sharedClock()
let site: PaySite
let simulators: [PaymentMethod, PaySimulator][]
beforeAll(async () => {
  simulators = [
    [PaymentMethod.WeChatPay, await startWeChatSimulator(clock)],
    [PaymentMethod.Alipay, await startAlipaySimulator({ isFaceToFace: true, ...clock })],
    [PaymentMethod.ThirdParty, await startThirdPartySimulator('epay')],
  ]
  site = await openPaySite(clock, ...simulators.map(([, simulator]) => simulator))
  await site.configure({
    'vip.enable': 'true',
    'pay.third_channel': 'alipay',
    'pay.enable_cash': 'true',
    'download.times_every_day': '1000',
    'download.times_every_ip': '1000',
  })
})
afterAll(async () => {
  await site.close()
  await Promise.all(simulators.map(([, simulator]) => simulator.close()))
})

test('what is paid with credits, by hand or refunded has the same price', async () => {
  await site.configure({ 'score.credit_exchange': '10', 'vip.month_price': '1991' })
  const buyer = await site.member()
  const vip = { order_type: OrderType.Vip, product_id: VipCard.Month }
  await site.root.call(orders.systemTopUp, { user_id: buyer.id, amount: 200, remark: '测试' })
  const withCredits = await order(buyer, vip)
  await buyer.call(orders.pay, { order_no: withCredits.order_no, payment_type: PaymentMethod.Credits })
  expect(await site.balanceOf(buyer)).toBe(0)
  expect(paidText(await read(buyer, withCredits), '豆子')).toBe('200 豆子')

  const byHand = await order(buyer, vip)
  await site.root.call(orders.confirm, { id: byHand.id, payment_type: PaymentMethod.Cash })
  expect(paidText(await read(buyer, byHand), '豆子')).toBe('¥19.91')
  await site.root.call(orders.refund, { id: byHand.id, amount: 1991, reason: '不想要了', key: 'all of 1991' })
  expect(await read(buyer, byHand)).toMatchObject({ money: 1991, refunded_money: 1991 })
})

test('a card that has become cheaper by less than a credit is not charged at the old price', async () => {
  await site.configure({ 'score.credit_exchange': '10', 'vip.month_price': '1999' })
  const buyer = await site.member()
  const vip = { order_type: OrderType.Vip, product_id: VipCard.Month }
  const first = await order(buyer, vip)
  await site.configure({ 'vip.month_price': '1991' })
  const second = await order(buyer, vip)
  expect([first.money, second.money, second.amount]).toEqual([1999, 1991, 200])
  // A dearer one leaves the price that was promised.
  await site.configure({ 'vip.month_price': '1995' })
  expect((await order(buyer, vip)).order_no).toBe(second.order_no)
})

test(
  'page, order, gateway, receipt, lists, export and reconciliation agree to the fen',
  { timeout: 120_000 },
  async () => {
    const random = seededRandom(33)
    const author = await site.member()
    let income = 0
    for (let round = 0; round < rounds; round += 1) {
      const buyer = await site.member()
      // The first are those that were charged wrongly.
      const exchange = [10, 10, 3, 99_999][round] ?? 1 + Math.floor(random() * 200)
      const fen = [1991, 1, 1990, 19_999][round] ?? 1 + Math.floor(random() * 30_000)
      await site.configure({ 'score.credit_exchange': String(exchange), 'vip.month_price': String(fen) })
      const page = await site.root.call(settings.get)
      expect(page.vip.month_price).toBe(fen)
      const card = await order(buyer, { order_type: OrderType.Vip, product_id: VipCard.Month })
      expect(card).toMatchObject({ money: fen, amount: fenToCredits(fen, exchange), price: card.amount })
      expect(paidText(card, '豆子')).toBe(`¥${formatYuan(fen)} 或 ${card.amount} 豆子`)

      const credits = 1 + Math.floor(random() * 500)
      const document = await storeDocument(site, { owner: author, price: credits })
      const bought = await order(buyer, { order_type: OrderType.Document, product_id: document.id })
      const topUp = await order(buyer, { order_type: OrderType.TopUp, quantity: credits })
      for (const made of [bought, topUp])
        expect(made).toMatchObject({ amount: credits, money: creditsToFen(credits, exchange) })

      // Whatever the settings become: an order is paid as it was made.
      await site.configure({ 'score.credit_exchange': String(exchange + 1), 'vip.month_price': String(fen + 1) })
      for (const [index, made] of [card, bought, topUp].entries()) {
        const [method, simulator] = pick(round + index)
        await payAndCompare(buyer, made, method, simulator)
        income += made.money
      }
    }
    const methods = simulators.map(([method]) => method)
    const { money, order: listed } = await site.root.call(orders.list, { size: 100, payment_type: methods })
    expect([listed.length, money]).toEqual([rounds * 3, income])
    expect(listed.reduce((sum, row) => sum + Math.round(Number(moneyText(row)) * 100), 0)).toBe(income)
    const { day } = await site.root.call(orders.sums, {})
    expect(day.reduce((sum, row) => sum + row.money, 0)).toBe(income)

    for (const endpoint of [stats.sales, stats.authors])
      expect(await site.root.call(endpoint, { days: 366 })).toMatchObject({ sold: rounds * 3 + 2, money: income })

    // The bills of these days are ready. Some gateways have the clock of the machine.
    site.advanceClock(2 * dayMs)
    vi.setSystemTime(Date.now() + 2 * dayMs)
    clock.offset = 0
    const { bills, differences } = await site.root.call(orders.reconcile)
    expect([bills > 0, differences]).toEqual([true, 0])
    const compared = await site.db.selectFrom('bill').select('money').execute()
    expect(compared.reduce((sum, row) => sum + row.money, 0)).toBe(income)
    vi.useRealTimers()
    expect(simulators.flatMap(([, { complaints }]) => complaints)).toEqual([])
  },
)

function pick(turn: number): [PaymentMethod, PaySimulator] {
  const simulator = simulators[turn % simulators.length]
  if (!simulator) throw new Error('no simulators')
  return simulator
}

type ReadOrder = Awaited<ReturnType<typeof read>>

async function order(buyer: Person, what: Parameters<typeof buyer.call<typeof orders.create>>[1]): Promise<ReadOrder> {
  return read(buyer, await buyer.call(orders.create, what))
}

function read(buyer: Person, { order_no }: { order_no: string }) {
  return buyer.call(orders.get, { order_no })
}

async function payAndCompare(
  buyer: Person,
  made: ReadOrder,
  method: PaymentMethod,
  simulator: PaySimulator,
): Promise<void> {
  await buyer.call(orders.pay, { order_no: made.order_no, payment_type: method })
  const attempt = () =>
    site.db
      .selectFrom('payment')
      .select(['attempt_no', 'money', 'state'])
      .where('order_id', '=', made.id)
      .executeTakeFirstOrThrow()
  const { attempt_no } = await attempt()
  simulator.pay(attempt_no)
  await simulator.notify(attempt_no)
  // The gateway took this much, by its own account.
  expect(await attempt()).toMatchObject({ state: 'paid', money: made.money })
  const receipt = await read(buyer, made)
  expect(receipt).toMatchObject({ status: OrderStatus.Paid, money: made.money, amount: made.amount })
  expect(paidText(receipt, '豆子')).toBe(`¥${formatYuan(made.money)}`)
  const own = (await buyer.call(orders.own)).order.find(({ id }) => id === made.id)
  expect(own && paidText(own, '豆子')).toBe(paidText(receipt, '豆子'))
  expect(moneyText(receipt)).toBe(formatYuan(made.money))
}
