import { ReviewStatus, ActivityType } from '#shared/enums.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { activities } from '#shared/contract/activities.ts'
import { comments } from '#shared/contract/comments.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import type { Person } from '#server/testing/site.ts'

const day = 24 * 60 * 60_000

let site: CommunitySite
let author: Person
let reader: Person
let novice: Person
beforeAll(async () => {
  site = await openCommunitySite()
  reader = await site.member()
  novice = await site.reviewedMember()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.configure({ 'score.document_commented': '3', 'score.document_commented_limit': '2' })
  author = await site.member()
})

async function creditsEarned({ id }: Person): Promise<number> {
  const entries = await site.db
    .selectFrom('credit_entry')
    .select('amount')
    .where('user_id', '=', id)
    .where('reason', '=', 'commented')
    .execute()
  return entries.reduce((sum, { amount }) => sum + amount, 0)
}

async function activitiesOfType(person: Person, type: ActivityType) {
  const { dynamic } = await person.call(activities.list, { size: 100 })
  return dynamic.filter((activity) => activity.type === type)
}

test('the author of a document is rewarded for comments of others, up to the daily limit', async () => {
  const on = await site.document({ owner: author, title: '红楼梦' })
  await site.comment(author, { on })
  expect(await creditsEarned(author)).toBe(0)
  for (let n = 1; n <= 4; n++) {
    await site.comment(reader, { on: n % 2 ? on : await site.document({ owner: author }) })
    expect(await creditsEarned(author)).toBe(Math.min(n, 2) * 3)
  }
  expect((await activitiesOfType(author, ActivityType.Commented)).map(({ amount }) => amount)).toEqual([0, 0, 3, 3])
  site.advanceClock(day)
  await site.comment(reader, { on })
  expect(await creditsEarned(author)).toBe(9)
})

test('a comment in review earns nothing until it is approved, and never twice', async () => {
  const on = await site.document({ owner: author })
  const comment = await site.comment(novice, { on })
  expect(await creditsEarned(author)).toBe(0)
  const { Pending, Approved, Rejected } = ReviewStatus
  for (const status of [Approved, Rejected, Approved, Pending, Approved])
    await site.root.call(comments.review, { id: [comment.id], status })
  expect(await creditsEarned(author)).toBe(3)
  expect(await activitiesOfType(author, ActivityType.Commented)).toHaveLength(1)
  const next = await site.comment(reader, { on })
  expect(await creditsEarned(author)).toBe(6)
  await reader.call(comments.delete, { id: [next.id] })
  expect(await creditsEarned(author)).toBe(6)
})

test('an old comment that is approved again is not recorded again, and uses nothing of today’s quota', async () => {
  const on = await site.document({ owner: author })
  const oldComments = []
  for (const _ of [1, 2]) oldComments.push(await site.comment(reader, { on }))
  site.advanceClock(day)
  // The author’s older activities have been purged.
  await site.db.deleteFrom('activity').where('user_id', '=', author.id).execute()
  for (const status of [ReviewStatus.Pending, ReviewStatus.Approved])
    await site.root.call(comments.review, { id: oldComments.map(({ id }) => id), status })
  expect(await activitiesOfType(author, ActivityType.Commented)).toEqual([])
  for (const _ of [1, 2]) await site.comment(reader, { on })
  expect(await creditsEarned(author)).toBe(12)
})

test('twenty concurrent comments do not exceed the limit', async () => {
  const on = await site.document({ owner: author })
  await Promise.all(Array.from({ length: 20 }, () => site.comment(reader, { on })))
  expect(await creditsEarned(author)).toBe(6)
  const user = await site.db
    .selectFrom('user')
    .select(['credit_count', 'comment_count'])
    .where('id', '=', author.id)
    .executeTakeFirstOrThrow()
  const entries = await site.db.selectFrom('credit_entry').select('amount').where('user_id', '=', author.id).execute()
  expect(user.credit_count).toBe(entries.reduce((sum, { amount }) => sum + amount, 0))
})

test('authors who comment on each other’s documents concurrently do not deadlock', async () => {
  const otherAuthor = await site.member()
  const [mine, theirs] = [await site.document({ owner: author }), await site.document({ owner: otherAuthor })]
  await Promise.all(
    Array.from({ length: 10 }, () => [
      site.comment(author, { on: theirs }),
      site.comment(otherAuthor, { on: mine }),
    ]).flat(),
  )
  expect([await creditsEarned(author), await creditsEarned(otherAuthor)]).toEqual([6, 6])
})

test.each([
  { 'score.document_commented': '0', 'score.document_commented_limit': '5' },
  { 'score.document_commented': '5', 'score.document_commented_limit': '0' },
])('with %j no credits are paid, and the activity is recorded all the same', async (settings) => {
  await site.configure(settings)
  await site.comment(reader, { on: await site.document({ owner: author }) })
  expect(await creditsEarned(author)).toBe(0)
  expect(await activitiesOfType(author, ActivityType.Commented)).toMatchObject([{ amount: 0 }])
})

test('the author of an article sees the comment in their activities, without a reward', async () => {
  const on = await site.article({ owner: author, title: '读书笔记' })
  await site.comment(author, { on })
  const comment = await site.comment(reader, { on })
  expect(await creditsEarned(author)).toBe(0)
  expect(await activitiesOfType(author, ActivityType.Commented)).toMatchObject([
    {
      subject: '读书笔记',
      href: `/article/${comment.document_uuid}#comment-${comment.id}`,
      action: '作品被评论',
      amount: 0,
    },
  ])
})

test('members see their comments and the replies to them in their activities', async () => {
  const on = await site.document({ owner: author, title: '<b>红楼梦</b>' })
  const article = await site.article({ title: '读书笔记' })
  const [commenter, replier] = [await site.member(), await site.member()]
  const comment = await site.comment(commenter, { on })
  expect(await activitiesOfType(commenter, ActivityType.Comment)).toMatchObject([
    { subject: '<b>红楼梦</b>', href: `/document/${comment.document_uuid}#comment-${comment.id}` },
  ])
  await site.comment(commenter, { on, to: comment.id })
  expect(await activitiesOfType(commenter, ActivityType.Replied)).toEqual([])
  const reply = await site.comment(replier, { on, to: comment.id })
  expect(await activitiesOfType(commenter, ActivityType.Replied)).toMatchObject([
    { subject: '<b>红楼梦</b>', href: expect.stringContaining(`-${reply.id}`) },
  ])
  const pending = await site.comment(novice, { on, to: comment.id })
  expect(await activitiesOfType(novice, ActivityType.Comment)).not.toEqual([])
  expect(await activitiesOfType(commenter, ActivityType.Replied)).toHaveLength(1)
  await site.root.call(comments.review, { id: [pending.id], status: ReviewStatus.Approved })
  expect(await activitiesOfType(commenter, ActivityType.Replied)).toHaveLength(2)
  const note = await site.comment(commenter, { on: article })
  await site.comment(replier, { on: article, to: note.id })
  expect((await activitiesOfType(commenter, ActivityType.Replied))[0]).toMatchObject({
    subject: '读书笔记',
    href: expect.stringMatching(/^\/article\//),
  })
})
