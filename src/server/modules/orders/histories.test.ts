import { afterAll, beforeAll, expect, test } from 'vitest'
import { downloads } from '#shared/contract/downloads.ts'
import { orders } from '#shared/contract/orders.ts'
import { OrderStatus, OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import { findBrokenOrders } from '#server/cli/check-orders.ts'
import { findWrongCounters } from '#server/cli/check-counters.ts'
import { openPaySite, type PaySite, sharedClock } from '#server/testing/pay/pay-site.ts'
import { startWeChatSimulator, type WeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import { seededRandom } from '#server/testing/seeded-random.ts'
import type { Person } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

/** Random histories of buyers, staff and a provider that misbehaves: the books always agree. */

/** Ten thousand take minutes: `ORDER_HISTORY_STEPS=10000`. */
const steps = Number(process.env.ORDER_HISTORY_STEPS ?? 300)
const atOnce = 8

let site: PaySite
let wechat: WeChatSimulator
let people: Person[]
let documents: number[]
beforeAll(async () => {
  const clock = sharedClock()
  wechat = await startWeChatSimulator(clock)
  site = await openPaySite(clock, wechat)
  await site.configure({
    'vip.enable': 'true',
    'pay.enable_cash': 'true',
    'download.times_every_day': '100000',
    'download.times_every_ip': '100000',
  })
  people = await Promise.all(Array.from({ length: 6 }, () => site.member()))
  const owners = people.slice(0, 2)
  const stored = Array.from({ length: 40 }, (_, index) =>
    storeDocument(site, { owner: owners[index % 2] ?? site.root, price: 1 + (index % 12) * 3 }),
  )
  documents = (await Promise.all(stored)).map(({ id }) => id)
}, 60_000)
afterAll(async () => {
  await site.close()
  await wechat.close()
})

test(
  'after thousands of steps with faults, orders, payments, grants and the ledger agree',
  { timeout: 300_000 + steps * 200 },
  async () => {
    const random = seededRandom(20_261_117)
    const done = new Map<string, number>()
    const names = Object.keys(acts) as (keyof typeof acts)[]
    // What comes first of eight acts at once differs: rare ones may need some more steps until they have succeeded.
    const missing = () => names.filter((name) => !done.has(name))
    for (let step = 0; step < steps || (missing().length > 0 && step < steps * 10); step += atOnce) {
      const round = Array.from({ length: atOnce }, async () => {
        const name = names[Math.floor(random() * names.length)] ?? 'order'
        const isDone = await acts[name](random).then(
          () => true,
          () => false,
        )
        if (isDone) done.set(name, (done.get(name) ?? 0) + 1)
      })
      await Promise.all(round)
    }
    site.advanceClock(3 * 3_600_000)
    await site.runDueJobs()
    const ctx = await site.app.context()
    expect(await Array.fromAsync(findBrokenOrders(ctx))).toEqual([])
    const wrong = await Array.fromAsync(findWrongCounters(ctx))
    expect(wrong.filter(({ counter }) => counter.column === 'credit_count')).toEqual([])
    expect(await findGrantedTwice()).toEqual([])
    expect(missing()).toEqual([])
  },
)

type Random = () => number

const acts = {
  async order(random: Random) {
    await pick(people, random).call(orders.create, {
      order_type: OrderType.Document,
      product_id: pick(documents, random),
    })
  },
  async topUp(random: Random) {
    const buyer = pick(people, random)
    const quantity = 10 + Math.floor(random() * 50)
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity })
    await buyer.call(orders.pay, { order_no, payment_type: PaymentMethod.WeChatPay })
  },
  async card(random: Random) {
    const buyer = pick(people, random)
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.Vip, product_id: VipCard.Month })
    await buyer.call(orders.pay, { order_no, payment_type: PaymentMethod.WeChatPay })
  },
  async payWithCredits(random: Random) {
    const order = await anOrder(random, true)
    await order.buyer.call(orders.pay, { order_no: order.order_no, payment_type: PaymentMethod.Credits })
  },
  async payWithWeChat(random: Random) {
    const order = await anOrder(random)
    await order.buyer.call(orders.pay, { order_no: order.order_no, payment_type: PaymentMethod.WeChatPay })
  },
  async buyerPays(random: Random) {
    const { attempt_no } = await anAttempt(random)
    wechat.pay(attempt_no, random() < 0.05 ? { fen: 1 } : {})
    if (random() < 0.7) await wechat.notify(attempt_no)
  },
  async noticeAgain(random: Random) {
    await wechat.notify((await anAttempt(random)).attempt_no)
  },
  async fault(random: Random) {
    wechat.misbehave(pick(['server-error', 'not-json', 'wrong-signature'] as const, random), 2)
  },
  async close(random: Random) {
    const { buyer, order_no } = await anOrder(random)
    await buyer.call(orders.close, { order_no })
  },
  async download(random: Random) {
    await pick(people, random).call(downloads.download, { id: pick(documents, random) })
  },
  async systemTopUp(random: Random) {
    await site.root.call(orders.systemTopUp, { user_id: pick(people, random).id, amount: 20, remark: '测试' })
  },
  async confirm(random: Random) {
    const { id } = await anOrder(random)
    await site.root.call(orders.confirm, { id, payment_type: PaymentMethod.Cash })
  },
  async refund(random: Random) {
    const { id, money, amount } = await anOrder(random)
    const most = Math.max(1, random() < 0.5 ? money : amount)
    const part = Math.max(1, Math.floor(most * (random() < 0.5 ? 1 : random())))
    await site.root.call(orders.refund, { id, amount: part, reason: '退', key: `refund ${random()}` })
  },
  async refundSurplus(random: Random) {
    const surplus = await site.db.selectFrom('payment').selectAll().where('state', '=', 'surplus').execute()
    const { id, order_id, money } = pick(surplus, random)
    const refund = { id: order_id, payment_id: id, amount: money, reason: '退', key: `surplus ${random()}` }
    await site.root.call(orders.refund, refund)
  },
  async jobs(random: Random) {
    site.advanceClock(Math.floor(random() * 60_000))
    await site.runDueJobs()
  },
}

/** Documents that were granted to a buyer who had them. */
function findGrantedTwice() {
  return site.db
    .selectFrom('document_grant')
    .select(['user_id', 'document_id'])
    .where('revoked_at', 'is', null)
    .groupBy(['user_id', 'document_id'])
    .having((eb) => eb.fn.countAll(), '>', 1)
    .execute()
}

/** One of the latest; through the interface, each would cost the sums of all. */
async function anOrder(random: Random, isPayable = false) {
  let query = site.db.selectFrom('order').select(['id', 'order_no', 'user_id', 'money', 'amount'])
  if (isPayable) query = query.where('status', '=', OrderStatus.Pending).where('type', '=', OrderType.Document)
  const row = pick(await query.orderBy('id', 'desc').limit(40).execute(), random)
  const buyer = people.find(({ id }) => id === row.user_id) ?? site.root
  return { ...row, buyer }
}

async function anAttempt(random: Random) {
  const rows = await site.db.selectFrom('payment').select('attempt_no').orderBy('id', 'desc').limit(20).execute()
  return pick(rows, random)
}

function pick<T>(values: readonly T[], random: Random): T {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}
