import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { articles } from '#shared/contract/articles.ts'
import { documents } from '#shared/contract/documents.ts'
import { orders } from '#shared/contract/orders.ts'
import { advertisements } from '#shared/contract/site.ts'
import { users } from '#shared/contract/users.ts'
import { vip } from '#shared/contract/vip.ts'
import { OrderType, PaymentMethod, ReviewStatus, VipCard } from '#shared/enums.ts'
import { enqueue } from '#server/jobs.ts'
import { addCredit } from '#server/modules/credits/credits.ledger.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'

const day = 24 * 60 * 60_000

let site: Site
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await openMailbox()
  site = await openSite()
  await site.configure({
    ...mailbox.settings,
    'system.domain': 'https://wenku.example.com',
    'vip.enable': 'true',
    'vip.month_download': '5',
    'vip.month_times_every_day': '30',
    'vip.month_document_discount': '70',
  })
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})

describe('a member', () => {
  test('who has bought cards sees them and the one that counts, and nobody else’s', async () => {
    const [member, other] = [await memberWithCredits(1000), await site.member()]
    expect(await member.call(vip.active)).toMatchObject({ id: 0, expired_at: null })
    const { order_no } = await buy(member, VipCard.Month)
    const second = await buy(member, VipCard.Quarter)
    const { total, user_vip } = await member.call(vip.own)
    expect(total).toBe(2)
    expect(user_vip.map((card) => card.order_no)).toEqual([second.order_no, order_no])
    expect(await member.call(vip.active)).toEqual(user_vip[1])
    expect(user_vip[1]).toMatchObject({ type: VipCard.Month, download: 5, download_used: 0, times: 30, discount: 70 })
    expect(user_vip[0]?.joined_at).toBe(user_vip[1]?.expired_at)
    expect((await member.call(orders.ownVip)).order.map((order) => order.order_no)).toEqual([second.order_no, order_no])
    expect(await other.call(vip.own)).toEqual({ total: 0, user_vip: [] })
    expect(await other.call(orders.ownVip)).toMatchObject({ total: 0, order: [] })
  })

  test('keeps what a card was sold with, whatever the settings become', async () => {
    const member = await vipMember()
    await site.configure({ 'vip.month_download': '1', 'vip.month_document_discount': '99' })
    expect(await member.call(vip.active)).toMatchObject({ download: 5, discount: 70 })
    await site.configure({ 'vip.month_download': '5', 'vip.month_document_discount': '70' })
  })

  test('is VIP in every user object until the minute of the lapse, and only where the site has VIP', async () => {
    const member = await vipMember()
    const { id } = await storeDocument(site, { owner: member })
    const isVip = async () => [
      (await member.call(users.get)).is_vip,
      (await site.call(users.get, { id: member.id })).is_vip,
      (await site.root.call(users.list, { id: [member.id] })).user[0]?.is_vip,
      (await site.call(users.list, { id: [member.id] })).user[0]?.is_vip,
      (await site.call(documents.get, { id, with_author: true })).user?.is_vip,
      (await site.call(documents.list, { user_id: [member.id] })).document[0]?.user_is_vip,
      (await site.call(users.login, { username: member.username, password: member.password })).user.is_vip,
    ]
    expect(new Set(await isVip())).toEqual(new Set([true]))
    await site.configure({ 'vip.enable': 'false' })
    expect(new Set(await isVip())).toEqual(new Set([false]))
    expect(await member.call(vip.active)).toMatchObject({ id: 0 })
    await site.configure({ 'vip.enable': 'true' })
    const { expired_at } = await member.call(vip.active)
    await setUntil(member, (await site.app.context()).now())
    expect(new Set(await isVip())).toEqual(new Set([false]))
    expect(expired_at).toBeGreaterThan((await site.app.context()).now())
  })

  test('of an article is VIP too', async () => {
    const author = await vipMember()
    await site.db.insertInto('article').values(article(author)).execute()
    const { article: found } = await site.call(articles.list, { user_id: [author.id] })
    expect(found[0]?.user.is_vip).toBe(true)
  })

  test('with a card is given no advertisements', async () => {
    await site.root.call(advertisements.create, {
      title: '广告',
      position: 'global_top',
      content: '<p>广告</p>',
      enable: true,
    })
    const shown = async (call: Person['call']) =>
      (await call(advertisements.position, { position: ['global_top'] })).advertisement.length
    expect([await shown(site.call), await shown((await site.member()).call)]).toEqual([1, 1])
    expect(await shown((await vipMember()).call)).toBe(0)
  })
})

describe('staff', () => {
  test('find cards by member, kind, state and text', async () => {
    const [one, two] = [await vipMember('寻找甲'), await vipMember('寻找乙')]
    await site.root.call(vip.grant, { user_id: two.id, type: VipCard.Year, reason: '活动赠送' })
    const staff = await site.staff('VIPAPI/ListVIP')
    const list = async (filter: Parameters<typeof staff.call<typeof vip.list>>[1]) =>
      (await staff.call(vip.list, { user_id: [one.id, two.id], ...filter })).user_vip.map(({ username, type }) => [
        username,
        type,
      ])
    expect(await list({})).toEqual([
      ['寻找乙', VipCard.Year],
      ['寻找乙', VipCard.Month],
      ['寻找甲', VipCard.Month],
    ])
    expect(await list({ type: [VipCard.Year] })).toEqual([['寻找乙', VipCard.Year]])
    expect(await list({ state: 'active', order: 'joined_at asc' })).toEqual([
      ['寻找甲', VipCard.Month],
      ['寻找乙', VipCard.Month],
    ])
    expect(await list({ state: 'waiting' })).toEqual([['寻找乙', VipCard.Year]])
    expect(await list({ state: 'ended' })).toEqual([])
    expect(await list({ wd: '活动赠送' })).toEqual([['寻找乙', VipCard.Year]])
    expect(await list({ wd: '寻找甲' })).toHaveLength(1)
    expect(await list({ expired_at: ['2020-01-01', '2020-01-02'] })).toEqual([])
  })

  test('grant and end cards with a reason, which is audited; not to themselves', async () => {
    const [member, staff] = [await site.member(), await site.staff('VIPAPI/CreateVIP', 'VIPAPI/DeleteVIP')]
    const grant = { user_id: member.id, type: VipCard.Month }
    expect(await refusal(staff.call(vip.grant, { ...grant, reason: '' }))).toMatchObject({ status: 400 })
    await staff.call(vip.grant, { ...grant, reason: '补偿' })
    await staff.call(vip.grant, { ...grant, reason: '再补偿' })
    const { id, expired_at } = await member.call(vip.active)
    expect(await refusal(staff.call(vip.end, { id, reason: ' ' }))).toMatchObject({ status: 400 })
    await staff.call(vip.end, { id, reason: '开错了' })
    const next = await member.call(vip.active)
    expect(next.id).toBeGreaterThan(id)
    expect(next.expired_at).toBeLessThan((expired_at ?? 0) + 5 * day)
    expect(await refusal(staff.call(vip.end, { id, reason: '开错了' }))).toMatchObject({ reason: 'vip.over' })
    expect(await refusal(staff.call(vip.end, { id: 999_999, reason: '没有' }))).toMatchObject({
      reason: 'vip.notFound',
    })
    const unknown = { ...grant, user_id: 999_999, reason: '没有' }
    expect(await refusal(staff.call(vip.grant, unknown))).toMatchObject({ status: 404 })
    const own = { ...grant, user_id: staff.id, reason: '自己' }
    expect(await refusal(staff.call(vip.grant, own))).toMatchObject({ reason: 'access.ownGain' })
    const { audit } = await site.root.call(audits.list, { user_id: [staff.id] })
    expect(audit.map(({ change }) => change)).toEqual([
      `${member.username}，月卡：开错了`,
      `${member.username}，月卡：再补偿`,
      `${member.username}，月卡：补偿`,
    ])
    expect(audit.map(({ target }) => target[0]?.name)).toEqual(Array(3).fill(member.username))
  })
})

describe('documents', () => {
  test('are marked in bulk by staff with the permission, and listed by price', async () => {
    const owner = await site.member()
    const [charged, marked, free] = [
      await storeDocument(site, { owner, price: 5 }),
      await storeDocument(site, { owner, price: 5 }),
      await storeDocument(site, { owner }),
    ]
    const editor = await site.staff('DocumentAPI/UpdateDocument')
    expect(await refusal(editor.call(documents.setVip, { id: [marked.id], is_vip: true }))).toMatchObject({
      status: 403,
    })
    const staff = await site.staff('DocumentAPI/SetDocumentsVip')
    await staff.call(documents.setVip, { id: [marked.id, charged.id], is_vip: true })
    await staff.call(documents.setVip, { id: [charged.id], is_vip: false })
    const list = async (fee_type: string) =>
      (await site.call(documents.list, { user_id: [owner.id], fee_type })).document.map(({ id }) => id)
    expect(await list('vip')).toEqual([marked.id])
    expect(await list('charge')).toEqual([marked.id, charged.id])
    expect(await list('free')).toEqual([free.id])
    expect(await list('')).toHaveLength(3)
    expect((await site.call(documents.get, { id: marked.id })).is_vip).toBe(true)
    expect((await site.call(documents.get, { id: charged.id })).is_vip).toBe(false)
    await site.configure({ 'vip.enable': 'false' })
    expect((await site.call(documents.get, { id: marked.id })).is_vip).toBe(false)
    expect((await staff.call(documents.get, { id: marked.id })).is_vip).toBe(true)
    await site.configure({ 'vip.enable': 'true' })
  })
})

describe('a reminder', () => {
  test('is mailed once before the last card ends, in the owner’s words', async () => {
    await site.configure({ 'vip.remind_days': '3', 'mail_text.vip_reminder_subject': '{用户名}，该续费了' })
    const [soon, later, silent] = [await vipMember(), await vipMember(), await vipMember()]
    const now = (await site.app.context()).now()
    for (const [person, days] of [
      [soon, 2],
      [later, 4],
      [silent, 2],
    ] as const) {
      await setUntil(person, now + days * day)
      await site.db
        .updateTable('user')
        .set({ email: person === silent ? '' : address(person) })
        .where('id', '=', person.id)
        .execute()
    }
    // Has another card after the one that ends.
    const renewed = await vipMember()
    await setUntil(renewed, now + 2 * day)
    await site.db
      .updateTable('user')
      .set({ email: address(renewed) })
      .where('id', '=', renewed.id)
      .execute()
    await site.root.call(vip.grant, { user_id: renewed.id, type: VipCard.Month, reason: '赠送' })
    await remind()
    await remind()
    const to = (person: Person) => mailbox.mails().filter((mail) => mail.to.includes(address(person)))
    expect([to(soon), to(later), to(renewed)].map((mails) => mails.length)).toEqual([1, 0, 0])
    expect(mailbox.latest(address(soon))).toMatchObject({
      subject: `${soon.username}，该续费了`,
      text: expect.stringContaining('https://wenku.example.com/joinvip'),
    })
    site.advanceClock(day + 60_000)
    await remind()
    expect([to(soon), to(later), to(renewed)].map((mails) => mails.length)).toEqual([1, 1, 0])
    // Not where VIP is over, and not where the owner wants none.
    site.advanceClock(27 * day)
    await site.configure({ 'vip.remind_days': '0' })
    await remind()
    expect(to(renewed)).toEqual([])
    await site.configure({ 'vip.remind_days': '3', 'mail_text.vip_reminder_subject': '' })
  })
})

async function buy(member: Person, card: VipCard): Promise<{ order_no: string }> {
  const { order_no } = await member.call(orders.create, { order_type: OrderType.Vip, product_id: card })
  await member.call(orders.pay, { order_no, payment_type: PaymentMethod.Credits })
  return { order_no }
}

async function vipMember(username?: string): Promise<Person> {
  const member = await site.member(username)
  await site.root.call(vip.grant, { user_id: member.id, type: VipCard.Month, reason: '赠送' })
  return member
}

/** As if the member's card were to end then. */
async function setUntil({ id }: Person, until: number): Promise<void> {
  await site.db
    .updateTable('user_vip')
    .set({ expired_at: until, joined_at: until - 30 * day })
    .where('user_id', '=', id)
    .execute()
  await site.db.updateTable('user').set({ vip_until: until }).where('id', '=', id).execute()
}

async function memberWithCredits(amount: number): Promise<Person> {
  const member = await site.member()
  await addCredit(await site.app.context(), { userId: member.id, amount, reason: 'register' })
  return member
}

function address({ username }: Person): string {
  return `${username}@example.com`
}

async function remind(): Promise<void> {
  await enqueue(await site.app.context(), 'vip.remind', {})
  await site.runDueJobs()
}

function article({ id }: Person) {
  return {
    identifier: `article-${id}`,
    user_id: id,
    title: '文章',
    content: '<p>正文</p>',
    status: ReviewStatus.Approved,
    created_at: 1,
    updated_at: 1,
    recommend_at: null,
    deleted_at: null,
  }
}
