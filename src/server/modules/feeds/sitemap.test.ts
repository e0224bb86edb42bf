import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { sitemaps } from '#shared/contract/system.ts'
import type { Ctx } from '#server/context.ts'
import { openLibrary, type Library } from '#server/testing/document-site.ts'
import { writeArticles } from '#server/testing/written-article.ts'
import { sitemapJobs, sitemapSchedules } from './sitemap.ts'

let site: Library
beforeAll(async () => {
  site = await openLibrary()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('article').execute()
  await site.db.deleteFrom('document').execute()
  await site.db.deleteFrom('category').execute()
})

async function addresses(path: string): Promise<string[]> {
  const { status, text } = await site.send('GET', path)
  if (status !== 200) return [String(status)]
  return [...text.matchAll(/<loc>http:\/\/localhost([^<]*)<\/loc>/g)].map(([, address = '']) => address)
}

/** What is listed in all parts. */
async function listed(): Promise<string[]> {
  const parts = (await addresses('/sitemap.xml')).filter((part) => part !== '/sitemap/pages.xml')
  return (await Promise.all(parts.map(addresses))).flat()
}

test('an empty site has its pages and categories', async () => {
  const [books, news] = [await site.category('书'), await site.category('新闻', { type: 1 })]
  await site.category('停用', { enable: 0 })
  expect(await addresses('/sitemap.xml')).toEqual(['/sitemap/pages.xml'])
  expect(await addresses('/sitemap/pages.xml')).toEqual([
    '/',
    '/category',
    '/article',
    `/category/${books}`,
    `/article?category_id=${news}`,
  ])
})

test('documents and articles are listed with when they changed last, and with nothing that not everybody may see', async () => {
  const at = Date.UTC(2026, 0, 2)
  const [id = 0] = await site.shelve(
    { title: '公开', created_at: at },
    { title: '待审', status: 6 },
    { title: '禁用', status: 4 },
    { title: '回收', deleted_at: 1 },
  )
  await writeArticles(
    site,
    { identifier: 'open', created_at: at },
    { identifier: 'waiting', status: 0 },
    { identifier: 'rejected', status: 2 },
    { identifier: 'deleted', deleted_at: 1 },
  )
  const { uuid } = await site.db.selectFrom('document').select('uuid').where('id', '=', id).executeTakeFirstOrThrow()
  expect((await listed()).toSorted()).toEqual(['/article/open', `/document/${uuid}`])
  const part = (await addresses('/sitemap.xml')).find((path) => path.includes('articles'))
  expect((await site.send('GET', part ?? '')).text).toContain(
    '<url><loc>http://localhost/article/open</loc><lastmod>2026-01-02T00:00:00.000Z</lastmod></url>',
  )
  await site.root.call(documents.check, { id: [id], status: 4 })
  expect(await listed()).toEqual(['/article/open'])
})

test('many are listed in parts of at most ten thousand, each once', async () => {
  const at = Date.now()
  const stamps = { user_id: site.root.id, status: 1, content: '', recommend_at: null, deleted_at: null }
  const rows = Array.from({ length: 12_345 }, (_, n) => ({
    ...stamps,
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
  const parts = (await addresses('/sitemap.xml')).slice(1)
  expect(parts.length).toBeGreaterThan(1)
  const found = await Promise.all(parts.map(addresses))
  expect(Math.max(...found.map(({ length }) => length))).toBeLessThanOrEqual(10_000)
  expect(found.flat().toSorted()).toEqual(rows.map(({ identifier }) => `/article/${identifier}`).toSorted())
})

test('all addresses are counted when asked for, and every day', async () => {
  await site.category('书')
  await site.shelve({ title: '公开' }, { title: '待审', status: 6 })
  await writeArticles(site, { identifier: 'open' }, { identifier: 'waiting', status: 0 })
  const found = (await addresses('/sitemap/pages.xml')).length + (await listed()).length
  expect(found).toBe(6)
  expect(await site.root.call(sitemaps.renew)).toEqual({ total: found })
  await site.configure({ 'security.login_required': 'true' })
  expect(await site.root.call(sitemaps.renew)).toEqual({ total: 0 })
  await site.configure({ 'security.login_required': 'false' })
  expect(sitemapSchedules).toEqual([{ kind: 'sitemap.check', everyMs: 86_400_000 }])
  const told: unknown[] = []
  const ctx = await site.app.context()
  const log = { ...ctx.log, info: (facts: unknown) => told.push(facts) } as unknown as Ctx['log']
  await sitemapJobs['sitemap.check']?.({ ...ctx, log }, {}, { attempt: 1, last: false, signal: AbortSignal.any([]) })
  expect(told).toEqual([{ total: found }])
})

test.each(['articles-0', 'articles-999', 'users-1', 'articles-1e3', '..%2Fpages'])(
  'there is no part %s',
  async (name) => {
    await writeArticles(site, {})
    expect(await addresses(`/sitemap/${name}.xml`)).toEqual(['404'])
  },
)

test('a site that is closed or for members has none', async () => {
  await writeArticles(site, {})
  for (const setting of ['security.is_close', 'security.login_required']) {
    const paths = ['/sitemap/pages.xml', ...(await addresses('/sitemap.xml'))]
    await site.configure({ [setting]: 'true' })
    const statuses = (await Promise.all(['/sitemap.xml', ...paths].map(addresses))).flat()
    await site.configure({ [setting]: 'false' })
    expect(new Set(statuses), setting).toEqual(new Set(['404']))
  }
})
