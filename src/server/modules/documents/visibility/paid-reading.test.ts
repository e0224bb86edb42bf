import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '#shared/client.ts'
import { documents } from '#shared/contract/documents.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { orders } from '#shared/contract/orders.ts'
import { bookmarks } from '#shared/contract/reading.ts'
import { searches } from '#shared/contract/search.ts'
import { vip } from '#shared/contract/vip.ts'
import { OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import { ApiError, errors } from '#shared/errors.ts'
import { addCredit } from '#server/modules/credits/credits.ledger.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import type { Person } from '#server/testing/site.ts'

/** Every viewer asks for what lies beyond the preview, through every channel; one table says who gets it. */

const kindNames = ['sold', 'vip', 'limited', 'readOnly'] as const
type Kind = (typeof kindNames)[number]
const viewerNames = ['visitor', 'member', 'buyer', 'cardHolder', 'ended', 'refunded', 'owner', 'staff'] as const
type ViewerName = (typeof viewerNames)[number]

/** `limited` is free, and its preview is limited too: there is nothing to pay for. `readOnly` has no download. */
const readToTheEnd: Record<ViewerName, readonly Kind[]> = {
  visitor: [],
  member: [],
  buyer: ['sold', 'vip', 'readOnly'],
  cardHolder: ['vip'],
  ended: [],
  refunded: [],
  owner: kindNames,
  staff: kindNames,
}

const price = 5
const dayMs = 86_400_000
let site: DocumentSite
let author: Person
const callers = {} as Record<ViewerName, Call>
const people = {} as Record<Exclude<ViewerName, 'visitor'>, Person>
const ids = {} as Record<Kind, number>

beforeAll(async () => {
  site = await openDocumentSite()
  await site.configure({
    'converter.max_preview': '1',
    'converter.max_preview_free': '1',
    'vip.enable': 'true',
    'vip.month_download': '1',
    'download.times_every_day': '1000',
    'download.times_every_ip': '1000',
  })
  author = await site.author()
  const columns: Record<Kind, { price: number; is_vip: 0 | 1; downloadable?: 0 }> = {
    sold: { price, is_vip: 0 },
    vip: { price, is_vip: 1 },
    limited: { price: 0, is_vip: 0 },
    readOnly: { price, is_vip: 0, downloadable: 0 },
  }
  for (const kind of kindNames) {
    const { hash } = await site.upload(author)
    const fixture = { title: `梦溪笔谈 ${kind}`, texts: ['第一页 石油', '第二页 活字印刷'], hash, owner: author }
    ;[ids[kind] = 0] = await site.addDocuments({ ...fixture, ...columns[kind] })
  }
  const [member, cardHolder, ended] = [await site.member(), await site.member(), await site.member()]
  const staff = await site.staff('DocumentAPI/GetDocument')
  Object.assign(people, { member, cardHolder, ended, staff, owner: author })
  people.buyer = await buy(ids.sold, ids.vip, ids.readOnly)
  people.refunded = await buy(ids.sold, ids.vip, ids.readOnly)
  const { order } = await people.refunded.call(orders.own, {})
  for (const paid of order) await refund(paid)
  for (const holder of [cardHolder, ended])
    await site.root.call(vip.grant, { user_id: holder.id, type: VipCard.Month, reason: '测试' })
  const { id } = await ended.call(vip.active)
  await site.root.call(vip.end, { id, reason: '到此为止' })
  for (const name of viewerNames) callers[name] = name === 'visitor' ? site.call : people[name].call
}, 60_000)
afterAll(() => site.close())

async function buy(...documentIds: number[]): Promise<Person> {
  const buyer = await site.member()
  await addCredit(await site.app.context(), { userId: buyer.id, amount: 100, reason: 'adjustment' })
  for (const product_id of documentIds) {
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.Document, product_id })
    await buyer.call(orders.pay, { order_no, payment_type: PaymentMethod.Credits })
  }
  return buyer
}

async function refund({ id, amount }: { id: number; amount: number }): Promise<void> {
  await site.root.call(orders.refund, { id, amount, reason: '测试', key: `refund-${id}` })
}

type Channel = (call: Call, id: number) => Promise<boolean>

/** The image is requested by the address that the viewer is given. */
function image(path: (key: string) => string): Channel {
  return async (call, id) => {
    const { attachment } = await call(documents.get, { id })
    const response = await site.request(path(attachment.hash))
    const reason = response.headers.get('content-type')?.includes('json') ? (await response.json()).reason : ''
    return reason !== errors.documents.beyondPreview().reason
  }
}

const channels: [name: string, channel: Channel][] = [
  ['the number of pages to read', async (call, id) => (await call(documents.get, { id })).preview === 2],
  ['the layout', async (call, id) => (await call(documents.layout, { id })).preview === 2],
  ['the progress', async (call, id) => (await call(documents.progress, { id: [id] })).document[0]?.preview === 2],
  ['a list', async (call, id) => (await call(documents.list, {})).document.find((row) => row.id === id)?.preview === 2],
  ['a page', image((key) => `/view/page/${key}/2.svg`)],
  ['a thumbnail', image((key) => `/view/thumb/${key}/2.webp`)],
  ['the text layer', image((key) => `/view/text/${key}/2.json`)],
  [
    'the reflowed text',
    async (call, id) => {
      const { attachment } = await call(documents.get, { id })
      return (await (await site.request(`/view/reflow/${attachment.hash}/1.json`)).text()).includes('活字')
    },
  ],
  ['the text below', async (call, id) => (await call(documents.get, { id })).content.includes('活字')],
  [
    'the whole text',
    async (call, id) => (await call(documents.get, { id, with_all_content: true })).content.includes('活字'),
  ],
  ['finding words', async (call, id) => (await call(documents.find, { id, wd: '活字' })).page.length > 0],
  ['marks on a page', async (call, id) => (await call(documents.find, { id, wd: '活字', page: 2 })).mark.length > 0],
  [
    'the excerpt of a search',
    async (call, id) => {
      const { document } = await call(searches.documents, { wd: '活字印刷' })
      return document.find((row) => row.id === id)?.excerpt.text.includes('活字') ?? false
    },
  ],
]

test('the index has their pages', async () => {
  await site.root.call(searches.reindex, {})
  await site.runDueJobs()
  const { document } = await author.call(searches.documents, { wd: '活字印刷' })
  expect(document.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(Object.values(ids))
})

test.each(channels)('%s', async (_name, channel) => {
  const read: Partial<Record<ViewerName, Kind[]>> = {}
  for (const viewer of viewerNames) {
    const kinds: Kind[] = []
    for (const kind of kindNames) if (await channel(callers[viewer], ids[kind])) kinds.push(kind)
    read[viewer] = kinds
  }
  expect(read).toEqual(readToTheEnd)
})

test('bookmarks and the end of reading follow the same rule', async () => {
  const marks: Partial<Record<ViewerName, Kind[]>> = {}
  for (const viewer of viewerNames) {
    if (viewer === 'visitor') continue
    const kinds: Kind[] = []
    for (const kind of kindNames) if (await isMarked(people[viewer], ids[kind])) kinds.push(kind)
    marks[viewer] = kinds
  }
  const { visitor: _visitor, ...members } = readToTheEnd
  expect(marks).toEqual(members)
})

async function isMarked({ call }: Person, document_id: number): Promise<boolean> {
  try {
    await call(bookmarks.create, { document_id, page: 2 })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.reason === errors.reading.noSuchPage().reason) return false
    throw error
  }
}

describe('what has been paid for', () => {
  test('is read without taking a document of the card', async () => {
    expect(await people.cardHolder.call(vip.active)).toMatchObject({ download: 1, download_used: 0 })
  })

  test('shows in every list the cover that everyone is shown, which caches keep', async () => {
    const cover = (call: Call) => call(documents.get, { id: ids.vip }).then((document) => document.cover)
    expect(await cover(people.buyer.call)).toBe(await cover(site.call))
  })

  test('ends with a refund: an address from before shows no more', async () => {
    const buyer = await buy(ids.sold)
    const { attachment } = await buyer.call(documents.get, { id: ids.sold })
    const path = `/view/text/${attachment.hash}/2.json`
    expect((await site.request(path)).status).toBe(200)
    const { order } = await buyer.call(orders.own, {})
    for (const paid of order) await refund(paid)
    expect((await site.request(path)).status).toBe(403)
  })

  test('ends with the card, and with the time in which a purchase is good', async () => {
    const preview = async ({ call }: Person, id: number) => (await call(documents.layout, { id })).preview
    const buyer = await buy(ids.sold)
    await site.configure({ 'download.free_download_duration': '1' })
    expect(await preview(buyer, ids.sold)).toBe(2)
    site.advanceClock(dayMs + 1000)
    expect(await preview(buyer, ids.sold)).toBe(1)
    await site.configure({ 'download.free_download_duration': '0' })
    expect(await preview(buyer, ids.sold)).toBe(2)
    const holder = await site.member()
    await site.root.call(vip.grant, { user_id: holder.id, type: VipCard.Month, reason: '测试' })
    expect(await preview(holder, ids.vip)).toBe(2)
    await site.configure({ 'vip.enable': 'false' })
    expect(await preview(holder, ids.vip)).toBe(1)
    await site.configure({ 'vip.enable': 'true' })
  })

  test('is also what a card makes free by its discount, and nothing that is free for all', async () => {
    await site.configure({ 'vip.year_document_discount': '0' })
    const holder = await site.member()
    await site.root.call(vip.grant, { user_id: holder.id, type: VipCard.Year, reason: '测试' })
    const previews = kindNames.map(async (kind) => (await holder.call(documents.layout, { id: ids[kind] })).preview)
    expect(await Promise.all(previews)).toEqual([2, 2, 1, 2])
  })

  test('is told before paying and after it', async () => {
    const terms = async (call: Call, kind: Kind) => {
      const { reads_all, opens_rest } = await call(downloads.terms, { id: ids[kind] })
      return { reads_all, opens_rest }
    }
    expect(await terms(people.member.call, 'sold')).toEqual({ reads_all: false, opens_rest: true })
    expect(await terms(people.buyer.call, 'sold')).toEqual({ reads_all: true, opens_rest: false })
    expect(await terms(people.cardHolder.call, 'vip')).toEqual({ reads_all: true, opens_rest: false })
    expect(await terms(people.member.call, 'readOnly')).toEqual({ reads_all: false, opens_rest: true })
    expect(await terms(people.member.call, 'limited')).toEqual({ reads_all: false, opens_rest: false })
  })

  test('is the pages alone where there is no download: then nothing is sold that all may read, or nobody', async () => {
    const order = (product_id: number) =>
      people.member.call(orders.create, { order_type: OrderType.Document, product_id })
    await order(ids.readOnly)
    expect(await people.buyer.call(downloads.terms, { id: ids.readOnly })).toMatchObject({
      bought: true,
      reason: errors.documents.previewOnly().reason,
    })
    const refusalOf = { reason: errors.documents.previewOnly().reason }
    await site.configure({ 'converter.max_preview': '2' })
    await expect(order(ids.readOnly)).rejects.toMatchObject(refusalOf)
    await site.configure({ 'converter.max_preview': '1', 'download.enable_paid_reading': 'false' })
    await expect(order(ids.readOnly)).rejects.toMatchObject(refusalOf)
    await site.configure({ 'download.enable_paid_reading': 'true' })
  })

  test('can be for downloading alone', async () => {
    await site.configure({ 'download.enable_paid_reading': 'false' })
    for (const { call } of [people.buyer, people.cardHolder])
      expect((await call(documents.layout, { id: ids.vip })).preview).toBe(1)
    expect((await author.call(documents.layout, { id: ids.vip })).preview).toBe(2)
    await site.configure({ 'download.enable_paid_reading': 'true' })
  })
})
