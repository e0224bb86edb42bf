import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { articleRecycle, articles } from '#shared/contract/articles.ts'
import { type Newsroom, openNewsroom } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { writeArticles } from '#server/testing/written-article.ts'

let site: Newsroom
let author: Person
let stranger: Person
let keeper: Person
beforeAll(async () => {
  site = await openNewsroom()
  author = await site.writer()
  stranger = await site.writer()
  keeper = await site.staff(
    'ArticleAPI/ListRecycleArticle',
    'ArticleAPI/RestoreRecycleArticle',
    'ArticleAPI/DeleteRecycleArticle',
    'ArticleAPI/EmptyRecycleArticle',
  )
})
afterAll(() => site.close())

function findRow(id: number) {
  return site.db.selectFrom('article').selectAll().where('id', '=', id).executeTakeFirst()
}

describe('deleting', () => {
  test('puts an own article into the recycle bin, out of sight and out of the counts', async () => {
    const category = await site.category('短评', { type: 1 })
    const writer = await site.writer()
    const { id, identifier } = await site.post(writer, { category_id: [category] })
    await writer.call(articles.delete, { id: [id] })
    expect(await findRow(id)).toMatchObject({ deleted_at: expect.any(Number), deleted_user_id: writer.id })
    for (const person of [site, writer, site.root])
      expect(await refusal(person.call(articles.get, { identifier }))).toMatchObject({ status: 404 })
    expect([await site.shown({ category }), await site.shown({ person: writer })]).toEqual([0, 0])
    await writer.call(articles.delete, { id: [id] })
    expect([await site.shown({ category }), await site.shown({ person: writer })]).toEqual([0, 0])
  })

  test('own ones together with others’ deletes nothing', async () => {
    const [own, foreign] = [await site.post(stranger), await site.post(author)]
    for (const id of [[own.id, foreign.id], [foreign.id], [own.id, 999_999]])
      expect(await refusal(stranger.call(articles.delete, { id }))).toMatchObject({
        status: 403,
        reason: 'articles.othersKept',
      })
    for (const { id } of [own, foreign]) expect(await findRow(id)).toMatchObject({ deleted_at: null })
    expect(await refusal(site.call(articles.delete, { id: [own.id] }))).toMatchObject({ status: 401 })
  })

  test('by the staff takes any', async () => {
    const cleaner = await site.staff('ArticleAPI/DeleteArticle')
    const made = [await site.post(author), await site.post(stranger)]
    await cleaner.call(articles.delete, { id: [...made.map(({ id }) => id), 999_999] })
    for (const { id } of made) expect(await findRow(id)).toMatchObject({ deleted_user_id: cleaner.id })
  })
})

describe('the recycle bin', () => {
  test('is for who may, and shows what was deleted last first', async () => {
    const [first, second] = [await site.post(author, { title: '先删' }), await site.post(author, { title: '后删' })]
    await author.call(articles.delete, { id: [first.id] })
    site.pass(1000)
    await author.call(articles.delete, { id: [second.id] })
    const { article, total } = await keeper.call(articleRecycle.list, { size: 2 })
    expect(article.map(({ title }) => title)).toEqual(['后删', '先删'])
    expect(total).toBeGreaterThanOrEqual(2)
    expect(article[0]).toMatchObject({
      user: { username: author.username },
      deleted_at: expect.any(Number),
      content: '',
    })
    expect((await keeper.call(articleRecycle.list, { wd: '先删' })).article.map(({ id }) => id)).toEqual([first.id])
    for (const person of [author, await site.staff('ArticleAPI/ListArticle')]) {
      expect(await refusal(person.call(articleRecycle.list, {}))).toMatchObject({ status: 403 })
      expect(await refusal(person.call(articleRecycle.restore, { id: [first.id] }))).toMatchObject({ status: 403 })
      expect(await refusal(person.call(articleRecycle.delete, { id: [first.id] }))).toMatchObject({ status: 403 })
      expect(await refusal(person.call(articleRecycle.empty))).toMatchObject({ status: 403 })
    }
  })

  test('gives back what it holds, in the state it had, and the counts follow', async () => {
    const category = await site.category('归来', { type: 1 })
    const [writer, novice] = [await site.writer(), await site.writer({ reviewed: true })]
    const [shown, hidden] = [
      await site.post(writer, { category_id: [category] }),
      await site.post(novice, { category_id: [category] }),
    ]
    await site.root.call(articles.delete, { id: [shown.id, hidden.id] })
    expect(await site.shown({ category })).toBe(0)
    await keeper.call(articleRecycle.restore, { id: [shown.id, hidden.id, 999_999] })
    await keeper.call(articleRecycle.restore, { id: [shown.id] })
    expect(await site.shown({ category })).toBe(1)
    expect([await site.shown({ person: writer }), await site.shown({ person: novice })]).toEqual([1, 0])
    expect(await site.call(articles.get, { identifier: shown.identifier })).toMatchObject({ deleted_at: null })
    expect(await refusal(site.call(articles.get, { identifier: hidden.identifier }))).toMatchObject({ status: 404 })
  })

  test('loses for good what is purged, and keeps what was not deleted', async () => {
    const category = await site.category('清除', { type: 1 })
    const [gone, kept] = [
      await site.post(author, { category_id: [category] }),
      await site.post(author, { category_id: [category] }),
    ]
    await author.call(articles.delete, { id: [gone.id] })
    await keeper.call(articleRecycle.delete, { id: [gone.id, kept.id] })
    expect(await findRow(gone.id)).toBeUndefined()
    expect(await findRow(kept.id)).toBeDefined()
    const links = await site.db.selectFrom('article_category').selectAll().where('category_id', '=', category).execute()
    expect(links).toEqual([{ article_id: kept.id, category_id: category }])
    expect(await site.shown({ category })).toBe(1)
  })

  test('is emptied, however much is in it', async () => {
    const kept = await site.post(author)
    const [one = 0] = await writeArticles(site, { deleted_at: 1 })
    const { id: _id, ...row } = await site.db
      .selectFrom('article')
      .selectAll()
      .where('id', '=', one)
      .executeTakeFirstOrThrow()
    const many = Array.from({ length: 1300 }, (_, at) => ({ ...row, identifier: `many-${at}` }))
    await site.db.insertInto('article').values(many).execute()
    await keeper.call(articleRecycle.empty)
    await site.settle()
    const left = await site.db.selectFrom('article').select('id').where('deleted_at', 'is not', null).execute()
    expect(left).toEqual([])
    expect(await findRow(kept.id)).toBeDefined()
  })
})
