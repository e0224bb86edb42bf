import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { comments, favorites, reports } from '#shared/contract/social.ts'
import { users } from '#shared/contract/users.ts'
import type { Ctx } from '#server/context.ts'
import { type Forum, openForum } from '#server/testing/community-site.ts'
import type { Person } from '#server/testing/site.ts'
import { purgeArticles } from '#server/modules/articles/articles.recycle-bin.ts'
import { purgeDocuments } from '#server/modules/documents/publishing/recycle-bin.ts'
import { forgetTracesOf } from './delete-related.ts'

let site: Forum
let one: Person
let two: Person
beforeAll(async () => {
  site = await openForum()
  one = await site.member()
  two = await site.member()
})
afterAll(() => site.close())

async function figuresOf({ id }: Person) {
  const row = await site.db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { comments: row.comment_count, favorites: row.favorite_count }
}

async function leftOf({ type, document_id }: { type: number; document_id: number }) {
  const counts = []
  for (const table of ['comment', 'favorite'] as const) {
    const query = site.db.selectFrom(table).select('id').where('document_id', '=', document_id)
    counts.push((await query.where('type', '=', type).execute()).length)
  }
  return counts
}

/** A thread of two, a place that was emptied, one that waits, and two who keep it. */
async function use(on: { type: number; document_id: number }) {
  const root = await site.say(one, { on })
  await site.say(two, { on, to: root.id })
  const emptied = await site.say(one, { on })
  await site.say(two, { on, to: emptied.id })
  await one.call(comments.delete, { id: [emptied.id] })
  await site.say(await site.novice(), { on })
  for (const person of [one, two]) await person.call(favorites.create, on)
}

test('a document that is purged takes along what was said of it, who kept it and who complained', async () => {
  const [gone, kept] = [await site.document(), await site.document()]
  for (const on of [gone, kept]) await use(on)
  await one.call(reports.create, { document_id: gone.document_id, reason: 1 })
  await one.call(reports.create, { document_id: kept.document_id, reason: 1 })
  expect(await figuresOf(two)).toEqual({ comments: 4, favorites: 2 })
  await site.root.call(documents.delete, { id: [gone.document_id] })
  expect(await leftOf(gone)).toEqual([5, 2])
  await site.root.call(documentRecycle.delete, { id: [gone.document_id] })
  await site.settle()
  expect(await leftOf(gone)).toEqual([0, 0])
  expect(await leftOf(kept)).toEqual([5, 2])
  expect(await figuresOf(one)).toEqual({ comments: 1, favorites: 1 })
  expect(await figuresOf(two)).toEqual({ comments: 2, favorites: 1 })
  expect((await site.root.call(reports.list)).report.map(({ document_id }) => document_id)).toEqual([kept.document_id])
})

test('of what was purged just before the site was killed, the next start forgets the traces', async () => {
  // Whoever is killed has not told anybody.
  const killed: Ctx = { ...(await site.app.context()), emit: () => {} }
  const [document, article] = [await site.document(), await site.article()]
  for (const on of [document, article]) await use(on)
  const deleted = { deleted_at: 1 }
  await site.db.updateTable('document').set(deleted).where('id', '=', document.document_id).execute()
  await site.db.updateTable('article').set(deleted).where('id', '=', article.document_id).execute()
  const before = await figuresOf(two)
  await purgeDocuments(killed, { id: [document.document_id] })
  await purgeArticles(killed, { id: [article.document_id] })
  await site.settle()
  expect([await leftOf(document), await leftOf(article)]).toEqual([
    [0, 0],
    [0, 0],
  ])
  expect(await figuresOf(two)).toEqual({ comments: before.comments - 4, favorites: before.favorites - 2 })
})

test('an article’s traces go without those of the document with the same number', async () => {
  const ctx = await site.app.context()
  const on = await site.article()
  await site.say(one, { on })
  const before = await figuresOf(one)
  await site.db.deleteFrom('article').where('id', '=', on.document_id).execute()
  await forgetTracesOf(ctx, 0, [on.document_id])
  expect(await leftOf(on)).toEqual([1, 0])
  await Promise.all([forgetTracesOf(ctx, 1, [on.document_id]), forgetTracesOf(ctx, 1, [on.document_id])])
  expect(await leftOf(on)).toEqual([0, 0])
  expect(await figuresOf(one)).toEqual({ ...before, comments: before.comments - 1 })
  await forgetTracesOf(ctx, 1, [])
})

test('what somebody kept who is gone is nobody’s favourite any more; what they said stays', async () => {
  const on = await site.document()
  const article = await site.article()
  const person = await site.member()
  for (const place of [on, article]) {
    await person.call(favorites.create, place)
    await one.call(favorites.create, place)
  }
  const said = await site.say(person, { on })
  await site.root.call(users.delete, { id: [person.id], password: site.root.password })
  await site.settle()
  expect([await leftOf(on), await leftOf(article)]).toEqual([
    [1, 1],
    [0, 1],
  ])
  for (const [table, { document_id }] of [
    ['document', on],
    ['article', article],
  ] as const) {
    const row = await site.db
      .selectFrom(table)
      .select('favorite_count')
      .where('id', '=', document_id)
      .executeTakeFirst()
    expect(row?.favorite_count).toBe(1)
  }
  expect((await site.call(comments.threads, on)).comment).toMatchObject([{ id: said.id }])
})
