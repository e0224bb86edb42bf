import { hostname } from 'node:os'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { stats } from '#shared/contract/stats.ts'
import { environment } from '#shared/contract/system.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'
import { startHeartbeat } from './workers.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const workers = async () => (await site.root.call(environment.workers)).worker
const rows = () => site.db.selectFrom('worker').selectAll().execute()

/** The counts of the dashboard are cached for a moment. */
async function countOnDashboard(): Promise<number> {
  site.advanceClock(5000)
  return (await site.root.call(stats.pending)).worker_count
}

test('a process that works is heard of, until it stops', async () => {
  expect(await workers()).toEqual([])
  expect(await countOnDashboard()).toBe(0)
  const worker = site.app.work()
  await expect.poll(workers).toMatchObject([{ host: hostname(), pid: process.pid, tool: [] }])
  expect(await countOnDashboard()).toBe(1)
  await worker.stop()
  expect(await workers()).toEqual([])
})

test('each of several processes counts; one that was killed is missed after a minute, and forgotten after a day', async () => {
  const second = await site.openSecondProcess()
  const [first, other] = [site.app.work(), second.work()]
  await expect.poll(async () => (await workers()).length).toBe(2)
  await first.stop()
  expect(await workers()).toHaveLength(1)
  // As a process that is killed leaves it.
  const [left] = await rows()
  await other.stop()
  if (left) await site.db.insertInto('worker').values(left).execute()
  site.advanceClock(50_000)
  expect(await workers()).toHaveLength(1)
  site.advanceClock(11_000)
  expect(await workers()).toEqual([])
  expect(await countOnDashboard()).toBe(0)
  site.advanceClock(25 * 60 * 60_000)
  const next = site.app.work()
  await expect.poll(async () => (await rows()).map(({ id }) => id)).not.toContain(left?.id)
  await next.stop()
})

test('it goes on beating, and tells which programs it has found', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  const tool = {
    name: 'LibreOffice',
    description: '转换',
    cmd: 'soffice',
    is_required: true,
    is_installed: false,
    version: '',
    error: '未安装',
  }
  let looks = 0
  const heartbeat = startHeartbeat(async () => {
    const ctx = await site.app.context()
    const tools = async () => {
      looks += 1
      return [{ ...tool, is_installed: looks > 1 }]
    }
    return { ...ctx, converter: { ...ctx.converter, tools } }
  })
  try {
    await vi.waitFor(async () => expect(await rows()).toHaveLength(1))
    await vi.advanceTimersByTimeAsync(3000)
    await vi.waitFor(async () => expect(await workers()).toMatchObject([{ tool: [tool] }]))
    site.advanceClock(45_000)
    const before = (await rows())[0]?.seen_at ?? 0
    await vi.advanceTimersByTimeAsync(20_000)
    await vi.waitFor(async () => expect((await rows())[0]?.seen_at).toBeGreaterThan(before))
    // Something is missing: it looks again soon.
    await vi.advanceTimersByTimeAsync(60_000)
    await vi.waitFor(async () => expect(await workers()).toMatchObject([{ tool: [{ is_installed: true }] }]))
    await vi.advanceTimersByTimeAsync(120_000)
    expect(looks).toBe(2)
  } finally {
    vi.useRealTimers()
    await heartbeat.stop()
  }
})

test('where the workers run is for staff with the permission', async () => {
  const staff = await site.staff('ConfigAPI/GetStats')
  expect(await refusal(staff.call(environment.workers))).toMatchObject({ status: 403 })
  const holder = await site.staff('ConfigAPI/GetEnvs')
  expect(await holder.call(environment.workers)).toEqual({ worker: [] })
})
