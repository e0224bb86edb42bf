import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCodes } from '#shared/codes.ts'
import { audits } from '#shared/contract/audit.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { orders } from '#shared/contract/orders.ts'
import { OrderStatus, OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import { findBrokenOrders } from '#server/cli/check-orders.ts'
import { addCredit } from '#server/modules/credits/credits.ledger.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

let site: Site
let author: Person
beforeAll(async () => {
  site = await openSite()
  author = await site.member()
  await site.configure({
    'pay.enable_bank_card': 'true',
    'pay.bank_card_text': '户名 文豆，账号 6222',
    'vip.enable': 'true',
    'download.times_every_day': '1000',
    'download.times_every_ip': '1000',
  })
})
afterAll(() => site.close())

describe('an order', () => {
  test('is not needed for what is free, bought or one’s own', async () => {
    const buyer = await memberWithCredits(10)
    const free = await storeDocument(site, { owner: author })
    const priced = await storeDocument(site, { owner: author, price: 4 })
    const nothing = { order_no: '', status: OrderStatus.Paid }
    expect(await order(buyer, free.id)).toEqual(nothing)
    expect(await order(author, priced.id)).toEqual(nothing)
    await buyer.call(downloads.download, { id: priced.id })
    expect(await order(buyer, priced.id)).toEqual(nothing)
  })

  test('is the same when the same thing is asked for twice, at once or later', async () => {
    const buyer = await site.member()
    const { id } = await storeDocument(site, { owner: author, price: 4 })
    const made = await Promise.all(Array.from({ length: 10 }, () => order(buyer, id)))
    expect(new Set(made.map(({ order_no }) => order_no)).size).toBe(1)
    expect(made[0]?.order_no).toMatch(/^\d{14}[0-9A-Z]{13}$/)
    expect(await order(buyer, id)).toEqual(made[0])
    const other = await site.member()
    expect(await order(other, id)).not.toEqual(made[0])
  })

  test('keeps its name and price whatever becomes of them', async () => {
    const buyer = await memberWithCredits(50)
    const { id } = await storeDocument(site, { owner: author, price: 20, title: '旧名' })
    const { order_no } = await order(buyer, id)
    await site.configure({ 'score.credit_exchange': '1' })
    await site.db.updateTable('document').set({ price: 45, title: '新名' }).where('id', '=', id).execute()
    expect(await buyer.call(orders.get, { order_no })).toMatchObject({ product_name: '旧名', amount: 20, money: 200 })
    await buyer.call(orders.pay, { order_no, payment_type: PaymentMethod.Credits })
    expect(await balance(buyer)).toBe(30)
    await site.configure({ 'score.credit_exchange': '10' })
  })

  test('comes with the time of the server, by which the buyer sees how long is left', async () => {
    const buyer = await site.member()
    const { id } = await storeDocument(site, { owner: author, price: 4 })
    const { order_no } = await order(buyer, id)
    site.advanceClock(10 * 60_000)
    const { now, expired_at } = await buyer.call(orders.get, { order_no })
    const left = (expired_at ?? 0) - now
    expect(left).toBeGreaterThan(19 * 60_000)
    expect(left).toBeLessThanOrEqual(20 * 60_000)
    expect((await buyer.call(orders.own, {})).now).toBeGreaterThanOrEqual(now)
  })

  test('belongs to its buyer: nobody else sees, pays or closes it', async () => {
    const [buyer, other] = [await memberWithCredits(9), await memberWithCredits(9)]
    const { id } = await storeDocument(site, { owner: author, price: 4 })
    const { order_no } = await order(buyer, id)
    const calls = [
      () => other.call(orders.get, { order_no }),
      () => other.call(orders.status, { order_no }),
      () => other.call(orders.methods, { order_no }),
      () => other.call(orders.pay, { order_no, payment_type: PaymentMethod.Credits }),
      () => other.call(orders.close, { order_no }),
    ]
    for (const call of calls) expect(await refusal(call())).toMatchObject({ reason: 'orders.notFound' })
    expect(await balance(other)).toBe(9)
  })

  test('for a card costs its price in credits and in fen; one without a price is not sold, and without VIP there is none', async () => {
    const buyer = await site.member()
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.Vip, product_id: VipCard.Month })
    expect(await buyer.call(orders.get, { order_no })).toMatchObject({
      product_name: 'VIP 月卡',
      amount: 290,
      money: 2900,
    })
    const isRefused = async (product_id: number) =>
      expect(await refusal(buyer.call(orders.create, { order_type: OrderType.Vip, product_id }))).toMatchObject({
        reason: 'orders.noSuchCard',
      })
    await isRefused(7)
    await site.configure({ 'vip.quarter_price': '0' })
    await isRefused(VipCard.Quarter)
    await site.configure({ 'vip.enable': 'false' })
    await isRefused(VipCard.Year)
    await site.configure({ 'vip.enable': 'true', 'vip.quarter_price': '6900' })
  })

  test('that nobody pays is closed when its time is over, and can be made anew', async () => {
    const buyer = await memberWithCredits(9)
    const { id } = await storeDocument(site, { owner: author, price: 4 })
    const { order_no } = await order(buyer, id)
    site.advanceClock(31 * 60_000)
    expect(await refusal(pay(buyer, order_no))).toMatchObject({ reason: 'orders.notPending' })
    expect((await order(buyer, id)).order_no).not.toBe(order_no)
    await site.runDueJobs()
    expect(await buyer.call(orders.status, { order_no })).toMatchObject({ status: OrderStatus.Closed })
  })

  test('can be closed and then removed from the list by its buyer, not before', async () => {
    const buyer = await site.member()
    const { id } = await storeDocument(site, { owner: author, price: 4 })
    const { order_no } = await order(buyer, id)
    const row = (await buyer.call(orders.own)).order[0]
    expect(row).toMatchObject({ order_no, status: OrderStatus.Pending })
    expect(await refusal(buyer.call(orders.delete, { id: [row?.id ?? 0] }))).toMatchObject({
      reason: 'orders.stillPending',
    })
    await buyer.call(orders.close, { order_no })
    expect(await refusal(pay(buyer, order_no))).toMatchObject({ reason: 'orders.notPending' })
    expect(await refusal(buyer.call(orders.close, { order_no }))).toMatchObject({ reason: 'orders.notPending' })
    await buyer.call(orders.delete, { id: [row?.id ?? 0] })
    expect((await buyer.call(orders.own)).order).toEqual([])
    expect((await site.root.call(orders.list, { wd: order_no })).total).toBe(1)
  })
})

describe('paying with credits', () => {
  test('takes them once, gives the author the share, and the document', async () => {
    await site.configure({ 'pay.author_percent': '70', 'pay.author_fee': '1' })
    const buyer = await memberWithCredits(30)
    const { id } = await storeDocument(site, { owner: author, price: 10 })
    const before = await balance(author)
    const { order_no } = await order(buyer, id)
    const said = await Promise.allSettled(Array.from({ length: 20 }, () => pay(buyer, order_no)))
    expect(said.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect([await balance(buyer), await balance(author)]).toEqual([20, before + 6])
    expect(await buyer.call(orders.get, { order_no })).toMatchObject({
      status: OrderStatus.Paid,
      payment_type: PaymentMethod.Credits,
    })
    expect(await buyer.call(downloads.terms, { id })).toMatchObject({ cost: 0, bought: true })
    await buyer.call(downloads.download, { id })
    expect(await balance(buyer)).toBe(20)
    await site.configure({ 'pay.author_percent': '100', 'pay.author_fee': '0' })
  })

  test('is refused with all three numbers when there are too few, and changes nothing', async () => {
    const buyer = await memberWithCredits(3)
    const { id } = await storeDocument(site, { owner: author, price: 10 })
    const { order_no } = await order(buyer, id)
    expect(await refusal(pay(buyer, order_no))).toMatchObject({ message: '需要 10 豆子，您有 3 豆子' })
    expect([await balance(buyer), (await buyer.call(orders.get, { order_no })).status]).toEqual([
      3,
      OrderStatus.Pending,
    ])
  })

  test('a download that costs is an order too', async () => {
    const buyer = await memberWithCredits(10)
    const { id } = await storeDocument(site, { owner: author, price: 4, title: '直接下载' })
    await buyer.call(downloads.download, { id })
    await buyer.call(downloads.download, { id })
    expect((await buyer.call(orders.own)).order).toMatchObject([
      { product_name: '直接下载', amount: 4, status: OrderStatus.Paid, payment_type: PaymentMethod.Credits },
    ])
  })

  test('does not pay for credits', async () => {
    const buyer = await memberWithCredits(1000)
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: 100 })
    expect(await refusal(pay(buyer, order_no))).toMatchObject({ reason: 'orders.methodDenied' })
    const { method } = await buyer.call(orders.methods, { order_no })
    expect(method.map(({ payment_type }) => payment_type)).toEqual([PaymentMethod.BankCard])
  })
})

describe('paying outside the site', () => {
  test('the buyer says so, staff confirm it, and the credits come with their bonus', async () => {
    await site.configure({ 'pay.topup_bonus': '100+10,500+80' })
    const buyer = await site.member()
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: 200 })
    const payment_type = PaymentMethod.BankCard
    const { extra } = await buyer.call(orders.pay, { order_no, payment_type })
    expect(extra).toMatchObject({ kind: 'offline', text: '户名 文豆，账号 6222' })
    await buyer.call(orders.claim, { order_no, payment_type, content: '尾号 1234 转出' })
    site.advanceClock(60 * 60_000)
    await site.runDueJobs()
    const cashier = await site.staff('OrderAPI/ListOrder', 'OrderAPI/UpdateOrder')
    const [claimed] = (await cashier.call(orders.list, { is_claimed: true })).order
    expect(claimed).toMatchObject({ order_no, status: OrderStatus.Pending, claim: '尾号 1234 转出' })
    const id = claimed?.id ?? 0
    await Promise.allSettled(Array.from({ length: 10 }, () => cashier.call(orders.confirm, { id })))
    expect(await balance(buyer)).toBe(210)
    expect(await buyer.call(orders.get, { order_no })).toMatchObject({
      status: OrderStatus.Paid,
      payment_type,
      bonus: 10,
    })
  })

  test('staff confirm it as a payment by bank card, in cash or another way outside the site, and no other', async () => {
    const offline: PaymentMethod[] = [PaymentMethod.BankCard, PaymentMethod.Cash, PaymentMethod.Other]
    const buyer = await site.member()
    for (const payment_type of allCodes(PaymentMethod).filter((method) => !offline.includes(method))) {
      const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: 10 })
      const confirmed = site.root.call(orders.confirm, { id: await idOf(order_no), payment_type })
      expect(await refusal(confirmed), String(payment_type)).toMatchObject({ reason: 'orders.notOffline' })
    }
    expect(await balance(buyer)).toBe(0)
    for (const payment_type of offline) {
      const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: 10 })
      await site.root.call(orders.confirm, { id: await idOf(order_no), payment_type })
      expect(await buyer.call(orders.get, { order_no })).toMatchObject({ payment_type, status: OrderStatus.Paid })
    }
    expect(await balance(buyer)).toBe(30)
  })

  test('what staff have counted is booked: shown to buyer and staff, in sums, and no more goes back', async () => {
    await site.configure({ 'pay.topup_bonus': '' })
    const settled = async (received_money?: number) => {
      const buyer = await site.member()
      const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: 100 })
      const id = await idOf(order_no)
      await site.root.call(orders.confirm, { id, payment_type: PaymentMethod.Cash, received_money })
      return { buyer, order_no, id }
    }
    const whole = await settled()
    expect(await whole.buyer.call(orders.get, whole)).toMatchObject({ money: 1000, received_money: 1000 })

    const short = await settled(800)
    expect(await balance(short.buyer)).toBe(100)
    expect(await short.buyer.call(orders.get, short)).toMatchObject({ money: 1000, received_money: 800 })
    expect(await site.root.call(orders.detail, short)).toMatchObject({ received_money: 800, difference_money: -200 })
    expect(await site.root.call(orders.list, { user_id: [short.buyer.id] })).toMatchObject({ money: 800 })
    expect(await refusal(refund(short.id, 801))).toMatchObject({ reason: 'orders.refundTooMuch' })
    await refund(short.id, 400)
    expect(await balance(short.buyer)).toBe(50)
    await refund(short.id, 400)
    expect(await balance(short.buyer)).toBe(0)

    const before = await cashOfToday()
    const over = await settled(1200)
    expect((await cashOfToday()) - before).toBe(1200)
    // Money counted beyond the price goes back first, and takes nothing with it.
    await refund(over.id, 200)
    expect([await balance(over.buyer), (await cashOfToday()) - before]).toEqual([100, 1000])
    await refund(over.id, 500)
    expect(await balance(over.buyer)).toBe(50)
    const said = (await site.root.call(audits.list, { area: ['orders'], size: 100 })).audit.map(({ change }) => change)
    expect(said).toEqual(expect.arrayContaining(['实收 8.00 元（少收 2.00 元）', '实收 12.00 元（多收 2.00 元）']))
    expect(await Array.fromAsync(findBrokenOrders(await site.app.context()))).toEqual([])
    const nothing = site.root.call(orders.confirm, { id: whole.id, received_money: 0 })
    expect(await refusal(nothing)).toMatchObject({ reason: 'request.invalid' })
  })

  test('staff refuse what has not arrived; the buyer reads why, and can still pay', async () => {
    const buyer = await site.member()
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: 50 })
    const claim = { order_no, payment_type: PaymentMethod.BankCard, content: '付了' }
    await buyer.call(orders.claim, claim)
    const [row] = (await site.root.call(orders.list, { wd: order_no })).order
    await site.root.call(orders.refuse, { id: row?.id ?? 0, remark: '没有这笔转账' })
    expect(await buyer.call(orders.get, { order_no })).toMatchObject({
      status: OrderStatus.Pending,
      claim: '未确认：没有这笔转账',
    })
    await buyer.call(orders.claim, claim)
    expect(await refusal(buyer.call(orders.claim, { ...claim, payment_type: PaymentMethod.Cash }))).toMatchObject({
      reason: 'orders.methodDenied',
    })
  })
})

describe('staff', () => {
  test('top up a member with a reason; the order is settled at once', async () => {
    const member = await site.member()
    const { order_no } = await site.root.call(orders.systemTopUp, { user_id: member.id, amount: 66, remark: '活动' })
    expect(await balance(member)).toBe(66)
    expect(await member.call(orders.get, { order_no })).toMatchObject({
      status: OrderStatus.Paid,
      order_type: OrderType.TopUp,
      payment_type: PaymentMethod.SystemTopUp,
    })
  })

  test('who top up twice with one request, at once or later, book it once; another request is another top-up', async () => {
    const [member, other] = [await site.member(), await site.member()]
    const topUp = (person: Person, key?: string) =>
      site.root.call(orders.systemTopUp, { user_id: person.id, amount: 20, remark: '补偿', key })
    const made = await Promise.all(Array.from({ length: 10 }, () => topUp(member, 'one click')))
    made.push(await topUp(member, 'one click'))
    expect(new Set(made.map(({ order_no }) => order_no)).size).toBe(1)
    expect(await balance(member)).toBe(20)
    await topUp(member, 'next click')
    await topUp(other, 'one click')
    await topUp(other)
    await topUp(other)
    expect([await balance(member), await balance(other)]).toEqual([40, 60])
  })

  test('need the permission for each act', async () => {
    const viewer = await site.staff('OrderAPI/ListOrder')
    const member = await site.member()
    const calls = [
      () => viewer.call(orders.confirm, { id: 1 }),
      () => viewer.call(orders.refund, { id: 1, amount: 1, reason: '退', key: 'key 12345' }),
      () => viewer.call(orders.systemTopUp, { user_id: member.id, amount: 1, remark: '送' }),
      () => member.call(orders.list),
    ]
    for (const call of calls) expect(await refusal(call())).toMatchObject({ status: 403 })
  })

  test('delete closed orders, and never one that was paid', async () => {
    const buyer = await memberWithCredits(9)
    const [one, other] = [
      await storeDocument(site, { owner: author, price: 4 }),
      await storeDocument(site, { owner: author, price: 4 }),
    ]
    const closed = await order(buyer, one.id)
    const paid = await order(buyer, other.id)
    await buyer.call(orders.close, { order_no: closed.order_no })
    await pay(buyer, paid.order_no)
    const rows = (await site.root.call(orders.list, { user_id: [buyer.id] })).order
    const idOf = (order_no: string) => rows.find((row) => row.order_no === order_no)?.id ?? 0
    expect(await refusal(site.root.call(orders.delete, { id: [idOf(paid.order_no)] }))).toMatchObject({
      reason: 'orders.paidKept',
    })
    await site.root.call(orders.delete, { id: [idOf(closed.order_no)] })
    expect((await site.root.call(orders.list, { user_id: [buyer.id] })).total).toBe(1)
  })

  test('see sums of what is filtered, less what went back', async () => {
    const buyer = await memberWithCredits(100)
    for (const price of [10, 20]) {
      const { id } = await storeDocument(site, { owner: author, price })
      await pay(buyer, (await order(buyer, id)).order_no)
    }
    const list = await site.root.call(orders.list, { user_id: [buyer.id], status: [OrderStatus.Paid] })
    expect(list).toMatchObject({ total: 2, credits: 30, money: 0 })
    const cheap = list.order.find(({ amount }) => amount === 10)
    await refund(cheap?.id ?? 0, 10)
    expect(await site.root.call(orders.list, { user_id: [buyer.id] })).toMatchObject({ credits: 20 })
  })

  test('see money where money was paid alone, by day and method', async () => {
    const sumsOf = async (method: PaymentMethod) => {
      const { day } = await site.root.call(orders.sums)
      const rows = day.filter(({ payment_type }) => payment_type === method)
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
      return { count: sum(rows.map(({ count }) => count)), money: sum(rows.map(({ money }) => money)) }
    }
    const before = await sumsOf(PaymentMethod.Cash)
    const buyer = await memberWithCredits(100)
    const { id: document } = await storeDocument(site, { owner: author, price: 10 })
    await pay(buyer, (await order(buyer, document)).order_no)
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: 100 })
    const id = await idOf(order_no)
    await site.root.call(orders.confirm, { id, payment_type: PaymentMethod.Cash })
    await refund(id, 400)
    expect(await site.root.call(orders.list, { user_id: [buyer.id] })).toMatchObject({ money: 600, credits: 10 })
    const after = await sumsOf(PaymentMethod.Cash)
    expect({ count: after.count - before.count, money: after.money - before.money }).toEqual({ count: 1, money: 600 })
    expect(await sumsOf(PaymentMethod.Credits)).toEqual({ count: 0, money: 0 })
  })
})

describe('a refund of credits', () => {
  test('gives them back, takes the author’s share back, and the document', async () => {
    const [buyer, seller] = [await memberWithCredits(10), await site.member()]
    const { id } = await storeDocument(site, { owner: seller, price: 10 })
    const { order_no } = await order(buyer, id)
    await pay(buyer, order_no)
    await buyer.call(downloads.download, { id })
    const row = await idOf(order_no)
    expect(await refund(row, 4)).toMatchObject({ state: 'done' })
    expect([await balance(buyer), await balance(seller)]).toEqual([4, 6])
    expect(await buyer.call(downloads.terms, { id })).toMatchObject({ bought: true })
    await refund(row, 6)
    expect([await balance(buyer), await balance(seller)]).toEqual([10, 0])
    expect(await buyer.call(downloads.terms, { id })).toMatchObject({ bought: false, cost: 10 })
    expect(await refusal(refund(row, 1))).toMatchObject({ reason: 'orders.refundTooMuch' })
  })

  test('twice with one key, or at once with many, never gives back more than was paid', async () => {
    const [buyer, seller] = [await memberWithCredits(10), await site.member()]
    const { id } = await storeDocument(site, { owner: seller, price: 10 })
    const { order_no } = await order(buyer, id)
    await pay(buyer, order_no)
    const row = await idOf(order_no)
    await Promise.allSettled(Array.from({ length: 10 }, () => refund(row, 7, 'the same key')))
    await Promise.allSettled(Array.from({ length: 10 }, (_, index) => refund(row, 2, `key ${index} of ten`)))
    expect([await balance(buyer), await balance(seller)]).toEqual([9, 1])
  })

  test('records what the author has spent already', async () => {
    const [buyer, seller] = [await memberWithCredits(10), await site.member()]
    const { id } = await storeDocument(site, { owner: seller, price: 10 })
    const { order_no } = await order(buyer, id)
    await pay(buyer, order_no)
    const theirs = await storeDocument(site, { owner: author, price: 8 })
    await seller.call(downloads.download, { id: theirs.id })
    await refund(await idOf(order_no), 10)
    expect([await balance(buyer), await balance(seller)]).toEqual([10, 0])
    const detail = await site.root.call(orders.detail, { id: await idOf(order_no) })
    expect(detail.refund).toMatchObject([{ state: 'done', credits: 10, missing_credits: 8 }])
  })
})

const order = (person: Person, product_id: number) =>
  person.call(orders.create, { order_type: OrderType.Document, product_id })

const pay = (person: Person, order_no: string) =>
  person.call(orders.pay, { order_no, payment_type: PaymentMethod.Credits })

let keys = 0
const refund = (id: number, amount: number, key = `refund ${(keys += 1)}`) =>
  site.root.call(orders.refund, { id, amount, reason: '买错了', key })

async function cashOfToday(): Promise<number> {
  const { day } = await site.root.call(orders.sums)
  return day
    .filter(({ payment_type }) => payment_type === PaymentMethod.Cash)
    .reduce((sum, { money }) => sum + money, 0)
}

async function idOf(order_no: string): Promise<number> {
  return (await site.root.call(orders.list, { wd: order_no })).order[0]?.id ?? 0
}

async function memberWithCredits(amount: number): Promise<Person> {
  const member = await site.member()
  await addCredit(await site.app.context(), { userId: member.id, amount, reason: 'sign' })
  return member
}

async function balance({ id }: { id: number }): Promise<number> {
  const row = await site.db.selectFrom('user').select('credit_count').where('id', '=', id).executeTakeFirstOrThrow()
  return row.credit_count
}
