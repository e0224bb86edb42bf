import { DocumentStatus } from '#shared/document-status.ts'
import { ContentType, ReviewStatus, ActivityType } from '#shared/enums.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activities } from '#shared/contract/activities.ts'
import { credits } from '#shared/contract/credits.ts'
import { documents } from '#shared/contract/documents.ts'
import { favorites } from '#shared/contract/favorites.ts'
import { users } from '#shared/contract/users.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { addArticles, type ArticleFixture } from '#server/testing/add-articles.ts'

const day = 24 * 60 * 60 * 1000
const rewards = { 'score.document_collected': '2', 'score.document_collected_limit': '3' }

let site: DocumentSite
let author: Person
let reader: Person
beforeAll(async () => {
  site = await openDocumentSite()
  await site.configure(rewards)
  site.freezeClock()
})
afterAll(() => site.close())
beforeEach(async () => {
  author = await site.member()
  reader = await site.member()
})

describe('adding a favorite', () => {
  test('stores one row and counts once for the document and the member', async () => {
    const [id = 0] = await site.addDocuments({ owner: author })
    const favorite = await reader.call(favorites.create, { document_id: id })
    expect(favorite).toMatchObject({ user_id: reader.id, document_id: id, type: ContentType.Document })
    expect(await counts('document', id)).toEqual([1, 1])
    expect((await reader.call(favorites.get, { document_id: id })).id).toBe(favorite.id)
  })

  test('keeps an article apart from the document with the same id', async () => {
    const article = 900_000
    const rows = [await addArticle({}), ...(await site.addDocuments({ owner: author }))]
    await site.db
      .updateTable('article')
      .set({ id: article })
      .where('id', '=', rows[0] ?? 0)
      .execute()
    await site.db
      .updateTable('document')
      .set({ id: article })
      .where('id', '=', rows[1] ?? 0)
      .execute()
    await reader.call(favorites.create, { document_id: article, type: ContentType.Article })
    expect((await reader.call(favorites.get, { document_id: article })).id).toBe(0)
    await reader.call(favorites.create, { document_id: article })
    expect(await counts('article', article)).toEqual([1, 2])
  })

  test('is refused the second time, and counts nothing', async () => {
    const [id = 0] = await site.addDocuments({ owner: author })
    await reader.call(favorites.create, { document_id: id })
    const twice = { status: 409, reason: 'favorites.twice' }
    expect(await refusal(reader.call(favorites.create, { document_id: id }))).toMatchObject(twice)
    expect(await counts('document', id)).toEqual([1, 1])
  })

  test('twenty times concurrently makes one row, one count and one reward', async () => {
    const [id = 0] = await site.addDocuments({ owner: author })
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => reader.call(favorites.create, { document_id: id })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await counts('document', id)).toEqual([1, 1])
    expect(await findBalance(author)).toBe(2)
  })

  test('is refused as not found for what the member cannot see', async () => {
    const hidden = await site.addDocuments(
      { owner: author, status: DocumentStatus.InReview },
      { owner: author, deleted_at: 1 },
    )
    for (const document_id of [...hidden, 999_999])
      expect(await refusal(reader.call(favorites.create, { document_id }))).toMatchObject({
        status: 404,
        reason: 'documents.notFound',
      })
    const hiddenArticles = [
      await addArticle({ status: ReviewStatus.Pending }),
      await addArticle({ deleted_at: 1 }),
      999_999,
    ]
    for (const document_id of hiddenArticles)
      expect(await refusal(reader.call(favorites.create, { document_id, type: ContentType.Article }))).toMatchObject({
        status: 404,
        reason: 'articles.notFound',
      })
    expect((await reader.call(users.get)).favorite_count).toBe(0)
    await author.call(favorites.create, { document_id: hidden[0] ?? 0 })
    await author.call(favorites.create, { document_id: hiddenArticles[0] ?? 0, type: ContentType.Article })
    expect((await author.call(users.get)).favorite_count).toBe(2)
  })

  test('of each other’s documents concurrently does not deadlock', async () => {
    await site.configure({ 'score.document_collected_limit': '100' })
    const [byAuthor, byReader] = [
      await site.addDocuments(...Array.from({ length: 10 }, () => ({ owner: author }))),
      await site.addDocuments(...Array.from({ length: 10 }, () => ({ owner: reader }))),
    ]
    await Promise.all([
      ...byAuthor.map((document_id) => reader.call(favorites.create, { document_id })),
      ...byReader.map((document_id) => author.call(favorites.create, { document_id })),
    ])
    expect([await findBalance(author), await findBalance(reader)]).toEqual([20, 20])
    await site.configure(rewards)
  })
})

describe('the author', () => {
  test('is rewarded up to the daily limit over all members, also for concurrent favorites', async () => {
    const ids = await site.addDocuments(...Array.from({ length: 6 }, () => ({ owner: author })))
    const otherReader = await site.member()
    await Promise.all(
      [reader, otherReader].flatMap(({ call }) => ids.map((document_id) => call(favorites.create, { document_id }))),
    )
    expect(await findBalance(author)).toBe(6)
    site.advanceClock(day)
    const third = await site.member()
    await third.call(favorites.create, { document_id: ids[0] ?? 0 })
    expect(await findBalance(author)).toBe(8)
  })

  test('is not rewarded again when a favorite is removed and added again', async () => {
    const [id = 0] = await site.addDocuments({ owner: author })
    for (let times = 0; times < 4; times += 1) {
      const favorite = await reader.call(favorites.create, { document_id: id })
      await reader.call(favorites.delete, { id: [favorite.id] })
      site.advanceClock(day)
    }
    expect(await findBalance(author)).toBe(2)
    const today = await site.addDocuments(...Array.from({ length: 3 }, () => ({ owner: author })))
    const favorite = await reader.call(favorites.create, { document_id: id })
    expect(favorite.id).toBeGreaterThan(0)
    // A favorite without a reward uses nothing of the quota.
    for (const document_id of today) await reader.call(favorites.create, { document_id })
    expect(await findBalance(author)).toBe(8)
  })

  test('earns nothing by own favorites, nor when the site has no rewards', async () => {
    const [own = 0, first = 0, second = 0] = await site.addDocuments(
      { owner: author },
      { owner: author },
      { owner: author },
    )
    await author.call(favorites.create, { document_id: own })
    await site.configure({ 'score.document_collected_limit': '0' })
    await reader.call(favorites.create, { document_id: first })
    await site.configure({ ...rewards, 'score.document_collected': '0' })
    await reader.call(favorites.create, { document_id: second })
    await site.configure(rewards)
    expect((await author.call(credits.entries)).total).toBe(0)
  })

  test('and the member see it in their activities, once a day however often it is toggled', async () => {
    const [id = 0] = await site.addDocuments({ owner: author, title: '<b>年鉴</b>' })
    const { uuid } = await site.call(documents.get, { id })
    for (let times = 0; times < 3; times += 1) {
      const favorite = await reader.call(favorites.create, { document_id: id })
      await reader.call(favorites.delete, { id: [favorite.id] })
    }
    const activity = { subject: '<b>年鉴</b>', href: `/document/${uuid}` }
    const ofReader = await reader.call(activities.list)
    expect(ofReader).toMatchObject({ total: 1, dynamic: [{ type: ActivityType.Favorite, ...activity, amount: 0 }] })
    const ofAuthor = await author.call(activities.list)
    expect(ofAuthor).toMatchObject({ total: 1, dynamic: [{ type: ActivityType.Favorited, ...activity, amount: 2 }] })
    const article = await addArticle({ title: '随笔' })
    await reader.call(favorites.create, { document_id: article, type: ContentType.Article })
    expect((await reader.call(activities.list)).dynamic[0]).toMatchObject({ subject: '随笔' })
    expect((await author.call(activities.list)).dynamic).toMatchObject([
      { type: ActivityType.Favorited, subject: '随笔', action: '作品被收藏', amount: 0 },
      { type: ActivityType.Favorited, ...activity },
    ])
  })
})

describe('removing a favorite', () => {
  test('counts down once, however often it is requested', async () => {
    const [id = 0] = await site.addDocuments({ owner: author })
    const favorite = await reader.call(favorites.create, { document_id: id })
    await Promise.all(Array.from({ length: 8 }, () => reader.call(favorites.delete, { id: [favorite.id] })))
    expect(await counts('document', id)).toEqual([0, 0])
    expect((await site.send('GET', `/api/v1/favorite?document_id=${id}`, { token: reader.token })).json).toEqual({})
  })

  test('leaves favorites of others alone', async () => {
    const [id = 0] = await site.addDocuments({ owner: author })
    const mine = await reader.call(favorites.create, { document_id: id })
    const theirs = await author.call(favorites.create, { document_id: id })
    await reader.call(favorites.delete, { id: [theirs.id, mine.id, 999_999] })
    expect((await author.call(favorites.get, { document_id: id })).id).toBe(theirs.id)
    expect(await counts('document', id)).toEqual([1, 0])
  })
})

describe('the list', () => {
  test('has what still exists and is visible, the newest first', async () => {
    const [first = 0, second = 0, third = 0, fourth = 0] = await site.addDocuments(
      { owner: author, title: '一' },
      { owner: author, title: '二', ext: '.docx', pages: 7, size: 99, cover: true },
      { owner: author, title: '三' },
      { owner: author, title: '四' },
    )
    for (const document_id of [first, second, third, fourth]) await reader.call(favorites.create, { document_id })
    await site.root.call(documents.delete, { id: [third] })
    await site.db.updateTable('document').set({ status: DocumentStatus.Disabled }).where('id', '=', fourth).execute()
    const { total, favorite } = await reader.call(favorites.list)
    expect([total, favorite.map(({ title }) => title)]).toEqual([2, ['二', '一']])
    const { cover, uuid } = await reader.call(documents.get, { id: second })
    expect(favorite[0]).toMatchObject({
      type: ContentType.Document,
      document_uuid: uuid,
      ext: '.docx',
      pages: 7,
      size: 99,
      cover,
    })
    expect(cover).toMatch(/^\/view\/cover\//)
    expect((await author.call(favorites.list)).total).toBe(0)
    expect((await reader.call(favorites.list, { wd: '一' })).favorite).toHaveLength(1)
  })

  test('has documents or articles', async () => {
    const [visible, hidden] = [await addArticle({ title: '游记', identifier: 'journey' }), await addArticle({})]
    for (const document_id of [visible, hidden])
      await reader.call(favorites.create, { document_id, type: ContentType.Article })
    await site.db.updateTable('article').set({ status: ReviewStatus.Rejected }).where('id', '=', hidden).execute()
    await site.db.updateTable('article').set({ cover: '/uploads/c.png' }).where('id', '=', visible).execute()
    const { total, favorite } = await reader.call(favorites.list, { type: ContentType.Article })
    expect(total).toBe(1)
    const fields = { title: '游记', document_uuid: 'journey', cover: '/uploads/c.png' }
    expect(favorite).toMatchObject([{ type: ContentType.Article, document_id: visible, ...fields }])
    expect((await reader.call(favorites.list)).total).toBe(0)
    expect((await reader.call(favorites.list, { type: ContentType.Article, page: 2, size: 1 })).favorite).toEqual([])
  })
})

test('visitors have no favorites', async () => {
  const [document_id = 0] = await site.addDocuments({ owner: author })
  const loginNeeded = { status: 401 }
  expect(await refusal(site.call(favorites.create, { document_id }))).toMatchObject(loginNeeded)
  expect(await refusal(site.call(favorites.get, { document_id }))).toMatchObject(loginNeeded)
  expect(await refusal(site.call(favorites.list))).toMatchObject(loginNeeded)
  expect(await refusal(site.call(favorites.delete, { id: [1] }))).toMatchObject(loginNeeded)
})

async function addArticle(article: ArticleFixture): Promise<number> {
  const [id = 0] = await addArticles(site, { author, ...article })
  return id
}

async function counts(table: 'document' | 'article', id: number): Promise<number[]> {
  const row = await site.db.selectFrom(table).select('favorite_count').where('id', '=', id).executeTakeFirstOrThrow()
  return [row.favorite_count, (await reader.call(users.get)).favorite_count]
}

async function findBalance({ call }: Person): Promise<number> {
  return (await call(users.get)).credit_count
}
