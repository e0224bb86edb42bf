import { ReviewStatus, ContentType } from '#shared/enums.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { comments } from '#shared/contract/comments.ts'
import { ApiError } from '#shared/errors.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import type { Person } from '#server/testing/site.ts'

type CommentTarget = Awaited<ReturnType<CommunitySite['document']>>

let site: CommunitySite
let people: Person[]
beforeAll(async () => {
  site = await openCommunitySite()
  people = [await site.member(), await site.member(), await site.reviewedMember(), await site.reviewedMember()]
})
afterAll(() => site.close())

test('counters equal the visible comments after random comments, reviews, edits and deletions', async () => {
  const random = seededRandom(7)
  const targets = [await site.document({ owner: people[0] }), await site.document(), await site.article()]
  for (let step = 0; step < 150; step++) {
    await randomOperation(random, targets).catch(assertDeclared)
    if (step % 25 === 0) await assertCounters()
  }
  await assertCounters()
  for (const target of targets) await assertThreads(target)
})

test('counters equal the visible comments after concurrent random operations', async () => {
  const random = seededRandom(11)
  const targets = [
    await site.document({ owner: people[1] }),
    await site.document({ owner: people[0] }),
    await site.article(),
  ]
  for (let round = 0; round < 10; round++)
    await Promise.all(Array.from({ length: 12 }, () => randomOperation(random, targets).catch(assertDeclared)))
  await assertCounters()
  for (const target of targets) await assertThreads(target)
})

/** A random operation of a member or staff on comments. */
async function randomOperation(random: (max: number) => number, targets: readonly CommentTarget[]): Promise<unknown> {
  const pick = <T>(items: readonly T[]): T => items[random(items.length)] ?? expect.fail('nothing to choose from')
  const on = pick(targets)
  const person = pick(people)
  const [action, status, count] = [random(10), random(3) as ReviewStatus, random(4) + 1]
  const choices = Array.from({ length: count }, () => random(1000))
  const rows = await site.db
    .selectFrom('comment')
    .select(['id', 'user_id'])
    .where('document_id', '=', on.document_id)
    .where('type', '=', on.type)
    .orderBy('id', 'desc')
    .limit(25)
    .execute()
  const chosen = choices.map((choice) => rows[choice % Math.max(rows.length, 1)]).filter((row) => row !== undefined)
  const [first] = chosen
  if (action < 2 || !first) return site.comment(person, { on })
  if (action < 5) return site.comment(person, { on, to: first.id })
  if (action < 7) return site.root.call(comments.review, { id: chosen.map(({ id }) => id), status })
  if (action === 7) return site.root.call(comments.update, { id: first.id, content: '改', status })
  if (action === 8) {
    const author = people.find(({ id }) => id === first.user_id) ?? site.root
    return author.call(comments.delete, { id: [first.id] })
  }
  if (status === ReviewStatus.Pending) return site.root.call(comments.delete, { id: chosen.map(({ id }) => id) })
  if (on.type === ContentType.Article) return undefined
  await site.root.call(documents.delete, { id: [on.document_id] })
  return site.root.call(documentRecycle.restore, { id: [on.document_id] })
}

/** Operations may be refused; a server error, such as a deadlock, fails the test. */
function assertDeclared(error: unknown): void {
  if (error instanceof ApiError && error.status < 500) return
  throw error
}

/** Compares all counters with the rows. */
async function assertCounters(): Promise<void> {
  const rows = await site.db.selectFrom('comment').selectAll().execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const visible = rows.filter(
    ({ status, is_deleted, root_id }) =>
      status === ReviewStatus.Approved && is_deleted === 0 && byId.get(root_id)?.status === ReviewStatus.Approved,
  )
  const countBy = (key: (row: (typeof rows)[number]) => number, comments = visible) => {
    const groups = Map.groupBy(comments, key)
    return (id: number) => groups.get(id)?.length ?? 0
  }
  const repliesTo = countBy(({ parent_id }) => parent_id)
  for (const { id, comment_count } of rows) expect([id, comment_count]).toEqual([id, repliesTo(id)])
  const commentsBy = countBy(({ user_id }) => user_id)
  for (const { id, comment_count } of await site.db.selectFrom('user').select(['id', 'comment_count']).execute())
    expect(['user', id, comment_count]).toEqual(['user', id, commentsBy(id)])
  for (const [type, table] of [
    [ContentType.Document, 'document'],
    [ContentType.Article, 'article'],
  ] as const) {
    const commentsOn = countBy(
      ({ document_id }) => document_id,
      visible.filter((row) => row.type === type),
    )
    for (const { id, comment_count } of await site.db.selectFrom(table).select(['id', 'comment_count']).execute())
      expect([table, id, comment_count]).toEqual([table, id, commentsOn(id)])
  }
  const parentIds = new Set(rows.map(({ parent_id }) => parent_id))
  for (const { id, is_deleted, parent_id, root_id } of rows) {
    if (is_deleted) expect(parentIds).toContain(id)
    expect(root_id).toBe(parent_id === 0 ? id : byId.get(parent_id)?.root_id)
  }
}

/** Visitors see as many comments as the counter says. */
async function assertThreads(on: CommentTarget): Promise<void> {
  let visibleCount = 0
  for (let page = 1; ; page++) {
    const { comment, shown } = await site.call(comments.threads, { ...on, page, size: 50 })
    visibleCount += comment
      .flatMap((thread) => [thread, ...thread.reply])
      .filter(({ is_deleted }) => !is_deleted).length
    if (comment.length < 50) return expect(visibleCount).toBe(shown)
  }
}

/** Pseudo-random integers below `max`, the same in each run. */
function seededRandom(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * max)
  }
}
