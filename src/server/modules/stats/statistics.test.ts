import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { codes } from '#shared/contract/codes.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { orders } from '#shared/contract/orders.ts'
import { stats } from '#shared/contract/stats.ts'
import { DownloadCodeKind, OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import { moneyText } from '#shared/order-texts.ts'
import { dayStart, toDay, toLocalDay } from '#server/days.ts'
import { creditsToFen } from '#shared/prices.ts'
import { explainQueries } from '#server/testing/databases/query-plans.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'
import { countOnDay, listReads } from './document-days.ts'
import { countFunnel } from './funnel.ts'
import { dayOfQuarter, daysOf, toPeriod } from './period.ts'
import { listAuthors, listSales } from './sales.ts'

/** What owners see of a period: what is read, what is sold, what it brings, and how many of the visitors pay. */

let site: Site
let owner: Site['root']
let keys = 0
const dayMs = 86_400_000
const ago = (days: number) => toLocalDay(dayStart(Date.now(), days))

beforeAll(async () => {
  site = await openSite()
  owner = site.root
  await site.configure({
    'vip.enable': 'true',
    'vip.month_price': '1991',
    'pay.enable_cash': 'true',
    'pay.test_mode': 'true',
    'pay.topup_bonus': '',
    'score.credit_exchange': '3',
    'download.enable_code_download': 'true',
    'download.times_every_day': '1000',
    'download.times_every_ip': '1000',
  })
})
afterAll(() => site.close())

const whole = { days: 366 }

async function idOf(order_no: string): Promise<number> {
  const row = await site.db.selectFrom('order').select('id').where('order_no', '=', order_no).executeTakeFirstOrThrow()
  return row.id
}

type What = { order_type: OrderType; product_id?: number; quantity?: number }

async function order(buyer: Person, what: What): Promise<{ id: number; order_no: string }> {
  const { order_no } = await buyer.call(orders.create, what)
  return { id: await idOf(order_no), order_no }
}

async function inCash(buyer: Person, what: What, received_money?: number): Promise<number> {
  const { id } = await order(buyer, what)
  await owner.call(orders.confirm, { id, payment_type: PaymentMethod.Cash, received_money })
  return id
}

async function buyerWith(credits: number): Promise<Person> {
  const buyer = await site.member()
  if (credits > 0) await owner.call(orders.systemTopUp, { user_id: buyer.id, amount: credits, remark: '测试' })
  return buyer
}

const buy = (product_id: number): What => ({ order_type: OrderType.Document, product_id })
const refund = (id: number, amount: number) =>
  owner.call(orders.refund, { id, amount, reason: '不想要了', key: `refund ${(keys += 1)}` })

/** Paid on another day than today. */
async function movePayment(id: number, paid_at: number): Promise<void> {
  await site.db.updateTable('order').set({ paid_at }).where('id', '=', id).execute()
}

test('sales and income agree with the list of orders, its file and its sums, to the fen', async () => {
  const [dearFen = 0, cheapFen = 0, topUpFen = 0] = [100, 7, 17].map((credits) => creditsToFen(credits, 3))
  const [one, other] = [await site.member('李老师'), await site.member('王老师')]
  const cheap = await storeDocument(site, { owner: one, price: 7, title: '期末复习' })
  const dear = await storeDocument(site, { owner: other, price: 100, title: '行业报告' })

  const short = 89
  // Money: whole, too little by count, refunded in part and as a whole.
  await inCash(await buyerWith(0), buy(dear.id))
  await inCash(await buyerWith(0), buy(dear.id), dearFen - short)
  const inPart = await inCash(await buyerWith(0), buy(dear.id))
  await refund(inPart, 101)
  const gone = await inCash(await buyerWith(0), buy(cheap.id))
  await refund(gone, cheapFen)
  await inCash(await buyerWith(0), { order_type: OrderType.Vip, product_id: VipCard.Month })
  await inCash(await buyerWith(0), { order_type: OrderType.TopUp, quantity: 17 })
  // Credits: by a download, by an order, refunded.
  const reader = await buyerWith(200)
  await reader.call(downloads.download, { id: cheap.id })
  const withCredits = await buyerWith(200)
  const { id, order_no } = await order(withCredits, buy(dear.id))
  await withCredits.call(orders.pay, { order_no, payment_type: PaymentMethod.Credits })
  await refund(id, 40)
  // A code brings neither, but it is a sale.
  const { code: codesMade } = await owner.call(codes.create, {
    kind: DownloadCodeKind.AnyDocument,
    count: 1,
  })
  const withCode = await buyerWith(0)
  const coded = await order(withCode, buy(cheap.id))
  await withCode.call(orders.pay, {
    order_no: coded.order_no,
    payment_type: PaymentMethod.DownloadCode,
    downcode: codesMade[0] ?? '',
  })
  // No sales: a trial, a gift of staff, an order that nobody paid.
  const trial = await order(owner, { order_type: OrderType.TopUp, quantity: 50 })
  await owner.call(orders.pay, { order_no: trial.order_no, payment_type: PaymentMethod.Trial })
  await order(await buyerWith(0), buy(dear.id))

  const sales = await owner.call(stats.sales, whole)
  expect(
    sales.product.map(({ title, sold, taken_back, money, credits }) => [title, sold, taken_back, money, credits]),
  ).toEqual([
    ['行业报告', 4, 2, 3 * dearFen - short - 101, 60],
    ['期末复习', 3, 1, 0, 7],
    ['VIP 月卡', 1, 0, 1991, 0],
    [expect.stringContaining('充值'), 1, 0, topUpFen, 0],
  ])
  expect(sales.product[0]).toMatchObject({ username: '王老师', href: `/document/${dear.uuid}`, user_id: other.id })
  const byIncome = await owner.call(stats.sales, { ...whole, by: 'income' })
  expect(byIncome.product.map(({ money }) => money)).toEqual([3 * dearFen - short - 101, 1991, topUpFen, 0])

  const income = { sold: 9, taken_back: 3, money: 3 * dearFen - short - 101 + 1991 + topUpFen, credits: 67 }
  expect(sales).toMatchObject({ total: 4, ...income })
  expect(byIncome).toMatchObject(income)
  const authors = await owner.call(stats.authors, whole)
  expect(authors).toMatchObject({ total: 4, ...income })
  expect(
    authors.author.map(({ order_type, username, money, credits }) => [order_type, username, money, credits]),
  ).toEqual([
    [OrderType.Document, '王老师', 3 * dearFen - short - 101, 60],
    [OrderType.Vip, '', 1991, 0],
    [OrderType.TopUp, '', topUpFen, 0],
    [OrderType.Document, '李老师', 0, 7],
  ])

  const period = { paid_at: [sales.first, sales.last] }
  const listed = await owner.call(orders.list, { ...period, size: 100 })
  expect([listed.money, listed.credits]).toEqual([income.money, income.credits])
  const rows = listed.order.map(
    (row) => Math.round(Number(moneyText(row) || 0) * 100) + row.difference_money - row.refunded_money,
  )
  expect(rows.reduce((sum, money) => sum + money, 0)).toBe(income.money)
  const { day } = await owner.call(orders.sums, period)
  expect(day.reduce((sum, { money }) => sum + money, 0)).toBe(income.money)
})

test('a document that is gone for good keeps its sales under its name of then, and its author is not guessed', async () => {
  const document = await storeDocument(site, { owner: await site.member(), price: 5, title: '撤下的文档' })
  const id = await inCash(await buyerWith(0), buy(document.id))
  await movePayment(id, dayStart(Date.now(), 40) + dayMs / 2)
  await site.db.deleteFrom('document').where('id', '=', document.id).execute()
  const period = { first: ago(40), last: ago(40) }
  const { product } = await owner.call(stats.sales, period)
  expect(product).toMatchObject([
    { title: '撤下的文档', href: '', user_id: 0, username: '', money: creditsToFen(5, 3) },
  ])
  const { author } = await owner.call(stats.authors, period)
  expect(author).toMatchObject([
    { order_type: OrderType.Document, user_id: 0, username: '', money: creditsToFen(5, 3) },
  ])
})

describe('the period', () => {
  afterEach(() => vi.unstubAllEnvs())

  test('begins and ends with the days of the site: the last millisecond is in, the next is not', async () => {
    const document = await storeDocument(site, { owner: await site.member(), price: 10 })
    const at = [
      dayStart(Date.now(), 52),
      dayStart(Date.now(), 51) - 1,
      dayStart(Date.now(), 51),
      dayStart(Date.now(), 50) - 1,
    ]
    for (const paid_at of at) await movePayment(await inCash(await buyerWith(0), buy(document.id)), paid_at)
    const sold = async (first: string, last: string) => (await owner.call(stats.sales, { first, last })).sold
    expect([await sold(ago(52), ago(52)), await sold(ago(51), ago(51)), await sold(ago(52), ago(51))]).toEqual([
      2, 2, 4,
    ])
    const { day } = await owner.call(stats.funnel, { first: ago(53), last: ago(50) })
    expect(day.map(({ day, paid }) => [day, paid])).toEqual([
      [ago(53), 0],
      [ago(52), 2],
      [ago(51), 2],
      [ago(50), 0],
    ])
  })

  test.each(['Asia/Shanghai', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe'])(
    'has the days of %s, also those with a clock change',
    (zone) => {
      vi.stubEnv('TZ', zone)
      const period = toPeriod(Date.UTC(2026, 11, 31, 12), { first: '', last: '', days: 366 })
      const days = daysOf(period)
      expect([days.length, days[0], days.at(-1)]).toEqual([366, 20251231, 20261231])
      for (let start = period.from; start < period.to; start = dayStart(start, -1)) {
        const quarter = 900_000
        expect(start % quarter).toBe(0)
        expect(dayOfQuarter(Math.floor(start / quarter))).toBe(toDay(start))
        expect(dayOfQuarter(Math.floor((start - 1) / quarter))).toBe(toDay(start - 1))
      }
    },
  )

  test('is the last thirty days unless it is chosen, at most a year, never in the future', async () => {
    const days = async (input: { first?: string; last?: string; days?: number }) => {
      const { first, last } = await owner.call(stats.reads, input)
      return [first, last]
    }
    expect(await days({})).toEqual([ago(29), ago(0)])
    expect(await days({ days: 7 })).toEqual([ago(6), ago(0)])
    expect(await days({ first: '2020-01-01', last: '2999-01-01' })).toEqual([ago(365), ago(0)])
    expect(await days({ first: ago(3), last: ago(5) })).toEqual([ago(5), ago(5)])
    expect(await days({ first: '不是日期' })).toEqual([ago(29), ago(0)])
    expect(await refusal(owner.call(stats.reads, { days: 0 }))).toMatchObject({ status: 400 })
  })

  test('without anything is empty, and each of its days is a zero', async () => {
    const period = { first: '2024-02-28', last: '2024-03-01' }
    const nothing = { total: 0, sold: 0, taken_back: 0, money: 0, credits: 0, ...period }
    expect(await owner.call(stats.sales, period)).toEqual({ ...nothing, product: [] })
    expect(await owner.call(stats.authors, period)).toEqual({ ...nothing, author: [] })
    expect(await owner.call(stats.reads, period)).toMatchObject({ total: 0, reads: 0, document: [] })
    const zeros = { view: 0, visitor: 0, read: 0, ordered: 0, paid: 0 }
    expect((await owner.call(stats.funnel, period)).day).toEqual(
      ['2024-02-28', '2024-02-29', '2024-03-01'].map((day) => ({ day, ...zeros })),
    )
  })
})

test('most read are the documents by their reads of these days, with the sums of all', async () => {
  const author = await site.member()
  const [often, once, recycled] = [
    await storeDocument(site, { owner: author, title: '常读' }),
    await storeDocument(site, { owner: author, title: '读过一次' }),
    await storeDocument(site, { owner: author, title: '在回收站' }),
  ]
  const at = dayStart(Date.now(), 80) + 1000
  const read = (documentId: number, times: number, at: number) =>
    countOnDay(site.db, { documentId, counter: 'reads', at, change: times })
  await read(often.id, 3, at)
  await read(often.id, 2, dayStart(Date.now(), 79) - 1)
  await read(often.id, 50, dayStart(Date.now(), 79))
  await read(once.id, 1, at)
  await read(recycled.id, 2, at)
  await countOnDay(site.db, { documentId: once.id, counter: 'downloads', at })
  await site.db.updateTable('document').set({ deleted_at: at }).where('id', '=', recycled.id).execute()
  const found = await owner.call(stats.reads, { first: ago(80), last: ago(80) })
  expect(found).toMatchObject({ total: 3, reads: 8, downloads: 1, favorites: 0 })
  expect(found.document.map(({ title, reads, href }) => [title, reads, href])).toEqual([
    ['常读', 5, `/document/${often.uuid}`],
    ['在回收站', 2, ''],
    ['读过一次', 1, `/document/${once.uuid}`],
  ])
  expect(found.document[0]?.username).toBe(author.username)
})

test('from visits to payments, each step is counted on its day', async () => {
  const at = dayStart(Date.now(), 100) + 1000
  const day = toDay(at)
  const document = await storeDocument(site, { owner: await site.member(), price: 10 })
  await site.db
    .insertInto('daily_count')
    .values([
      { day, name: 'view', count: 30 },
      { day, name: 'visitor', count: 12 },
      { day, name: 'search', count: 5 },
    ])
    .execute()
  await countOnDay(site.db, { documentId: document.id, counter: 'reads', at, change: 9 })
  const unpaid = await order(await buyerWith(0), buy(document.id))
  const paid = await inCash(await buyerWith(0), buy(document.id))
  const trial = await order(owner, { order_type: OrderType.TopUp, quantity: 51 })
  await owner.call(orders.pay, { order_no: trial.order_no, payment_type: PaymentMethod.Trial })
  await site.db.updateTable('order').set({ created_at: at }).where('id', 'in', [unpaid.id, paid, trial.id]).execute()
  await movePayment(paid, dayStart(Date.now(), 99))
  const funnel = await owner.call(stats.funnel, { first: ago(100), last: ago(99) })
  expect(funnel.day).toEqual([
    { day: ago(100), view: 30, visitor: 12, read: 9, ordered: 2, paid: 0 },
    { day: ago(99), view: 0, visitor: 0, read: 0, ordered: 0, paid: 1 },
  ])
})

test('a permission of its own opens them', async () => {
  const all = [stats.reads, stats.sales, stats.authors, stats.funnel]
  const staff = await site.staff('StatsAPI/ListStats')
  const others = await site.staff('ConfigAPI/GetStats', 'OrderAPI/ListOrder')
  for (const endpoint of all) {
    expect(await staff.call(endpoint, {})).toMatchObject({ last: ago(0) })
    expect(await refusal(others.call(endpoint, {}))).toMatchObject({ status: 403 })
  }
})

test.runIf(inject('database').engine === 'sqlite')(
  'each is a range of an index, however many orders there are',
  async () => {
    const watched = explainQueries(site.db)
    const ctx = { ...(await site.app.context()), db: watched.db }
    const period = { first: '', last: '', days: 30 }
    const counters = [
      () => listReads(ctx, period),
      () => listSales(ctx, { ...period, by: 'sold' }),
      () => listAuthors(ctx, period),
    ]
    for (const counter of counters) {
      await counter()
      const steps = (await watched.plans()).flat()
      expect(steps.some((step) => /^SEARCH (order|document_day) USING/.test(step))).toBe(true)
      expect(steps.filter((step) => /^SCAN (document_day|order|document|user)\b/.test(step))).toEqual([])
    }
    await countFunnel(ctx, period)
    const plans = await watched.plans()
    expect(plans).toHaveLength(4)
    expect(plans.flat().filter((step) => step.startsWith('SCAN'))).toEqual([])
  },
)
