import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sql } from 'kysely'
import { explainQueries } from '#server/testing/databases/query-plans.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { claim } from './claim.ts'
import { fail, finish, insertJob, JobPriority, RetryLast, takeOver } from './queue.ts'
import { startWorker } from './worker.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('job').execute()
})

let clock = 0
const ctx = () => ({ db: site.db, now: () => ++clock, emit: () => {} })
const put = (owner: number, name: string, priority: number = JobPriority.Upload) =>
  insertJob(ctx(), { kind: 'note', owner, payload: name, priority })
const take = (exceptOwners: readonly number[] = []) =>
  claim(site.db, 'w', { kinds: ['note'], now: clock + 1_000_000, exceptOwners })

/** Takes and finishes so many jobs, or all of them. */
async function serve(count = Infinity): Promise<unknown[]> {
  const served: unknown[] = []
  for (let job; served.length < count && (job = await take());) {
    served.push(job.payload)
    await finish(site.db, 'w', job.id)
  }
  return served
}

test('owners take turns, however many jobs each of them has', async () => {
  for (let n = 1; n <= 5; n++) await put(1, `a${n}`)
  for (let n = 1; n <= 3; n++) await put(2, `b${n}`)
  await put(3, 'c1')
  expect(await serve()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'b3', 'a4', 'a5'])
})

test('a newcomer waits for one job of each owner at most, also after many rounds', async () => {
  for (let n = 1; n <= 60; n++) await put((n % 2) + 1, `${(n % 2) + 1}.${n}`)
  await serve(30)
  const running = await take()
  await put(3, 'newcomer')
  const next = await serve(2)
  expect(next).toContain('newcomer')
  if (running) await finish(site.db, 'w', running.id)
})

test('twenty owners with a job each wait for no more than the round of an owner with more', async () => {
  for (let n = 1; n <= 80; n++) await put(1, 'bulk')
  await serve(10)
  for (let owner = 2; owner <= 21; owner++) await put(owner, `owner ${owner}`)
  const served = await serve(21)
  expect(served.filter((name) => name === 'bulk')).toHaveLength(1)
})

test('an owner whose jobs are always few does not push aside an owner who has many', async () => {
  for (let n = 1; n <= 20; n++) await put(1, 'bulk')
  const served: unknown[] = []
  for (let n = 1; n <= 10; n++) {
    const running = await take()
    await put(2, 'single')
    served.push(running?.payload, ...(await serve(1)))
    if (running) await finish(site.db, 'w', running.id)
  }
  expect(served.filter((name) => name === 'bulk').length).toBeGreaterThanOrEqual(9)
})

test('a higher priority goes before all turns', async () => {
  await put(1, 'idle', JobPriority.Idle)
  for (let n = 1; n <= 3; n++) await put(1, `a${n}`)
  await put(2, 'normal', JobPriority.Normal)
  expect(await serve()).toEqual(['a1', 'a2', 'a3', 'normal', 'idle'])
})

test('what is to be retried last waits for the first attempts of everybody', async () => {
  await put(1, 'slow')
  const slow = await take()
  if (slow) await fail(site.db, 'w', slow, new RetryLast('timeout'), ++clock)
  for (let n = 1; n <= 3; n++) await put(2, `b${n}`, JobPriority.Normal)
  await put(1, 'a2')
  expect(await serve()).toEqual(['a2', 'b1', 'b2', 'b3', 'slow'])
})

test('what was crawled keeps its order behind all others, retries too, and takes no turns of owners', async () => {
  const crawled = (name: string) => insertJob(ctx(), { kind: 'note', payload: name, priority: JobPriority.Crawled })
  for (let n = 1; n <= 4; n++) await crawled(`c${n}`)
  const slow = await take()
  if (slow) await fail(site.db, 'w', slow, new RetryLast('timeout'), clock + 10)
  for (let n = 1; n <= 2; n++) await put(1, `a${n}`)
  await put(2, 'b1')
  await put(1, 'retried', JobPriority.Retry)
  expect(await serve()).toEqual(['a1', 'b1', 'a2', 'retried', 'c2', 'c3', 'c4', 'c1'])
})

test('who waits for a job of another owner gets it in a turn of their own, and never later than before', async () => {
  const putKey = (owner: number, key: string, priority: number = JobPriority.Upload) =>
    insertJob(ctx(), { kind: 'note', owner, payload: key, key, priority })
  const takeOverBy = (owner: number, key: string) =>
    takeOver(ctx(), { kind: 'note', key, owner, priority: JobPriority.Upload })
  for (let n = 1; n <= 4; n++) await putKey(1, `a${n}`)
  await putKey(2, 'b1')
  await putKey(1, 'retried', JobPriority.Retry)
  await takeOverBy(1, 'a2')
  await takeOverBy(2, 'a1')
  await takeOverBy(2, 'a4')
  await takeOverBy(3, 'a3')
  await takeOverBy(3, 'retried')
  expect(await serve()).toEqual(['a1', 'a3', 'b1', 'a2', 'a4', 'retried'])
})

test('one owner never has all slots', async () => {
  for (let n = 1; n <= 6; n++) await put(1, `a${n}`)
  const started: unknown[] = []
  const end = Promise.withResolvers<void>()
  const worker = startWorker({
    handlers: {
      async note(_ctx, payload) {
        started.push(payload)
        if (String(payload).startsWith('a')) await end.promise
      },
    },
    schedules: [],
    context: () => site.app.context(),
    concurrency: 3,
    maxPerOwner: 2,
    idleMs: 5,
  })
  await expect.poll(() => started).toEqual(['a1', 'a2'])
  for (let n = 1; n <= 3; n++) await put(2, `b${n}`)
  await expect.poll(() => started).toEqual(['a1', 'a2', 'b1', 'b2', 'b3'])
  end.resolve()
  await expect.poll(() => started.length).toBe(9)
  await worker.stop()
})

test('a job that ends makes room for the next of its owner without a pause', async () => {
  for (let n = 1; n <= 6; n++) await put(1, `a${n}`)
  let done = 0
  const worker = startWorker({
    handlers: { note: async () => void done++ },
    schedules: [],
    context: () => site.app.context(),
    concurrency: 2,
    maxPerOwner: 1,
    idleMs: 60_000,
  })
  await expect.poll(() => done).toBe(6)
  await worker.stop()
})

test('with 100,000 waiting, of one owner and of many, adding and taking a job reads a few index entries', async () => {
  await sql`insert into job (kind, payload, state, priority, owner, round, run_at, created_at, updated_at)
    with recursive n (n) as (select 0 union all select n + 1 from n where n < 99999)
    select case when n % 4 = 0 then 'other' else 'note' end, '{}', 'waiting', case when n % 3 = 0 then 0 else 10 end,
      case when n % 2 = 1 then 7 else n end, n, n, 0, 0 from n`.execute(site.db)
  await sql`analyze job`.execute(site.db)
  const { db, plans } = explainQueries(site.db)
  await insertJob({ ...ctx(), db }, { kind: 'note', owner: 7 })
  const options = { kinds: ['note', 'other', 'none'], now: 200_000 }
  expect(await claim(db, 'w', options)).toMatchObject({ kind: 'note' })
  expect(await claim(db, 'w', { ...options, exceptOwners: [7] })).toBeDefined()
  const steps = (await plans()).flat()
  const wasteful = /TEMP B-TREE|SCAN job|Seq Scan|Sort|Bitmap/
  expect(steps.filter((step) => wasteful.test(step))).toEqual([])
  const wanted =
    inject('database').engine === 'sqlite'
      ? [/INDEX job_next \(state=\? AND kind=\?\)/, /INDEX job_owner \(state=\? AND kind=\? AND owner=\?\)/]
      : [/using job_next on job/i, /using job_owner on job/i]
  for (const index of wanted) expect(steps).toContainEqual(expect.stringMatching(index))
})
