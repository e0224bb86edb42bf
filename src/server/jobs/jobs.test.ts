import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { openSite, type Site } from '#server/testing/site.ts'
import { type Ctx, transaction } from '../context.ts'
import { type Logger, openLog } from '../log.ts'
import { claim } from './claim.ts'
import { fail, failExpired, finish, insertJob, releaseJobs } from './queue.ts'
import { enqueueDue } from './schedule.ts'
import { type JobHandler, startWorker } from './worker.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('job').execute()
})

test('a job is done once, by the worker that claims it first', async () => {
  const done: unknown[] = []
  const record: JobHandler = async (_ctx, payload) => {
    done.push(payload)
  }
  for (let n = 0; n < 20; n++) await insertJob(at(Date.now()), { kind: 'note', payload: { n } })
  const workers = [work({ note: record }), work({ note: record })]
  await until(async () => (await jobs()).length === 0)
  await Promise.all(workers.map((worker) => worker.stop()))
  expect(done.map((payload) => (payload as { n: number }).n).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, n) => n),
  )
})

test('a job written in a transaction that fails was never there', async () => {
  const ctx = await site.app.context()
  const attempt = transaction(ctx, async (ctx) => {
    await insertJob(ctx, { kind: 'note' })
    throw new Error('changed my mind')
  })
  await expect(attempt).rejects.toThrow('changed my mind')
  expect(await jobs()).toEqual([])
})

test('a failing job is retried with exponential back-off, then kept as failed with its reason', async () => {
  await insertJob(at(0), { kind: 'note' })
  let now = 1
  for (let attempt = 1; attempt <= 5; attempt++) {
    const job = await claim(site.db, 'w', { kinds: ['note'], now })
    expect(job?.attempts).toBe(attempt)
    if (job) await fail(site.db, 'w', job, `reason ${attempt}`, now)
    expect(await claim(site.db, 'w', { kinds: ['note'], now: now + 999 })).toBeUndefined()
    now += 10_000_000
  }
  expect(await claim(site.db, 'w', { kinds: ['note'], now })).toBeUndefined()
  expect(await jobs()).toMatchObject([{ state: 'failed', error: 'reason 5' }])
})

test("a killed worker's job comes back when its lease ends; a stopping worker's at once", async () => {
  await insertJob(at(0), { kind: 'note' })
  expect(await claim(site.db, 'killed', { kinds: ['note'], now: 1000 })).toBeDefined()
  expect(await claim(site.db, 'other', { kinds: ['note'], now: 30_000 })).toBeUndefined()
  expect(await claim(site.db, 'other', { kinds: ['note'], now: 62_000 })).toMatchObject({ attempts: 2 })
  await releaseJobs(site.db, 'other')
  expect(await claim(site.db, 'third', { kinds: ['note'], now: 62_001 })).toMatchObject({ attempts: 2 })
})

test('a worker that lost its lease cannot finish the job', async () => {
  await insertJob(at(0), { kind: 'note' })
  const slow = await claim(site.db, 'slow', { kinds: ['note'], now: 1000 })
  const taken = await claim(site.db, 'next', { kinds: ['note'], now: 62_000 })
  expect(slow?.id).toBe(taken?.id)
  await finish(site.db, 'slow', slow?.id ?? 0)
  expect(await jobs()).toMatchObject([{ state: 'running', worker: 'next' }])
  await finish(site.db, 'next', taken?.id ?? 0)
  expect(await jobs()).toEqual([])
})

test('a job that kills its worker each time fails when its last lease ends', async () => {
  await insertJob(at(0), { kind: 'note' })
  let now = 1000
  for (let attempt = 1; attempt <= 5; attempt++) {
    expect(await claim(site.db, `dying ${attempt}`, { kinds: ['note'], now })).toMatchObject({ attempts: attempt })
    now += 100_000
  }
  expect(await claim(site.db, 'next', { kinds: ['note'], now })).toBeUndefined()
  await failExpired(site.db, now)
  expect(await jobs()).toMatchObject([{ state: 'failed', worker: '' }])
})

test('a job that a stop interrupts has not failed: it waits for the next worker, and the attempt does not count', async () => {
  await insertJob(at(Date.now()), { kind: 'note' })
  const begun = Promise.withResolvers<void>()
  const worker = work({
    note: (_ctx, _payload, { signal }) => {
      begun.resolve()
      return new Promise((_done, fail) => signal.addEventListener('abort', () => fail(new Error('cut short'))))
    },
  })
  await begun.promise
  await worker.stop()
  expect(await jobs()).toMatchObject([{ state: 'waiting', attempts: 0, error: '' }])
})

test('what a stop interrupts is done again, so nothing warns of it', async () => {
  const lines: string[] = []
  const log = openLog('info', { write: (line) => void lines.push(line) })
  await insertJob(at(Date.now()), { kind: 'note' })
  const begun = Promise.withResolvers<void>()
  const worker = work(
    {
      note: async ({ log }, _payload, { signal }) => {
        log.warn('as always')
        begun.resolve()
        await new Promise((done) => signal.addEventListener('abort', done))
        log.warn('cut short')
        log.error('lost')
      },
    },
    log,
  )
  await begun.promise
  await worker.stop()
  expect(lines.map((line) => /"msg":"(.*?)"/.exec(line)?.[1])).toEqual(['as always', 'lost'])
})

test('higher priority runs first, and waking ends the sleep', async () => {
  const done: unknown[] = []
  const record: JobHandler = async (_ctx, payload) => void done.push(payload)
  await insertJob(at(0), { kind: 'note', payload: 'later' })
  await insertJob(at(0), { kind: 'note', payload: 'first', priority: 10 })
  const worker = startWorker({
    handlers: { note: record },
    schedules: [],
    context: () => site.app.context(),
    concurrency: 1,
    idleMs: 60_000,
  })
  await until(async () => done.length === 2)
  expect(done).toEqual(['first', 'later'])
  await insertJob(at(0), { kind: 'note', payload: 'while it rests' })
  worker.wake()
  await until(async () => done.length === 3)
  await worker.stop()
})

test('a sleeping worker is woken by jobs of its own kinds alone', async () => {
  let looks = 0
  const done: unknown[] = []
  await insertJob(at(0), { kind: 'note', payload: 'first' })
  const worker = startWorker({
    handlers: { note: async (_ctx, payload) => void done.push(payload) },
    schedules: [],
    context: () => {
      looks++
      return site.app.context()
    },
    concurrency: 1,
    idleMs: 60_000,
  })
  // The second look finds nothing.
  await until(async () => looks === 2)
  worker.wake({ kind: 'other' })
  expect(await jobs()).toEqual([])
  expect(looks).toBe(2)
  await insertJob(at(0), { kind: 'note', payload: 'second' })
  worker.wake({ kind: 'note' })
  await until(async () => done.length === 2)
  await worker.stop()
})

test('workers are woken after the job is written', async () => {
  const found: ReturnType<typeof jobs>[] = []
  await insertJob({ ...at(0), emit: () => void found.push(jobs()) }, { kind: 'note' })
  expect(await Promise.all(found)).toMatchObject([[{ state: 'waiting' }]])
})

test('higher priority runs first across kinds as well, then the longer waiting', async () => {
  await insertJob(at(3), { kind: 'b', payload: 'late' })
  await insertJob(at(2), { kind: 'a', payload: 'early' })
  await insertJob(at(5), { kind: 'b', payload: 'urgent', priority: 10 })
  await insertJob(at(1), { kind: 'c', payload: 'another queue', priority: 20 })
  await insertJob(at(0), { kind: 'a', payload: 'not yet', priority: 30, runAt: 5000 })
  const taken: unknown[] = []
  for (let n = 0; n < 4; n++) taken.push((await claim(site.db, 'w', { kinds: ['a', 'b'], now: 1000 }))?.payload)
  expect(taken).toEqual(['urgent', 'early', 'late', undefined])
})

test('concurrent claims take different jobs', async () => {
  for (let n = 0; n < 8; n++) await insertJob(at(0), { kind: n % 2 ? 'a' : 'b' })
  const looks = Array.from({ length: 8 }, (_, n) => claim(site.db, `w${n}`, { kinds: ['a', 'b'], now: 1000 }))
  const ids = (await Promise.all(looks)).map((job) => job?.id)
  expect(new Set(ids).size).toBe(8)
  expect(ids).not.toContain(undefined)
})

test('a locked job is skipped', async () => {
  await insertJob(at(0), { kind: 'note', payload: 'held', priority: 1 })
  await insertJob(at(0), { kind: 'note', payload: 'free' })
  const [held] = await jobs()
  const letGo = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const holding = site.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('job')
      .set({ updated_at: 1 })
      .where('id', '=', held?.id ?? 0)
      .execute()
    isHeld.resolve()
    await letGo.promise
  })
  await isHeld.promise
  const looking = claim(site.db, 'w', { kinds: ['note'], now: 1000 })
  // SQLite has one writer: there the claim waits, and then finds the first.
  if (inject('database').engine === 'sqlite') letGo.resolve()
  expect((await looking)?.payload).toBe(inject('database').engine === 'sqlite' ? 'held' : 'free')
  letGo.resolve()
  await holding
})

test('as many jobs run at once as there are slots, and one loop claims for all of them', async () => {
  for (let n = 0; n < 5; n++) await insertJob(at(0), { kind: 'note' })
  let [runs, most, looks] = [0, 0, 0]
  const end = Promise.withResolvers<void>()
  const worker = startWorker({
    handlers: {
      async note() {
        runs += 1
        most = Math.max(most, runs)
        await end.promise
        runs -= 1
      },
    },
    schedules: [],
    context() {
      looks += 1
      return site.app.context()
    },
    concurrency: 3,
    idleMs: 60_000,
  })
  await until(async () => runs === 3)
  expect(looks).toBe(3)
  expect((await jobs()).filter(({ state }) => state === 'running')).toHaveLength(3)
  end.resolve()
  await until(async () => (await jobs()).length === 0)
  expect(most).toBe(3)
  expect(looks).toBe(6)
  await worker.stop()
})

test('a schedule gives one job for each period, however many processes look', async () => {
  const ctx = await site.app.context()
  const schedules = [{ kind: 'hourly', everyMs: 3_600_000 }]
  await Promise.all([enqueueDue(ctx, schedules), enqueueDue(ctx, schedules), enqueueDue(ctx, schedules)])
  expect(await jobs()).toHaveLength(1)
  await site.db.deleteFrom('job').execute()
  await enqueueDue(ctx, schedules)
  expect(await jobs()).toHaveLength(0)
  await enqueueDue({ ...ctx, now: () => Date.now() + 3_600_000 }, schedules)
  expect(await jobs()).toHaveLength(1)
})

test('events are delivered after the commit, and not at all without one', async () => {
  const told: string[] = []
  const ctx: Ctx = { ...(await site.app.context()), emit: (name) => void told.push(name) }
  await transaction(ctx, async (ctx) => {
    ctx.emit('site.changed', {})
    expect(told).toEqual([])
  })
  expect(told).toEqual(['site.changed'])
  await transaction(ctx, async (ctx) => {
    ctx.emit('site.changed', {})
    throw new Error('no')
  }).catch(() => {})
  expect(told).toEqual(['site.changed'])
})

test('what a transaction has written is not seen from outside before it is committed', async () => {
  const ctx = await site.app.context()
  await transaction(ctx, async (inner) => {
    await insertJob(inner, { kind: 'note' })
    expect(await jobs()).toEqual([])
  })
  expect(await jobs()).toHaveLength(1)
})

function work(handlers: Record<string, JobHandler>, log?: Logger) {
  const context = async () => ({ ...(await site.app.context()), ...(log && { log }) })
  return startWorker({ handlers, schedules: [], context, concurrency: 1, idleMs: 5 })
}

/** A context whose clock shows `ms`. */
function at(ms: number) {
  return { db: site.db, now: () => ms, emit: () => {} }
}

function jobs() {
  return site.db.selectFrom('job').selectAll().execute()
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  await expect.poll(holds, { timeout: 10_000, interval: 20 }).toBe(true)
}
