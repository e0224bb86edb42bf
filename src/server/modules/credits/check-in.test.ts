import { ActivityType } from '#shared/enums.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activities } from '#shared/contract/activities.ts'
import { credits } from '#shared/contract/credits.ts'
import { users } from '#shared/contract/users.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { loadViewer } from '../access/access.viewer.ts'
import { checkIn } from './check-in.ts'

const minute = 60_000
const day = 24 * 60 * minute
const already = { status: 409, reason: 'credits.signedAlready' }

let site: Site
let member: Person
beforeAll(async () => {
  site = await openSite()
  await site.configure({ 'score.sign_in': '3' })
  site.freezeClock()
  await passTo(12)
})
afterAll(() => site.close())
beforeEach(async () => {
  member = await site.member()
})

describe('a check-in', () => {
  test('earns the award, once', async () => {
    expect(await refusal(member.call(credits.todaysCheckIn))).toMatchObject({
      status: 404,
      reason: 'credits.notSigned',
    })
    const row = await member.call(credits.checkIn)
    const today = new Date((await site.app.context()).now())
    const sign_at = today.getFullYear() * 10_000 + (today.getMonth() + 1) * 100 + today.getDate()
    expect(row).toMatchObject({ user_id: member.id, sign_at, award: 3, streak: 1 })
    expect(await member.call(credits.todaysCheckIn)).toEqual(row)
    expect(await refusal(member.call(credits.checkIn))).toMatchObject(already)
    expect(await readBalance(member)).toBe(3)
    expect((await member.call(credits.entries)).entry).toMatchObject([{ amount: 3, balance: 3, title: '每日签到' }])
    expect((await member.call(activities.list)).dynamic).toMatchObject([{ type: ActivityType.CheckIn, amount: 3 }])
  })

  test('a hundred times at the same time earns one award', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 100 }, () => member.call(credits.checkIn)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    for (const error of refused) expect(error).toMatchObject(already)
    expect([await readBalance(member), (await member.call(credits.entries)).total]).toEqual([3, 1])
    expect((await member.call(activities.list)).total).toBe(1)
  })

  test('belongs to a calendar day of the site: before and after midnight are two', async () => {
    await passTo(23, 59)
    await member.call(credits.checkIn)
    expect(await refusal(member.call(credits.checkIn))).toMatchObject(already)
    site.advanceClock(2 * minute)
    expect((await member.call(credits.checkIn)).streak).toBe(2)
    expect(await readBalance(member)).toBe(6)
    await passTo(12)
  })

  test('earns no second award when the clock is set back', async () => {
    await member.call(credits.checkIn)
    site.advanceClock(day)
    await member.call(credits.checkIn)
    site.advanceClock(-day)
    expect(await refusal(member.call(credits.checkIn))).toMatchObject(already)
    site.advanceClock(day)
    expect(await refusal(member.call(credits.checkIn))).toMatchObject(already)
    expect(await readBalance(member)).toBe(6)
  })

  test('counts without an award as well', async () => {
    await site.configure({ 'score.sign_in': '0' })
    expect((await member.call(credits.checkIn)).award).toBe(0)
    expect(await refusal(member.call(credits.checkIn))).toMatchObject(already)
    expect((await member.call(credits.entries)).total).toBe(0)
    await site.configure({ 'score.sign_in': '3' })
  })

  test('is for members only', async () => {
    for (const endpoint of [credits.checkIn, credits.todaysCheckIn, credits.streak, credits.entries])
      expect(await refusal(site.call(endpoint))).toMatchObject({ status: 401 })
  })
})

describe('days in a row', () => {
  test('add up, can be continued the next day, and are lost the day after', async () => {
    expect(await member.call(credits.streak)).toEqual({ signed: false, streak: 0, award: 3 })
    await member.call(credits.checkIn)
    expect(await member.call(credits.streak)).toEqual({ signed: true, streak: 1, award: 3 })
    site.advanceClock(day)
    expect(await member.call(credits.streak)).toEqual({ signed: false, streak: 1, award: 3 })
    await member.call(credits.checkIn)
    await site.configure({ 'score.sign_in': '5' })
    expect(await member.call(credits.streak)).toEqual({ signed: true, streak: 2, award: 3 })
    site.advanceClock(2 * day)
    expect(await member.call(credits.streak)).toEqual({ signed: false, streak: 0, award: 5 })
    expect((await member.call(credits.checkIn)).streak).toBe(1)
    await site.configure({ 'score.sign_in': '3' })
  })

  test('continue over the ends of months and years', async () => {
    const ctx = await site.app.context()
    const viewer = await loadViewer(ctx, { ...member, is_root: 0, sessionId: 0 })
    for (let days = 1; days <= 70; days += 1) {
      const now = () => new Date(2027, 11, 25 + days, 12).getTime()
      const row = await checkIn({ ...ctx, viewer, member: true, now })
      expect(row.streak).toBe(days)
    }
    expect(await readBalance(member)).toBe(210)
  })
})

async function passTo(hours: number, minutes = 0): Promise<void> {
  const { now } = await site.app.context()
  const date = new Date(now())
  site.advanceClock(date.setHours(hours, minutes, 0, 0) - now())
}

async function readBalance({ call }: Person): Promise<number> {
  return (await call(users.get)).credit_count
}
