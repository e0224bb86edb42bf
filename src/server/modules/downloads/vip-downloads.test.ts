import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { orders } from '#shared/contract/orders.ts'
import { vip } from '#shared/contract/vip.ts'
import { OrderStatus, OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import { addCredit } from '#server/modules/credits/credits.ledger.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

const day = 24 * 60 * 60_000

let site: Site
let author: Person
beforeAll(async () => {
  site = await openSite()
  author = await site.member()
  await site.configure({
    'vip.enable': 'true',
    'vip.month_download': '2',
    'vip.month_times_every_day': '0',
    'vip.month_document_discount': '75',
    'vip.year_document_discount': '33',
    'vip.quarter_document_discount': '60',
  })
})
afterAll(() => site.close())

describe('the price of a document', () => {
  test('is told with and without a card, before anything is bought', async () => {
    const { id } = await storeDocument(site, { owner: author, price: 10 })
    const member = await memberWithCredits(100)
    expect(await member.call(downloads.terms, { id })).toMatchObject({
      price: 10,
      cost: 10,
      vip_price: 4,
      is_vip: false,
      has_card: false,
      vip_left: 0,
    })
    await grant(member)
    expect(await member.call(downloads.terms, { id })).toMatchObject({
      price: 10,
      cost: 8,
      vip_price: 8,
      has_card: true,
      vip_left: 2,
      left: -1,
      refusal: '',
    })
    await member.call(downloads.download, { id, cost: 8 })
    expect(await balance(member)).toBe(92)
    expect(await member.call(downloads.terms, { id })).toMatchObject({ cost: 0, bought: true })
    await site.configure({ 'vip.enable': 'false' })
    const other = await storeDocument(site, { owner: author, price: 10 })
    expect(await member.call(downloads.terms, other)).toMatchObject({ cost: 10, vip_price: 10, has_card: false })
    await site.configure({ 'vip.enable': 'true' })
  })

  test('is not said to be lower with a card that the site does not sell', async () => {
    const { id } = await storeDocument(site, { owner: author, price: 10 })
    await site.db.updateTable('document').set({ is_vip: 1 }).where('id', '=', id).execute()
    const other = await storeDocument(site, { owner: author, price: 10 })
    const member = await memberWithCredits(100)
    expect(await member.call(downloads.terms, { id })).toMatchObject({ vip_price: 0 })
    await site.configure({ 'vip.year_price': '0' })
    expect(await member.call(downloads.terms, other)).toMatchObject({ vip_price: 6 })
    await site.configure({ 'vip.quarter_price': '0', 'vip.month_price': '0' })
    expect(await member.call(downloads.terms, { id })).toMatchObject({ vip_price: 10 })
    expect(await member.call(downloads.terms, other)).toMatchObject({ vip_price: 10 })
    await site.configure({ 'vip.year_price': '19900', 'vip.quarter_price': '6900', 'vip.month_price': '2900' })
  })

  test('of an order is the reduced one, and stays so after the card has ended', async () => {
    const { id } = await storeDocument(site, { owner: author, price: 11 })
    const member = await memberWithCredits(100)
    await grant(member)
    const { order_no } = await member.call(orders.create, { order_type: OrderType.Document, product_id: id })
    expect(await member.call(orders.get, { order_no })).toMatchObject({ price: 11, amount: 9 })
    const card = await member.call(vip.active)
    await site.root.call(vip.end, { id: card.id, reason: '到此为止' })
    expect(await member.call(downloads.terms, { id })).toMatchObject({ cost: 11, has_card: false })
    await member.call(orders.pay, { order_no, payment_type: PaymentMethod.Credits })
    expect(await balance(member)).toBe(91)
  })
})

describe('a VIP document', () => {
  test('is free within the card’s number, each counted once, and reduced after that', async () => {
    const member = await memberWithCredits(100)
    await grant(member)
    const [first, second, third] = [await marked(8), await marked(8), await marked(8)]
    expect(await member.call(downloads.terms, first)).toMatchObject({
      cost: 0,
      vip_price: 0,
      is_vip: true,
      vip_left: 2,
    })
    // An existing client asks for an order first.
    expect(await member.call(orders.create, { order_type: OrderType.Document, product_id: first.id })).toEqual({
      order_no: '',
      status: OrderStatus.Paid,
    })
    await member.call(downloads.download, first)
    await member.call(downloads.downloadVip, first)
    expect(await member.call(vip.active)).toMatchObject({ download: 2, download_used: 1 })
    await member.call(downloads.downloadVip, second)
    expect(await member.call(downloads.terms, third)).toMatchObject({ cost: 6, vip_price: 6, vip_left: 0 })
    expect(await refusal(member.call(downloads.downloadVip, third))).toMatchObject({ reason: 'vip.usedUp' })
    expect(await refusal(member.call(downloads.download, { ...third, cost: 0 }))).toMatchObject({ status: 409 })
    expect(await balance(member)).toBe(100)
    await member.call(downloads.download, first)
    await member.call(downloads.download, third)
    expect(await balance(member)).toBe(94)
    // The next card has a number of its own.
    await grant(member)
    const card = await member.call(vip.active)
    await site.root.call(vip.end, { id: card.id, reason: '换下一张' })
    expect(await member.call(downloads.terms, await marked(8))).toMatchObject({ cost: 0, vip_left: 2 })
  })

  test('is taken with a card alone by those who have one, and is no other document', async () => {
    const [member, other] = [await memberWithCredits(100), await site.member()]
    const document = await marked(8)
    expect(await refusal(member.call(downloads.downloadVip, document))).toMatchObject({ reason: 'vip.cardNeeded' })
    expect(await member.call(downloads.terms, document)).toMatchObject({ cost: 8, vip_price: 0, has_card: false })
    await grant(other)
    const plain = await storeDocument(site, { owner: author, price: 8 })
    expect(await refusal(other.call(downloads.downloadVip, plain))).toMatchObject({ reason: 'vip.notMarked' })
    expect(await refusal(other.call(downloads.downloadVip, { id: 999_999 }))).toMatchObject({ status: 404 })
    expect((await author.call(downloads.downloadVip, document)).url).toContain('/download/')
  })

  test('is free in any number where the card says 0', async () => {
    await site.configure({ 'vip.month_download': '0' })
    const member = await memberWithCredits(0)
    await grant(member)
    for (let count = 0; count < 4; count += 1) await member.call(downloads.download, await marked(8))
    expect(await member.call(downloads.terms, await marked(8))).toMatchObject({ cost: 0, vip_left: -1 })
    await site.configure({ 'vip.month_download': '2' })
  })
})

describe('at the same time', () => {
  test('fifty VIP documents with a card for two: two are free', { timeout: 60_000 }, async () => {
    const member = await memberWithCredits(0)
    await grant(member)
    const wanted = await Promise.all(Array.from({ length: 50 }, () => marked(8)))
    const said = await Promise.all(wanted.map((document) => reasonOf(member.call(downloads.download, document))))
    expect(said.filter((reason) => reason === '')).toHaveLength(2)
    expect(said.filter((reason) => reason === 'documents.creditShort')).toHaveLength(48)
    expect(await member.call(vip.active)).toMatchObject({ download_used: 2 })
    const { total } = await member.call(downloads.list)
    expect(total).toBe(2)
  })

  test('fifty times the same VIP document counts once', { timeout: 60_000 }, async () => {
    const member = await memberWithCredits(0)
    await grant(member)
    const document = await marked(8)
    const said = await Promise.all(
      Array.from({ length: 50 }, () => reasonOf(member.call(downloads.downloadVip, document))),
    )
    expect(said.filter(Boolean)).toEqual([])
    expect(await member.call(vip.active)).toMatchObject({ download_used: 1 })
  })
})

describe('the number of downloads a day', () => {
  test('is that of the card in place of the site’s, until the card ends', async () => {
    await site.configure({
      'download.times_every_day': '1',
      'download.times_every_ip': '1',
      'vip.month_times_every_day': '3',
    })
    const member = await site.member()
    const { id } = await storeDocument(site, { owner: author })
    await grant(member)
    expect((await member.call(downloads.terms, { id })).left).toBe(3)
    for (let count = 0; count < 3; count += 1) await member.call(downloads.download, { id })
    expect(await refusal(member.call(downloads.download, { id }))).toMatchObject({ reason: 'documents.timesPerDay' })
    site.advanceClock(day)
    await member.call(downloads.download, { id })
    await member.call(downloads.download, { id })
    const card = await member.call(vip.active)
    await site.root.call(vip.end, { id: card.id, reason: '到此为止' })
    expect(await refusal(member.call(downloads.download, { id }))).toMatchObject({ reason: 'documents.timesPerDay' })
    await site.configure({ 'download.times_every_day': '10', 'download.times_every_ip': '10' })
  })
})

async function grant({ id }: Person): Promise<void> {
  await site.root.call(vip.grant, { user_id: id, type: VipCard.Month, reason: '赠送' })
}

async function marked(price: number): Promise<{ id: number }> {
  const { id } = await storeDocument(site, { owner: author, price })
  await site.root.call(documents.setVip, { id: [id], is_vip: true })
  return { id }
}

async function memberWithCredits(amount: number): Promise<Person> {
  const member = await site.member()
  await addCredit(await site.app.context(), { userId: member.id, amount, reason: 'register' })
  return member
}

async function balance({ id }: Person): Promise<number> {
  const row = await site.db.selectFrom('user').select('credit_count').where('id', '=', id).executeTakeFirstOrThrow()
  return row.credit_count
}

/** Empty when it succeeds. */
function reasonOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => '',
    (error: unknown) => (error as { reason?: string }).reason ?? String(error),
  )
}
