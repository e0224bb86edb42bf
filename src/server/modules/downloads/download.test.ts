import { DocumentStatus } from '#shared/document-status.ts'
import { Punishment } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { credits } from '#shared/contract/credits.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { punishments } from '#shared/contract/access.ts'
import { anonymous, type Ctx } from '#server/context.ts'
import { openSite, type Person, type Site } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'
import { loadViewer } from '#server/modules/access/access.viewer.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { addCredit } from '#server/modules/credits/credits.ledger.ts'
import { buyDocument } from '#server/modules/orders/paying/pay-with-credits.ts'
import { downloadDocument as download, downloadForReview } from './download.ts'
import { getTerms } from './terms.ts'

const downloadDocument = (ctx: Ctx, input: { id: number; cost?: number }) => download(ctx, input, buyDocument)

const day = 24 * 60 * 60 * 1000
const plenty = { 'download.times_every_day': '1000', 'download.times_every_ip': '1000' }

let site: Site
let author: Person
let networks = 0
beforeAll(async () => {
  site = await openSite()
  author = await site.member()
  await site.configure(plenty)
})
afterAll(() => site.close())

describe('the checks', () => {
  test('ask who it is first, before anything about the document is said', async () => {
    const guest = await as()
    expect(await refusal(guest, 999_999)).toBe('access.loginNeeded')
    await site.configure({ 'download.enable_guest_download': 'true' })
    const priced = await storeDocument(site, { owner: author, price: 3 })
    const free = await storeDocument(site, { owner: author })
    expect(await refusal(await as(), 999_999)).toBe('documents.notFound')
    expect(await refusal(await as(), priced.id)).toBe('documents.guestPays')
    expect(await downloadDocument(await as(), free)).toEqual({ url: expect.stringMatching(/^\/download\/[\w.-]+$/) })
    expect(await downloadRows(free.id)).toMatchObject([{ user_id: 0, is_pay: 0, price: 0 }])
    await site.configure({ 'download.enable_guest_download': 'false' })
  })

  test('refuse a download that costs more than the reader agreed to, and say what it costs now', async () => {
    const reader = await memberWithCredits(50)
    const { id } = await storeDocument(site, { owner: author, price: 5 })
    const { cost } = await getTerms(await as(reader), { id })
    await site.db.updateTable('document').set({ price: 9 }).where('id', '=', id).execute()
    await expect(downloadDocument(await as(reader), { id, cost })).rejects.toMatchObject({
      reason: 'documents.priceChanged',
      status: 409,
      message: expect.stringMatching(/9/),
    })
    expect([await balance(reader), await downloadCount(id), await used(reader)]).toEqual([50, 0, 0])
    await site.db.updateTable('document').set({ price: 4 }).where('id', '=', id).execute()
    await downloadDocument(await as(reader), { id, cost })
    expect(await balance(reader)).toBe(46)
    await site.db.updateTable('document').set({ price: 30 }).where('id', '=', id).execute()
    await downloadDocument(await as(reader), { id, cost: 0 })
    const other = await memberWithCredits(50)
    await downloadDocument(await as(other), { id })
    expect([await balance(reader), await balance(other)]).toEqual([46, 20])
    const asked = await site.send('GET', `/api/v1/document/download?id=${id}&cost=29`, {
      token: (await memberWithCredits(50)).token,
    })
    expect(asked.status).toBe(409)
  })

  test('refuse only members who are not allowed to download', async () => {
    const { id } = await storeDocument(site, { owner: author })
    const [banned, silenced] = [await site.member(), await site.member()]
    await site.root.call(punishments.create, {
      user_id: [banned.id],
      type: [Punishment.NoDownload],
      enable: true,
      reason: '盗链',
    })
    await site.root.call(punishments.create, { user_id: [silenced.id], type: [Punishment.NoComment], enable: true })
    await expect(downloadDocument(await as(banned), { id })).rejects.toMatchObject({
      reason: 'punishments.active',
      message: expect.stringContaining('盗链'),
    })
    await downloadDocument(await as(silenced), { id })
  })

  test('count by network and then by person, and only what succeeds', async () => {
    await site.configure({ 'download.times_every_day': '2', 'download.times_every_ip': '3' })
    const [one, other] = [await site.member(), await site.member()]
    const { id } = await storeDocument(site, { owner: author })
    const home = 'a home'
    expect(await refusal(await as(one, home), 999_999)).toBe('documents.notFound')
    await downloadDocument(await as(one, home), { id })
    await downloadDocument(await as(one, home), { id })
    expect(await refusal(await as(one, home), id)).toBe('documents.timesPerDay')
    await downloadDocument(await as(other, home), { id })
    expect(await refusal(await as(other, home), id)).toBe('documents.timesPerAddress')
    expect(await refusal(await as(one, home), id)).toBe('documents.timesPerAddress')
    await downloadDocument(await as(other), { id })
    site.advanceClock(day)
    await downloadDocument(await as(one, home), { id })
    await site.configure(plenty)
  })

  test('say that nothing can be downloaded where the limit is 0', async () => {
    const { id } = await storeDocument(site, { owner: author })
    const member = await site.member()
    await site.configure({ ...plenty, 'download.times_every_day': '0' })
    expect(await refusal(await as(member), id)).toBe('documents.timesPerDay')
    await site.configure({ ...plenty, 'download.times_every_ip': '0' })
    expect(await refusal(await as(member), id)).toBe('documents.timesPerAddress')
    await site.configure(plenty)
  })

  test.each([
    [DocumentStatus.Disabled, 'documents.notFound', 'documents.notDownloadable', 'documents.notDownloadable'],
    [DocumentStatus.InReview, 'documents.notFound', '', ''],
    [DocumentStatus.Rejected, 'documents.notFound', '', ''],
    [DocumentStatus.Pending, '', '', ''],
    [DocumentStatus.Failed, '', '', ''],
  ])('in state %i refuse a member with “%s”, the owner with “%s”, the staff with “%s”', async (status, ...refusals) => {
    const { id } = await storeDocument(site, { owner: author, status })
    const people = [await site.member(), author, await site.staff('DocumentAPI/ListDocument')]
    const said = await Promise.all(people.map(async (person) => refusal(await as(person), id)))
    expect(said).toEqual(refusals)
  })

  test('refuse what is in the recycle bin, and say that it is gone', async () => {
    const { id } = await storeDocument(site, { owner: author })
    await site.db.updateTable('document').set({ deleted_at: 1 }).where('id', '=', id).execute()
    expect(await refusal(await as(author), id)).toBe('documents.gone')
    expect(await refusal(await as(site.root), id)).toBe('documents.gone')
  })

  test('take no money for a file that is not there', async () => {
    const { id, hash } = await storeDocument(site, { owner: author, price: 2 })
    const buyer = await memberWithCredits(2)
    await (await site.app.context()).storage.remove([contentKey(hash)])
    expect(await refusal(await as(buyer), id)).toBe('documents.fileMissing')
    expect(await balance(buyer)).toBe(2)
  })
})

describe('paying', () => {
  test('moves the whole price from the reader to the author, once', async () => {
    const { id } = await storeDocument(site, { owner: author, price: 4 })
    const buyer = await memberWithCredits(5)
    const before = await balance(author)
    await downloadDocument(await as(buyer), { id })
    // With less left than the price: who has paid need not be able to pay again.
    await downloadDocument(await as(buyer), { id })
    expect([await balance(buyer), await balance(author)]).toEqual([1, before + 4])
    expect(await downloadRows(id)).toMatchObject([
      { is_pay: 1, price: 4 },
      { is_pay: 0, price: 0 },
    ])
    expect(await downloadCount(id)).toBe(2)
    await ledgerHolds(buyer)
    await ledgerHolds(author)
  })

  test('too little is said with all three: the price, the balance and the name of the credit', async () => {
    const { id } = await storeDocument(site, { owner: author, price: 5 })
    const buyer = await memberWithCredits(2)
    await expect(downloadDocument(await as(buyer), { id })).rejects.toMatchObject({
      status: 403,
      reason: 'documents.creditShort',
      message: '需要 5 豆子，您有 2 豆子',
    })
    expect([await balance(buyer), await downloadCount(id), await downloadRows(id)]).toEqual([2, 0, []])
    expect(await used(buyer)).toBe(0)
  })

  test('is due again after the days for which it was good; 0 days are for ever', async () => {
    const { id } = await storeDocument(site, { owner: author, price: 1 })
    const buyer = await memberWithCredits(3)
    await downloadDocument(await as(buyer), { id })
    await downloadDocument(later(await as(buyer), 4000 * day), { id })
    expect(await balance(buyer)).toBe(2)
    await site.configure({ 'download.free_download_duration': '7' })
    await downloadDocument(later(await as(buyer), 7 * day - 60_000), { id })
    expect(await balance(buyer)).toBe(2)
    await downloadDocument(later(await as(buyer), 7 * day + 1), { id })
    expect(await balance(buyer)).toBe(1)
    await downloadDocument(later(await as(buyer), 8 * day), { id })
    expect(await balance(buyer)).toBe(1)
    await site.configure({ 'download.free_download_duration': '0' })
  })

  test('is not for owners, who are not counted either', async () => {
    const { id } = await storeDocument(site, { owner: author, price: 1_000_000 })
    await site.configure({ ...plenty, 'download.times_every_day': '0' })
    await downloadDocument(await as(author), { id })
    expect([await downloadCount(id), await downloadRows(id)]).toEqual([0, []])
    await site.configure(plenty)
  })

  test('what fails after the payment is undone with it', async () => {
    const { id } = await storeDocument(site, { owner: author, price: 2 })
    const buyer = await memberWithCredits(2)
    const ctx = await as(buyer)
    const broken: Ctx = { ...ctx, keys: { ...ctx.keys, links: new Uint8Array() } }
    await expect(downloadDocument(broken, { id })).rejects.toThrow()
    expect([await balance(buyer), await used(buyer), await downloadCount(id)]).toEqual([2, 0, 0])
    expect(await downloadRows(id)).toEqual([])
    await ledgerHolds(buyer)
  })
})

describe('at the same time', () => {
  test('fifty documents with credit for one: one is bought', { timeout: 60_000 }, async () => {
    const buyer = await memberWithCredits(3)
    const seller = await site.member()
    const wanted = await Promise.all(Array.from({ length: 50 }, () => storeDocument(site, { owner: seller, price: 3 })))
    const ctx = await as(buyer)
    const said = await Promise.all(wanted.map(({ id }) => refusal(ctx, id)))
    expect(said.filter((reason) => reason === '')).toHaveLength(1)
    expect(said.filter((reason) => reason === 'documents.creditShort')).toHaveLength(49)
    expect([await balance(buyer), await balance(seller), await used(buyer)]).toEqual([0, 3, 1])
    await ledgerHolds(buyer)
    await ledgerHolds(seller)
  })

  test('the same document fifty times is paid for once', { timeout: 60_000 }, async () => {
    const buyer = await memberWithCredits(30)
    const { id } = await storeDocument(site, { owner: author, price: 3 })
    const ctx = await as(buyer)
    const said = await Promise.all(Array.from({ length: 50 }, () => refusal(ctx, id)))
    expect(new Set(said)).toEqual(new Set(['']))
    const rows = await downloadRows(id)
    expect([rows.length, rows.filter(({ is_pay }) => is_pay === 1).length]).toEqual([50, 1])
    expect([await balance(buyer), await downloadCount(id)]).toEqual([27, 50])
    await ledgerHolds(buyer)
  })

  test('a daily limit is never exceeded', { timeout: 60_000 }, async () => {
    await site.configure({ ...plenty, 'download.times_every_day': '5' })
    const member = await site.member()
    const { id } = await storeDocument(site, { owner: author })
    const ctx = await as(member)
    const said = await Promise.all(Array.from({ length: 30 }, () => refusal(ctx, id)))
    expect(said.filter((reason) => reason === '')).toHaveLength(5)
    expect(await downloadRows(id)).toHaveLength(5)
    await site.configure(plenty)
  })

  test('two who buy from each other both succeed', { timeout: 60_000 }, async () => {
    const [one, other] = [await memberWithCredits(40), await memberWithCredits(40)]
    const theirs = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const [buyer, owner] = at % 2 ? [one, other] : [other, one]
        return { ctx: await as(buyer), document: await storeDocument(site, { owner, price: 2 }) }
      }),
    )
    const said = await Promise.all(theirs.map(({ ctx, document }) => refusal(ctx, document.id)))
    expect(new Set(said)).toEqual(new Set(['']))
    expect([await balance(one), await balance(other)]).toEqual([40, 40])
  })
})

describe('the terms', () => {
  test('say what it costs, what one has and what is left, and change nothing', async () => {
    await site.configure({ 'download.times_every_day': '9', 'download.times_every_ip': '8' })
    const { id } = await storeDocument(site, { owner: author, price: 6 })
    const reader = await memberWithCredits(10)
    const ctx = await as(reader)
    const noCard = { is_vip: false, vip_price: 6, has_card: false, vip_left: 0 }
    const own = { balance: 10, owned: false, bought: false, left: 8 }
    const earn = { check_in_reward: 1, upload_reward: 5 }
    const fresh = {
      price: 6,
      cost: 6,
      reads_all: false,
      opens_rest: false,
      share_left: -1,
      is_repeat: false,
      url_seconds: 60,
      ...own,
      ...noCard,
      refusal: '',
      reason: '',
      ...earn,
    }
    expect(await getTerms(ctx, { id })).toEqual(fresh)
    expect(await getTerms(ctx, { id })).toEqual(fresh)
    await downloadDocument(ctx, { id })
    expect(await getTerms(ctx, { id })).toEqual({ ...fresh, cost: 0, balance: 4, bought: true, left: 7 })
    expect(await getTerms(await as(author), { id })).toMatchObject({ cost: 0, owned: true, left: -1, refusal: '' })
    await site.configure(plenty)
  })

  test('tell what a member can still earn today, by the settings', async () => {
    const { id } = await storeDocument(site, { owner: author, price: 6 })
    await site.configure({ 'score.sign_in': '2', 'score.upload_document': '4', 'score.upload_document_limit': '1' })
    const member = await site.member()
    expect(await member.call(downloads.terms, { id })).toMatchObject({ check_in_reward: 2, upload_reward: 4 })
    await member.call(credits.checkIn)
    expect(await member.call(downloads.terms, { id })).toMatchObject({ check_in_reward: 0, upload_reward: 4 })
    await site.configure({ 'score.sign_in': '1', 'score.upload_document': '0' })
    expect(await member.call(downloads.terms, { id })).toMatchObject({ check_in_reward: 0, upload_reward: 0 })
    expect(await site.call(downloads.terms, { id })).toMatchObject({ check_in_reward: 0, upload_reward: 0 })
  })

  test('a list tells what a member has bought, and nothing of other members', async () => {
    const bought = await storeDocument(site, { owner: author, price: 6 })
    const other = await storeDocument(site, { owner: author, price: 6 })
    const rows = await site.db
      .selectFrom('document')
      .select(['id', 'uuid'])
      .where('id', 'in', [bought.id, other.id])
      .orderBy('id')
      .execute()
    const uuid = rows.map((row) => row.uuid)
    const reader = await memberWithCredits(10)
    expect(await reader.call(downloads.bought, { uuid })).toEqual({ uuid: [] })
    await reader.call(downloads.download, { id: bought.id })
    expect(await reader.call(downloads.bought, { uuid: [...uuid, 'unknown'] })).toEqual({ uuid: [uuid[0]] })
    expect(await (await site.member()).call(downloads.bought, { uuid })).toEqual({ uuid: [] })
    await expect(site.call(downloads.bought, { uuid })).rejects.toMatchObject({ status: 401 })
  })

  test('name the first thing that stands against it, as the download itself would', async () => {
    const { id } = await storeDocument(site, { owner: author, price: 6 })
    const poor = await as(await memberWithCredits(1))
    expect(await getTerms(poor, { id })).toMatchObject({
      reason: 'documents.creditShort',
      refusal: '需要 6 豆子，您有 1 豆子',
    })
    expect(await getTerms(await as(), { id })).toMatchObject({ reason: 'access.loginNeeded', balance: 0, cost: 6 })
    const disabled = await storeDocument(site, { owner: author, status: DocumentStatus.Disabled })
    expect(await getTerms(await as(author), disabled)).toMatchObject({ reason: 'documents.notDownloadable' })
    await expect(getTerms(poor, disabled)).rejects.toMatchObject({ reason: 'documents.notFound' })
  })
})

describe('a reviewer', () => {
  test.each([
    [DocumentStatus.Disabled, ''],
    [DocumentStatus.InReview, ''],
    [DocumentStatus.Rejected, ''],
    [DocumentStatus.Converted, 'documents.statusDenied'],
  ])('gets the file of a document in state %i: “%s”', async (status, reason) => {
    const { id } = await storeDocument(site, { owner: author, status, price: 100 })
    const reviewer = await as(await site.staff('DocumentAPI/DownloadDocumentToBeReviewed'))
    expect(await reasonOf(downloadForReview(reviewer, { id }))).toBe(reason)
    expect([await downloadCount(id), await downloadRows(id)]).toEqual([0, []])
  })
})

describe('my downloads', () => {
  test('are mine, the newest first, while the document is there', async () => {
    const member = await memberWithCredits(5)
    const first = await storeDocument(site, { owner: author, title: '第一' })
    const second = await storeDocument(site, { owner: author, title: '第二', price: 5 })
    const gone = await storeDocument(site, { owner: author })
    for (const { id } of [first, second, gone]) await downloadDocument(await as(member), { id })
    await site.db.updateTable('document').set({ deleted_at: 1 }).where('id', '=', gone.id).execute()
    const { total, download } = await member.call(downloads.list)
    expect(total).toBe(2)
    expect(download).toMatchObject([
      { title: '第二', ext: '.pdf', price: 5, is_pay: true, document_uuid: second.uuid },
      { title: '第一', document_id: first.id, is_pay: false },
    ])
    const page = await member.call(downloads.list, { page: 2, size: 1 })
    expect([page.total, page.download.map(({ title }) => title)]).toEqual([2, ['第一']])
    expect((await (await site.member()).call(downloads.list)).total).toBe(0)
  })
})

/** The context of a request by this person, each from a network of their own unless one is named. */
async function as(person?: { id: number; username: string }, network = `network ${(networks += 1)}`): Promise<Ctx> {
  const ctx = await site.app.context()
  const viewer = person ? await loadViewer(ctx, { ...person, is_root: 0, sessionId: 0 }) : anonymous
  return { ...ctx, viewer, origin: { ip: '10.0.0.1', network, userAgent: '' } }
}

function later(ctx: Ctx, ms: number): Ctx {
  return { ...ctx, now: () => ctx.now() + ms }
}

async function memberWithCredits(amount: number): Promise<Person> {
  const person = await site.member()
  await addCredit(await site.app.context(), { userId: person.id, amount, reason: 'register' })
  return person
}

function refusal(ctx: Ctx, id: number): Promise<string> {
  return reasonOf(downloadDocument(ctx, { id }))
}

/** Empty when it succeeds. */
function reasonOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => '',
    (error: unknown) => (error as { reason?: string }).reason ?? String(error),
  )
}

function downloadRows(documentId: number) {
  return site.db.selectFrom('download').selectAll().where('document_id', '=', documentId).orderBy('id').execute()
}

async function downloadCount(id: number): Promise<number> {
  const row = await site.db
    .selectFrom('document')
    .select('download_count')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.download_count
}

async function used({ id }: Person): Promise<number> {
  const rows = await site.db
    .selectFrom('quota_usage')
    .select('used')
    .where('quota', '=', 'download.user')
    .where('subject', '=', String(id))
    .execute()
  return rows.reduce((sum, row) => sum + row.used, 0)
}

async function balance({ id }: Person): Promise<number> {
  const row = await site.db.selectFrom('user').select('credit_count').where('id', '=', id).executeTakeFirstOrThrow()
  return row.credit_count
}

async function ledgerHolds(person: Person): Promise<void> {
  const entries = await site.db
    .selectFrom('credit_entry')
    .select(['amount', 'balance'])
    .where('user_id', '=', person.id)
    .execute()
  expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(await balance(person))
  expect(entries.every((entry) => entry.balance >= 0)).toBe(true)
}
