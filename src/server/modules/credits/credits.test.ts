import { publish } from '#server/durable-events.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '#shared/contract/users.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { openSite, type Person, type Site } from '#server/testing/site.ts'
import { addCredit, spendCredit, takeCredit, transferCredit } from './credits.ledger.ts'
import { penaliseDeletion, rewardUpload } from './credits.rewards.ts'

let site: Site
let ctx: Ctx
beforeAll(async () => {
  site = await openSite()
  ctx = await site.app.context()
})
afterAll(() => site.close())

async function withCredit(amount: number): Promise<Person> {
  const person = await site.member()
  await addCredit(ctx, { userId: person.id, amount, reason: 'register' })
  return person
}

async function readBalance({ id }: { id: number }): Promise<number> {
  const row = await site.db.selectFrom('user').select('credit_count').where('id', '=', id).executeTakeFirstOrThrow()
  return row.credit_count
}

async function listEntries({ id }: { id: number }) {
  return site.db.selectFrom('credit_entry').selectAll().where('user_id', '=', id).orderBy('id').execute()
}

async function expectWhole(person: { id: number }): Promise<void> {
  const entries = await listEntries(person)
  let sum = 0
  for (const { amount, balance } of entries) {
    sum += amount
    expect(balance).toBe(sum)
    expect(balance).toBeGreaterThanOrEqual(0)
  }
  expect(await readBalance(person)).toBe(sum)
}

test('every change has an entry with its reason, its subject and the balance after it', async () => {
  const person = await withCredit(10)
  await spendCredit(ctx, { userId: person.id, amount: 3, reason: 'download', refId: 7 })
  expect(await listEntries(person)).toMatchObject([
    { amount: 10, balance: 10, reason: 'register', ref_id: 0 },
    { amount: -3, balance: 7, reason: 'download', ref_id: 7 },
  ])
})

test('a balance is never overdrawn', async () => {
  const person = await withCredit(5)
  expect(await spendCredit(ctx, { userId: person.id, amount: 6, reason: 'download' })).toBe(false)
  expect(await transferCredit(ctx, { from: person.id, to: 1, amount: 6, reason: 'download' })).toBe(false)
  expect(await readBalance(person)).toBe(5)
  await expect(spendCredit(ctx, { userId: person.id, amount: -6, reason: 'download' })).rejects.toThrow(RangeError)
  await expectWhole(person)
})

test('a penalty takes at most the balance', async () => {
  const person = await withCredit(2)
  await takeCredit(ctx, { userId: person.id, amount: 5, reason: 'delete' })
  await takeCredit(ctx, { userId: person.id, amount: 5, reason: 'delete' })
  expect(await readBalance(person)).toBe(0)
  await expectWhole(person)
})

test('a change with a key happens once, also with concurrent requests', async () => {
  const person = await site.member()
  const give = () => addCredit(ctx, { userId: person.id, amount: 4, reason: 'upload', key: `once:${person.id}` })
  const results = await Promise.all(Array.from({ length: 10 }, give))
  expect(results.filter(Boolean)).toHaveLength(1)
  expect(await readBalance(person)).toBe(4)
})

test('with credit for one of fifty concurrent purchases one succeeds', async () => {
  const buyer = await withCredit(8)
  const author = await site.member()
  const paid = await Promise.all(
    Array.from({ length: 50 }, () =>
      transferCredit(ctx, { from: buyer.id, to: author.id, amount: 8, reason: 'download', refId: 1 }),
    ),
  )
  expect(paid.filter(Boolean)).toHaveLength(1)
  expect([await readBalance(buyer), await readBalance(author)]).toEqual([0, 8])
  await expectWhole(buyer)
  await expectWhole(author)
})

test('members who pay each other at the same time do not deadlock', async () => {
  const [first, second] = [await withCredit(100), await withCredit(100)]
  const paid = await Promise.all(
    Array.from({ length: 60 }, (_, at) => {
      const [from, to] = at % 2 ? [first.id, second.id] : [second.id, first.id]
      return transferCredit(ctx, { from, to, amount: 1, reason: 'download' })
    }),
  )
  expect(paid.every(Boolean)).toBe(true)
  expect([await readBalance(first), await readBalance(second)]).toEqual([100, 100])
  await expectWhole(first)
})

test('a change is rolled back with its transaction', async () => {
  const person = await withCredit(3)
  const undone = transaction(ctx, async (ctx) => {
    await addCredit(ctx, { userId: person.id, amount: 9, reason: 'upload' })
    throw new Error('changed my mind')
  })
  await expect(undone).rejects.toThrow('changed my mind')
  await expectWhole(person)
  expect(await readBalance(person)).toBe(3)
})

describe('a registration is rewarded', () => {
  const register = (username: string) =>
    site.caller({ ip: '10.1.2.3' })(users.register, { username, password: 'secret-1', email: `${username}@e.cn` })

  test('at once: the reply has the whole member, and so has that of a log-in', async () => {
    const { token, user } = await register('new-here')
    expect(user).toMatchObject({ username: 'new-here', credit_count: 10 })
    expect(user).toEqual(await site.caller({ token })(users.get))
    const entered = await site.call(users.login, { username: 'new-here', password: 'secret-1' })
    expect(entered.user).toMatchObject({ credit_count: 10, group_id: user.group_id })
    expect(entered.user).toEqual(await site.caller({ token })(users.get))
    await expectWhole(user)
  })

  test('once, although an earlier version has left an event', async () => {
    const { user } = await register('new-there')
    await publish(await site.app.context(), 'user.registered', { id: user.id })
    await site.runDueJobs()
    expect(await readBalance(user)).toBe(10)
    await expectWhole(user)
  })

  test('with nothing while the reward is 0', async () => {
    await site.configure({ 'score.register': '0' })
    expect((await register('new-nowhere')).user.credit_count).toBe(0)
    await site.configure({ 'score.register': '10' })
  })
})

test('uploads are rewarded up to the daily limit, also if they are concurrent', async () => {
  await site.configure({ 'score.upload_document': '5', 'score.upload_document_limit': '3' })
  const context = await site.app.context()
  const person = await site.member()
  await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      transaction(context, (ctx) => rewardUpload(ctx, person.id, [person.id * 100 + at])),
    ),
  )
  expect(await readBalance(person)).toBe(15)
  site.advanceClock(24 * 60 * 60 * 1000)
  await rewardUpload(await site.app.context(), person.id, [person.id * 100 + 50])
  expect(await readBalance(person)).toBe(20)
})

test('a limit or a reward of 0 earns nothing', async () => {
  const person = await site.member()
  await site.configure({ 'score.upload_document': '5', 'score.upload_document_limit': '0' })
  await rewardUpload(await site.app.context(), person.id, [900_001])
  await site.configure({
    'score.upload_document': '0',
    'score.upload_document_limit': '5',
    'score.delete_document': '0',
  })
  await rewardUpload(await site.app.context(), person.id, [900_002])
  await penaliseDeletion(await site.app.context(), person.id, 900_002)
  expect(await listEntries(person)).toEqual([])
  await site.configure({ 'score.delete_document': '1' })
  await penaliseDeletion(await site.app.context(), person.id, 900_002)
  expect(await readBalance(person)).toBe(0)
})
