import { ReviewStatus, ContentType } from '#shared/enums.ts'
import { searches } from '#shared/contract/search.ts'
import type { KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { articles } from '#shared/contract/articles.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { refusal } from '#server/testing/site.ts'
import { type ArticleFixture, addArticles } from '#server/testing/add-articles.ts'
import { getRelated } from './articles.related.ts'

let site: DocumentSite
beforeEach(async () => {
  site = await openDocumentSite()
  await site.db.deleteFrom('article').execute()
})
afterEach(() => site.close())

async function addIndexed(...fixtures: ArticleFixture[]): Promise<number[]> {
  const ids = await addArticles(site, ...fixtures)
  await site.root.call(searches.reindex, {})
  await site.runDueJobs()
  return ids
}

async function related(identifier: string): Promise<string[]> {
  const { article } = await site.call(articles.related, { identifier })
  return article.map(({ title }) => title)
}

test('articles with similar text come first, then those of the same category, then the newest', async () => {
  const [cooking, driving] = [
    await site.category('烹饪', { type: ContentType.Article }),
    await site.category('驾驶', { type: ContentType.Article }),
  ]
  const about = (subject: string) => `<p>${`先说${subject}，再谈${subject}的由来。`.repeat(5)}</p>`
  await addIndexed(
    { identifier: 'own', title: '甲', content: about('川菜家常'), category: [cooking] },
    { title: '乙', content: about('川菜家常'), category: [driving] },
    { title: '面点', category: [cooking] },
    { title: '发动机', category: [driving] },
  )
  expect(await related('own')).toEqual(['乙', '面点', '发动机'])
})

test('an article in a category is not related to built-in pages, which are in none', async () => {
  const cooking = await site.category('烹饪', { type: ContentType.Article })
  const content = `<p>${'先说川菜，再谈川菜的由来。'.repeat(5)}</p>`
  await addIndexed(
    { identifier: 'own', title: '甲', content, category: [cooking] },
    { identifier: 'agreement', title: '用户协议', content },
    { title: '面点', category: [cooking] },
  )
  expect(await related('own')).toEqual(['面点'])
  expect(await related('agreement')).toEqual(['甲', '面点'])
})

test('there are at most ten, never the article itself, with the fields of a list', async () => {
  await addIndexed({ identifier: 'own', title: '自己' }, ...Array.from({ length: 15 }, () => ({})))
  const { article } = await site.call(articles.related, { identifier: 'own' })
  expect(article).toHaveLength(10)
  expect(article.map(({ title }) => title)).not.toContain('自己')
  expect(article[0]).toMatchObject({ content: '', user: { username: 'admin' } })
})

test('hidden articles are not related, from the moment they are hidden', async () => {
  const [, companion = 0] = await addIndexed(
    { identifier: 'own' },
    { title: '同伴' },
    { title: '待审', status: ReviewStatus.Pending },
    { title: '退回', status: ReviewStatus.Rejected },
    { title: '删除', deleted_at: 1 },
  )
  expect(await related('own')).toEqual(['同伴'])
  await site.root.call(articles.review, { article_id: [companion], status: ReviewStatus.Rejected })
  expect(await related('own')).toEqual([])
})

test('related articles are cached for a while, and can be switched off', async () => {
  await addIndexed({ identifier: 'own' }, { title: '旧' })
  expect(await related('own')).toEqual(['旧'])
  await addArticles(site, { title: '新' })
  expect(await related('own')).toEqual(['旧'])
  site.advanceClock(3_600_001)
  expect((await related('own')).toSorted()).toEqual(['新', '旧'])
  await site.configure({ 'security.document_related_duration': '0' })
  expect(await related('own')).toEqual([])
})

test('an article that the viewer cannot see has none', async () => {
  await addArticles(
    site,
    { identifier: 'waiting', status: ReviewStatus.Pending },
    { identifier: 'gone', deleted_at: 1 },
  )
  for (const identifier of ['waiting', 'gone', 'never'])
    expect(await refusal(site.call(articles.related, { identifier }))).toMatchObject({ status: 404 })
})

test('the texts of related articles are not read', async () => {
  await addIndexed({ identifier: 'own' }, { title: '同伴' })
  const ctx = await site.app.context()
  const columns = new Set<string>()
  const recorder: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      for (const row of result.rows) for (const column of Object.keys(row)) columns.add(column)
      return result
    },
  }
  const { article } = await getRelated({ ...ctx, db: ctx.db.withPlugin(recorder) }, { identifier: 'own' })
  expect(article).toHaveLength(1)
  expect(columns).toContain('title')
  expect(columns).not.toContain('content')
})
