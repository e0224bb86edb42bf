import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Article, articles } from '#shared/contract/articles.ts'
import { type Newsroom, openNewsroom } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: Newsroom
let author: Person
let reviewer: Person
beforeAll(async () => {
  site = await openNewsroom()
  author = await site.writer({ reviewed: true })
  reviewer = await site.staff('ArticleAPI/CheckArticles', 'ArticleAPI/RecommendArticles')
})
afterAll(() => site.close())

function read({ id }: { id: number }): Promise<Article> {
  return site.root.call(articles.get, { id })
}

describe('a review', () => {
  test('goes to and fro: the counts follow, and the author is told', async () => {
    const writer = await site.writer({ reviewed: true })
    const category = await site.category('稿件', { type: 1 })
    const made = await site.post(writer, { category_id: [category] })
    const check = (status: number, reason = '') =>
      reviewer.call(articles.check, { article_id: [made.id], status, reject_reason: reason })
    const standing = async () => {
      const { status, reject_reason } = await read(made)
      return [status, reject_reason, await site.shown({ category }), await site.shown({ person: writer })]
    }
    expect(await standing()).toEqual([0, '', 0, 0])
    await check(1)
    expect(await standing()).toEqual([1, '', 1, 1])
    await check(1)
    expect(await standing()).toEqual([1, '', 1, 1])
    await check(2, '缺少出处')
    expect(await standing()).toEqual([2, '缺少出处', 0, 0])
    await check(2, '缺少图片')
    expect(await standing()).toEqual([2, '缺少图片', 0, 0])
    await check(0)
    expect(await standing()).toEqual([0, '', 0, 0])
    await check(1, '不该留下的原因')
    expect(await standing()).toEqual([1, '', 1, 1])
    expect(await site.told(writer)).toEqual([15, 19, 20, 19])
  })

  test('takes the reason under both spellings of its key', async () => {
    for (const key of ['reject_reason', 'rejeact_reason']) {
      const made = await site.post(author)
      const body = { article_id: [made.id], status: 2, [key]: '不行' }
      expect((await site.send('PUT', '/api/v1/article/check', { token: reviewer.token, body })).status).toBe(200)
      expect(await read(made)).toMatchObject({ status: 2, reject_reason: '不行' })
    }
  })

  test('shows its reason to the author and the staff alone', async () => {
    const made = await site.post(author)
    await reviewer.call(articles.check, { article_id: [made.id], status: 2, reject_reason: '不行' })
    const { identifier } = made
    expect(await author.call(articles.get, { identifier })).toMatchObject({ reject_reason: '不行' })
    await site.db.updateTable('article').set({ status: 1 }).where('id', '=', made.id).execute()
    expect(await site.call(articles.get, { identifier })).toMatchObject({ reject_reason: '' })
  })

  test('of many at once leaves out what is gone', async () => {
    const [first, second, gone] = [await site.post(author), await site.post(author), await site.post(author)]
    await author.call(articles.delete, { id: [gone.id] })
    await reviewer.call(articles.check, { article_id: [first.id, second.id, gone.id, 999_999], status: 1 })
    expect([(await read(first)).status, (await read(second)).status]).toEqual([1, 1])
    const row = await site.db.selectFrom('article').select('status').where('id', '=', gone.id).executeTakeFirst()
    expect(row?.status).toBe(0)
    expect(await refusal(reviewer.call(articles.check, { article_id: [gone.id], status: 1 }))).toMatchObject({
      status: 404,
    })
  })

  test('is for who may', async () => {
    const made = await site.post(author)
    const input = { article_id: [made.id], status: 1 }
    expect(await refusal(author.call(articles.check, input))).toMatchObject({ status: 403 })
    expect(await refusal(site.call(articles.check, input))).toMatchObject({ status: 401 })
    expect(await refusal(reviewer.call(articles.check, { ...input, status: 3 }))).toMatchObject({ status: 400 })
  })

  test('by two at the same moment counts once', async () => {
    const writer = await site.writer({ reviewed: true })
    const made = await Promise.all([site.post(writer), site.post(writer), site.post(writer)])
    const ids = made.map(({ id }) => id)
    const orders = [ids, ids.toReversed(), ids, ids.toReversed()]
    await Promise.all(orders.map((article_id) => reviewer.call(articles.check, { article_id, status: 1 })))
    expect(await site.shown({ person: writer })).toBe(3)
    expect((await site.told(writer)).filter((type) => type === 19)).toHaveLength(3)
  })
})

test('a recommendation keeps its first moment, and can be taken back', async () => {
  const made = await site.post(site.root)
  const recommend = (is_recommend?: boolean) =>
    reviewer.call(articles.recommend, { article_id: [made.id, 999_999], is_recommend })
  await recommend(true)
  const { recommend_at } = await read(made)
  expect(recommend_at).toEqual(expect.any(Number))
  site.pass(1000)
  await recommend(true)
  expect((await read(made)).recommend_at).toBe(recommend_at)
  await recommend(false)
  expect((await read(made)).recommend_at).toBeNull()
  expect(await refusal(author.call(articles.recommend, { article_id: [made.id], is_recommend: true }))).toMatchObject({
    status: 403,
  })
})
