import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codes } from '#shared/contract/codes.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { orders } from '#shared/contract/orders.ts'
import { users } from '#shared/contract/users.ts'
import { createDownloadCode } from '#shared/download-code.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { DownloadCodeKind, OrderStatus, OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import { findBrokenOrders } from '#server/cli/check-orders.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

const { AnyDocument, NamedDocuments, Credits } = DownloadCodeKind
const payment_type = PaymentMethod.DownloadCode
const hour = 60 * 60_000

let site: Site
let author: Person
beforeAll(async () => {
  site = await openSite()
  site.freezeClock()
  author = await site.member()
  await site.configure({ 'download.enable_code_download': 'true', 'vip.enable': 'true' })
})
afterAll(() => site.close())

describe('a code for a document', () => {
  test('settles its order: no credits are taken, the author gets the share, the document can be downloaded', async () => {
    await site.configure({ 'pay.author_percent': '70' })
    const buyer = await site.member()
    const { id, order_no } = await orderDocument(buyer, { price: 10 })
    const [code = ''] = await make({ kind: AnyDocument })
    expect((await buyer.call(orders.methods, { order_no })).method).toContainEqual({
      payment_type,
      title: '下载码',
      icon: '',
      is_trial: false,
    })
    const before = await balance(author)
    expect(await pay(buyer, order_no, code.toLowerCase().replaceAll('-', ' '))).toEqual({})
    expect(await buyer.call(orders.get, { order_no })).toMatchObject({
      status: OrderStatus.Paid,
      payment_type,
      amount: 10,
    })
    expect([await balance(buyer), await balance(author)]).toEqual([0, before + 7])
    await buyer.call(downloads.download, { id })
    expect(await balance(buyer)).toBe(0)
    await site.configure({ 'pay.author_percent': '100' })
  })

  test('is used once, whatever 50 requests at once do with it', async () => {
    const [code = ''] = await make({ kind: AnyDocument, count: 3 })
    const buyers = await Promise.all(Array.from({ length: 10 }, () => site.member()))
    const pending = await Promise.all(
      buyers.flatMap((buyer) =>
        Array.from({ length: 5 }, async () => ({ buyer, ...(await orderDocument(buyer, { price: 10 })) })),
      ),
    )
    const before = await balance(author)
    const said = await Promise.allSettled(pending.map(({ buyer, order_no }) => pay(buyer, order_no, code)))
    expect(said.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const others = said.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : []))
    expect(new Set(others)).toEqual(new Set(['ApiError: 这个下载码已经用过了']))
    const states = await Promise.all(pending.map(({ buyer, order_no }) => buyer.call(orders.status, { order_no })))
    expect(states.filter(({ status }) => status === OrderStatus.Paid)).toHaveLength(1)
    expect(await balance(author)).toBe(before + 10)
  })

  test('is not lost with an order that is paid already, closed, or somebody else’s', async () => {
    const [buyer, neighbor] = [await site.member(), await site.member()]
    const [first = '', second = ''] = await make({ kind: AnyDocument, count: 2 })
    const paid = await orderDocument(buyer, { price: 5 })
    await pay(buyer, paid.order_no, first)
    expect(await refusal(pay(buyer, paid.order_no, second))).toMatchObject({ reason: 'orders.notPending' })
    const closed = await orderDocument(buyer, { price: 5 })
    await buyer.call(orders.close, closed)
    expect(await refusal(pay(buyer, closed.order_no, second))).toMatchObject({ reason: 'orders.notPending' })
    const open = await orderDocument(buyer, { price: 5 })
    expect(await refusal(pay(neighbor, open.order_no, second))).toMatchObject({ reason: 'orders.notFound' })
    await site.db.updateTable('document').set({ deleted_at: 1 }).where('id', '=', open.id).execute()
    expect(await refusal(pay(buyer, open.order_no, second))).toMatchObject({ reason: 'orders.productGone' })
    await pay(neighbor, (await orderDocument(neighbor, { price: 5 })).order_no, second)
  })

  test('says why it cannot be used, and stays unused', async () => {
    const buyer = await site.member()
    const { id, order_no } = await orderDocument(buyer, { price: 10 })
    const other = await storeDocument(site, { owner: author })
    const at = await now()
    const said = async (batch: Batch) => {
      const [code = ''] = await make(batch)
      return (await refusal(pay(buyer, order_no, code))).message
    }
    expect(await said({ kind: AnyDocument, max_price: 9 })).toBe('这个下载码只能用于不超过 9 豆子 的文档')
    expect(await said({ kind: NamedDocuments, document_id: [other.id] })).toBe('这个下载码不能用于这篇文档')
    expect(await said({ kind: Credits, credits: 5 })).toBe('这是换取豆子的下载码，请到“个人中心”的“豆子明细”里使用')
    expect(await said({ kind: AnyDocument, valid_from: at + hour })).toMatch(/^这个下载码从 \d{4}-.* 起才能使用$/)
    expect(await said({ kind: AnyDocument, valid_until: at - 1 })).toMatch(/^这个下载码已于 \d{4}-.* 过期$/)
    expect((await refusal(pay(buyer, order_no, ''))).message).toBe('下载码输错了，请对照检查后重新输入')
    const { used_count } = (await site.root.call(codes.list, { size: 1 })).batch[0] ?? {}
    expect(used_count).toBe(0)
    const [fitting = ''] = await make({ kind: NamedDocuments, document_id: [other.id, id], valid_until: at + hour })
    await pay(buyer, order_no, fitting)
  })

  test('works from its first moment and not at its end', async () => {
    const buyer = await site.member()
    const { order_no } = await orderDocument(buyer, { price: 10 })
    const from = (await now()) + 5 * 60_000
    const [early = ''] = await make({ kind: AnyDocument, valid_from: from })
    const [late = ''] = await make({ kind: AnyDocument, valid_until: from })
    site.advanceClock(from - (await now()))
    expect(await refusal(pay(buyer, order_no, late))).toMatchObject({ reason: 'codes.expired' })
    await pay(buyer, order_no, early)
  })

  test('is not offered for a card, nor taken for one', async () => {
    const buyer = await site.member()
    const [code = ''] = await make({ kind: AnyDocument })
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.Vip, product_id: VipCard.Month })
    const { method } = await buyer.call(orders.methods, { order_no })
    expect(method.map((row) => row.payment_type)).not.toContain(payment_type)
    expect(await refusal(pay(buyer, order_no, code))).toMatchObject({ reason: 'orders.methodDenied' })
  })

  test('is not taken while the owner has codes switched off', async () => {
    const buyer = await site.member()
    const [code = ''] = await make({ kind: AnyDocument })
    const [credits = ''] = await make({ kind: Credits, credits: 5 })
    const { order_no } = await orderDocument(buyer, { price: 10 })
    await site.configure({ 'download.enable_code_download': 'false' })
    const { method } = await buyer.call(orders.methods, { order_no })
    expect(method.map((row) => row.payment_type)).not.toContain(payment_type)
    expect(await refusal(pay(buyer, order_no, code))).toMatchObject({ reason: 'codes.off' })
    expect(await refusal(buyer.call(codes.redeem, { code: credits }))).toMatchObject({ reason: 'codes.off' })
    await site.configure({ 'download.enable_code_download': 'true' })
  })
})

describe('a code for credits', () => {
  test('brings them once, as a top-up that is settled', async () => {
    const member = await site.member()
    const [code = ''] = await make({ kind: Credits, credits: 30 })
    const said = await Promise.allSettled(Array.from({ length: 15 }, () => member.call(codes.redeem, { code })))
    expect(said.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await balance(member)).toBe(30)
    expect((await member.call(orders.own)).order).toMatchObject([
      { order_type: OrderType.TopUp, status: OrderStatus.Paid, payment_type, amount: 30, money: 0 },
    ])
  })

  test('is not one for a document', async () => {
    const member = await site.member()
    const [code = ''] = await make({ kind: AnyDocument })
    expect(await refusal(member.call(codes.redeem, { code }))).toMatchObject({ reason: 'codes.forDocuments' })
    expect((await member.call(orders.own)).order).toEqual([])
  })
})

test('guessing comes to a stop, also for codes that exist, and many mistakes in typing do not', async () => {
  const guesser = await site.member()
  const [code = ''] = await make({ kind: Credits, credits: 5 })
  for (let n = 0; n < 30; n += 1)
    expect(await refusal(guesser.call(codes.redeem, { code: 'AAAA' }))).toMatchObject({ reason: 'codes.mistyped' })
  const guess = () => refusal(guesser.call(codes.redeem, { code: createDownloadCode(randomInt) }))
  const said = await Promise.all(Array.from({ length: 40 }, guess))
  expect(said.filter(({ reason }) => reason === 'codes.unknown')).toHaveLength(20)
  expect(said.filter(({ reason }) => reason === 'users.slowDown')).toHaveLength(20)
  expect(await refusal(guesser.call(codes.redeem, { code }))).toMatchObject({ reason: 'users.slowDown' })
  site.advanceClock(2 * hour)
  await guesser.call(codes.redeem, { code })
})

describe('staff', () => {
  test('get a batch’s codes once; the database holds hashes alone', async () => {
    const made = await make({ kind: AnyDocument, count: 2500, note: '第一批' })
    expect(new Set(made).size).toBe(2500)
    const [batch] = (await site.root.call(codes.list, { wd: '第一批' })).batch
    expect(batch).toMatchObject({ count: 2500, used_count: 0, note: '第一批', voided_at: null })
    const stored = await site.db.selectFrom('download_code').select('hash').execute()
    const hashes = stored.map(({ hash }) => hash).join(' ')
    for (const code of made.slice(0, 100)) {
      expect(hashes).not.toContain(code)
      expect(hashes).not.toContain(code.replaceAll('-', ''))
    }
    const audit = JSON.stringify(await site.db.selectFrom('audit_log').selectAll().execute())
    expect(audit).toContain('第一批')
    expect(audit).not.toContain(made[0])
  })

  test('make at most 10,000 at a time, of something that exists, for a time that runs forward', async () => {
    const refused = async (batch: Batch) => (await refusal(make(batch))).reason
    expect(await refused({ kind: AnyDocument, count: 10_001 })).toBe('request.invalid')
    expect(await refused({ kind: AnyDocument, count: 0 })).toBe('request.invalid')
    expect(await refused({ kind: Credits })).toBe('codes.creditsNeeded')
    expect(await refused({ kind: NamedDocuments })).toBe('codes.documentsNeeded')
    expect(await refused({ kind: NamedDocuments, document_id: [999_999] })).toBe('codes.documentUnknown')
    expect(await refused({ kind: AnyDocument, valid_from: 2, valid_until: 1 })).toBe('schedule.backward')
  })

  test('see which code was used by whom, when and for which order, and find one by typing it', async () => {
    const buyer = await site.member()
    const [first = '', second = ''] = await make({ kind: AnyDocument, count: 2, note: '活动' })
    const one = await orderDocument(buyer, { price: 3, title: '甲' })
    await pay(buyer, one.order_no, first)
    await pay(buyer, (await orderDocument(buyer, { price: 3, title: '乙' })).order_no, second)
    const staff = await site.staff('DownloadCodeAPI/ListDownloadCode')
    const { total, code } = await staff.call(codes.used, { user_id: [buyer.id] })
    expect([total, code.map((row) => row.product_name)]).toEqual([2, ['乙', '甲']])
    const found = (await staff.call(codes.used, { wd: first.toLowerCase() })).code
    expect(found).toMatchObject([
      { user_id: buyer.id, order_no: one.order_no, product_name: '甲', amount: 3, note: '活动' },
    ])
    expect(found[0]?.used_at).toBeGreaterThan(0)
    expect((await staff.call(codes.list, { wd: '活动' })).batch[0]?.used_count).toBe(2)
    expect(await refusal(staff.call(codes.create, { kind: AnyDocument, count: 1 }))).toMatchObject({ status: 403 })
  })

  test('void a batch: its unused codes stop working; only one that nobody used can be deleted', async () => {
    const buyer = await site.member()
    const [first = '', second = ''] = await make({ kind: Credits, credits: 2, count: 2, note: '作废' })
    await buyer.call(codes.redeem, { code: first })
    const { id = 0 } = (await site.root.call(codes.list, { wd: '作废' })).batch[0] ?? {}
    expect(await refusal(site.root.call(codes.delete, { id: [id] }))).toMatchObject({ reason: 'codes.usedKept' })
    await site.root.call(codes.void, { id })
    expect(await refusal(site.root.call(codes.void, { id }))).toMatchObject({ reason: 'codes.voidedAlready' })
    expect(await refusal(buyer.call(codes.redeem, { code: second }))).toMatchObject({ reason: 'codes.voided' })
    const [gone = ''] = await make({ kind: Credits, credits: 2, note: '删除' })
    const { id: unused = 0 } = (await site.root.call(codes.list, { wd: '删除' })).batch[0] ?? {}
    await site.root.call(codes.delete, { id: [unused] })
    expect(await refusal(buyer.call(codes.redeem, { code: gone }))).toMatchObject({ reason: 'codes.unknown' })
  })
})

test('the check of orders finds one whose code was not used up, and none otherwise', async () => {
  const ctx = await site.app.context()
  expect(await Array.fromAsync(findBrokenOrders(ctx))).toEqual([])
  const buyer = await site.member()
  const { order_no } = await orderDocument(buyer, { price: 4 })
  const [code = ''] = await make({ kind: AnyDocument })
  await pay(buyer, order_no, code)
  await site.db.updateTable('download_code').set({ order_id: 0 }).where('user_id', '=', buyer.id).execute()
  expect(await Array.fromAsync(findBrokenOrders(ctx))).toEqual([
    { what: '用下载码支付的订单没有用掉一个下载码', orderNo: order_no },
  ])
})

type Batch = Partial<CallInput<typeof codes.create>> & { kind: DownloadCodeKind }

async function make(batch: Batch): Promise<string[]> {
  return (await site.root.call(codes.create, { count: 1, ...batch })).code
}

async function orderDocument(buyer: Person, document: { price: number; title?: string }) {
  const { id } = await storeDocument(site, { owner: author, ...document })
  const { order_no } = await buyer.call(orders.create, { order_type: OrderType.Document, product_id: id })
  return { id, order_no }
}

function pay(buyer: Person, order_no: string, downcode: string) {
  return buyer.call(orders.pay, { order_no, payment_type, downcode })
}

async function balance({ id }: Person): Promise<number> {
  return (await site.root.call(users.get, { id })).credit_count
}

async function now(): Promise<number> {
  return (await site.app.context()).now()
}
