import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VipCard } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import type { Ctx } from '#server/context.ts'
import { openSite, type Person, type Site } from '#server/testing/site.ts'
import { findActiveCard } from '../users/vip-members.ts'
import { addMonths, endCard, grantCard } from './cards.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
  await site.configure({ 'vip.enable': 'true' })
})
afterAll(() => site.close())

test.each([
  ['2027-01-31 10:30', 1, '2027-02-28 10:30'],
  ['2028-01-31 10:30', 1, '2028-02-29 10:30'],
  ['2028-02-29 23:59', 12, '2029-02-28 23:59'],
  ['2028-02-29 00:00', 3, '2028-05-29 00:00'],
  ['2027-11-30 08:00', 3, '2028-02-29 08:00'],
  ['2027-12-31 08:00', 12, '2028-12-31 08:00'],
  ['2027-10-15 08:00', 3, '2028-01-15 08:00'],
])('%s and %i months are %s', (from, months, to) => {
  expect(formatTime(addMonths(at(from), months))).toBe(to)
})

describe('cards', () => {
  test('that are bought at once follow each other, counted from the first day', async () => {
    const member = await site.member()
    const ctx = await when('2027-01-31 10:30')
    for (const card of [VipCard.Month, VipCard.Month, VipCard.Month]) await grantCard(ctx, { userId: member.id, card })
    expect(await spans(member)).toEqual([
      '2027-01-31 10:30 – 2027-02-28 10:30',
      '2027-02-28 10:30 – 2027-03-31 10:30',
      '2027-03-31 10:30 – 2027-04-30 10:30',
    ])
    expect(await vipUntil(member)).toBe('2027-04-30 10:30')
  })

  test('of three kinds at the same moment do not overlap', async () => {
    const member = await site.member()
    const ctx = await when('2028-02-29 12:00')
    await Promise.all(
      [VipCard.Year, VipCard.Quarter, VipCard.Month].map((card) => grantCard(ctx, { userId: member.id, card })),
    )
    const cards = await findCards(member)
    expect(cards).toHaveLength(3)
    expect(cards.map(({ joined_at }) => joined_at)).toEqual([
      at('2028-02-29 12:00'),
      ...cards.slice(0, -1).map(({ expired_at }) => expired_at),
    ])
    expect(await vipUntil(member)).toBe('2029-06-29 12:00')
  })

  test('begin at the end of the last one, renewed to the second of its lapse, and later at once', async () => {
    const member = await site.member()
    const lapse = at('2027-06-30 09:00')
    const ctx = await when('2027-05-31 09:00')
    await grantCard(ctx, { userId: member.id, card: VipCard.Month })
    expect(await isActive(member, lapse - 1)).toBe(true)
    expect(await isActive(member, lapse)).toBe(false)
    await grantCard({ ...ctx, now: () => lapse }, { userId: member.id, card: VipCard.Month })
    expect(await spans(member)).toEqual(['2027-05-31 09:00 – 2027-06-30 09:00', '2027-06-30 09:00 – 2027-07-31 09:00'])
    const late = at('2027-09-01 00:00')
    await grantCard({ ...ctx, now: () => late }, { userId: member.id, card: VipCard.Month })
    expect((await spans(member)).at(-1)).toBe('2027-09-01 00:00 – 2027-10-01 00:00')
  })

  test('count on after the clock was set back, and a renewal then loses nothing', async () => {
    const member = await site.member()
    await grantCard(await when('2027-05-10 09:00'), { userId: member.id, card: VipCard.Month })
    expect(await isActive(member, at('2027-05-01 09:00'))).toBe(true)
    await grantCard(await when('2027-05-01 09:00'), { userId: member.id, card: VipCard.Month })
    expect(await vipUntil(member)).toBe('2027-07-10 09:00')
  })

  test('move forward when one before them ends early, also before it has begun', async () => {
    const member = await site.member()
    const ctx = await when('2027-03-01 00:00')
    for (const card of [VipCard.Month, VipCard.Quarter, VipCard.Year]) await grantCard(ctx, { userId: member.id, card })
    const [month, quarter, year] = await findCards(member)
    if (!month || !quarter || !year) throw new Error('there are three cards')
    expect(await endCard(ctx, quarter, '误开')).toBe(true)
    expect(await spans(member)).toEqual([
      '2027-03-01 00:00 – 2027-04-01 00:00',
      '2027-04-01 00:00 – 2027-04-01 00:00',
      '2027-04-01 00:00 – 2028-04-01 00:00',
    ])
    expect(await endCard(ctx, quarter, '再来一次')).toBe(false)
    const later = await when('2027-03-11 00:00')
    expect(await endCard(later, month, '退款')).toBe(true)
    expect((await spans(member)).at(-1)).toBe('2027-03-11 00:00 – 2028-03-11 00:00')
    expect(await findActiveCard(as(later, member))).toMatchObject({ id: year.id })
    expect(await vipUntil(member)).toBe('2028-03-11 00:00')
    expect(await endCard(later, year, '退款')).toBe(true)
    expect([await vipUntil(member), await isActive(member, later.now())]).toEqual(['2027-03-11 00:00', false])
  })

  test('that end at the same moment leave neither a gap nor an overlap', async () => {
    const member = await site.member()
    const ctx = await when('2027-03-01 00:00')
    for (const card of [VipCard.Month, VipCard.Month, VipCard.Month]) await grantCard(ctx, { userId: member.id, card })
    const [first, second, third] = await findCards(member)
    if (!first || !second || !third) throw new Error('there are three cards')
    await Promise.all([first, second].map((card) => transactionOf(ctx, card)))
    expect(await findActiveCard(as(ctx, member))).toMatchObject({ id: third.id, joined_at: ctx.now() })
    expect(await vipUntil(member)).toBe(formatTime(ctx.now() + third.expired_at - third.joined_at))

    function transactionOf(ctx: Ctx, card: { id: number; user_id: number }) {
      return ctx.db.transaction().execute((db) => endCard({ ...ctx, db }, card, '退款'))
    }
  })
})

function at(text: string): number {
  return new Date(text).getTime()
}

async function when(text: string): Promise<Ctx> {
  return { ...(await site.app.context()), now: () => at(text) }
}

function as(ctx: Ctx, { id }: Person): Ctx {
  return { ...ctx, viewer: { ...ctx.viewer, id } }
}

async function isActive(member: Person, now: number): Promise<boolean> {
  const ctx = await site.app.context()
  return (await findActiveCard(as({ ...ctx, now: () => now }, member))) !== undefined
}

function findCards({ id }: Person) {
  return site.db
    .selectFrom('user_vip')
    .selectAll()
    .where('user_id', '=', id)
    .orderBy('joined_at')
    .orderBy('id')
    .execute()
}

async function spans(member: Person): Promise<string[]> {
  return (await findCards(member)).map(({ joined_at, expired_at }) =>
    [joined_at, expired_at].map(formatTime).join(' – '),
  )
}

async function vipUntil({ id }: Person): Promise<string> {
  const user = await site.db.selectFrom('user').select('vip_until').where('id', '=', id).executeTakeFirstOrThrow()
  return formatTime(user.vip_until)
}
