import { noAnswer } from '#shared/spider.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Ctx } from '#server/context.ts'
import { openSite, type Site } from '../../../testing/site.ts'
import { claimHost, extendHost, getReadyAt, nextTurn, noteAnswer, releaseHost } from './hosts.ts'

const second = 1000
const minute = 60 * second
let site: Site
let ctx: Ctx
beforeAll(async () => {
  site = await openSite()
  site.freezeClock()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('spider_host').execute()
  await configure({ concurrency: 2, delay_ms: 1000 })
})

async function configure(values: { concurrency?: number; delay_ms?: number }): Promise<void> {
  const settings = Object.entries(values).map(([name, value]) => [`spider.${name}`, String(value)])
  await site.configure(Object.fromEntries(settings))
  ctx = await site.app.context()
}

test('a host is held by one worker', async () => {
  const lease = await claimHost(ctx, 'https://a.test')
  expect(lease).toMatchObject({ origin: 'https://a.test' })
  expect(await claimHost(ctx, 'https://a.test')).toBeUndefined()
  expect(await claimHost(ctx, 'http://a.test')).toBeDefined()
})

test('a host is free again after its release, and when its worker died', async () => {
  const first = await claimHost(ctx, 'https://a.test')
  if (first) await releaseHost(ctx, first)
  const second = await claimHost(ctx, 'https://a.test')
  expect(second).toBeDefined()
  site.advanceClock(minute - 1)
  expect(await claimHost(ctx, 'https://a.test')).toBeUndefined()
  site.advanceClock(1)
  const third = await claimHost(ctx, 'https://a.test')
  expect(third).toBeDefined()
  // What the dead worker still does, should it live after all, changes nothing.
  expect(second && (await extendHost(ctx, second))).toBe(false)
  if (second) await releaseHost(ctx, second)
  expect(await claimHost(ctx, 'https://a.test')).toBeUndefined()
})

test('a lease is extended by its worker', async () => {
  const lease = await claimHost(ctx, 'https://a.test')
  site.advanceClock(50 * second)
  expect(lease && (await extendHost(ctx, lease))).toBe(true)
  site.advanceClock(50 * second)
  expect(await claimHost(ctx, 'https://a.test')).toBeUndefined()
})

test('no more hosts are held than the owner allows, also when all workers claim at once', async () => {
  const origins = Array.from({ length: 8 }, (_, index) => `https://host-${index}.test`)
  const contexts = await Promise.all(origins.map(() => site.app.context()))
  const leases = await Promise.all(origins.map((origin, index) => claimHost(contexts[index] ?? ctx, origin)))
  const held = leases.filter((lease) => lease !== undefined)
  expect(held).toHaveLength(2)
  if (held[0]) await releaseHost(ctx, held[0])
  expect(await claimHost(ctx, 'https://another.test')).toBeDefined()
  expect(await claimHost(ctx, 'https://one-more.test')).toBeUndefined()
  expect(await claimHost(ctx, 'https://one-more.test', { isBeyondLimit: true })).toBeDefined()
})

test('one of many workers that claim a host at once gets it', async () => {
  const leases = await Promise.all(Array.from({ length: 8 }, () => claimHost(ctx, 'https://a.test')))
  expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1)
})

test('requests are a delay apart, whichever worker asks', async () => {
  const start = ctx.now()
  const reserved = await Promise.all(Array.from({ length: 4 }, () => nextTurn(ctx, 'https://a.test', 0)))
  expect(reserved.map(({ at }) => at - start).toSorted((a, b) => a - b)).toEqual([0, 1000, 2000, 3000])
  site.advanceClock(10_500)
  expect(await nextTurn(ctx, 'https://a.test', 0)).toEqual({ at: start + 10_500, isReserved: true })
})

test('the longer delay counts: that of the site, or that of the source or of robots.txt', async () => {
  const start = ctx.now()
  await nextTurn(ctx, 'https://a.test', 5000)
  expect((await nextTurn(ctx, 'https://a.test', 200)).at).toBe(start + 5000)
  expect((await nextTurn(ctx, 'https://a.test', 0)).at).toBe(start + 6000)
  await configure({ delay_ms: 0 })
  expect((await nextTurn(ctx, 'https://a.test', 0)).at).toBe(start + 7000)
  expect((await nextTurn(ctx, 'https://a.test', 0)).at).toBe(start + 7000)
})

test('a turn that is far away is not reserved', async () => {
  const start = ctx.now()
  await nextTurn(ctx, 'https://a.test', 30_000)
  const far = { at: start + 30_000, isReserved: false }
  expect([await nextTurn(ctx, 'https://a.test', 0), await nextTurn(ctx, 'https://a.test', 0)]).toEqual([far, far])
  expect(await getReadyAt(ctx, 'https://a.test')).toBe(far.at)
  site.advanceClock(20_000)
  expect(await nextTurn(ctx, 'https://a.test', 0)).toEqual({ ...far, isReserved: true })
})

test('a host that fails is asked less and less often, until it answers', async () => {
  await nextTurn(ctx, 'https://a.test', 0)
  const fail = async (status: number) => (await noteAnswer(ctx, 'https://a.test', { status })) - ctx.now()
  expect([await fail(noAnswer), await fail(500), await fail(503), await fail(noAnswer)]).toEqual([
    5000, 10_000, 20_000, 40_000,
  ])
  for (let times = 0; times < 40; times++) await fail(noAnswer)
  expect(await fail(noAnswer)).toBe(60 * minute)
  site.advanceClock(60 * minute)
  await noteAnswer(ctx, 'https://a.test', { status: 404 })
  expect(await fail(502)).toBe(5000)
  expect(await getReadyAt(ctx, 'https://b.test')).toBe(0)
})

test('a host that asks for time gets it', async () => {
  await nextTurn(ctx, 'https://a.test', 0)
  const retryAt = ctx.now() + 3 * 60 * minute
  expect(await noteAnswer(ctx, 'https://a.test', { status: 429, retryAt })).toBe(retryAt)
  // A shorter time does not take it back.
  expect(await noteAnswer(ctx, 'https://a.test', { status: 503, retryAt: ctx.now() })).toBe(retryAt)
  expect(await nextTurn(ctx, 'https://a.test', 0)).toEqual({ at: retryAt, isReserved: false })
  await nextTurn(ctx, 'https://b.test', 0)
  expect(await noteAnswer(ctx, 'https://b.test', { status: 429 })).toBe(ctx.now() + minute)
  expect(await noteAnswer(ctx, 'https://b.test', { status: 429, retryAt: ctx.now() })).toBe(ctx.now() + 2 * minute)
})
