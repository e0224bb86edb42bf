import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { codes } from '#shared/contract/codes.ts'
import { credits } from '#shared/contract/credits.ts'
import { notifications } from '#shared/contract/notifications.ts'
import { orders } from '#shared/contract/orders.ts'
import { outlays } from '#shared/contract/outlays.ts'
import { users } from '#shared/contract/users.ts'
import { vip } from '#shared/contract/vip.ts'
import { DownloadCodeKind, OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import { NotificationKind } from '#shared/notification-kinds.ts'
import { OutlayState } from '#shared/outlays.ts'
import { administratorsId } from '#shared/permissions.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

let site: Site
let mailbox: Mailbox
let officer: Person
let member: Person
let keys = 0
const newKey = () => `request ${(keys += 1)}`
beforeAll(async () => {
  site = await openSite()
  mailbox = await openMailbox()
  site.freezeClock()
  await site.configure({
    ...mailbox.settings,
    'vip.enable': 'true',
    'download.enable_code_download': 'true',
    // A hundred yuan, which are a thousand credits.
    'pay.grant_ceiling': '10000',
    'pay.code_ceiling': '10000',
    'pay.refund_ceiling': '10000',
  })
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})
beforeEach(async () => {
  officer = await site.staff(
    'UserAPI/AdjustUserCredit',
    'OrderAPI/RechargeOrder',
    'OrderAPI/RefundOrder',
    'VIPAPI/CreateVIP',
    'DownloadCodeAPI/CreateDownloadCode',
  )
  member = await site.member()
})

const waiting = { status: 409, reason: 'outlays.waiting', message: expect.stringContaining('每天 100.00 元的限额') }

describe('the ceiling of a day', () => {
  test('is that of a group: what its members grant adds up, and what is below is done at once', async () => {
    const { group_id } = await site.root.call(users.get, { id: officer.id })
    const colleague = await site.member()
    await site.root.call(users.set, { id: colleague.id, group_id })
    await adjust(officer, 600)
    await topUp(colleague, 400)
    expect(await balance()).toBe(1000)
    expect(await refusal(adjust(officer, 1))).toMatchObject(waiting)
    expect(await refusal(topUp(colleague, 1))).toMatchObject(waiting)
    expect(await refusal(grantCard(officer))).toMatchObject(waiting)
    expect(await balance()).toBe(1000)
    await adjust(officer, -10)
    await adjust(await site.staff('UserAPI/AdjustUserCredit'), 1000)
    expect(await balance()).toBe(1990)
  })

  test('begins anew with the day', async () => {
    await adjust(officer, 1000)
    expect(await refusal(adjust(officer, 1))).toMatchObject(waiting)
    site.advanceClock(86_400_000)
    await adjust(officer, 1000)
    expect(await balance()).toBe(2000)
  })

  test('holds for acts at once', async () => {
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => adjust(officer, 300)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await balance()).toBe(900)
  })

  test('of codes counts what all of them are worth, of refunds what goes back', async () => {
    const create = (count: number) =>
      officer.call(codes.create, { kind: DownloadCodeKind.Credits, count, credits: 100 })
    expect((await create(10)).code).toHaveLength(10)
    expect(await refusal(create(1))).toMatchObject(waiting)
    const { order_no } = await member.call(orders.create, { order_type: OrderType.TopUp, quantity: 2000 })
    const [order] = (await site.root.call(orders.list, { wd: order_no })).order
    const id = order?.id ?? 0
    await site.root.call(orders.confirm, { id, payment_type: PaymentMethod.Cash })
    const refund = (amount: number) => officer.call(orders.refund, { id, amount, reason: '退', key: newKey() })
    expect(await refund(10_000)).toMatchObject({ state: 'done' })
    expect(await refusal(refund(1))).toMatchObject(waiting)
    // A request that could not be carried out at all does not wait.
    expect(await refusal(refund(20_000))).toMatchObject({ reason: 'orders.refundTooMuch' })
    expect(await balance()).toBe(1000)
  })

  test('0 is none', async () => {
    await site.configure({ 'pay.grant_ceiling': '0' })
    await adjust(officer, 1_000_000)
    await site.configure({ 'pay.grant_ceiling': '10000' })
    expect(await balance()).toBe(1_000_000)
  })
})

describe('above it', () => {
  test('a second person approves, and who asked carries it out, once', async () => {
    const key = newKey()
    const ask = () => adjust(officer, 1500, key)
    expect(await refusal(ask())).toMatchObject(waiting)
    // Sent again, it is the same request.
    expect(await refusal(ask())).toMatchObject(waiting)
    const [asked, ...others] = await listed(officer)
    expect(others).toEqual([])
    expect(asked).toMatchObject({
      state: OutlayState.Waiting,
      money: 15_000,
      username: officer.username,
      title: `给 ${member.username} 增加 1500 豆子：奖励`,
    })
    const id = asked?.id ?? 0
    expect(await refusal(officer.call(outlays.carryOut, { id }))).toMatchObject({ reason: 'outlays.notApproved' })
    expect(await refusal(officer.call(outlays.decide, { id, is_approved: true }))).toMatchObject({ status: 403 })
    const approver = await site.staff('OrderAPI/ApproveOutlay')
    await approver.call(outlays.decide, { id, is_approved: true, remark: '已核对' })
    expect(await refusal(site.root.call(outlays.decide, { id, is_approved: false, remark: '晚了' }))).toMatchObject({
      reason: 'outlays.notWaiting',
    })
    expect(await balance()).toBe(0)
    await Promise.allSettled(Array.from({ length: 5 }, () => officer.call(outlays.carryOut, { id })))
    expect(await balance()).toBe(1500)
    expect(await listed(officer)).toMatchObject([
      { state: OutlayState.Done, decider: approver.username, remark: '已核对' },
    ])
    // An approved request is not counted again.
    await adjust(officer, 1000)
    const changes = (await site.root.call(audits.list, { user_id: [officer.id] })).audit.map(({ change }) => change)
    expect(changes.join('\n')).toContain('超过每天 100.00 元的限额，等待批准')
  })

  test('the owner is told by notice and mail, and who asked of the decision', async () => {
    await site.db.updateTable('user').set({ email: 'owner@example.com' }).where('is_root', '=', 1).execute()
    await refusal(adjust(officer, 1500))
    await site.runDueJobs()
    expect((await site.root.call(notifications.list)).notification[0]).toMatchObject({
      kind: NotificationKind.Outlay,
      title: `${officer.username} 申请超过限额的发放或退款，合 150.00 元，等待批准`,
      excerpt: `给 ${member.username} 增加 1500 豆子：奖励`,
      href: '/admin/outlay',
    })
    site.advanceClock(60_000)
    await site.runDueJobs()
    const mailed = mailbox.mails().filter(({ to }) => to.includes('owner@example.com'))
    expect(mailed.map(({ subject }) => subject)).toEqual([expect.stringContaining('申请超过限额的发放或退款')])
    const id = await newestOf(officer)
    const silent = site.root.call(outlays.decide, { id, is_approved: false })
    expect(await refusal(silent)).toMatchObject({ reason: 'outlays.reasonNeeded' })
    await site.root.call(outlays.decide, { id, is_approved: false, remark: '没有凭证' })
    await site.runDueJobs()
    expect((await officer.call(notifications.list)).notification[0]).toMatchObject({
      title: '您的申请没有批准（合 150.00 元）',
      excerpt: expect.stringContaining('没有凭证'),
    })
    expect(await refusal(officer.call(outlays.carryOut, { id }))).toMatchObject({ reason: 'outlays.notApproved' })
    const kindsOf = async (person: Person) =>
      (await person.call(notifications.choices)).choice.map(({ kind }) => kind).includes(NotificationKind.Outlay)
    expect([await kindsOf(site.root), await kindsOf(officer), await kindsOf(member)]).toEqual([true, true, false])
  })

  test('nobody approves the own request, nor one that would be a gain; administrators need a second person too', async () => {
    const [one, other] = [await newAdministrator(), await newAdministrator()]
    await refusal(adjust(one, 1500))
    const id = await newestOf(one)
    expect(await refusal(one.call(outlays.decide, { id, is_approved: true }))).toMatchObject({ reason: 'outlays.own' })
    await other.call(outlays.decide, { id, is_approved: true })
    await one.call(outlays.carryOut, { id })
    expect(await balance()).toBe(1500)
    const approver = await site.staff('OrderAPI/ApproveOutlay')
    await refusal(officer.call(credits.adjust, { user_id: approver.id, amount: 1500, reason: '奖励', key: newKey() }))
    const [own] = await listed(officer)
    const approve = approver.call(outlays.decide, { id: own?.id ?? 0, is_approved: true })
    expect(await refusal(approve)).toMatchObject({ reason: 'access.ownGain' })
  })

  test('the owner decides alone, which the log says', async () => {
    await adjust(site.root, 1500)
    expect(await balance()).toBe(1500)
    const [entry] = (await site.root.call(audits.list, { area: ['credits'], size: 1 })).audit
    expect(entry?.change).toContain('超过每天 100.00 元的限额，由站长一人决定')
    expect((await listed(site.root))[0]).toMatchObject({ state: OutlayState.Done, decider: 'admin' })
  })

  test('codes are shown to who made them; what lost its permission or is a week old is not done', async () => {
    const input = { kind: DownloadCodeKind.Credits, count: 3, credits: 1000, note: '活动' }
    expect(await refusal(officer.call(codes.create, input))).toMatchObject(waiting)
    const id = await newestOf(officer)
    await site.root.call(outlays.decide, { id, is_approved: true })
    expect(await refusal(site.root.call(outlays.carryOut, { id }))).toMatchObject({ reason: 'outlays.notFound' })
    const { code } = await officer.call(outlays.carryOut, { id })
    expect(code).toHaveLength(3)
    await member.call(codes.redeem, { code: code[0] ?? '' })
    expect(await balance()).toBe(1000)
    await refusal(officer.call(codes.create, { ...input, note: '又一批' }))
    const [again] = await listed(officer)
    await site.root.call(outlays.decide, { id: again?.id ?? 0, is_approved: true })
    site.advanceClock(8 * 86_400_000)
    const late = officer.call(outlays.carryOut, { id: again?.id ?? 0 })
    expect(await refusal(late)).toMatchObject({ reason: 'outlays.lapsed' })
    // It can be asked for again, as the refusal says.
    await refusal(officer.call(codes.create, { ...input, note: '又一批' }))
    expect((await listed(officer))[0]).toMatchObject({ state: OutlayState.Waiting })
  })

  test('refunds, top-ups and cards are carried out too, and the log names the request, not its order or member', async () => {
    const { order_no } = await member.call(orders.create, { order_type: OrderType.TopUp, quantity: 2000 })
    const [order] = (await site.root.call(orders.list, { wd: order_no })).order
    const id = order?.id ?? 0
    await site.root.call(orders.confirm, { id, payment_type: PaymentMethod.Cash })
    const refund = () => officer.call(orders.refund, { id, amount: 15_000, reason: '退', key: newKey() })
    for (const ask of [refund, () => topUp(officer, 1500), () => grantCard(officer)]) {
      expect(await refusal(ask())).toMatchObject(waiting)
      const outlay = await newestOf(officer)
      await site.root.call(outlays.decide, { id: outlay, is_approved: true })
      await officer.call(outlays.carryOut, { id: outlay })
      const [entry] = (await site.root.call(audits.list, { area: ['outlays'], size: 1 })).audit
      expect(entry).toMatchObject({
        target: [{ id: String(outlay) }],
        sentence: expect.stringContaining('办理了已经批准的申请'),
      })
    }
    expect(await balance()).toBe(2000 - 1500 + 1500)
    expect((await member.call(vip.own)).user_vip).toMatchObject([{ type: VipCard.Year }])
  })

  test('the log says that it was asked for, once, and not that it was done', async () => {
    const key = newKey()
    await refusal(adjust(officer, 1500, key))
    await refusal(adjust(officer, 1500, key))
    const entries = (await site.root.call(audits.list, { user_id: [officer.id] })).audit
    expect(entries).toMatchObject([{ sentence: expect.stringContaining('申请办理，等待批准') }])
  })

  test('a card that is not sold has a worth too', async () => {
    await site.configure({ 'vip.year_price': '0' })
    expect(await refusal(grantCard(officer))).toMatchObject(waiting)
    await site.configure({ 'vip.year_price': '19900' })
  })

  test('only the own requests are seen without the permission to approve', async () => {
    await refusal(adjust(officer, 1500))
    const other = await site.staff('UserAPI/AdjustUserCredit')
    expect(await listed(other)).toEqual([])
    expect((await listed(await site.staff('OrderAPI/ApproveOutlay'))).length).toBeGreaterThan(0)
    expect(await refusal(listed(member))).toMatchObject({ status: 403 })
  })
})

function adjust(person: Person, amount: number, key = newKey()) {
  return person.call(credits.adjust, { user_id: member.id, amount, reason: '奖励', key })
}

function topUp(person: Person, amount: number) {
  return person.call(orders.systemTopUp, { user_id: member.id, amount, remark: '补偿' })
}

function grantCard(person: Person) {
  return person.call(vip.grant, { user_id: member.id, type: VipCard.Year, reason: '奖励' })
}

async function listed(person: Person) {
  return (await person.call(outlays.list)).outlay
}

async function newestOf(person: Person): Promise<number> {
  return (await listed(person))[0]?.id ?? 0
}

async function balance(): Promise<number> {
  return (await site.root.call(users.get, { id: member.id })).credit_count
}

async function newAdministrator(): Promise<Person> {
  const person = await site.member()
  await site.root.call(users.set, { id: person.id, group_id: [administratorsId] })
  return person
}
