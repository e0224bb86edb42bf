import { ContentType, ReviewStatus } from '#shared/enums.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { articles } from '#shared/contract/articles.ts'
import { type ArticleSite, openArticleSite } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { addArticles } from '#server/testing/add-articles.ts'

let site: ArticleSite
let author: Person
let member: Person
beforeAll(async () => {
  site = await openArticleSite()
  author = await site.writer()
  member = await site.member()
})
afterAll(() => site.close())

const reader = { 'user-agent': 'Mozilla/5.0 Firefox/140.0' }

async function countViews(id: number): Promise<number | undefined> {
  const row = await site.db.selectFrom('article').select('view_count').where('id', '=', id).executeTakeFirst()
  return row?.view_count
}

test('an article is found by its identifier or its id, with its text and its author', async () => {
  const category = await site.category('读物', { type: ContentType.Article })
  const article = await site.createArticle(author, { content: '<p>全文</p>', category_id: [category] })
  for (const ref of [{ identifier: article.identifier }, { id: article.id }, { id: article.id, identifier: 'other' }])
    expect(await site.call(articles.get, ref)).toMatchObject({
      id: article.id,
      content: '<p>全文</p>',
      author: author.username,
      user: { id: author.id, username: author.username, article_count: expect.any(Number) },
      category: [{ title: '读物' }],
    })
  for (const ref of [{ identifier: 'none' }, { id: 999_999 }, {}])
    expect(await refusal(site.call(articles.get, ref))).toMatchObject({ status: 404, reason: 'articles.notFound' })
})

test('a pending or rejected article exists for its author and staff only', async () => {
  const staff = [await site.staff('ArticleAPI/GetArticle'), await site.staff('ArticleAPI/ListArticle'), site.root]
  const otherStaff = await site.staff('DocumentAPI/ListDocument', 'CommentAPI/ListComment')
  for (const status of [ReviewStatus.Pending, ReviewStatus.Rejected]) {
    const [id = 0] = await addArticles(site, { author, status, identifier: `hidden-${status}` })
    for (const ref of [{ id }, { identifier: `hidden-${status}` }]) {
      for (const person of [author, ...staff])
        expect(await person.call(articles.get, ref)).toMatchObject({ id, status })
      for (const person of [site, member, otherStaff])
        expect(await refusal(person.call(articles.get, ref))).toMatchObject({ status: 404 })
    }
  }
})

test('a deleted article is reported as gone if it was public, else as not found', async () => {
  for (const [status, reason] of [
    [ReviewStatus.Approved, 'articles.gone'],
    [ReviewStatus.Pending, 'articles.notFound'],
    [ReviewStatus.Rejected, 'articles.notFound'],
  ] as const) {
    const identifier = `deleted-${status}`
    await addArticles(site, { author, status, identifier, deleted_at: 1 })
    expect(await refusal(site.call(articles.get, { identifier }))).toMatchObject({ status: 404, reason })
  }
})

test('views by identifier are counted once per reader and half hour, those of bots or by id never', async () => {
  const { id, identifier } = await site.createArticle(author)
  const view = (query: string, headers: Record<string, string>, ip = '10.1.1.1') =>
    site.send('GET', `/api/v1/article?${query}`, { headers, ip })
  expect((await view(`identifier=${identifier}`, reader)).json.view_count).toBe(1)
  await view(`identifier=${identifier}`, reader)
  await view(`identifier=${identifier}`, { 'user-agent': 'Googlebot/2.1' }, '10.1.1.2')
  await view(`id=${id}`, reader, '10.1.1.3')
  expect(await countViews(id)).toBe(1)
  await view(`identifier=${identifier}`, reader, '10.1.1.4')
  expect(await countViews(id)).toBe(2)
  site.advanceClock(31 * 60_000)
  await view(`identifier=${identifier}`, reader)
  expect(await countViews(id)).toBe(3)
})

test('views of a document with the same id are counted separately', async () => {
  const { identifier } = await site.createArticle(author)
  const row = await site.db.selectFrom('article').select('id').where('identifier', '=', identifier).executeTakeFirst()
  await site.addDocuments(...Array.from({ length: row?.id ?? 0 }, () => ({})))
  const view = (path: string) => site.send('GET', path, { headers: reader, ip: '10.2.2.2' })
  await view(`/api/v1/document?id=${row?.id}&with_author=true`)
  expect((await view(`/api/v1/article?identifier=${identifier}`)).json.view_count).toBe(1)
})

test('views of a pending article are not counted', async () => {
  const [id = 0] = await addArticles(site, { author, status: ReviewStatus.Pending, identifier: 'waiting' })
  await site.send('GET', '/api/v1/article?identifier=waiting', { token: author.token, headers: reader })
  expect(await countViews(id)).toBe(0)
})
