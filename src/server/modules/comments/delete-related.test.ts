import { ReportReason, ContentType } from '#shared/enums.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { comments } from '#shared/contract/comments.ts'
import { favorites } from '#shared/contract/favorites.ts'
import { reports } from '#shared/contract/reports.ts'
import { users } from '#shared/contract/users.ts'
import type { Ctx } from '#server/context.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import type { Person } from '#server/testing/site.ts'
import { purgeArticles } from '#server/modules/articles/publishing/recycle-bin.ts'
import { purgeDocuments } from '#server/modules/documents/publishing/recycle-bin.ts'
import { deleteRelated } from './delete-related.ts'

let site: CommunitySite
let first: Person
let second: Person
beforeAll(async () => {
  site = await openCommunitySite()
  first = await site.member()
  second = await site.member()
})
afterAll(() => site.close())

async function findCounters({ id }: Person) {
  const row = await site.db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { comments: row.comment_count, favorites: row.favorite_count }
}

async function countRemaining({ type, document_id }: { type: ContentType; document_id: number }) {
  const counts = []
  for (const table of ['comment', 'favorite'] as const) {
    const query = site.db.selectFrom(table).select('id').where('document_id', '=', document_id)
    counts.push((await query.where('type', '=', type).execute()).length)
  }
  return counts
}

/** A thread of two, a tombstone with a reply, a pending comment, and two favorites. */
async function addRelated(on: { type: ContentType; document_id: number }) {
  const root = await site.comment(first, { on })
  await site.comment(second, { on, to: root.id })
  const tombstone = await site.comment(first, { on })
  await site.comment(second, { on, to: tombstone.id })
  await first.call(comments.delete, { id: [tombstone.id] })
  await site.comment(await site.reviewedMember(), { on })
  for (const person of [first, second]) await person.call(favorites.create, on)
}

test('purging a document deletes its comments, favorites and reports', async () => {
  const [purged, other] = [await site.document(), await site.document()]
  for (const on of [purged, other]) await addRelated(on)
  await first.call(reports.create, { document_id: purged.document_id, reason: ReportReason.Spam })
  await first.call(reports.create, { document_id: other.document_id, reason: ReportReason.Spam })
  expect(await findCounters(second)).toEqual({ comments: 4, favorites: 2 })
  await site.root.call(documents.delete, { id: [purged.document_id] })
  expect(await countRemaining(purged)).toEqual([5, 2])
  await site.root.call(documentRecycle.delete, { id: [purged.document_id] })
  await site.runDueJobs()
  expect(await countRemaining(purged)).toEqual([0, 0])
  expect(await countRemaining(other)).toEqual([5, 2])
  expect(await findCounters(first)).toEqual({ comments: 1, favorites: 1 })
  expect(await findCounters(second)).toEqual({ comments: 2, favorites: 1 })
  expect((await site.root.call(reports.list)).report.map(({ document_id }) => document_id)).toEqual([other.document_id])
})

test('comments and favorites of content that was purged just before a crash are deleted after the restart', async () => {
  // A killed process emits no events.
  const killed: Ctx = { ...(await site.app.context()), emit: () => {} }
  const [document, article] = [await site.document(), await site.article()]
  for (const on of [document, article]) await addRelated(on)
  const deleted = { deleted_at: 1 }
  await site.db.updateTable('document').set(deleted).where('id', '=', document.document_id).execute()
  await site.db.updateTable('article').set(deleted).where('id', '=', article.document_id).execute()
  const before = await findCounters(second)
  await purgeDocuments(killed, { id: [document.document_id] })
  await purgeArticles(killed, { id: [article.document_id] })
  await site.runDueJobs()
  expect([await countRemaining(document), await countRemaining(article)]).toEqual([
    [0, 0],
    [0, 0],
  ])
  expect(await findCounters(second)).toEqual({ comments: before.comments - 4, favorites: before.favorites - 2 })
})

test('comments of an article are not deleted with the document that has the same id', async () => {
  const ctx = await site.app.context()
  const on = await site.article()
  await site.comment(first, { on })
  const before = await findCounters(first)
  await site.db.deleteFrom('article').where('id', '=', on.document_id).execute()
  await deleteRelated(ctx, { type: ContentType.Document, ids: [on.document_id] })
  expect(await countRemaining(on)).toEqual([1, 0])
  await Promise.all([
    deleteRelated(ctx, { type: ContentType.Article, ids: [on.document_id] }),
    deleteRelated(ctx, { type: ContentType.Article, ids: [on.document_id] }),
  ])
  expect(await countRemaining(on)).toEqual([0, 0])
  expect(await findCounters(first)).toEqual({ ...before, comments: before.comments - 1 })
  await deleteRelated(ctx, { type: ContentType.Article, ids: [] })
})

test('favorites of a deleted member are deleted; their comments stay', async () => {
  const on = await site.document()
  const article = await site.article()
  const person = await site.member()
  for (const target of [on, article]) {
    await person.call(favorites.create, target)
    await first.call(favorites.create, target)
  }
  const comment = await site.comment(person, { on })
  await site.root.call(users.delete, { id: [person.id], password: site.root.password })
  await site.runDueJobs()
  expect([await countRemaining(on), await countRemaining(article)]).toEqual([
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
  expect((await site.call(comments.threads, on)).comment).toMatchObject([{ id: comment.id }])
})
