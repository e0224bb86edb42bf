import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '#server/context.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { purgeDailyUse, takeDaily, usedToday } from './quotas.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('however many ask at once, no more is given than there is', async () => {
  const ctx = await site.app.context()
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => takeDaily(ctx, { kind: 'tea', who: 7, limit: 10 })),
  )
  expect(answers.filter(Boolean)).toHaveLength(10)
  expect(await usedToday(ctx, 'tea', 7)).toBe(10)
  expect(await usedToday(ctx, 'tea', 8)).toBe(0)
})

test('what is taken in a transaction that fails is given back', async () => {
  const ctx = await site.app.context()
  const attempt = transaction(ctx, async (ctx) => {
    expect(await takeDaily(ctx, { kind: 'cake', who: 1, limit: 1 })).toBe(true)
    throw new Error('changed my mind')
  })
  await expect(attempt).rejects.toThrow('changed my mind')
  expect(await takeDaily(ctx, { kind: 'cake', who: 1, limit: 1 })).toBe(true)
  expect(await takeDaily(ctx, { kind: 'cake', who: 1, limit: 1 })).toBe(false)
})

test('amounts count, a limit of nothing gives nothing, and the next day all is there again', async () => {
  const ctx = await site.app.context()
  expect(await takeDaily(ctx, { kind: 'bytes', who: 1, limit: 100, amount: 60 })).toBe(true)
  expect(await takeDaily(ctx, { kind: 'bytes', who: 1, limit: 100, amount: 60 })).toBe(false)
  expect(await takeDaily(ctx, { kind: 'bytes', who: 1, limit: 100, amount: 40 })).toBe(true)
  expect(await takeDaily(ctx, { kind: 'nothing', who: 1, limit: 0 })).toBe(false)
  const tomorrow = { ...ctx, now: () => ctx.now() + 24 * 3_600_000 }
  expect(await takeDaily(tomorrow, { kind: 'bytes', who: 1, limit: 100, amount: 100 })).toBe(true)
})

test('what was used a week ago is forgotten, what was used lately is not', async () => {
  const ctx = await site.app.context()
  const after = (days: number) => ({ ...ctx, now: () => ctx.now() + days * 24 * 3_600_000 })
  await takeDaily(ctx, { kind: 'soup', who: 1, limit: 9 })
  await takeDaily(after(5), { kind: 'soup', who: 1, limit: 9 })
  await purgeDailyUse(after(9))
  expect(await usedToday(ctx, 'soup', 1)).toBe(0)
  expect(await usedToday(after(5), 'soup', 1)).toBe(1)
})
