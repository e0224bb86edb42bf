import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { currentUser } from '#shared/contract/current-user.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { notifications } from '#shared/contract/notifications.ts'
import { orders } from '#shared/contract/orders.ts'
import { OrderStatus, OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import { findBrokenOrders } from '#server/cli/check-orders.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

/** Payments that the owner tries out: who may use them, how they are marked, and that nothing of them stays. */

let site: Site
let tester: Person
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  tester = await site.member()
  await site.configure({
    'system.domain': '',
    'vip.enable': 'true',
    'pay.test_mode': 'true',
    'pay.trial_users': String(tester.id),
  })
})

const payment_type = PaymentMethod.Trial

async function order(person: Person, input: { order_type: OrderType; product_id?: number; quantity?: number }) {
  return (await person.call(orders.create, input)).order_no
}

async function payByTrial(person: Person, input: Parameters<typeof order>[1]): Promise<string> {
  const order_no = await order(person, input)
  await person.call(orders.pay, { order_no, payment_type })
  return order_no
}

const topUp = { order_type: OrderType.TopUp, quantity: 100 }

async function offers(person: Person): Promise<boolean> {
  const { method } = await person.call(orders.methods, { order_no: await order(person, topUp) })
  return method.some(({ is_trial }) => is_trial)
}

describe('who may use it', () => {
  test('members whom the owner names, and staff, without a domain', async () => {
    const staff = await site.staff('DocumentAPI/ListDocument')
    for (const person of [tester, staff, site.root]) {
      expect(await offers(person)).toBe(true)
      expect(await person.call(currentUser.permission)).toMatchObject({ may_try_paying: true })
      const order_no = await payByTrial(person, topUp)
      expect(await person.call(orders.get, { order_no })).toMatchObject({ status: OrderStatus.Paid, payment_type })
    }
  })

  test('nobody else, whatever is sent', async () => {
    const member = await site.member()
    expect(await offers(member)).toBe(false)
    expect(await member.call(currentUser.permission)).toMatchObject({ may_try_paying: false })
    const order_no = await order(member, topUp)
    const attempt = member.call(orders.pay, { order_no, payment_type })
    expect(await refusal(attempt)).toMatchObject({ reason: 'orders.methodDenied' })
    const claim = member.call(orders.claim, { order_no, payment_type, content: '已付' })
    expect(await refusal(claim)).toMatchObject({ reason: 'orders.methodDenied' })
    const [row] = (await site.root.call(orders.list, { wd: order_no })).order
    const confirmed = site.root.call(orders.confirm, { id: row?.id ?? 0, payment_type })
    expect(await refusal(confirmed)).toMatchObject({ reason: 'orders.notOffline' })
    expect(await balanceOf(member)).toBe(0)
  })

  test('nobody once it is off', async () => {
    await site.configure({ 'pay.test_mode': 'false' })
    for (const person of [tester, site.root]) {
      expect(await offers(person)).toBe(false)
      const attempt = person.call(orders.pay, { order_no: await order(person, topUp), payment_type })
      expect(await refusal(attempt)).toMatchObject({ reason: 'orders.methodDenied' })
    }
  })

  test('one that is paid cannot be paid again, and others are not the tester’s', async () => {
    const order_no = await payByTrial(tester, topUp)
    expect(await refusal(tester.call(orders.pay, { order_no, payment_type }))).toMatchObject({
      reason: 'orders.notPending',
    })
    expect(await balanceOf(tester)).toBe(100)
  })
})

test('it is a method of its own, and no income', async () => {
  const order_no = await payByTrial(tester, topUp)
  const [row] = (await site.root.call(orders.list, { payment_type: [payment_type], wd: order_no })).order
  expect(row).toMatchObject({ payment_title: '试运行' })
  expect(await site.root.call(orders.list, { payment_type: [payment_type] })).toMatchObject({ money: 0 })
  expect((await site.root.call(orders.sums, {})).day.some((sum) => sum.payment_type === payment_type)).toBe(false)
})

describe('what it granted is withdrawn', () => {
  test('with a list: credits, a card and a document, which is no sale for its author, once', async () => {
    const author = await site.member()
    const { id: product_id } = await storeDocument(site, { owner: author, price: 10 })
    await site.configure({ 'download.times_every_day': '10' })
    const numbers = [
      await payByTrial(tester, topUp),
      await payByTrial(tester, { order_type: OrderType.Document, product_id }),
      await payByTrial(tester, { order_type: OrderType.Vip, product_id: VipCard.Month }),
    ]
    await site.runDueJobs()
    expect([await balanceOf(tester), await balanceOf(author)]).toEqual([100, 0])
    expect((await author.call(notifications.list)).notification).toEqual([])
    const { order: listed } = await site.root.call(orders.trialOrders)
    expect(listed.map(({ order_no }) => order_no)).toEqual(expect.arrayContaining(numbers))

    await site.configure({ 'pay.test_mode': 'false' })
    const { withdrawn, missing_credits } = await site.root.call(orders.withdrawTrial)
    expect([withdrawn, missing_credits]).toEqual([listed.length, 0])
    expect([await balanceOf(tester), await balanceOf(author)]).toEqual([0, 0])
    expect(await tester.call(downloads.terms, { id: product_id })).toMatchObject({ cost: 10 })
    const card = await site.db.selectFrom('user_vip').selectAll().where('order_no', 'in', numbers).execute()
    expect(card).toMatchObject([{ expired_at: expect.toSatisfy((at: number) => at <= Date.now()) }])
    expect(await site.root.call(orders.trialOrders)).toMatchObject({ order: [] })
    expect(await site.root.call(orders.withdrawTrial)).toMatchObject({ withdrawn: 0 })
    expect(await Array.fromAsync(findBrokenOrders(await site.app.context()))).toEqual([])
  })

  test('credits that were spent are told, and the staff’s own orders go too', async () => {
    await payByTrial(site.root, topUp)
    await payByTrial(tester, topUp)
    await site.db.updateTable('user').set({ credit_count: 30 }).where('id', '=', tester.id).execute()
    expect(await site.root.call(orders.withdrawTrial)).toMatchObject({ withdrawn: 2, missing_credits: 70 })
  })

  test('only by staff who may refund', async () => {
    const staff = await site.staff('OrderAPI/ListOrder')
    expect(await refusal(staff.call(orders.trialOrders))).toMatchObject({ status: 403 })
    expect(await refusal(tester.call(orders.withdrawTrial))).toMatchObject({ status: 403 })
  })
})

async function balanceOf({ id }: Person): Promise<number> {
  const row = await site.db.selectFrom('user').select('credit_count').where('id', '=', id).executeTakeFirstOrThrow()
  return row.credit_count
}
