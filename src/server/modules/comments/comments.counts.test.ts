import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { comments } from '#shared/contract/social.ts'
import { ApiError } from '#shared/errors.ts'
import { type Forum, openForum } from '#server/testing/community-site.ts'
import type { Person } from '#server/testing/site.ts'

type Place = Awaited<ReturnType<Forum['document']>>

let site: Forum
let people: Person[]
beforeAll(async () => {
  site = await openForum()
  people = [await site.member(), await site.member(), await site.novice(), await site.novice()]
})
afterAll(() => site.close())

test('whatever is said, judged, changed and deleted, the figures are those of what is shown', async () => {
  const random = dice(7)
  const places = [await site.document({ owner: people[0] }), await site.document(), await site.article()]
  for (let step = 0; step < 150; step++) {
    await deed(random, places).catch(declared)
    if (step % 25 === 0) await expectRight()
  }
  await expectRight()
  for (const place of places) await expectThreads(place)
})

test('so they are when many do it at once', async () => {
  const random = dice(11)
  const places = [
    await site.document({ owner: people[1] }),
    await site.document({ owner: people[0] }),
    await site.article(),
  ]
  for (let round = 0; round < 10; round++)
    await Promise.all(Array.from({ length: 12 }, () => deed(random, places).catch(declared)))
  await expectRight()
  for (const place of places) await expectThreads(place)
})

/** Something that people and staff do to comments, by chance. */
async function deed(random: (sides: number) => number, places: readonly Place[]): Promise<unknown> {
  const one = <T>(items: readonly T[]): T => items[random(items.length)] ?? expect.fail('nothing to choose from')
  const on = one(places)
  const person = one(people)
  const [kind, status, many] = [random(10), random(3), random(4) + 1]
  const choices = Array.from({ length: many }, () => random(1000))
  const rows = await site.db
    .selectFrom('comment')
    .select(['id', 'user_id'])
    .where('document_id', '=', on.document_id)
    .where('type', '=', on.type)
    .orderBy('id', 'desc')
    .limit(25)
    .execute()
  const some = choices.map((choice) => rows[choice % Math.max(rows.length, 1)]).filter((row) => row !== undefined)
  const [first] = some
  if (kind < 2 || !first) return site.say(person, { on })
  if (kind < 5) return site.say(person, { on, to: first.id })
  if (kind < 7) return site.root.call(comments.check, { id: some.map(({ id }) => id), status })
  if (kind === 7) return site.root.call(comments.update, { id: first.id, content: '改', status })
  if (kind === 8) {
    const author = people.find(({ id }) => id === first.user_id) ?? site.root
    return author.call(comments.delete, { id: [first.id] })
  }
  if (status === 0) return site.root.call(comments.delete, { id: some.map(({ id }) => id) })
  if (on.type === 1) return undefined
  await site.root.call(documents.delete, { id: [on.document_id] })
  return site.root.call(documentRecycle.recover, { id: [on.document_id] })
}

/** A refusal is one thing; a fault of the server, such as two who wait for each other, another. */
function declared(error: unknown): void {
  if (error instanceof ApiError && error.status < 500) return
  throw error
}

/** Counted again from nothing. */
async function expectRight(): Promise<void> {
  const rows = await site.db.selectFrom('comment').selectAll().execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const shown = rows.filter(
    ({ status, is_deleted, root_id }) => status === 1 && is_deleted === 0 && byId.get(root_id)?.status === 1,
  )
  const counted = (pick: (row: (typeof rows)[number]) => number, of = shown) => {
    const groups = Map.groupBy(of, pick)
    return (id: number) => groups.get(id)?.length ?? 0
  }
  const answersTo = counted(({ parent_id }) => parent_id)
  for (const { id, comment_count } of rows) expect([id, comment_count]).toEqual([id, answersTo(id)])
  const saidBy = counted(({ user_id }) => user_id)
  for (const { id, comment_count } of await site.db.selectFrom('user').select(['id', 'comment_count']).execute())
    expect(['user', id, comment_count]).toEqual(['user', id, saidBy(id)])
  for (const [type, table] of [
    [0, 'document'],
    [1, 'article'],
  ] as const) {
    const saidOf = counted(
      ({ document_id }) => document_id,
      shown.filter((row) => row.type === type),
    )
    for (const { id, comment_count } of await site.db.selectFrom(table).select(['id', 'comment_count']).execute())
      expect([table, id, comment_count]).toEqual([table, id, saidOf(id)])
  }
  const answered = new Set(rows.map(({ parent_id }) => parent_id))
  for (const { id, is_deleted, parent_id, root_id } of rows) {
    if (is_deleted) expect(answered).toContain(id)
    expect(root_id).toBe(parent_id === 0 ? id : byId.get(parent_id)?.root_id)
  }
}

/** What visitors are shown is as much as they are told. */
async function expectThreads(on: Place): Promise<void> {
  let seen = 0
  for (let page = 1; ; page++) {
    const { comment, shown } = await site.call(comments.threads, { ...on, page, size: 50 })
    seen += comment.flatMap((thread) => [thread, ...thread.reply]).filter(({ is_deleted }) => !is_deleted).length
    if (comment.length < 50) return expect(seen).toBe(shown)
  }
}

/** Numbers below `sides` that look as if thrown, and are the same each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * sides)
  }
}
