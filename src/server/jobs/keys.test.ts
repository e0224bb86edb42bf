import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSite, type Site } from '#server/testing/site.ts'
import { enqueue, jobKey, jobKeySql, toSchedule } from '../jobs.ts'
import { claim } from './claim.ts'
import { fail, insertJob, releaseJobs } from './queue.ts'
import { enqueueDue } from './schedule.ts'

const kind = 'renditions.remove'
const hash = 'ab'.repeat(32)

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('job').execute()
})

const jobs = () => site.db.selectFrom('job').selectAll().orderBy('id').execute()
const at = (ms: number) => ({ db: site.db, now: () => ms, emit: () => {} })

describe('at most one job of a key waits', () => {
  test('however many enqueue it at once', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, n) => enqueue(at(1000 + n), kind, { hash })))
    expect(await jobs()).toMatchObject([{ kind, key: `remove:${hash}`, state: 'waiting' }])
  })

  test('and it runs at the earliest of the times that were asked for', async () => {
    for (const runAt of [5000, 2000, 9000]) await enqueue(at(1000), kind, { hash }, { runAt })
    expect(await jobs()).toMatchObject([{ run_at: 2000 }])
  })

  test('while another of it runs', async () => {
    await enqueue(at(0), kind, { hash })
    await claim(site.db, 'first', { kinds: [kind], now: 1000 })
    await enqueue(at(1000), kind, { hash })
    await enqueue(at(1000), kind, { hash })
    expect((await jobs()).map(({ state }) => state)).toEqual(['running', 'waiting'])
  })

  test('a running one that fails gives way to the one that waits', async () => {
    await enqueue(at(0), kind, { hash })
    const running = await claim(site.db, 'first', { kinds: [kind], now: 1000 })
    await enqueue(at(1000), kind, { hash })
    if (running) await fail(site.db, 'first', running, new Error('no'), 2000)
    expect(await jobs()).toMatchObject([{ state: 'waiting', attempts: 0, run_at: 1000 }])
  })

  test('those that a stopping worker releases become one', async () => {
    await enqueue(at(0), kind, { hash })
    await claim(site.db, 'worker', { kinds: [kind], now: 1000 })
    await enqueue(at(1000), kind, { hash })
    await claim(site.db, 'worker', { kinds: [kind], now: 1000 })
    await enqueue(at(1000), kind, { hash })
    await releaseJobs(site.db, 'worker')
    expect(await jobs()).toMatchObject([{ state: 'waiting', worker: '' }])
  })

  test('but any number without a key', async () => {
    for (let n = 0; n < 3; n++) await insertJob(at(0), { kind: 'mail.purge' })
    expect(await jobs()).toHaveLength(3)
  })
})

test('a key is the same in SQL as in code', async () => {
  await site.db
    .insertInto('rendition')
    .values({ hash, ext: '.pdf', state: 'done', revision: 42, created_at: 0, updated_at: 0 })
    .execute()
  const columns = { hash: 'rendition.hash', revision: 'rendition.revision' }
  const row = await site.db
    .selectFrom('rendition')
    .select([
      jobKeySql('renditions.extract-text', columns).as('extraction'),
      jobKeySql('renditions.convert', columns).as('conversion'),
    ])
    .where('hash', '=', hash)
    .executeTakeFirst()
  expect(row).toEqual({
    extraction: jobKey('renditions.extract-text', { hash, revision: 42, from: 1 }),
    conversion: jobKey('renditions.convert', { hash }),
  })
})

test('only a job for one row has a key', () => {
  expect(jobKey('search.index-documents', { id: [7] })).toBe('index-document:7')
  expect(jobKey('search.index-documents', { id: [7, 8] })).toBe('')
  expect(jobKey('mail.purge', {})).toBe('')
})

test('a scheduled job is the same as one of its kind that was enqueued', async () => {
  const ctx = await site.app.context()
  await enqueueDue(ctx, [toSchedule({ kind: 'search.optimize', everyMs: 1000 })])
  await enqueue(ctx, 'search.optimize', {})
  expect(await jobs()).toMatchObject([{ kind: 'search.optimize', state: 'waiting' }])
})
