import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { groups } from '#shared/contract/access.ts'
import { audits } from '#shared/contract/audit.ts'
import { credits } from '#shared/contract/credits.ts'
import { users } from '#shared/contract/users.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'

let site: Site
let member: Person
let officer: Person
let keys = 0
beforeAll(async () => {
  site = await openSite()
  officer = await site.staff('UserAPI/AdjustUserCredit')
})
afterAll(() => site.close())
beforeEach(async () => {
  member = await site.member()
})

test('staff grant and take credits; the member sees the reason', async () => {
  expect(await adjust(30, '征文一等奖')).toEqual({ balance: 30 })
  expect(await adjust(-12, '重复领取')).toEqual({ balance: 18 })
  const { entry } = await member.call(credits.entries)
  expect(entry).toMatchObject([
    { amount: -12, balance: 18, reason: 'adjustment', title: '管理人员调整', note: '重复领取', subject: '' },
    { amount: 30, balance: 30, reason: 'adjustment', title: '管理人员调整', note: '征文一等奖', subject: '' },
  ])
  expect((await member.call(users.get)).credit_count).toBe(18)
})

test('a balance never goes below zero', async () => {
  await adjust(5)
  expect(await refusal(adjust(-6))).toMatchObject({
    reason: 'credits.balanceShort',
    message: expect.stringContaining('5'),
  })
  const takes = await Promise.allSettled(Array.from({ length: 10 }, () => adjust(-3)))
  expect(takes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await member.call(users.get)).credit_count).toBe(2)
  expect((await member.call(credits.entries)).entry.map(({ balance }) => balance)).toEqual([2, 5])
})

test('a double click, or a retry after a lost reply, counts once', async () => {
  const twice = { user_id: member.id, amount: 7, reason: '补发', key: 'the same dialog' }
  const replies = await Promise.all(Array.from({ length: 5 }, () => officer.call(credits.adjust, twice)))
  expect(replies).toEqual(Array.from({ length: 5 }, () => ({ balance: 7 })))
  expect((await member.call(credits.entries)).total).toBe(1)
  const other = await site.staff('UserAPI/AdjustUserCredit')
  expect(await other.call(credits.adjust, twice)).toEqual({ balance: 14 })
})

test('it has a permission of its own', async () => {
  const form = { user_id: member.id, amount: 1, reason: '补发', key: 'any key at all' }
  const manager = await site.staff('UserAPI/ListUser', 'UserAPI/SetUser', 'UserAPI/UpdateUserProfile')
  for (const person of [member, manager])
    expect(await refusal(person.call(credits.adjust, form))).toMatchObject({ status: 403 })
})

test('staff do not change their own balance, nor that of administrators', async () => {
  const { group } = await site.root.call(groups.list)
  const administrators = group.filter(({ title }) => title === '超级管理员').map(({ id }) => id)
  await site.root.call(users.set, { id: member.id, group_id: administrators })
  expect(await refusal(adjust(1))).toMatchObject({ reason: 'groups.administratorsOnly' })
  const own = { user_id: officer.id, amount: 1, reason: '辛苦费', key: 'any key at all' }
  expect(await refusal(officer.call(credits.adjust, own))).toMatchObject({ reason: 'access.ownGain' })
})

test('no amount, no reason and no such user are refused', async () => {
  expect(await refusal(adjust(0))).toMatchObject({ reason: 'credits.noChange' })
  expect(await refusal(adjust(1, ' '))).toMatchObject({ status: 400 })
  expect(await refusal(adjust(1.5))).toMatchObject({ status: 400 })
  expect(await refusal(adjust(1_000_001))).toMatchObject({ status: 400 })
  member = { ...member, id: 999_999 }
  expect(await refusal(adjust(1))).toMatchObject({ reason: 'users.notFound' })
})

test('the audit log has who, whom, how much and why', async () => {
  await adjust(9, '活动补偿')
  const { audit } = await site.root.call(audits.list, { area: ['credits'] })
  expect(audit[0]).toMatchObject({ username: officer.username, target_id: [String(member.id)] })
  expect(audit[0]?.change).toContain('0 → 9')
  expect(audit[0]?.change).toContain('活动补偿')
})

function adjust(amount: number, reason = '调整') {
  return officer.call(credits.adjust, { user_id: member.id, amount, reason, key: `dialog ${(keys += 1)}` })
}
