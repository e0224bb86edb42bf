import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comments } from '#shared/contract/social.ts'
import { users } from '#shared/contract/users.ts'
import { type Forum, openForum } from '#server/testing/community-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { removal } from './comments.removal.ts'

let site: Forum
let one: Person
let other: Person
let cleaner: Person
beforeAll(async () => {
  site = await openForum()
  one = await site.member()
  other = await site.member()
  cleaner = await site.staff('CommentAPI/DeleteComment')
})
afterAll(() => site.close())

function rowsOf(ids: readonly number[]) {
  return site.db.selectFrom('comment').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

async function remove(person: Person, ...said: { id: number }[]) {
  await person.call(comments.delete, { id: said.map(({ id }) => id) })
}

describe('deleting a comment', () => {
  test('that nobody answered leaves nothing', async () => {
    const on = await site.document()
    const said = await site.say(one, { on })
    await remove(one, said)
    expect(await rowsOf([said.id])).toEqual([])
    expect(await site.call(comments.threads, on)).toEqual({ total: 0, shown: 0, comment: [] })
  })

  test('that was answered leaves an empty place, without its text or its author', async () => {
    const on = await site.document()
    const root = await site.say(one, { on, content: '不该说的话' })
    const answer = await site.say(other, { on, to: root.id, content: '说得对' })
    await remove(one, root)
    const [row] = await rowsOf([root.id])
    expect(row).toMatchObject({ is_deleted: 1, content: '', user_id: 0, ip: '' })
    for (const { call } of [site, one, site.root]) {
      const { comment, shown } = await call(comments.threads, on)
      expect(comment).toMatchObject([{ id: root.id, is_deleted: true, content: '', user_id: 0, comment_count: 1 }])
      expect(comment[0]?.user).toMatchObject({ id: 0, username: '已注销用户' })
      expect(comment[0]?.reply).toMatchObject([{ id: answer.id, content: '说得对', parent_id: root.id }])
      expect(shown).toBe(1)
    }
    expect((await site.call(comments.list, { document_id: on.document_id })).comment.map(({ id }) => id)).toEqual([
      answer.id,
      root.id,
    ])
    expect((await site.call(comments.list, { user_id: one.id })).comment.map(({ id }) => id)).not.toContain(root.id)
  })

  test('whose answer nobody else sees leaves a place that only its author sees', async () => {
    const on = await site.document()
    const novice = await site.novice()
    const root = await site.say(one, { on })
    await site.say(novice, { on, to: root.id })
    await remove(one, root)
    expect(await site.call(comments.threads, on)).toMatchObject({ total: 0, shown: 0 })
    expect((await site.call(comments.list, { document_id: on.document_id })).comment).toEqual([])
    expect((await novice.call(comments.threads, on)).comment).toMatchObject([
      { id: root.id, is_deleted: true, reply: [{ status: 0 }] },
    ])
  })

  test('takes the empty places above it along, once it was the last answer', async () => {
    const on = await site.document()
    const root = await site.say(one, { on })
    const second = await site.say(one, { on, to: root.id })
    const third = await site.say(other, { on, to: second.id })
    await remove(one, root)
    await remove(one, second)
    expect(await rowsOf([root.id, second.id, third.id])).toHaveLength(3)
    await remove(other, third)
    expect(await rowsOf([root.id, second.id, third.id])).toEqual([])
  })

  test('and all its answers at once leaves nothing', async () => {
    const on = await site.article()
    const root = await site.say(one, { on })
    const second = await site.say(other, { on, to: root.id })
    const third = await site.say(one, { on, to: second.id })
    await remove(cleaner, root, third, second)
    expect(await rowsOf([root.id, second.id, third.id])).toEqual([])
    expect((await site.call(comments.threads, on)).shown).toBe(0)
  })

  test('that was rejected gives its answers back', async () => {
    const on = await site.document()
    const root = await site.say(one, { on })
    await site.say(other, { on, to: root.id, content: '为什么？' })
    await site.root.call(comments.check, { id: [root.id], status: 2 })
    expect((await site.call(comments.threads, on)).comment).toEqual([])
    await remove(site.root, root)
    const { comment, shown } = await site.call(comments.threads, on)
    expect(comment).toMatchObject([{ is_deleted: true, reply: [{ content: '为什么？' }] }])
    expect(shown).toBe(1)
  })

  test('of others is refused, also among one’s own', async () => {
    const on = await site.document()
    const own = await site.say(one, { on })
    const foreign = await site.say(other, { on })
    const kept = { status: 403, reason: 'comments.othersKept' }
    for (const id of [[own.id, foreign.id], [foreign.id], [own.id, 999_999]])
      expect(await refusal(one.call(comments.delete, { id }))).toMatchObject(kept)
    expect(await refusal(site.call(comments.delete, { id: [own.id] }))).toMatchObject({ status: 401 })
    expect(await rowsOf([own.id, foreign.id])).toHaveLength(2)
    await cleaner.call(comments.delete, { id: [own.id, foreign.id, 999_999] })
    expect(await rowsOf([own.id, foreign.id])).toEqual([])
  })

  test('that is only an empty place is refused to who once wrote it', async () => {
    const on = await site.document()
    const root = await site.say(one, { on })
    await site.say(other, { on, to: root.id })
    await remove(one, root)
    expect(await refusal(remove(one, root))).toMatchObject({ status: 403 })
    await remove(cleaner, root)
    expect(await rowsOf([root.id])).toHaveLength(1)
  })

  test('several times at once counts once', async () => {
    const on = await site.document()
    const said = await site.say(one, { on })
    await site.say(other, { on })
    await Promise.allSettled(Array.from({ length: 6 }, () => remove(cleaner, said)))
    expect((await site.call(comments.threads, on)).shown).toBe(1)
  })
})

test('comments of somebody who is gone stay, under another name', async () => {
  const on = await site.document()
  const person = await site.member()
  const root = await site.say(person, { on, content: '我先走了' })
  const answer = await site.say(other, { on, to: root.id })
  await site.root.call(users.delete, { id: [person.id], password: site.root.password })
  const { comment, shown } = await site.call(comments.threads, on)
  expect(comment).toMatchObject([{ content: '我先走了', user_id: 0, reply: [{ id: answer.id }] }])
  expect(comment[0]?.user).toMatchObject({ id: 0, username: '已注销用户' })
  expect(shown).toBe(2)
  await remove(cleaner, answer)
  expect((await site.call(comments.threads, on)).shown).toBe(1)
})

describe('of a thread', () => {
  const row = (id: number, parent_id: number, is_deleted = 0) => ({ id, parent_id, is_deleted })

  test.each([
    ['a leaf goes', [row(1, 0), row(2, 1)], [2], [2], []],
    ['a branch is emptied', [row(1, 0), row(2, 1), row(3, 2)], [2], [], [2]],
    ['empty places go with the last leaf', [row(1, 0, 1), row(2, 1, 1), row(3, 2)], [3], [3, 2, 1], []],
    ['a place with another answer stays', [row(1, 0, 1), row(2, 1), row(3, 1)], [3], [3], []],
    ['all go together', [row(1, 0), row(2, 1), row(3, 1)], [1, 2, 3], [3, 2, 1], []],
  ])('%s', (_case, rows, ids, gone, emptied) => {
    expect(removal(rows, new Set(ids))).toEqual({ gone, emptied })
  })
})
