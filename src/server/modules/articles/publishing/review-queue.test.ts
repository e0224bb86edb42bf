import { afterAll, beforeAll, expect, test } from 'vitest'
import { articles } from '#shared/contract/articles.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { type ArticleSite, openArticleSite } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: ArticleSite
let author: Person
let reviewer: Person
beforeAll(async () => {
  site = await openArticleSite()
  author = await site.writer({ reviewed: true })
  reviewer = await site.staff('ArticleAPI/CheckArticles')
})
afterAll(() => site.close())

test('pending articles are listed the oldest first, with their text and the record of their author', async () => {
  const [first, second, third] = [
    await site.createArticle(author, { title: '第一篇' }),
    await site.createArticle(author, { title: '第二篇', content: '<p>等待审核的正文</p>' }),
    await site.createArticle(author, { title: '第三篇' }),
  ]
  await reviewer.call(articles.review, {
    article_id: [first.id],
    status: ReviewStatus.Rejected,
    reject_reason: '缺少出处',
  })
  expect(await reviewer.call(articles.reviewQueue)).toEqual({ total: 2, id: [second.id, third.id] })
  expect(await reviewer.call(articles.reviewQueue, { after: second.id })).toEqual({ total: 1, id: [third.id] })
  const { article, contributor } = await reviewer.call(articles.reviewItem, { id: second.id })
  expect(article).toMatchObject({ title: '第二篇', content: '<p>等待审核的正文</p>', status: ReviewStatus.Pending })
  expect(contributor).toMatchObject({ id: author.id, username: author.username, approved: 0, rejected: 1 })
  expect(contributor.rejection).toMatchObject([{ title: '第一篇', reason: '缺少出处' }])
})

test('the queue is for reviewers of articles alone', async () => {
  const other = await site.staff('ArticleAPI/ListArticle', 'DocumentAPI/CheckDocument')
  expect(await refusal(other.call(articles.reviewQueue))).toMatchObject({ status: 403 })
  expect(await refusal(author.call(articles.reviewItem, { id: 1 }))).toMatchObject({ status: 403 })
  expect(await refusal(reviewer.call(articles.reviewItem, { id: 999_999 }))).toMatchObject({ status: 404 })
})
