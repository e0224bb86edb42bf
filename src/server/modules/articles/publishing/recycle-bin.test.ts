import { ContentType } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { articleRecycle, articles } from '#shared/contract/articles.ts'
import { type ArticleSite, openArticleSite } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { addArticles } from '#server/testing/add-articles.ts'

let site: ArticleSite
let author: Person
let otherAuthor: Person
let keeper: Person
beforeAll(async () => {
  site = await openArticleSite()
  author = await site.writer()
  otherAuthor = await site.writer()
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
  test('moves an own article to the recycle bin and out of the counters', async () => {
    const category = await site.category('短评', { type: ContentType.Article })
    const writer = await site.writer()
    const { id, identifier } = await site.createArticle(writer, { category_id: [category] })
    await writer.call(articles.delete, { id: [id] })
    expect(await findRow(id)).toMatchObject({ deleted_at: expect.any(Number), deleted_user_id: writer.id })
    for (const person of [site, writer, site.root])
      expect(await refusal(person.call(articles.get, { identifier }))).toMatchObject({ status: 404 })
    expect([await site.articleCount({ category }), await site.articleCount({ person: writer })]).toEqual([0, 0])
    await writer.call(articles.delete, { id: [id] })
    expect([await site.articleCount({ category }), await site.articleCount({ person: writer })]).toEqual([0, 0])
  })

  test('deletes nothing if articles of others are among them', async () => {
    const [own, foreign] = [await site.createArticle(otherAuthor), await site.createArticle(author)]
    for (const id of [[own.id, foreign.id], [foreign.id], [own.id, 999_999]])
      expect(await refusal(otherAuthor.call(articles.delete, { id }))).toMatchObject({
        status: 403,
        reason: 'articles.othersKept',
      })
    for (const { id } of [own, foreign]) expect(await findRow(id)).toMatchObject({ deleted_at: null })
    expect(await refusal(site.call(articles.delete, { id: [own.id] }))).toMatchObject({ status: 401 })
  })

  test('by staff works for articles of all authors', async () => {
    const cleaner = await site.staff('ArticleAPI/DeleteArticle')
    const created = [await site.createArticle(author), await site.createArticle(otherAuthor)]
    await cleaner.call(articles.delete, { id: [...created.map(({ id }) => id), 999_999] })
    for (const { id } of created) expect(await findRow(id)).toMatchObject({ deleted_user_id: cleaner.id })
  })
})

describe('the recycle bin', () => {
  test('needs the permission, and shows the latest deletions first', async () => {
    const [first, second] = [
      await site.createArticle(author, { title: '先删' }),
      await site.createArticle(author, { title: '后删' }),
    ]
    await author.call(articles.delete, { id: [first.id] })
    site.advanceClock(1000)
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

  test('restores articles with the status they had, and their counts', async () => {
    const category = await site.category('归来', { type: ContentType.Article })
    const [writer, novice] = [await site.writer(), await site.writer({ reviewed: true })]
    const [visible, hidden] = [
      await site.createArticle(writer, { category_id: [category] }),
      await site.createArticle(novice, { category_id: [category] }),
    ]
    await site.root.call(articles.delete, { id: [visible.id, hidden.id] })
    expect(await site.articleCount({ category })).toBe(0)
    await keeper.call(articleRecycle.restore, { id: [visible.id, hidden.id, 999_999] })
    await keeper.call(articleRecycle.restore, { id: [visible.id] })
    expect(await site.articleCount({ category })).toBe(1)
    expect([await site.articleCount({ person: writer }), await site.articleCount({ person: novice })]).toEqual([1, 0])
    expect(await site.call(articles.get, { identifier: visible.identifier })).toMatchObject({ deleted_at: null })
    expect(await refusal(site.call(articles.get, { identifier: hidden.identifier }))).toMatchObject({ status: 404 })
  })

  test('purges its articles, and leaves those that are not in it', async () => {
    const category = await site.category('清除', { type: ContentType.Article })
    const [purged, other] = [
      await site.createArticle(author, { category_id: [category] }),
      await site.createArticle(author, { category_id: [category] }),
    ]
    await author.call(articles.delete, { id: [purged.id] })
    await keeper.call(articleRecycle.delete, { id: [purged.id, other.id] })
    expect(await findRow(purged.id)).toBeUndefined()
    expect(await findRow(other.id)).toBeDefined()
    const links = await site.db.selectFrom('article_category').selectAll().where('category_id', '=', category).execute()
    expect(links).toEqual([{ article_id: other.id, category_id: category }])
    expect(await site.articleCount({ category })).toBe(1)
  })

  test('is emptied in batches', async () => {
    const other = await site.createArticle(author)
    const [id = 0] = await addArticles(site, { deleted_at: 1 })
    const { id: _id, ...row } = await site.db
      .selectFrom('article')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const many = Array.from({ length: 1300 }, (_, at) => ({ ...row, identifier: `many-${at}` }))
    await site.db.insertInto('article').values(many).execute()
    await keeper.call(articleRecycle.empty)
    await site.runDueJobs()
    const remaining = await site.db.selectFrom('article').select('id').where('deleted_at', 'is not', null).execute()
    expect(remaining).toEqual([])
    expect(await findRow(other.id)).toBeDefined()
  })
})
