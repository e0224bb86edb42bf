import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dynamics } from '#shared/contract/credits.ts'
import { comments } from '#shared/contract/social.ts'
import { type Forum, openForum } from '#server/testing/community-site.ts'
import type { Person } from '#server/testing/site.ts'

const day = 24 * 60 * 60_000

let site: Forum
let author: Person
let reader: Person
let novice: Person
beforeAll(async () => {
  site = await openForum()
  reader = await site.member()
  novice = await site.novice()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.configure({ 'score.document_commented': '3', 'score.document_commented_limit': '2' })
  author = await site.member()
})

async function earned({ id }: Person): Promise<number> {
  const entries = await site.db
    .selectFrom('credit_entry')
    .select('amount')
    .where('user_id', '=', id)
    .where('reason', '=', 'commented')
    .execute()
  return entries.reduce((sum, { amount }) => sum + amount, 0)
}

async function told(person: Person, type: number) {
  const { dynamic } = await person.call(dynamics.list, { size: 100 })
  return dynamic.filter((each) => each.type === type)
}

test('the author of a document gets something when others comment on it, so often a day', async () => {
  const on = await site.document({ owner: author, title: '红楼梦' })
  await site.say(author, { on })
  expect(await earned(author)).toBe(0)
  for (let n = 1; n <= 4; n++) {
    await site.say(reader, { on: n % 2 ? on : await site.document({ owner: author }) })
    expect(await earned(author)).toBe(Math.min(n, 2) * 3)
  }
  expect((await told(author, 18)).map(({ amount }) => amount)).toEqual([0, 0, 3, 3])
  site.pass(day)
  await site.say(reader, { on })
  expect(await earned(author)).toBe(9)
})

test('what waits for review brings nothing until it is shown, and never twice', async () => {
  const on = await site.document({ owner: author })
  const said = await site.say(novice, { on })
  expect(await earned(author)).toBe(0)
  for (const status of [1, 2, 1, 0, 1]) await site.root.call(comments.check, { id: [said.id], status })
  expect(await earned(author)).toBe(3)
  expect(await told(author, 18)).toHaveLength(1)
  const next = await site.say(reader, { on })
  expect(await earned(author)).toBe(6)
  await reader.call(comments.delete, { id: [next.id] })
  expect(await earned(author)).toBe(6)
})

test('an old comment that is shown again is not told again, and takes nothing from today’s rewards', async () => {
  const on = await site.document({ owner: author })
  const old = []
  for (const _ of [1, 2]) old.push(await site.say(reader, { on }))
  site.pass(day)
  // The author has done so much since that it is no longer in their list.
  await site.db.deleteFrom('dynamic').where('user_id', '=', author.id).execute()
  for (const status of [0, 1]) await site.root.call(comments.check, { id: old.map(({ id }) => id), status })
  expect(await told(author, 18)).toEqual([])
  for (const _ of [1, 2]) await site.say(reader, { on })
  expect(await earned(author)).toBe(12)
})

test('twenty at once do not pass the limit', async () => {
  const on = await site.document({ owner: author })
  await Promise.all(Array.from({ length: 20 }, () => site.say(reader, { on })))
  expect(await earned(author)).toBe(6)
  const user = await site.db
    .selectFrom('user')
    .select(['credit_count', 'comment_count'])
    .where('id', '=', author.id)
    .executeTakeFirstOrThrow()
  const entries = await site.db.selectFrom('credit_entry').select('amount').where('user_id', '=', author.id).execute()
  expect(user.credit_count).toBe(entries.reduce((sum, { amount }) => sum + amount, 0))
})

test('authors who comment on each other do not wait for each other', async () => {
  const other = await site.member()
  const [mine, theirs] = [await site.document({ owner: author }), await site.document({ owner: other })]
  await Promise.all(
    Array.from({ length: 10 }, () => [site.say(author, { on: theirs }), site.say(other, { on: mine })]).flat(),
  )
  expect([await earned(author), await earned(other)]).toEqual([6, 6])
})

test.each([
  { 'score.document_commented': '0', 'score.document_commented_limit': '5' },
  { 'score.document_commented': '5', 'score.document_commented_limit': '0' },
])('with %j nobody gets anything, and is told all the same', async (settings) => {
  await site.configure(settings)
  await site.say(reader, { on: await site.document({ owner: author }) })
  expect(await earned(author)).toBe(0)
  expect(await told(author, 18)).toMatchObject([{ amount: 0 }])
})

test('the author of an article reads of it, and gets nothing', async () => {
  const on = await site.article({ owner: author, title: '读书笔记' })
  await site.say(author, { on })
  const said = await site.say(reader, { on })
  expect(await earned(author)).toBe(0)
  expect(await told(author, 18)).toMatchObject([
    { subject: '读书笔记', href: `/article/${said.document_uuid}#comment-${said.id}`, action: '作品被评论', amount: 0 },
  ])
})

test('people find what they said, and who answered them', async () => {
  const on = await site.document({ owner: author, title: '<b>红楼梦</b>' })
  const article = await site.article({ title: '读书笔记' })
  const [one, two] = [await site.member(), await site.member()]
  const said = await site.say(one, { on })
  expect(await told(one, 1)).toMatchObject([
    { subject: '<b>红楼梦</b>', href: `/document/${said.document_uuid}#comment-${said.id}` },
  ])
  await site.say(one, { on, to: said.id })
  expect(await told(one, 21)).toEqual([])
  const answer = await site.say(two, { on, to: said.id })
  expect(await told(one, 21)).toMatchObject([
    { subject: '<b>红楼梦</b>', href: expect.stringContaining(`-${answer.id}`) },
  ])
  const waiting = await site.say(novice, { on, to: said.id })
  expect(await told(novice, 1)).not.toEqual([])
  expect(await told(one, 21)).toHaveLength(1)
  await site.root.call(comments.check, { id: [waiting.id], status: 1 })
  expect(await told(one, 21)).toHaveLength(2)
  const note = await site.say(one, { on: article })
  await site.say(two, { on: article, to: note.id })
  expect((await told(one, 21))[0]).toMatchObject({ subject: '读书笔记', href: expect.stringMatching(/^\/article\//) })
})
