import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '#server/context.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { purgeQuotaUsage, consumeQuota, quotaUsed } from './quotas.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('concurrent requests never exceed the quota', async () => {
  const ctx = await site.app.context()
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => consumeQuota(ctx, { quota: 'tea', subject: 7, limit: 10 })),
  )
  expect(answers.filter(Boolean)).toHaveLength(10)
  expect(await quotaUsed(ctx, { quota: 'tea', subject: 7 })).toBe(10)
  expect(await quotaUsed(ctx, { quota: 'tea', subject: 8 })).toBe(0)
})

test('a transaction that is rolled back consumes nothing', async () => {
  const ctx = await site.app.context()
  const attempt = transaction(ctx, async (ctx) => {
    expect(await consumeQuota(ctx, { quota: 'cake', subject: 1, limit: 1 })).toBe(true)
    throw new Error('changed my mind')
  })
  await expect(attempt).rejects.toThrow('changed my mind')
  expect(await consumeQuota(ctx, { quota: 'cake', subject: 1, limit: 1 })).toBe(true)
  expect(await consumeQuota(ctx, { quota: 'cake', subject: 1, limit: 1 })).toBe(false)
})

test('amounts are added up, a limit of 0 allows nothing, and the next day the quota is full again', async () => {
  const ctx = await site.app.context()
  expect(await consumeQuota(ctx, { quota: 'bytes', subject: 1, limit: 100, amount: 60 })).toBe(true)
  expect(await consumeQuota(ctx, { quota: 'bytes', subject: 1, limit: 100, amount: 60 })).toBe(false)
  expect(await consumeQuota(ctx, { quota: 'bytes', subject: 1, limit: 100, amount: 40 })).toBe(true)
  expect(await consumeQuota(ctx, { quota: 'nothing', subject: 1, limit: 0 })).toBe(false)
  const tomorrow = { ...ctx, now: () => ctx.now() + 24 * 3_600_000 }
  expect(await consumeQuota(tomorrow, { quota: 'bytes', subject: 1, limit: 100, amount: 100 })).toBe(true)
})

test('usage is purged after a week', async () => {
  const ctx = await site.app.context()
  const after = (days: number) => ({ ...ctx, now: () => ctx.now() + days * 24 * 3_600_000 })
  await consumeQuota(ctx, { quota: 'soup', subject: 1, limit: 9 })
  await consumeQuota(after(5), { quota: 'soup', subject: 1, limit: 9 })
  await purgeQuotaUsage(after(9))
  expect(await quotaUsed(ctx, { quota: 'soup', subject: 1 })).toBe(0)
  expect(await quotaUsed(after(5), { quota: 'soup', subject: 1 })).toBe(1)
})
