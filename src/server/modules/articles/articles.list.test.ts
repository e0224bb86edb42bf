import { allCodes } from '#shared/codes.ts'
import { ReviewStatus, ContentType } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { articles } from '#shared/contract/articles.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { type ArticleSite, openArticleSite } from '#server/testing/article-site.ts'
import { explainQueries } from '#server/testing/databases/query-plans.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { addArticles } from '#server/testing/add-articles.ts'
import * as z from 'zod/mini'
import { listArticles } from './articles.list.ts'

let site: ArticleSite
let author: Person
let otherMember: Person
let staff: Person
beforeAll(async () => {
  site = await openArticleSite()
  author = await site.writer()
  otherMember = await site.writer()
  staff = await site.staff('ArticleAPI/ListArticle')
})
afterAll(() => site.close())

type Filter = CallInput<typeof articles.list>

async function titles(person: Pick<Person, 'call'>, filter: Filter): Promise<string[]> {
  const { article } = await person.call(articles.list, filter)
  return article.map(({ title }) => title)
}

describe('visibility', () => {
  const byAuthor = (): Filter => ({ user_id: [author.id], order: 'id asc' })
  beforeAll(async () => {
    const every = allCodes(ReviewStatus).map((status) => ({ title: `状态 ${status}`, status, author }))
    await addArticles(site, ...every, { title: '已删除', author, deleted_at: 1 })
  })

  test('visitors and other members see approved articles only, whatever status they ask for', async () => {
    for (const person of [site, otherMember]) {
      expect(await titles(person, byAuthor())).toEqual(['状态 1'])
      expect(await titles(person, { ...byAuthor(), status: [ReviewStatus.Approved, ReviewStatus.Rejected] })).toEqual([
        '状态 1',
      ])
      expect(
        await person.call(articles.list, { ...byAuthor(), status: [ReviewStatus.Pending, ReviewStatus.Rejected] }),
      ).toEqual({ total: 0, article: [] })
      expect((await person.call(articles.list, byAuthor())).total).toBe(1)
    }
    expect(await titles(otherMember, { user_id: [otherMember.id, author.id] })).toEqual([])
    expect(await titles(otherMember, { user_id: [author.id, otherMember.id], status: [ReviewStatus.Pending] })).toEqual(
      [],
    )
  })

  test('authors see all of their own articles outside the recycle bin, and approved ones of others', async () => {
    expect(await titles(author, byAuthor())).toEqual(['状态 0', '状态 1', '状态 2'])
    expect(await titles(author, { ...byAuthor(), status: [ReviewStatus.Pending, ReviewStatus.Rejected] })).toEqual([
      '状态 0',
      '状态 2',
    ])
    expect(await titles(author, { size: 50 })).not.toContain('状态 0')
  })

  test('staff see everything', async () => {
    expect(await titles(staff, byAuthor())).toHaveLength(3)
    expect(await titles(staff, { status: [ReviewStatus.Rejected] })).toEqual(['状态 2'])
  })

  test('staff search all articles, authors their own; others cannot search by words', async () => {
    expect(await titles(staff, { wd: '状态 0' })).toEqual(['状态 0'])
    expect(await titles(author, { wd: '状态 0', user_id: [author.id] })).toEqual(['状态 0'])
    expect(await titles(otherMember, { ...byAuthor(), wd: '没有这样的' })).toEqual(['状态 1'])
    for (const wd of ['%', '_', '\\', "'", '"; drop table article', '*'])
      expect(await titles(staff, { wd })).toEqual([])
  })
})

describe('a row', () => {
  test('has everything but the text, with its author and categories', async () => {
    const parent = await site.category('天文', { type: ContentType.Article })
    const category = await site.category('行星', { type: ContentType.Article, parent })
    await site.createArticle(author, { title: '木星', category_id: [category], content: '<p>很大</p>' })
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

  test('of a deleted account has a placeholder as author', async () => {
    const [id = 0] = await addArticles(site, { title: '无主', author: { id: 999_999 } })
    const { article } = await staff.call(articles.list, { wd: '无主' })
    expect(article).toMatchObject([{ id, author: '已注销用户', user: { id: 0, username: '已注销用户' } }])
    const { json } = await site.send('GET', `/api/v1/article?id=${id}`)
    expect(json.user).toMatchObject({ username: '已注销用户' })
  })

  test('appears once, though the article is in several of the categories', async () => {
    const parent = await site.category('一', { type: ContentType.Article })
    const child = await site.category('二', { type: ContentType.Article, parent })
    await site.createArticle(author, { title: '两处', category_id: [child] })
    expect(await site.call(articles.list, { category_id: [parent, child] })).toMatchObject({
      total: 1,
      article: [{ title: '两处' }],
    })
  })
})

describe('filters, order and pages', () => {
  let category: number
  beforeAll(async () => {
    category = await site.category('排序', { type: ContentType.Article })
    const day = (text: string) => Date.parse(`${text} 12:00:00`)
    await addArticles(
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
  ])('the order “%s” gives %s', async (order, expected) => {
    expect((await titles(site, { category_id: [category], order })).join('')).toBe(expected)
  })

  test('filters by recommendation and by time', async () => {
    expect(await titles(site, { category_id: [category], is_recommend: [true] })).toEqual(['丙', '甲'])
    expect(await titles(site, { category_id: [category], is_recommend: [false] })).toEqual(['乙'])
    expect(await titles(site, { category_id: [category], created_at: ['2024-01-02', '2024-01-02'] })).toEqual(['乙'])
    expect(await titles(site, { category_id: [category], created_at: ['nonsense'] })).toHaveLength(3)
  })

  test('pages neither repeat nor skip articles, and end', async () => {
    const listPage = (page: number) => site.call(articles.list, { category_id: [category], size: 2, page })
    expect(await listPage(1)).toMatchObject({ total: 3, article: [{ title: '丙' }, { title: '乙' }] })
    expect(await listPage(2)).toMatchObject({ total: 3, article: [{ title: '甲' }] })
    expect(await listPage(1_000_000_000)).toMatchObject({ article: [] })
  })

  test.each(['page=-5&size=-1', 'page=1e99', 'size=100000000', 'category_id=0', 'user_id=x', 'page=1.5', 'status=9'])(
    'the query ?%s is answered or refused',
    async (query) => {
      const { status, json } = await site.send('GET', `/api/v1/article/list?${query}`)
      expect([200, 400]).toContain(status)
      if (status === 200) expect((json.article as unknown[] | undefined)?.length ?? 0).toBeLessThanOrEqual(50)
    },
  )

  test('a query with ten thousand categories is refused', async () => {
    const query = Array.from({ length: 10_000 }, () => 'category_id=1').join('&')
    expect((await site.send('GET', `/api/v1/article/list?${query}`)).status).toBeGreaterThanOrEqual(400)
  })
})

test.runIf(inject('database').engine === 'sqlite')('each order is read from its index, without sorting', async () => {
  const ctx = await site.app.context()
  const explained = explainQueries(ctx.db)
  for (const order of ['', 'view_count desc', 'favorite_count desc', 'comment_count desc', 'recommend_at desc']) {
    const input = z.parse(articles.list.input, { order, page: 1000, size: 10 })
    await listArticles({ ...ctx, db: explained.db }, input)
    const [first] = await explained.plans()
    expect(first, order).toEqual([expect.stringMatching(/^SCAN article USING INDEX article_by_/)])
  }
})

test('an unknown status is refused', async () => {
  expect(await refusal(site.call(articles.list, { status: [7 as never] }))).toMatchObject({ status: 400 })
})
