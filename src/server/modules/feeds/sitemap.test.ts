import { CollectionVisibility } from '#shared/collections.ts'
import { ContentType, ReviewStatus } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { collections } from '#shared/contract/collections.ts'
import { documents } from '#shared/contract/documents.ts'
import { sitemaps } from '#shared/contract/feeds.ts'
import { topics } from '#shared/contract/topics.ts'
import type { Ctx } from '#server/context.ts'
import { openDocumentSite, type DocumentSite } from '#server/testing/document-site.ts'
import { addArticles } from '#server/testing/add-articles.ts'
import { sitemapJobs, sitemapSchedules } from './sitemap.ts'

let site: DocumentSite
beforeAll(async () => {
  site = await openDocumentSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('article').execute()
  await site.db.deleteFrom('document').execute()
  await site.db.deleteFrom('category').execute()
})

async function listUrls(path: string): Promise<string[]> {
  const { status, text } = await site.send('GET', path)
  if (status !== 200) return [String(status)]
  return [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url)
}

/** The URLs of all parts but the pages. */
async function listedPaths(): Promise<string[]> {
  const parts = (await listUrls('/sitemap.xml')).filter((part) => part !== '/sitemap/pages.xml')
  return (await Promise.all(parts.map(listUrls))).flat()
}

test('an empty site lists its pages and categories', async () => {
  const [books, news] = [await site.category('书'), await site.category('新闻', { type: ContentType.Article })]
  await site.category('停用', { enable: 0 })
  expect(await listUrls('/sitemap.xml')).toEqual(['/sitemap/pages.xml'])
  expect(await listUrls('/sitemap/pages.xml')).toEqual([
    '/',
    '/category',
    '/article',
    '/ranking',
    `/category/${books}`,
    `/article?category_id=${news}`,
  ])
})

test('published topics are listed', async () => {
  const { id } = await site.root.call(topics.create, { title: '入门', enable: true })
  await site.root.call(topics.create, { title: '草稿' })
  const topicPaths = (await listUrls('/sitemap/pages.xml')).filter((path) => path.startsWith('/topic'))
  expect(topicPaths).toEqual(['/topic', `/topic/${id}`])
  await site.db.deleteFrom('topic').execute()
})

test('public documents and articles are listed with the time of their last change', async () => {
  const at = Date.UTC(2026, 0, 2)
  const [id = 0] = await site.addDocuments(
    { title: '公开', created_at: at },
    { title: '待审', status: DocumentStatus.InReview },
    { title: '禁用', status: DocumentStatus.Disabled },
    { title: '回收', deleted_at: 1 },
  )
  await addArticles(
    site,
    { identifier: 'open', created_at: at },
    { identifier: 'waiting', status: ReviewStatus.Pending },
    { identifier: 'rejected', status: ReviewStatus.Rejected },
    { identifier: 'deleted', deleted_at: 1 },
  )
  const { uuid } = await site.db.selectFrom('document').select('uuid').where('id', '=', id).executeTakeFirstOrThrow()
  expect((await listedPaths()).toSorted()).toEqual(['/article/open', `/document/${uuid}`])
  const part = (await listUrls('/sitemap.xml')).find((path) => path.includes('articles'))
  expect((await site.send('GET', part ?? '')).text).toContain(
    '<url><loc>/article/open</loc><lastmod>2026-01-02T00:00:00.000Z</lastmod></url>',
  )
  await site.root.call(documents.review, { id: [id], status: DocumentStatus.Disabled })
  expect(await listedPaths()).toEqual(['/article/open'])
})

test('URLs are listed in parts of at most ten thousand, each once', async () => {
  const at = Date.now()
  const common = {
    user_id: site.root.id,
    status: ReviewStatus.Approved,
    content: '',
    recommend_at: null,
    deleted_at: null,
  }
  const rows = Array.from({ length: 12_345 }, (_, n) => ({
    ...common,
    title: `文章 ${n}`,
    identifier: `many-${n}`,
    created_at: at,
    updated_at: at,
  }))
  for (let from = 0; from < rows.length; from += 1000)
    await site.db
      .insertInto('article')
      .values(rows.slice(from, from + 1000))
      .execute()
  const parts = (await listUrls('/sitemap.xml')).slice(1)
  expect(parts.length).toBeGreaterThan(1)
  const urls = await Promise.all(parts.map(listUrls))
  expect(Math.max(...urls.map(({ length }) => length))).toBeLessThanOrEqual(10_000)
  expect(urls.flat().toSorted()).toEqual(rows.map(({ identifier }) => `/article/${identifier}`).toSorted())
})

test('all URLs are counted on request and every day', async () => {
  await site.category('书')
  await site.addDocuments({ title: '公开' }, { title: '待审', status: DocumentStatus.InReview })
  await addArticles(site, { identifier: 'open' }, { identifier: 'waiting', status: ReviewStatus.Pending })
  const total = (await listUrls('/sitemap/pages.xml')).length + (await listedPaths()).length
  expect(total).toBe(7)
  expect(await site.root.call(sitemaps.check)).toEqual({ total })
  await site.configure({ 'security.login_required': 'true' })
  expect(await site.root.call(sitemaps.check)).toEqual({ total: 0 })
  await site.configure({ 'security.login_required': 'false' })
  expect(sitemapSchedules).toEqual([{ kind: 'feeds.check-sitemap', everyMs: 86_400_000 }])
  const logged: unknown[] = []
  const ctx = await site.app.context()
  const log = { ...ctx.log, info: (facts: unknown) => logged.push(facts) } as unknown as Ctx['log']
  await sitemapJobs['feeds.check-sitemap']({ ...ctx, log })
  expect(logged).toEqual([{ total }])
})

test.each(['articles-0', 'articles-999', 'users-1', 'articles-1e3', '..%2Fpages'])(
  'there is no part %s',
  async (name) => {
    await addArticles(site, {})
    expect(await listUrls(`/sitemap/${name}.xml`)).toEqual(['404'])
  },
)

test('a closed site and a site for members have no sitemap', async () => {
  await addArticles(site, {})
  for (const setting of ['security.is_close', 'security.login_required']) {
    const paths = ['/sitemap/pages.xml', ...(await listUrls('/sitemap.xml'))]
    await site.configure({ [setting]: 'true' })
    const statuses = (await Promise.all(['/sitemap.xml', ...paths].map(listUrls))).flat()
    await site.configure({ [setting]: 'false' })
    expect(new Set(statuses), setting).toEqual(new Set(['404']))
  }
})

test('public collections that have items are listed', async () => {
  const [content_id = 0] = await site.addDocuments({})
  const item = [{ type: ContentType.Document, content_id }]
  const { uuid } = await site.root.call(collections.create, { title: '公开', item })
  await site.root.call(collections.create, { title: '空的' })
  await site.root.call(collections.create, { title: '凭链接', visibility: CollectionVisibility.Unlisted, item })
  expect(await listedPaths()).toEqual([expect.stringMatching(/^\/document\//), `/collection/${uuid}`])
})
