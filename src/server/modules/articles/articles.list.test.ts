import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { articles } from '#shared/contract/articles.ts'
import type { Ask } from '#shared/endpoint.ts'
import { type Newsroom, openNewsroom } from '#server/testing/article-site.ts'
import { planned } from '#server/testing/query-plans.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { writeArticles } from '#server/testing/written-article.ts'
import * as z from 'zod/mini'
import { listArticles } from './articles.list.ts'

let site: Newsroom
let author: Person
let stranger: Person
let staff: Person
beforeAll(async () => {
  site = await openNewsroom()
  author = await site.writer()
  stranger = await site.writer()
  staff = await site.staff('ArticleAPI/ListArticle')
})
afterAll(() => site.close())

type Filter = Ask<typeof articles.list>

async function titles(person: Pick<Person, 'call'>, filter: Filter): Promise<string[]> {
  const { article } = await person.call(articles.list, filter)
  return article.map(({ title }) => title)
}

describe('who sees what', () => {
  const byAuthor = (): Filter => ({ user_id: [author.id], order: 'id asc' })
  beforeAll(async () => {
    const every = [0, 1, 2].map((status) => ({ title: `状态 ${status}`, status, author }))
    await writeArticles(site, ...every, { title: '已删除', author, deleted_at: 1 })
  })

  test('visitors and strangers see what is approved, and no more when they ask for more', async () => {
    for (const person of [site, stranger]) {
      expect(await titles(person, byAuthor())).toEqual(['状态 1'])
      expect(await titles(person, { ...byAuthor(), status: [1, 2] })).toEqual(['状态 1'])
      expect(await person.call(articles.list, { ...byAuthor(), status: [0, 2] })).toEqual({ total: 0, article: [] })
      expect((await person.call(articles.list, byAuthor())).total).toBe(1)
    }
    expect(await titles(stranger, { user_id: [stranger.id, author.id] })).toEqual([])
    expect(await titles(stranger, { user_id: [author.id, stranger.id], status: [0] })).toEqual([])
  })

  test('authors see all of their own but what is in the recycle bin, and of others what is approved', async () => {
    expect(await titles(author, byAuthor())).toEqual(['状态 0', '状态 1', '状态 2'])
    expect(await titles(author, { ...byAuthor(), status: [0, 2] })).toEqual(['状态 0', '状态 2'])
    expect(await titles(author, { size: 50 })).not.toContain('状态 0')
  })

  test('staff see everything', async () => {
    expect(await titles(staff, byAuthor())).toHaveLength(3)
    expect(await titles(staff, { status: [2] })).toEqual(['状态 2'])
  })

  test('words are looked for by staff and by authors in their own, and not by anybody else', async () => {
    expect(await titles(staff, { wd: '状态 0' })).toEqual(['状态 0'])
    expect(await titles(author, { wd: '状态 0', user_id: [author.id] })).toEqual(['状态 0'])
    expect(await titles(stranger, { ...byAuthor(), wd: '没有这样的' })).toEqual(['状态 1'])
    for (const wd of ['%', '_', '\\', "'", '"; drop table article', '*'])
      expect(await titles(staff, { wd })).toEqual([])
  })
})

describe('what is in a list', () => {
  test('is everything but the text, with its author and categories', async () => {
    const parent = await site.category('天文', { type: 1 })
    const category = await site.category('行星', { type: 1, parent })
    await site.post(author, { title: '木星', category_id: [category], content: '<p>很大</p>' })
    const { article } = await site.call(articles.list, { category_id: [category] })
    expect(article).toMatchObject([
      {
        title: '木星',
        content: '',
        description: '很大',
        author: author.username,
        user: { id: author.id, username: author.username },
        category_id: [parent, category],
        category: [{ title: '天文' }, { title: '行星' }],
      },
    ])
  })

  test('always has somebody as its author', async () => {
    const [id = 0] = await writeArticles(site, { title: '无主', author: { id: 999_999 } })
    const { article } = await staff.call(articles.list, { wd: '无主' })
    expect(article).toMatchObject([{ id, author: '已注销用户', user: { id: 0, username: '已注销用户' } }])
    const { json } = await site.send('GET', `/api/v1/article?id=${id}`)
    expect(json.user).toMatchObject({ username: '已注销用户' })
  })

  test('names each article once, though it is in several of the categories', async () => {
    const one = await site.category('一', { type: 1 })
    const two = await site.category('二', { type: 1, parent: one })
    await site.post(author, { title: '两处', category_id: [two] })
    expect(await site.call(articles.list, { category_id: [one, two] })).toMatchObject({
      total: 1,
      article: [{ title: '两处' }],
    })
  })
})

describe('narrowing, order and pages', () => {
  let category: number
  beforeAll(async () => {
    category = await site.category('排序', { type: 1 })
    const day = (text: string) => Date.parse(`${text} 12:00:00`)
    await writeArticles(
      site,
      { title: '甲', category: [category], view_count: 5, created_at: day('2024-01-01'), recommend_at: 2000 },
      { title: '乙', category: [category], view_count: 9, created_at: day('2024-01-02') },
      { title: '丙', category: [category], view_count: 1, created_at: day('2024-01-03'), recommend_at: 1000 },
    )
    await site.db.updateTable('article').set({ favorite_count: 7 }).where('title', '=', '乙').execute()
    await site.db.updateTable('article').set({ comment_count: 7 }).where('title', '=', '甲').execute()
    await site.db.updateTable('category').set({ doc_count: 3 }).where('id', '=', category).execute()
  })

  test.each([
    ['', '丙乙甲'],
    ['id asc', '甲乙丙'],
    ['created_at desc', '丙乙甲'],
    ['view_count desc', '乙甲丙'],
    ['view_count', '乙甲丙'],
    ['favorite_count desc', '乙丙甲'],
    ['comment_count desc', '甲丙乙'],
    ['recommend_at desc', '甲丙乙'],
    ['content desc', '丙乙甲'],
    ['password; drop table article', '丙乙甲'],
  ])('by “%s” is %s', async (order, expected) => {
    expect((await titles(site, { category_id: [category], order })).join('')).toBe(expected)
  })

  test('by recommendation and by time', async () => {
    expect(await titles(site, { category_id: [category], is_recommend: [true] })).toEqual(['丙', '甲'])
    expect(await titles(site, { category_id: [category], is_recommend: [false] })).toEqual(['乙'])
    expect(await titles(site, { category_id: [category], created_at: ['2024-01-02', '2024-01-02'] })).toEqual(['乙'])
    expect(await titles(site, { category_id: [category], created_at: ['nonsense'] })).toHaveLength(3)
  })

  test('in pages that neither repeat nor skip, and end', async () => {
    const ask = (page: number) => site.call(articles.list, { category_id: [category], size: 2, page })
    expect(await ask(1)).toMatchObject({ total: 3, article: [{ title: '丙' }, { title: '乙' }] })
    expect(await ask(2)).toMatchObject({ total: 3, article: [{ title: '甲' }] })
    expect(await ask(1_000_000_000)).toMatchObject({ article: [] })
  })

  test.each(['page=-5&size=-1', 'page=1e99', 'size=100000000', 'category_id=0', 'user_id=x', 'page=1.5', 'status=9'])(
    'asked for as ?%s is answered or refused',
    async (query) => {
      const { status, json } = await site.send('GET', `/api/v1/article/list?${query}`)
      expect([200, 400]).toContain(status)
      if (status === 200) expect((json.article as unknown[] | undefined)?.length ?? 0).toBeLessThanOrEqual(50)
    },
  )

  test('with ten thousand categories is refused', async () => {
    const query = Array.from({ length: 10_000 }, () => 'category_id=1').join('&')
    expect((await site.send('GET', `/api/v1/article/list?${query}`)).status).toBeGreaterThanOrEqual(400)
  })
})

test.runIf(inject('database').engine === 'sqlite')(
  'each order is walked along its index, and nothing is sorted',
  async () => {
    const ctx = await site.app.context()
    const watched = planned(ctx.db)
    for (const order of ['', 'view_count desc', 'favorite_count desc', 'comment_count desc', 'recommend_at desc']) {
      const input = z.parse(articles.list.input, { order, page: 1000, size: 10 })
      await listArticles({ ...ctx, db: watched.db }, input)
      const [first] = await watched.plans()
      expect(first, order).toEqual([expect.stringMatching(/^SCAN article USING INDEX article_by_/)])
    }
  },
)

test('lists of others’ recycled articles stay closed', async () => {
  expect(await refusal(site.call(articles.list, { status: [7] }))).toMatchObject({ status: 400 })
})
