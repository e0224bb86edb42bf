import { afterAll, beforeAll, expect, test } from 'vitest'
import { articles } from '#shared/contract/articles.ts'
import { type Newsroom, openNewsroom } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { writeArticles } from '#server/testing/written-article.ts'

let site: Newsroom
let author: Person
let stranger: Person
beforeAll(async () => {
  site = await openNewsroom()
  author = await site.writer()
  stranger = await site.member()
})
afterAll(() => site.close())

const reader = { 'user-agent': 'Mozilla/5.0 Firefox/140.0' }

async function viewsOf(id: number): Promise<number | undefined> {
  const row = await site.db.selectFrom('article').select('view_count').where('id', '=', id).executeTakeFirst()
  return row?.view_count
}

test('an article is read by its address or its number, with its text and its author', async () => {
  const category = await site.category('读物', { type: 1 })
  const made = await site.post(author, { content: '<p>全文</p>', category_id: [category] })
  for (const named of [{ identifier: made.identifier }, { id: made.id }, { id: made.id, identifier: 'other' }])
    expect(await site.call(articles.get, named)).toMatchObject({
      id: made.id,
      content: '<p>全文</p>',
      author: author.username,
      user: { id: author.id, username: author.username, article_count: expect.any(Number) },
      category: [{ title: '读物' }],
    })
  for (const named of [{ identifier: 'none' }, { id: 999_999 }, {}])
    expect(await refusal(site.call(articles.get, named))).toMatchObject({ status: 404, reason: 'articles.notFound' })
})

test('what waits or was rejected is there for its author and the staff alone', async () => {
  const staff = [await site.staff('ArticleAPI/GetArticle'), await site.staff('ArticleAPI/ListArticle'), site.root]
  const other = await site.staff('DocumentAPI/ListDocument', 'CommentAPI/ListComment')
  for (const status of [0, 2]) {
    const [id = 0] = await writeArticles(site, { author, status, identifier: `hidden-${status}` })
    for (const named of [{ id }, { identifier: `hidden-${status}` }]) {
      for (const person of [author, ...staff])
        expect(await person.call(articles.get, named)).toMatchObject({ id, status })
      for (const person of [site, stranger, other])
        expect(await refusal(person.call(articles.get, named))).toMatchObject({ status: 404 })
    }
  }
})

test('what everybody could read is said to be gone, what nobody knew of is not', async () => {
  for (const [status, reason] of [
    [1, 'articles.gone'],
    [0, 'articles.notFound'],
    [2, 'articles.notFound'],
  ] as const) {
    const identifier = `deleted-${status}`
    await writeArticles(site, { author, status, identifier, deleted_at: 1 })
    expect(await refusal(site.call(articles.get, { identifier }))).toMatchObject({ status: 404, reason })
  }
})

test('a reader who comes by the address is counted once in a while, a program or a look by number never', async () => {
  const { id, identifier } = await site.post(author)
  const look = (query: string, headers: Record<string, string>, ip = '10.1.1.1') =>
    site.send('GET', `/api/v1/article?${query}`, { headers, ip })
  expect((await look(`identifier=${identifier}`, reader)).json.view_count).toBe(1)
  await look(`identifier=${identifier}`, reader)
  await look(`identifier=${identifier}`, { 'user-agent': 'Googlebot/2.1' }, '10.1.1.2')
  await look(`id=${id}`, reader, '10.1.1.3')
  expect(await viewsOf(id)).toBe(1)
  await look(`identifier=${identifier}`, reader, '10.1.1.4')
  expect(await viewsOf(id)).toBe(2)
  site.pass(31 * 60_000)
  await look(`identifier=${identifier}`, reader)
  expect(await viewsOf(id)).toBe(3)
})

test('a document with the same number is counted by itself', async () => {
  const { identifier } = await site.post(author)
  const row = await site.db.selectFrom('article').select('id').where('identifier', '=', identifier).executeTakeFirst()
  await site.shelve(...Array.from({ length: row?.id ?? 0 }, () => ({})))
  const look = (path: string) => site.send('GET', path, { headers: reader, ip: '10.2.2.2' })
  await look(`/api/v1/document?id=${row?.id}&with_author=true`)
  expect((await look(`/api/v1/article?identifier=${identifier}`)).json.view_count).toBe(1)
})

test('a look at what waits for review counts for nothing', async () => {
  const [id = 0] = await writeArticles(site, { author, status: 0, identifier: 'waiting' })
  await site.send('GET', '/api/v1/article?identifier=waiting', { token: author.token, headers: reader })
  expect(await viewsOf(id)).toBe(0)
})
