import { afterAll, beforeAll, expect, test } from 'vitest'
import { articles } from '#shared/contract/articles.ts'
import { openSite, type Site } from '#server/testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
  await site.root.call(articles.create, { title: '公告', identifier: 'news', content: '<p>欢迎</p>', category_id: [] })
})
afterAll(() => site.close())

const evil = 'evil.example'

/** What is public and has addresses in it. */
const paths = [
  '/robots.txt',
  '/sitemap.xml',
  '/sitemap/pages.xml',
  '/sitemap/articles-1.xml',
  '/feed/document',
  '/feed/article',
  '/manifest.webmanifest',
  '/offline',
  '/service-worker.js',
  '/api/v1/openapi.json',
  '/api/docs',
  '/api/v1/settings',
  '/api/v1/article/list',
  '/api/v1/nothing',
]

test.each(paths)('a forged host shows nowhere in %s while no domain is set', async (path) => {
  const headers = { host: evil, 'x-forwarded-host': evil, 'x-forwarded-proto': 'https', forwarded: `host=${evil}` }
  const response = await site.request(`http://${evil}${path}`, { headers })
  expect(response.status).toBe(path.endsWith('nothing') ? 404 : 200)
  expect(await response.text()).not.toContain(evil)
  expect(JSON.stringify([...response.headers])).not.toContain(evil)
})

test('nor in the address of an upload', async () => {
  const { headers } = await site.request(`http://${evil}/api/v1/upload/tus`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${site.root.token}`,
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': `filename ${Buffer.from('a.pdf').toString('base64')}`,
      'x-forwarded-host': evil,
    },
  })
  expect(headers.get('location')).toMatch(/^\/api\/v1\/upload\/tus\/[\w-]+$/)
})

test('feeds have full addresses once the owner has set the domain', async () => {
  await site.configure({ 'system.domain': 'https://wenku.example.com' })
  for (const [path, address] of [
    ['/robots.txt', 'Sitemap: https://wenku.example.com/sitemap.xml'],
    ['/sitemap/articles-1.xml', '<loc>https://wenku.example.com/article/news</loc>'],
    ['/feed/article', '<id>https://wenku.example.com/article/news</id>'],
  ] as const) {
    const text = await (await site.request(`http://${evil}${path}`)).text()
    expect(text).toContain(address)
    expect(text).not.toContain(evil)
  }
})
