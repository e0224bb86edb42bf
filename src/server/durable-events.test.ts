import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openSite, type Site } from '#server/testing/site.ts'
import { transaction } from './context.ts'
import { deliverTo, type DurableListeners, publish } from './durable-events.ts'
import { checkPayloads } from './jobs.ts'
import { claim } from './jobs/claim.ts'
import { fail, finish, PermanentJobError } from './jobs/queue.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('job').execute()
})

/** Runs the next delivery as a worker would. */
async function deliver(listeners: DurableListeners): Promise<void> {
  const ctx = await site.app.context()
  const handlers = checkPayloads({ 'events.deliver': deliverTo(listeners) })
  const job = await claim(ctx.db, 'worker', { kinds: ['events.deliver'], now: ctx.now() + 3_600_000 })
  if (!job) return
  const run = { attempt: job.attempts, last: false, priority: 0, owner: 0, signal: new AbortController().signal }
  try {
    await handlers['events.deliver']?.(ctx, job.payload, run)
    await finish(ctx.db, 'worker', job.id)
  } catch (error) {
    await fail(ctx.db, 'worker', job, error, ctx.now())
  }
}

const waiting = () => site.db.selectFrom('job').select(['kind', 'state', 'error']).execute()

test('an event exists only if the transaction that does the thing commits', async () => {
  const ctx = await site.app.context()
  const failing = transaction(ctx, async (ctx) => {
    await publish(ctx, 'user.registered', { id: 7 })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await waiting()).toEqual([])
  await transaction(ctx, (ctx) => publish(ctx, 'user.registered', { id: 7 }))
  expect(await waiting()).toMatchObject([{ kind: 'events.deliver', state: 'waiting' }])
})

test('every listener gets it, also when one before it fails; then all get it again', async () => {
  await publish(await site.app.context(), 'users.deleted', { ids: [3, 4] })
  const got: string[] = []
  let fails = true
  const listeners: DurableListeners = {
    'users.deleted': [
      async () => {
        got.push('first')
        if (fails) throw new Error('away')
      },
      async (_ctx, { ids }) => void got.push(`second ${ids.join()}`),
    ],
  }
  await deliver(listeners)
  expect(got).toEqual(['first', 'second 3,4'])
  expect(await waiting()).toMatchObject([{ state: 'waiting', error: 'away' }])
  fails = false
  await deliver(listeners)
  expect(got).toEqual(['first', 'second 3,4', 'first', 'second 3,4'])
  expect(await waiting()).toEqual([])
})

test('an event without listeners is delivered to none', async () => {
  await publish(await site.app.context(), 'users.deleted', { ids: [1] })
  await deliver({})
  expect(await waiting()).toEqual([])
})

test('a payload that fits no schema is not retried', async () => {
  const handlers = checkPayloads({ 'mail.send': async () => {} })
  const ctx = await site.app.context()
  const run = { attempt: 1, last: false, priority: 0, owner: 0, signal: new AbortController().signal }
  expect(() => handlers['mail.send']?.(ctx, { unknown: 1 }, run)).toThrow(PermanentJobError)
})
