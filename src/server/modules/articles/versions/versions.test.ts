import { articleVersions } from '#shared/contract/article-versions.ts'
import { articleRecycle, articles } from '#shared/contract/articles.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ArticleSite, openArticleSite } from '#server/testing/article-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { maxVersions } from './record.ts'

let site: ArticleSite
let author: Person
let editor: Person
beforeAll(async () => {
  site = await openArticleSite()
  author = await site.writer()
  editor = await site.staff('ArticleAPI/UpdateArticle', 'ArticleAPI/ListArticle')
})
afterAll(() => site.close())

async function history(id: number, person = author) {
  const { version } = await person.call(articleVersions.list, { id })
  return version
}

test('each edit adds a version with who saved it; the first one also keeps the article as it was', async () => {
  const article = await site.createArticle(author, { title: '初', content: '<p>一</p>' })
  expect(await history(article.id)).toEqual([])
  await author.call(articles.update, { ...article })
  expect(await history(article.id), 'an edit that changes nothing').toEqual([])
  await author.call(articles.update, { ...article, title: '再' })
  await editor.call(articles.update, { ...article, title: '三', content: '<p>三</p>' })
  const versions = await history(article.id)
  expect(versions.map(({ title, username }) => [title, username])).toEqual([
    ['三', editor.username],
    ['再', author.username],
    ['初', author.username],
  ])
  expect(await author.call(articleVersions.get, { id: versions[2]?.id ?? 0 })).toMatchObject({
    article_id: article.id,
    title: '初',
    content: '<p>一</p>',
  })
})

test('restoring is another edit: it may be reviewed again, and nothing is lost', async () => {
  const novice = await site.writer({ reviewed: true })
  const article = await site.createArticle(novice, { title: '初', content: '<p>一</p>', keywords: '甲' })
  await novice.call(articles.update, { ...article, title: '再', content: '<p>二</p>', keywords: '乙' })
  await site.root.call(articles.review, { article_id: [article.id], status: ReviewStatus.Approved })
  const [, first] = await history(article.id, novice)
  await novice.call(articleVersions.restore, { id: first?.id ?? 0 })
  const restored = await novice.call(articles.get, { id: article.id })
  expect(restored).toMatchObject({ title: '初', content: '<p>一</p>', keywords: '甲', status: ReviewStatus.Pending })
  expect(restored.category_id).toEqual(article.category_id)
  expect((await history(article.id, novice)).map(({ title }) => title)).toEqual(['初', '再', '初'])
})

test('the history is for those who may edit the article', async () => {
  const article = await site.createArticle(author)
  await author.call(articles.update, { ...article, title: '改' })
  const [latest] = await history(article.id)
  const outsider = await site.writer()
  expect(await refusal(outsider.call(articleVersions.list, { id: article.id }))).toMatchObject({ status: 403 })
  for (const endpoint of [articleVersions.get, articleVersions.restore])
    expect(await refusal(outsider.call(endpoint, { id: latest?.id ?? 0 }))).toMatchObject({ status: 403 })
  expect(await history(article.id, editor)).toHaveLength(2)
  expect(await refusal(author.call(articleVersions.get, { id: 1_000_000 }))).toMatchObject({ status: 404 })
})

test('the newest versions are kept, and none after the article is purged', async () => {
  const article = await site.createArticle(site.root, { title: '第 0 版' })
  for (let n = 1; n <= maxVersions + 2; n += 1)
    await site.root.call(articles.update, { ...article, title: `第 ${n} 版` })
  const versions = await history(article.id, site.root)
  expect(versions).toHaveLength(maxVersions)
  expect(versions.at(-1)?.title).toBe('第 3 版')
  await site.root.call(articles.delete, { id: [article.id] })
  await site.root.call(articleRecycle.delete, { id: [article.id] })
  const rows = await site.db.selectFrom('article_version').select('id').where('article_id', '=', article.id).execute()
  expect(rows).toEqual([])
})
