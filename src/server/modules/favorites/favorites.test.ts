import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { credits, dynamics } from '#shared/contract/credits.ts'
import { documents } from '#shared/contract/documents.ts'
import { favorites } from '#shared/contract/social.ts'
import { users } from '#shared/contract/users.ts'
import { type Library, openLibrary } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { writeArticles, type Written } from '#server/testing/written-article.ts'

const day = 24 * 60 * 60 * 1000
const rewards = { 'score.document_collected': '2', 'score.document_collected_limit': '3' }

let site: Library
let author: Person
let reader: Person
beforeAll(async () => {
  site = await openLibrary()
  await site.configure(rewards)
  site.holdClock()
})
afterAll(() => site.close())
beforeEach(async () => {
  author = await site.member()
  reader = await site.member()
})

describe('keeping', () => {
  test('a document makes one row and counts once on both sides', async () => {
    const [id = 0] = await site.shelve({ owner: author })
    const made = await reader.call(favorites.create, { document_id: id })
    expect(made).toMatchObject({ user_id: reader.id, document_id: id, type: 0 })
    expect(await counts('document', id)).toEqual([1, 1])
    expect((await reader.call(favorites.get, { document_id: id })).id).toBe(made.id)
  })

  test('an article that has the same number as a document is another favourite', async () => {
    const article = 900_000
    const rows = [await write({}), ...(await site.shelve({ owner: author }))]
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
    await reader.call(favorites.create, { document_id: article, type: 1 })
    expect((await reader.call(favorites.get, { document_id: article })).id).toBe(0)
    await reader.call(favorites.create, { document_id: article })
    expect(await counts('article', article)).toEqual([1, 2])
  })

  test('the same twice is refused, and counts nothing', async () => {
    const [id = 0] = await site.shelve({ owner: author })
    await reader.call(favorites.create, { document_id: id })
    const twice = { status: 409, reason: 'favorites.twice' }
    expect(await refusal(reader.call(favorites.create, { document_id: id }))).toMatchObject(twice)
    expect(await counts('document', id)).toEqual([1, 1])
  })

  test('twenty clicks at once make one row, one count, one reward', async () => {
    const [id = 0] = await site.shelve({ owner: author })
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => reader.call(favorites.create, { document_id: id })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await counts('document', id)).toEqual([1, 1])
    expect(await balanceOf(author)).toBe(2)
  })

  test('what may not be seen does not exist', async () => {
    const hidden = await site.shelve({ owner: author, status: 6 }, { owner: author, deleted_at: 1 })
    for (const document_id of [...hidden, 999_999])
      expect(await refusal(reader.call(favorites.create, { document_id }))).toMatchObject({
        status: 404,
        reason: 'documents.notFound',
      })
    const unseen = [await write({ status: 0 }), await write({ deleted_at: 1 }), 999_999]
    for (const document_id of unseen)
      expect(await refusal(reader.call(favorites.create, { document_id, type: 1 }))).toMatchObject({
        status: 404,
        reason: 'articles.notFound',
      })
    expect((await reader.call(users.get)).favorite_count).toBe(0)
    await author.call(favorites.create, { document_id: hidden[0] ?? 0 })
    await author.call(favorites.create, { document_id: unseen[0] ?? 0, type: 1 })
    expect((await author.call(users.get)).favorite_count).toBe(2)
  })

  test('people who keep each other’s documents at the same time do not block each other', async () => {
    await site.configure({ 'score.document_collected_limit': '100' })
    const [of, other] = [
      await site.shelve(...Array.from({ length: 10 }, () => ({ owner: author }))),
      await site.shelve(...Array.from({ length: 10 }, () => ({ owner: reader }))),
    ]
    await Promise.all([
      ...of.map((document_id) => reader.call(favorites.create, { document_id })),
      ...other.map((document_id) => author.call(favorites.create, { document_id })),
    ])
    expect([await balanceOf(author), await balanceOf(reader)]).toEqual([20, 20])
    await site.configure(rewards)
  })
})

describe('the author', () => {
  test('is rewarded so many times a day, by whomever, also when all come at once', async () => {
    const ids = await site.shelve(...Array.from({ length: 6 }, () => ({ owner: author })))
    const other = await site.member()
    await Promise.all(
      [reader, other].flatMap(({ call }) => ids.map((document_id) => call(favorites.create, { document_id }))),
    )
    expect(await balanceOf(author)).toBe(6)
    site.pass(day)
    const third = await site.member()
    await third.call(favorites.create, { document_id: ids[0] ?? 0 })
    expect(await balanceOf(author)).toBe(8)
  })

  test('is not rewarded again when it is taken back and given again', async () => {
    const [id = 0] = await site.shelve({ owner: author })
    for (let times = 0; times < 4; times += 1) {
      const made = await reader.call(favorites.create, { document_id: id })
      await reader.call(favorites.delete, { id: [made.id] })
      site.pass(day)
    }
    expect(await balanceOf(author)).toBe(2)
    const today = await site.shelve(...Array.from({ length: 3 }, () => ({ owner: author })))
    const made = await reader.call(favorites.create, { document_id: id })
    expect(made.id).toBeGreaterThan(0)
    // What pays nothing uses up nothing.
    for (const document_id of today) await reader.call(favorites.create, { document_id })
    expect(await balanceOf(author)).toBe(8)
  })

  test('earns nothing with own documents, nor when the site gives nothing', async () => {
    const [own = 0, first = 0, second = 0] = await site.shelve({ owner: author }, { owner: author }, { owner: author })
    await author.call(favorites.create, { document_id: own })
    await site.configure({ 'score.document_collected_limit': '0' })
    await reader.call(favorites.create, { document_id: first })
    await site.configure({ ...rewards, 'score.document_collected': '0' })
    await reader.call(favorites.create, { document_id: second })
    await site.configure(rewards)
    expect((await author.call(credits.entries)).total).toBe(0)
  })

  test('reads of it, and so does who kept it; clicking back and forth is told once', async () => {
    const [id = 0] = await site.shelve({ owner: author, title: '<b>年鉴</b>' })
    const { uuid } = await site.call(documents.get, { id })
    for (let times = 0; times < 3; times += 1) {
      const made = await reader.call(favorites.create, { document_id: id })
      await reader.call(favorites.delete, { id: [made.id] })
    }
    const about = { subject: '<b>年鉴</b>', href: `/document/${uuid}` }
    const kept = await reader.call(dynamics.list)
    expect(kept).toMatchObject({ total: 1, dynamic: [{ type: 2, ...about, amount: 0 }] })
    const told = await author.call(dynamics.list)
    expect(told).toMatchObject({ total: 1, dynamic: [{ type: 17, ...about, amount: 2 }] })
    const article = await write({ title: '随笔' })
    await reader.call(favorites.create, { document_id: article, type: 1 })
    expect((await reader.call(dynamics.list)).dynamic[0]).toMatchObject({ subject: '随笔' })
    expect((await author.call(dynamics.list)).dynamic).toMatchObject([
      { type: 17, subject: '随笔', action: '作品被收藏', amount: 0 },
      { type: 17, ...about },
    ])
  })
})

describe('taking back', () => {
  test('counts down, once, however often it is asked', async () => {
    const [id = 0] = await site.shelve({ owner: author })
    const made = await reader.call(favorites.create, { document_id: id })
    await Promise.all(Array.from({ length: 8 }, () => reader.call(favorites.delete, { id: [made.id] })))
    expect(await counts('document', id)).toEqual([0, 0])
    expect((await site.send('GET', `/api/v1/favorite?document_id=${id}`, { token: reader.token })).json).toEqual({})
  })

  test('leaves those of others as they are', async () => {
    const [id = 0] = await site.shelve({ owner: author })
    const mine = await reader.call(favorites.create, { document_id: id })
    const theirs = await author.call(favorites.create, { document_id: id })
    await reader.call(favorites.delete, { id: [theirs.id, mine.id, 999_999] })
    expect((await author.call(favorites.get, { document_id: id })).id).toBe(theirs.id)
    expect(await counts('document', id)).toEqual([1, 0])
  })
})

describe('the list', () => {
  test('shows what still exists and may be seen, the newest first', async () => {
    const [first = 0, second = 0, third = 0, fourth = 0] = await site.shelve(
      { owner: author, title: '一' },
      { owner: author, title: '二', ext: '.docx', pages: 7, size: 99, cover: true },
      { owner: author, title: '三' },
      { owner: author, title: '四' },
    )
    for (const document_id of [first, second, third, fourth]) await reader.call(favorites.create, { document_id })
    await site.root.call(documents.delete, { id: [third] })
    await site.db.updateTable('document').set({ status: 4 }).where('id', '=', fourth).execute()
    const { total, favorite } = await reader.call(favorites.list)
    expect([total, favorite.map(({ title }) => title)]).toEqual([2, ['二', '一']])
    const { cover, uuid } = await reader.call(documents.get, { id: second })
    expect(favorite[0]).toMatchObject({ type: 0, document_uuid: uuid, ext: '.docx', pages: 7, size: 99, cover })
    expect(cover).toMatch(/^\/view\/cover\//)
    expect((await author.call(favorites.list)).total).toBe(0)
    expect((await reader.call(favorites.list, { wd: '一' })).favorite).toHaveLength(1)
  })

  test('has articles apart', async () => {
    const [seen, hidden] = [await write({ title: '游记', identifier: 'journey' }), await write({})]
    for (const document_id of [seen, hidden]) await reader.call(favorites.create, { document_id, type: 1 })
    await site.db.updateTable('article').set({ status: 2 }).where('id', '=', hidden).execute()
    await site.db.updateTable('article').set({ cover: '/uploads/c.png' }).where('id', '=', seen).execute()
    const { total, favorite } = await reader.call(favorites.list, { type: 1 })
    expect(total).toBe(1)
    const named = { title: '游记', document_uuid: 'journey', cover: '/uploads/c.png' }
    expect(favorite).toMatchObject([{ type: 1, document_id: seen, ...named }])
    expect((await reader.call(favorites.list)).total).toBe(0)
    expect((await reader.call(favorites.list, { type: 1, page: 2, size: 1 })).favorite).toEqual([])
  })
})

test('strangers keep nothing', async () => {
  const [document_id = 0] = await site.shelve({ owner: author })
  const unknown = { status: 401 }
  expect(await refusal(site.call(favorites.create, { document_id }))).toMatchObject(unknown)
  expect(await refusal(site.call(favorites.get, { document_id }))).toMatchObject(unknown)
  expect(await refusal(site.call(favorites.list))).toMatchObject(unknown)
  expect(await refusal(site.call(favorites.delete, { id: [1] }))).toMatchObject(unknown)
})

async function write(article: Written): Promise<number> {
  const [id = 0] = await writeArticles(site, { author, ...article })
  return id
}

async function counts(table: 'document' | 'article', id: number): Promise<number[]> {
  const row = await site.db.selectFrom(table).select('favorite_count').where('id', '=', id).executeTakeFirstOrThrow()
  return [row.favorite_count, (await reader.call(users.get)).favorite_count]
}

async function balanceOf({ id }: Person): Promise<number> {
  return (await site.call(users.get, { id })).credit_count
}
