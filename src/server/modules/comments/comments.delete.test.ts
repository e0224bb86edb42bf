import { ReviewStatus } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comments } from '#shared/contract/comments.ts'
import { users } from '#shared/contract/users.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { planDeletion } from './comments.tombstones.ts'

let site: CommunitySite
let author: Person
let replier: Person
let cleaner: Person
beforeAll(async () => {
  site = await openCommunitySite()
  author = await site.member()
  replier = await site.member()
  cleaner = await site.staff('CommentAPI/DeleteComment')
})
afterAll(() => site.close())

function findRows(ids: readonly number[]) {
  return site.db.selectFrom('comment').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

async function remove(person: Person, ...removed: { id: number }[]) {
  await person.call(comments.delete, { id: removed.map(({ id }) => id) })
}

describe('deleting a comment', () => {
  test('without replies leaves nothing', async () => {
    const on = await site.document()
    const comment = await site.comment(author, { on })
    await remove(author, comment)
    expect(await findRows([comment.id])).toEqual([])
    expect(await site.call(comments.threads, on)).toEqual({ total: 0, shown: 0, comment: [] })
  })

  test('with replies leaves a tombstone, without its text or its author', async () => {
    const on = await site.document()
    const root = await site.comment(author, { on, content: '不该说的话' })
    const reply = await site.comment(replier, { on, to: root.id, content: '说得对' })
    await remove(author, root)
    const [row] = await findRows([root.id])
    expect(row).toMatchObject({ is_deleted: 1, content: '', user_id: 0, ip: '' })
    for (const { call } of [site, author, site.root]) {
      const { comment, shown } = await call(comments.threads, on)
      expect(comment).toMatchObject([{ id: root.id, is_deleted: true, content: '', user_id: 0, comment_count: 1 }])
      expect(comment[0]?.user).toMatchObject({ id: 0, username: '已注销用户' })
      expect(comment[0]?.reply).toMatchObject([{ id: reply.id, content: '说得对', parent_id: root.id }])
      expect(shown).toBe(1)
    }
    expect((await site.call(comments.list, { document_id: on.document_id })).comment.map(({ id }) => id)).toEqual([
      reply.id,
      root.id,
    ])
    expect((await site.call(comments.list, { user_id: author.id })).comment.map(({ id }) => id)).not.toContain(root.id)
  })

  test('whose only reply is pending leaves a tombstone that only the reply’s author sees', async () => {
    const on = await site.document()
    const novice = await site.reviewedMember()
    const root = await site.comment(author, { on })
    await site.comment(novice, { on, to: root.id })
    await remove(author, root)
    expect(await site.call(comments.threads, on)).toMatchObject({ total: 0, shown: 0 })
    expect((await site.call(comments.list, { document_id: on.document_id })).comment).toEqual([])
    expect((await novice.call(comments.threads, on)).comment).toMatchObject([
      { id: root.id, is_deleted: true, reply: [{ status: ReviewStatus.Pending }] },
    ])
  })

  test('that was the last reply removes the tombstones above it', async () => {
    const on = await site.document()
    const root = await site.comment(author, { on })
    const second = await site.comment(author, { on, to: root.id })
    const third = await site.comment(replier, { on, to: second.id })
    await remove(author, root)
    await remove(author, second)
    expect(await findRows([root.id, second.id, third.id])).toHaveLength(3)
    await remove(replier, third)
    expect(await findRows([root.id, second.id, third.id])).toEqual([])
  })

  test('and all its replies at once leaves nothing', async () => {
    const on = await site.article()
    const root = await site.comment(author, { on })
    const second = await site.comment(replier, { on, to: root.id })
    const third = await site.comment(author, { on, to: second.id })
    await remove(cleaner, root, third, second)
    expect(await findRows([root.id, second.id, third.id])).toEqual([])
    expect((await site.call(comments.threads, on)).shown).toBe(0)
  })

  test('that was rejected makes its replies visible again', async () => {
    const on = await site.document()
    const root = await site.comment(author, { on })
    await site.comment(replier, { on, to: root.id, content: '为什么？' })
    await site.root.call(comments.review, { id: [root.id], status: ReviewStatus.Rejected })
    expect((await site.call(comments.threads, on)).comment).toEqual([])
    await remove(site.root, root)
    const { comment, shown } = await site.call(comments.threads, on)
    expect(comment).toMatchObject([{ is_deleted: true, reply: [{ content: '为什么？' }] }])
    expect(shown).toBe(1)
  })

  test('of others is refused, also together with own ones', async () => {
    const on = await site.document()
    const own = await site.comment(author, { on })
    const foreign = await site.comment(replier, { on })
    const denied = { status: 403, reason: 'comments.othersKept' }
    for (const id of [[own.id, foreign.id], [foreign.id], [own.id, 999_999]])
      expect(await refusal(author.call(comments.delete, { id }))).toMatchObject(denied)
    expect(await refusal(site.call(comments.delete, { id: [own.id] }))).toMatchObject({ status: 401 })
    expect(await findRows([own.id, foreign.id])).toHaveLength(2)
    await cleaner.call(comments.delete, { id: [own.id, foreign.id, 999_999] })
    expect(await findRows([own.id, foreign.id])).toEqual([])
  })

  test('that is a tombstone is refused to its former author', async () => {
    const on = await site.document()
    const root = await site.comment(author, { on })
    await site.comment(replier, { on, to: root.id })
    await remove(author, root)
    expect(await refusal(remove(author, root))).toMatchObject({ status: 403 })
    await remove(cleaner, root)
    expect(await findRows([root.id])).toHaveLength(1)
  })

  test('several times at once counts once', async () => {
    const on = await site.document()
    const comment = await site.comment(author, { on })
    await site.comment(replier, { on })
    await Promise.allSettled(Array.from({ length: 6 }, () => remove(cleaner, comment)))
    expect((await site.call(comments.threads, on)).shown).toBe(1)
  })
})

test('comments of a deleted member stay, with a placeholder as author', async () => {
  const on = await site.document()
  const person = await site.member()
  const root = await site.comment(person, { on, content: '我先走了' })
  const reply = await site.comment(replier, { on, to: root.id })
  await site.root.call(users.delete, { id: [person.id], password: site.root.password })
  const { comment, shown } = await site.call(comments.threads, on)
  expect(comment).toMatchObject([{ content: '我先走了', user_id: 0, reply: [{ id: reply.id }] }])
  expect(comment[0]?.user).toMatchObject({ id: 0, username: '已注销用户' })
  expect(shown).toBe(2)
  await remove(cleaner, reply)
  expect((await site.call(comments.threads, on)).shown).toBe(1)
})

describe('in a thread', () => {
  const row = (id: number, parent_id: number, is_deleted = 0) => ({ id, parent_id, is_deleted })

  test.each([
    ['a comment without replies is removed', [row(1, 0), row(2, 1)], [2], [2], []],
    ['a comment with replies becomes a tombstone', [row(1, 0), row(2, 1), row(3, 2)], [2], [], [2]],
    ['tombstones go with the last reply', [row(1, 0, 1), row(2, 1, 1), row(3, 2)], [3], [3, 2, 1], []],
    ['a tombstone with another reply stays', [row(1, 0, 1), row(2, 1), row(3, 1)], [3], [3], []],
    ['a whole thread is removed', [row(1, 0), row(2, 1), row(3, 1)], [1, 2, 3], [3, 2, 1], []],
  ])('%s', (_case, rows, ids, removedIds, tombstoneIds) => {
    expect(planDeletion(rows, new Set(ids))).toEqual({ removedIds, tombstoneIds })
  })
})
