import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { spiderSources } from '#shared/contract/spider.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { ContentType } from '#shared/enums.ts'
import { SpiderEntry } from '#shared/spider.ts'
import { refusal } from '#server/testing/site.ts'
import { openSpiderSite, type SpiderSite } from '#server/testing/spider/spider-site.ts'
import { type Answer, openWebServer, type WebServer } from '#server/testing/spider/web-server.ts'
import { claimHost, releaseHost } from '../fetch/hosts.ts'

let site: SpiderSite
let server: WebServer
/** By path; others are missing. */
let answers: Record<string, Answer>

const html = (body: string, head = ''): Answer => ({
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html><head>${head}</head><body>${body}</body></html>`,
})

beforeAll(async () => {
  site = await openSpiderSite()
  server = await openWebServer(({ url }) => answers[url.pathname] ?? { status: 404, body: 'nothing here' })
})
afterAll(async () => {
  await site.close()
  await server.close()
})
beforeEach(async () => {
  answers = {}
  server.log.length = 0
  await site.db.deleteFrom('spider_host').execute()
})

type Rule = Partial<CallInput<typeof spiderSources.try>>
const attempt = (path: string, rule: Rule = {}) =>
  site.root.call(spiderSources.try, { name: '试', start: [`${server.origin}/`], url: server.origin + path, ...rule })
const countStored = async () => {
  const tables = ['spider_source', 'spider_url', 'spider_document', 'spider_log'] as const
  return Promise.all(tables.map(async (table) => (await site.db.selectFrom(table).selectAll().execute()).length))
}

test('shows what would be read next, and what would be taken, with the categories of the rule', async () => {
  const [maths, other] = [await site.category('数学'), await site.category('其他')]
  answers['/list'] = html(
    `<h1>馆藏</h1>
    <a href="/list?page=2">下一页</a><a href="/about.html">关于</a><a href="/login">登录</a>
    <a href="/maths/a.pdf">代数</a><a href="/history/b.docx">史记</a><a href="/song.mp3">歌</a>
    <a href="https://elsewhere.example/">别处</a>`,
    '<title>页面</title><meta name="description" content="全部馆藏">',
  )
  const before = await countStored()
  const tried = await attempt('/list', {
    follow: ['/list*'],
    exclude: ['/login*'],
    selector_title: 'h1',
    selector_description: '.summary',
    category_id: [other],
    category_rule: [{ pattern: '/maths/**', category_id: [maths] }],
  })
  expect(tried).toMatchObject({
    url: `${server.origin}/list`,
    reason: '',
    http_status: 200,
    title: '馆藏',
    description: '全部馆藏',
    unmatched: ['description'],
    page: [`${server.origin}/list?page=2`],
    document: [
      { url: `${server.origin}/maths/a.pdf`, title: '代数', category_id: [maths] },
      { url: `${server.origin}/history/b.docx`, title: '史记', category_id: [other] },
    ],
  })
  expect(tried.skipped).toBeGreaterThan(0)
  expect(await countStored()).toEqual(before)
  expect(server.paths()).toEqual(['/robots.txt', '/list'])
  const { audit } = await site.root.call(audits.list, { area: ['spiderSources'], size: 1 })
  expect(audit).toMatchObject([{ target_id: [], change: `${server.origin}/list` }])
})

test('shows the addresses of a sitemap, and of the sitemaps that it names', async () => {
  const xml = (body: string): Answer => ({ headers: { 'content-type': 'application/xml' }, body })
  answers['/index.xml'] = xml(
    `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${server.origin}/one.xml</loc></sitemap></sitemapindex>`,
  )
  answers['/one.xml'] = xml(
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${server.origin}/page</loc></url><url><loc>${server.origin}/a.pdf</loc></url></urlset>`,
  )
  const rule = { entry: SpiderEntry.Sitemap, start: [`${server.origin}/index.xml`] }
  const index = await attempt('/index.xml', { ...rule, is_sitemap: true })
  expect(index).toMatchObject({ reason: '', page: [`${server.origin}/one.xml`], document: [] })
  const one = await attempt('/one.xml', rule)
  expect(one).toMatchObject({ reason: '', page: [`${server.origin}/page`] })
  expect(one.document.map(({ url }) => url)).toEqual([`${server.origin}/a.pdf`])
})

test('shows how an article begins', async () => {
  const text = '图书馆今天开馆，欢迎读者前来借阅各类图书。'.repeat(30)
  answers['/news/1.html'] = html(`<h1>开馆</h1><div id="text"><p>${text}</p><p>第二段</p></div>`)
  answers['/news/'] = html('<a href="/news/1.html">开馆</a>')
  const rule = { target: ContentType.Article, item: ['/news/*.html'], selector_title: 'h1', selector_content: '#text' }
  const list = await attempt('/news/', rule)
  expect(list.document).toMatchObject([{ url: `${server.origin}/news/1.html`, title: '开馆' }])
  const article = await attempt('/news/1.html', rule)
  expect(article).toMatchObject({ reason: '', title: '开馆', excerpt: text.slice(0, 300) })
  answers['/news/1.html'] = html('<h1>开馆</h1>')
  expect(await attempt('/news/1.html', rule)).toMatchObject({ reason: 'empty_article', title: '开馆', excerpt: '' })
})

test('an article that asks not to be indexed is not taken', async () => {
  answers['/news/1.html'] = html(`<p>${'正文'.repeat(50)}</p>`, '<meta name="robots" content="noindex">')
  const tried = await attempt('/news/1.html', { target: ContentType.Article, item: ['/news/*.html'] })
  expect(tried).toMatchObject({ reason: 'noindex', http_status: 200, title: '', excerpt: '', document: [] })
})

test('an address that is a file is taken itself', async () => {
  answers['/get'] = { headers: { 'content-type': 'application/pdf' }, body: `%PDF-1.4\n${'x'.repeat(5000)}` }
  expect(await attempt('/get')).toMatchObject({ reason: '', document: [{ url: `${server.origin}/get` }] })
})

describe('what goes wrong outside is told', () => {
  test.each([
    ['not_found', '/missing', {}],
    ['robots', '/private/a', {}],
    ['server_error', '/broken', {}],
    ['not_a_sitemap', '/plain', { is_sitemap: true }],
  ])('%s', async (reason, path, rule) => {
    answers['/robots.txt'] = { body: 'User-agent: *\nDisallow: /private/' }
    answers['/broken'] = { status: 500 }
    answers['/plain'] = html('<p>no sitemap</p>')
    expect(await attempt(path, rule)).toMatchObject({ reason, page: [], document: [] })
  })

  test('a private address that the owner has not named', async () => {
    const tried = await attempt('', { url: 'http://127.0.0.2/', start: ['http://127.0.0.2/'] })
    expect(tried).toMatchObject({ reason: 'private', http_status: 0 })
  })

  test('a rule that takes too long', async () => {
    answers['/slow'] = html(`<a href="/${'a'.repeat(60)}!">x</a>`)
    expect(await attempt('/slow', { follow: ['/(a+)+$/'] })).toMatchObject({ reason: 'too_slow' })
  })

  test('a site that a worker is asking at the moment', async () => {
    const ctx = await site.app.context()
    const lease = await claimHost(ctx, server.origin)
    onTestFinished(async () => lease && releaseHost(ctx, lease))
    const tried = await attempt('/')
    expect(tried).toMatchObject({ reason: 'waiting', detail: expect.stringContaining('正在采集') as string })
    expect(server.log).toEqual([])
  })
})

test('what is wrong with the form is refused beside its field, and nothing is asked', async () => {
  const wrong = await refusal(attempt('/', { follow: ['/(/'], user_id: 999_999 }))
  expect(wrong.details.map(({ field }) => field)).toEqual(['follow', 'user_id'])
  expect(await refusal(attempt('/', { url: 'nowhere' }))).toMatchObject({
    reason: 'spider.addressWrong',
    details: [{ field: 'url' }],
  })
  expect(server.log).toEqual([])
})

test('one request follows another: a try-out waits for the turn of its host', async () => {
  answers['/a'] = html('<p>a</p>')
  await Promise.all([attempt('/a'), attempt('/a'), attempt('/a')])
  expect(server.paths().filter((path) => path === '/a')).toHaveLength(3)
  expect(Math.max(...server.log.map(({ atOnce }) => atOnce))).toBe(1)
})
