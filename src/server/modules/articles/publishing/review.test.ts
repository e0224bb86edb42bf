import { ReviewStatus, ContentType, ActivityType } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Article, articles } from '#shared/contract/articles.ts'
import { users } from '#shared/contract/users.ts'
import { type ArticleSite, openArticleSite } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: ArticleSite
let author: Person
let reviewer: Person
beforeAll(async () => {
  site = await openArticleSite()
  author = await site.writer({ reviewed: true })
  reviewer = await site.staff('ArticleAPI/CheckArticles', 'ArticleAPI/RecommendArticles')
})
afterAll(() => site.close())

function read({ id }: { id: number }): Promise<Article> {
  return site.root.call(articles.get, { id })
}

test('an author who is trusted publishes articles without review, until the trust is taken back', async () => {
  const writer = await site.writer({ reviewed: true })
  const statusOf = async () => (await site.createArticle(writer)).status
  expect(await statusOf()).toBe(ReviewStatus.Pending)
  await site.root.call(users.trust, { id: writer.id, is_trusted: true })
  expect(await statusOf()).toBe(ReviewStatus.Approved)
  await site.root.call(users.trust, { id: writer.id, is_trusted: false })
  expect(await statusOf()).toBe(ReviewStatus.Pending)
})

describe('a review', () => {
  test('changes the counters, and the author sees each outcome in their activities', async () => {
    const writer = await site.writer({ reviewed: true })
    const category = await site.category('稿件', { type: ContentType.Article })
    const article = await site.createArticle(writer, { category_id: [category] })
    const check = (status: ReviewStatus, reason = '') =>
      reviewer.call(articles.review, { article_id: [article.id], status, reject_reason: reason })
    const { Pending, Approved, Rejected } = ReviewStatus
    const state = async () => {
      const { status, reject_reason } = await read(article)
      return [status, reject_reason, await site.articleCount({ category }), await site.articleCount({ person: writer })]
    }
    expect(await state()).toEqual([Pending, '', 0, 0])
    await check(Approved)
    expect(await state()).toEqual([Approved, '', 1, 1])
    await check(Approved)
    expect(await state()).toEqual([Approved, '', 1, 1])
    await check(Rejected, '缺少出处')
    expect(await state()).toEqual([Rejected, '缺少出处', 0, 0])
    await check(Rejected, '缺少图片')
    expect(await state()).toEqual([Rejected, '缺少图片', 0, 0])
    await check(Pending)
    expect(await state()).toEqual([Pending, '', 0, 0])
    await check(Approved, '不该留下的原因')
    expect(await state()).toEqual([Approved, '', 1, 1])
    await check(Rejected, '缺少出处')
    const { PublishArticle, ArticleApproved, ArticleRejected } = ActivityType
    expect(await site.activityTypes(writer)).toEqual([
      PublishArticle,
      ArticleApproved,
      // The rejection in between was taken back at once.
      ArticleApproved,
      ArticleRejected,
    ])
    site.advanceClock(61_000)
    await check(Pending)
    expect((await site.activityTypes(writer)).at(-1)).toBe(ArticleRejected)
  })

  test('is refused when another reviewer has decided in the meantime', async () => {
    const article = await site.createArticle(author)
    const decide = (status: ReviewStatus, from: ReviewStatus[]) =>
      reviewer.call(articles.review, { article_id: [article.id], status, from })
    await decide(ReviewStatus.Approved, [ReviewStatus.Pending])
    expect(await refusal(decide(ReviewStatus.Rejected, [ReviewStatus.Pending]))).toMatchObject({
      status: 409,
      reason: 'review.decided',
      message: expect.stringContaining('已通过'),
    })
    expect((await read(article)).status).toBe(ReviewStatus.Approved)
    await decide(ReviewStatus.Pending, [ReviewStatus.Approved])
    expect((await read(article)).status).toBe(ReviewStatus.Pending)
  })

  test('takes the reason under both spellings of its key', async () => {
    for (const key of ['reject_reason', 'rejeact_reason']) {
      const article = await site.createArticle(author)
      const body = { article_id: [article.id], status: ReviewStatus.Rejected, [key]: '不行' }
      expect((await site.send('PUT', '/api/v1/article/check', { token: reviewer.token, body })).status).toBe(200)
      expect(await read(article)).toMatchObject({ status: ReviewStatus.Rejected, reject_reason: '不行' })
    }
  })

  test('shows its reason to the author and staff only', async () => {
    const article = await site.createArticle(author)
    await reviewer.call(articles.review, {
      article_id: [article.id],
      status: ReviewStatus.Rejected,
      reject_reason: '不行',
    })
    const { identifier } = article
    expect(await author.call(articles.get, { identifier })).toMatchObject({ reject_reason: '不行' })
    await site.db.updateTable('article').set({ status: ReviewStatus.Approved }).where('id', '=', article.id).execute()
    expect(await site.call(articles.get, { identifier })).toMatchObject({ reject_reason: '' })
  })

  test('of many at once skips deleted articles', async () => {
    const [first, second, deleted] = [
      await site.createArticle(author),
      await site.createArticle(author),
      await site.createArticle(author),
    ]
    await author.call(articles.delete, { id: [deleted.id] })
    await reviewer.call(articles.review, {
      article_id: [first.id, second.id, deleted.id, 999_999],
      status: ReviewStatus.Approved,
    })
    expect([(await read(first)).status, (await read(second)).status]).toEqual([
      ReviewStatus.Approved,
      ReviewStatus.Approved,
    ])
    const row = await site.db.selectFrom('article').select('status').where('id', '=', deleted.id).executeTakeFirst()
    expect(row?.status).toBe(ReviewStatus.Pending)
    expect(
      await refusal(reviewer.call(articles.review, { article_id: [deleted.id], status: ReviewStatus.Approved })),
    ).toMatchObject({
      status: 404,
    })
  })

  test('needs the permission', async () => {
    const article = await site.createArticle(author)
    const input = { article_id: [article.id], status: ReviewStatus.Approved }
    expect(await refusal(author.call(articles.review, input))).toMatchObject({ status: 403 })
    expect(await refusal(site.call(articles.review, input))).toMatchObject({ status: 401 })
    expect(await refusal(reviewer.call(articles.review, { ...input, status: 3 as never }))).toMatchObject({
      status: 400,
    })
  })

  test('by several reviewers at the same moment counts once', async () => {
    const writer = await site.writer({ reviewed: true })
    const created = await Promise.all([
      site.createArticle(writer),
      site.createArticle(writer),
      site.createArticle(writer),
    ])
    const ids = created.map(({ id }) => id)
    const orders = [ids, ids.toReversed(), ids, ids.toReversed()]
    await Promise.all(
      orders.map((article_id) => reviewer.call(articles.review, { article_id, status: ReviewStatus.Approved })),
    )
    expect(await site.articleCount({ person: writer })).toBe(3)
    expect((await site.activityTypes(writer)).filter((type) => type === ActivityType.ArticleApproved)).toHaveLength(3)
  })
})

test('a repeated recommendation keeps its first time, and it can be withdrawn', async () => {
  const article = await site.createArticle(site.root)
  const recommend = (is_recommend?: boolean) =>
    reviewer.call(articles.recommend, { article_id: [article.id, 999_999], is_recommend })
  await recommend(true)
  const { recommend_at } = await read(article)
  expect(recommend_at).toEqual(expect.any(Number))
  site.advanceClock(1000)
  await recommend(true)
  expect((await read(article)).recommend_at).toBe(recommend_at)
  await recommend(false)
  expect((await read(article)).recommend_at).toBeNull()
  expect(
    await refusal(author.call(articles.recommend, { article_id: [article.id], is_recommend: true })),
  ).toMatchObject({
    status: 403,
  })
})
