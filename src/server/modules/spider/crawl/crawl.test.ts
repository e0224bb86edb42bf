import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { articles } from '#shared/contract/articles.ts'
import { documents as documentContract } from '#shared/contract/documents.ts'
import { spiderDocuments, spiderSources, spiderUrls } from '#shared/contract/spider.ts'
import { ContentType } from '#shared/enums.ts'
import { SpiderDocumentStatus, SpiderPublish, SpiderUrlStatus } from '#shared/spider.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { htmlAnswer, htmlPage, linkPage } from '#server/testing/spider/html-page.ts'
import { openLibrarySite } from '#server/testing/spider/library-site.ts'
import { openSpiderSite, type SpiderSite } from '#server/testing/spider/spider-site.ts'
import { type Answer, mostAtOnce, openWebServer, type WebRequest } from '#server/testing/spider/web-server.ts'

const { Downloaded, DownloadFailed, PendingDownload, Published, PublishFailed } = SpiderDocumentStatus
const { Done, Failed } = SpiderUrlStatus
const hourMs = 60 * 60_000

let site: SpiderSite
beforeAll(async () => {
  site = await openSpiderSite()
})
afterAll(() => site.close())

/** Of all days: the clock moves on while something is tried again. */
async function countFailures(): Promise<number> {
  const rows = await site.db.selectFrom('daily_count').select('count').where('name', '=', 'spider.failed').execute()
  return rows.reduce((sum, { count }) => sum + count, 0)
}

test('what a source finds is published, and visitors read it with its source', async () => {
  const category = await site.category('采集来的')
  const web = await serve({
    '/': linkPage('目录', ['/a.html']),
    '/a.html': htmlAnswer(htmlPage({ title: '水利年报', body: '<h1>水利年报</h1><a href="/a.pdf">下载</a>' })),
    '/a.pdf': pdf('水利年报'),
  })
  const { documents } = await site.crawl({
    start: [`${web.origin}/`],
    publish: SpiderPublish.Now,
    category_id: [category],
    source_name: '水利厅',
    price: 2,
  })
  expect(documents['/a.pdf']).toMatchObject({ status: Published, title: '水利年报', ext: '.pdf' })
  const id = documents['/a.pdf']?.document_id ?? 0
  const read = await site.call(documentContract.get, { id })
  expect(read).toMatchObject({ title: '水利年报', source_name: '水利厅', source_url: `${web.origin}/a.pdf`, price: 2 })
  expect(await site.root.call(spiderDocuments.today)).toMatchObject({
    found: 1,
    downloaded: 1,
    published: 1,
    failed: 0,
  })
})

test('a document that is to be reviewed is not public before', async () => {
  const web = await serve({ '/': linkPage('目录', ['/b.pdf']), '/b.pdf': pdf('待审') })
  const { documents } = await site.crawl({ start: [`${web.origin}/`], publish: SpiderPublish.Review })
  expect(documents['/b.pdf']).toMatchObject({ status: Published })
  await expect(site.call(documentContract.get, { id: documents['/b.pdf']?.document_id ?? 0 })).rejects.toThrow()
})

test('a changed page leads to what is new on it; a changed file becomes a new document, and the old one stays', async () => {
  const routes: Record<string, Answer> = {
    '/': withEtag(linkPage('目录', ['/one.pdf', '/same.html']), '"1"'),
    '/same.html': withEtag(linkPage('另一页', []), '"s"'),
    '/one.pdf': withEtag(pdf('初版'), '"1"'),
  }
  const web = await serve(routes)
  const { source, documents } = await site.crawl({ start: [`${web.origin}/`], publish: SpiderPublish.Now })
  const first = documents['/one.pdf']?.document_id
  routes['/'] = withEtag(linkPage('目录', ['/one.pdf', '/same.html', '/two.pdf']), '"2"')
  routes['/two.pdf'] = withEtag(pdf('第二份'), '"1"')
  routes['/one.pdf'] = withEtag(pdf('修订版'), '"2"')
  const before = web.log.length
  site.advanceClock(hourMs)
  await site.root.call(spiderSources.start, { id: [source] })
  await site.finish(source)
  expect(
    web.log
      .slice(before)
      .map(({ path, status }) => `${path} ${status}`)
      .toSorted(),
  ).toEqual(['/ 200', '/same.html 304', '/one.pdf 200', '/two.pdf 200'].toSorted())
  const after = (await site.look(source)).documents
  expect(after['/one.pdf']).toMatchObject({ status: Published })
  expect(after['/one.pdf']?.document_id).not.toBe(first)
  expect(after['/two.pdf']).toMatchObject({ status: Published })
  expect(
    await site.db
      .selectFrom('document')
      .select('id')
      .where('id', '=', first ?? 0)
      .execute(),
  ).toHaveLength(1)
})

test('of two pages with the same content the second leads nowhere', async () => {
  const body = htmlPage({ title: '同一页', body: '<a href="/deep.html">更深</a>' })
  const web = await serve({
    '/': linkPage('目录', ['/x.html', '/y.html']),
    '/x.html': htmlAnswer(body),
    '/y.html': htmlAnswer(body.replace('</body>', '<!-- 第二次 --></body>')),
    '/deep.html': linkPage('更深', []),
  })
  const { source, urls } = await site.crawl({ start: [`${web.origin}/`] })
  expect(Object.keys(urls).toSorted()).toEqual(['/', '/deep.html', '/x.html', '/y.html'])
  const { url } = await site.root.call(spiderUrls.list, { source_id: [source] })
  const events = await Promise.all(
    url.map(async ({ id }) => (await site.root.call(spiderUrls.log, { id })).log.map(({ event }) => event)),
  )
  expect(events.flat().toSorted()).toEqual(['duplicate', 'fetched', 'fetched', 'fetched'])
})

test('a file that the library has is linked, not stored twice', async () => {
  const owner = await site.author()
  const content = Buffer.from(makePdf({ title: '早就有了' }))
  const { hash } = await site.upload(owner, { name: '早就有了.pdf', content })
  const [existing = 0] = await site.addDocuments({ owner, hash, title: '早就有了' })
  const web = await serve({
    '/': linkPage('目录', ['/c.pdf', '/d.pdf']),
    '/c.pdf': { headers: { 'content-type': 'application/pdf' }, body: content },
    '/d.pdf': { headers: { 'content-type': 'application/pdf' }, body: content },
  })
  const { documents } = await site.crawl({ start: [`${web.origin}/`], publish: SpiderPublish.Now })
  for (const path of ['/c.pdf', '/d.pdf'])
    expect(documents[path]).toMatchObject({ status: Published, document_id: existing })
  const stored = await site.db.selectFrom('attachment').select('id').where('hash', '=', hash).execute()
  expect(stored).toHaveLength(1)
})

test('a server that is out of order is asked again later, four times at most', async () => {
  const web = await serve({
    '/': linkPage('目录', ['/soon.html', '/never.html']),
    '/soon.html': ({ visit }) => (visit < 3 ? { status: 503 } : linkPage('好了', [])),
    '/never.html': { status: 503 },
  })
  const before = await countFailures()
  const { urls } = await site.crawl({ start: [`${web.origin}/`] })
  expect(urls['/soon.html']).toMatchObject({ status: Done, reason: '' })
  expect(urls['/never.html']).toMatchObject({ status: Failed, reason: 'server_error' })
  expect(web.paths().filter((path) => path === '/never.html')).toHaveLength(4)
  // The dashboard counts documents.
  expect(await countFailures()).toBe(before)
})

test('the next run downloads what has failed for a reason that passes', async () => {
  const routes: Record<string, Answer> = { '/': linkPage('目录', ['/f.pdf', '/g.pdf']), '/f.pdf': { status: 503 } }
  const web = await serve(routes)
  const before = await countFailures()
  const { source, documents } = await site.crawl({ start: [`${web.origin}/`] })
  expect(documents['/f.pdf']).toMatchObject({ status: DownloadFailed, reason: 'server_error' })
  expect(documents['/g.pdf']).toMatchObject({ status: DownloadFailed, reason: 'not_found' })
  expect(await countFailures()).toBe(before + 2)
  routes['/f.pdf'] = pdf('终于')
  routes['/g.pdf'] = pdf('没有再问')
  await site.root.call(spiderSources.start, { id: [source] })
  await site.finish(source)
  const after = (await site.look(source)).documents
  expect(after['/f.pdf']).toMatchObject({ status: Downloaded, reason: '' })
  expect(after['/g.pdf']).toMatchObject({ status: DownloadFailed })
})

test('a worker that stops in the middle of a request leaves nothing behind', async () => {
  const asked = Promise.withResolvers<void>()
  const web = await serve({
    '/': () => {
      asked.resolve()
      return new Promise<Answer>(() => {})
    },
  })
  const source = await site.start({ start: [`${web.origin}/`] })
  const worker = site.app.work()
  await asked.promise
  await worker.stop()
  const row = await site.db
    .selectFrom('spider_url')
    .innerJoin('spider_host', 'spider_host.origin', 'spider_url.origin')
    .select(['status', 'tries', 'busy_until'])
    .where('source_id', '=', source)
    .executeTakeFirst()
  expect(row).toEqual({ status: SpiderUrlStatus.Pending, tries: 0, busy_until: 0 })
})

test('a crawled document that is deleted leaves the library its file', async () => {
  const web = await serve({ '/': linkPage('目录', ['/h.pdf']), '/h.pdf': pdf('留下') })
  const { source } = await site.crawl({ start: [`${web.origin}/`], publish: SpiderPublish.Now })
  const [row] = await rowsOf(source)
  await site.root.call(spiderDocuments.delete, { id: [row?.id ?? 0] })
  const file = await site.db
    .selectFrom('attachment')
    .select(['type_id', 'deleted_at'])
    .where('id', '=', row?.attachment_id ?? 0)
    .executeTakeFirst()
  expect(file).toEqual({ type_id: row?.document_id, deleted_at: null })
})

test('beyond the day’s limit nothing is requested until the next day', async () => {
  const { now } = await site.app.context()
  const noon = new Date(now()).setHours(36, 0, 0, 0)
  site.advanceClock(noon - now())
  await site.configure({ 'spider.bytes_every_day': '1' })
  onTestFinished(() => site.configure({ 'spider.bytes_every_day': '0' }))
  const body = Buffer.concat([makePdf({ title: '大' }), Buffer.alloc(1024 * 1024, ' ')])
  const web = await serve({
    '/': linkPage('目录', ['/big.pdf', '/late.pdf']),
    '/big.pdf': { headers: { 'content-type': 'application/pdf' }, body },
    '/late.pdf': pdf('明天'),
  })
  const source = await site.start({ start: [`${web.origin}/`] })
  await site.runDueJobs()
  site.advanceClock(hourMs)
  await site.runDueJobs()
  expect(web.paths()).not.toContain('/late.pdf')
  site.advanceClock(12 * hourMs)
  await site.runDueJobs()
  expect((await site.look(source)).documents['/late.pdf']).toMatchObject({ status: Downloaded })
})

test('sources of one host take turns', async () => {
  const many = Array.from({ length: 20 }, (_, index) => `/large/${index}.html`)
  const web = await serve({
    '/large': linkPage('大', many),
    '/small': linkPage('小', ['/small/1.html', '/small/2.html']),
    ...Object.fromEntries([...many, '/small/1.html', '/small/2.html'].map((path) => [path, linkPage(path, [])])),
  })
  const large = await site.start({ start: [`${web.origin}/large`], follow: ['/large/*'] })
  const small = await site.start({ start: [`${web.origin}/small`], follow: ['/small/*'] })
  await site.finish(large)
  await site.finish(small)
  const paths = web.paths()
  expect(paths.indexOf('/small/2.html')).toBeLessThan(paths.lastIndexOf('/large/9.html'))
  expect(paths.filter((path) => path.startsWith('/large'))).toHaveLength(21)
})

test('two processes at once: a host has one connection, and everything is requested once', async () => {
  const pages = Array.from({ length: 12 }, (_, index) => `/${index}.html`)
  const slow = (answer: Answer) => async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return answer
  }
  const web = await serve({
    '/': slow(linkPage('目录', pages)),
    ...Object.fromEntries(pages.map((path) => [path, slow(linkPage(path, [path.replace('html', 'pdf')]))])),
    ...Object.fromEntries(pages.map((path) => [path.replace('html', 'pdf'), slow(pdf(path))])),
  })
  const other = await site.openSecondProcess()
  const worker = other.work()
  const { documents } = await site.crawl({ start: [`${web.origin}/`], publish: SpiderPublish.Now })
  await worker.stop()
  expect(mostAtOnce(web.log)).toBe(1)
  expect(web.paths()).toHaveLength(new Set(web.paths()).size)
  const ids = Object.values(documents).map(({ document_id }) => document_id)
  expect(new Set(ids).size).toBe(pages.length)
  const inLibrary = await site.db
    .selectFrom('document')
    .select('id')
    .where('source_url', 'like', `${web.origin}/%`)
    .execute()
  expect(new Set(inLibrary.map(({ id }) => id))).toEqual(new Set(ids))
  expect(inLibrary).toHaveLength(pages.length)
})

test('staff enter pages and files; both wait for them, and are published as they say', async () => {
  const web = await serve({
    '/page.html': linkPage('一页', ['/in-page.pdf', '/other.html']),
    '/in-page.pdf': pdf('页中'),
  })
  web.log.length = 0
  const url = [`${web.origin}/page.html`, `${web.origin}/direct.pdf`, 'ftp://example.com/a.pdf'].join('\n')
  expect(await site.root.call(spiderUrls.create, { url })).toMatchObject({ created: 2, known: 0 })
  expect(await site.root.call(spiderUrls.create, { url })).toMatchObject({ created: 0, known: 2 })
  await site.runDueJobs()
  expect(web.paths()).toEqual(['/robots.txt', '/page.html'])
  const found = await staffDocuments(web.origin)
  expect(found.map(({ status }) => status)).toEqual([PendingDownload, PendingDownload])
  await site.root.call(spiderDocuments.download, { id: found.map(({ id }) => id) })
  await site.runDueJobs()
  expect((await staffDocuments(web.origin)).map(({ url, status }) => [url.replace(web.origin, ''), status])).toEqual([
    ['/direct.pdf', DownloadFailed],
    ['/in-page.pdf', Downloaded],
  ])
  await site.root.call(spiderDocuments.publish, { id: found.map(({ id }) => id) })
  await site.runDueJobs()
  const published = (await staffDocuments(web.origin)).find((row) => row.status === Published)
  expect(await site.call(documentContract.get, { id: published?.document_id ?? 0 })).toMatchObject({ price: 0 })
})

test('what cannot be published says why, and is published once that is mended', async () => {
  const category = await site.category('很快删除')
  const web = await serve({ '/': linkPage('目录', ['/e.pdf']), '/e.pdf': pdf('没有分类') })
  const { source } = await site.crawl({ start: [`${web.origin}/`], category_id: [category] })
  const [row] = await rowsOf(source)
  const id = row?.id ?? 0
  await site.db.deleteFrom('category').where('id', '=', category).execute()
  await site.root.call(spiderDocuments.publish, { id: [id] })
  await site.runDueJobs()
  expect((await rowsOf(source))[0]).toMatchObject({ status: PublishFailed, reason: 'category_missing' })
  await site.root.call(spiderDocuments.setCategory, { id: [id], category_id: [] })
  await site.root.call(spiderDocuments.retry, { id: [id] })
  await site.runDueJobs()
  expect((await rowsOf(source))[0]).toMatchObject({ status: Published, reason: '' })
})

test('an article keeps its pictures; a second run with the same text changes nothing', async () => {
  const library = await openLibrarySite({ documents: 0, articles: 1 })
  onTestFinished(() => library.close())
  const [article] = library.articles
  const rule = {
    start: [`${library.origin}/news/`],
    target: ContentType.Article,
    item: ['/news/*.html'],
    exclude: ['/news/page-*.html'],
    publish: SpiderPublish.Now,
  }
  const { source } = await site.crawl(rule)
  const [row] = await rowsOf(source)
  const published = await site.db
    .selectFrom('article')
    .select(['identifier', 'content'])
    .where('id', '=', row?.article_id ?? 0)
    .executeTakeFirstOrThrow()
  const { identifier } = published
  const read = await site.call(articles.get, { identifier })
  expect(read).toMatchObject({ title: article?.title, source_url: library.origin + (article?.page ?? '') })
  expect(read.content).toMatch(/<img[^>]+src="\/uploads\//)
  const before = library.log.length
  site.advanceClock(hourMs)
  await site.root.call(spiderSources.start, { id: [source] })
  await site.finish(source)
  expect(library.log.slice(before).every(({ status }) => status === 304)).toBe(true)
  expect((await rowsOf(source))[0]).toMatchObject({ status: Published, article_id: row?.article_id })
})

test('pictures of other hosts are asked for as politely as pages; those that are forbidden or broken are left out', async () => {
  const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const picture: Answer = { headers: { 'content-type': 'image/png' }, body: png }
  const open = await serve({ '/a&b.png': picture })
  const closed = await serve({ '/robots.txt': { body: 'User-agent: *\nDisallow: /' }, '/c.png': picture })
  const hosts = [open, closed].map(({ origin }) => new URL(origin).host)
  await site.configure({ 'spider.private_hosts': ['127.0.0.1', ...hosts].join() })
  onTestFinished(() => site.configure({ 'spider.private_hosts': '127.0.0.1' }))
  const text = '一段足够长的正文，说明这是一篇文章，而不是别的什么。'.repeat(5)
  const pictures = ['/own.png', `${open.origin}/a&amp;b.png`, `${closed.origin}/c.png`, '/broken.png']
  const body = `<article><p>${text}</p>${pictures.map((src) => `<p><img src="${src}" alt="1 > 0"></p>`).join('')}<p>${text}</p></article>`
  const web = await serve({
    '/': linkPage('目录', ['/news/1.html']),
    '/news/1.html': htmlAnswer(htmlPage({ title: '有图', body })),
    '/own.png': picture,
    '/broken.png': { headers: { 'content-type': 'image/png' }, body: 'no picture' },
  })
  const { source } = await site.crawl({
    start: [`${web.origin}/`],
    target: ContentType.Article,
    item: ['/news/*.html'],
    selector_content: 'article',
    publish: SpiderPublish.Now,
  })
  const [row] = await rowsOf(source)
  const { content } = await site.db
    .selectFrom('article')
    .select('content')
    .where('id', '=', row?.article_id ?? 0)
    .executeTakeFirstOrThrow()
  const shown = [...content.matchAll(/<img[^>]*?src="([^"]+)"/g)].map(([, src]) => src)
  expect(shown).toHaveLength(2)
  expect(shown.every((src) => src?.startsWith('/uploads/'))).toBe(true)
  expect(open.paths()).toEqual(['/robots.txt', '/a&b.png'])
  expect(closed.paths()).toEqual(['/robots.txt'])
})

type Routes = Record<string, Answer | ((request: WebRequest) => Answer | Promise<Answer>)>

/** Answers conditional requests where it sends an ETag; routes may change while it runs. */
async function serve(routes: Routes) {
  const web = await openWebServer(async (request) => {
    const route = routes[request.path] ?? { status: 404 }
    const answer = typeof route === 'function' ? await route(request) : route
    const etag = answer.headers?.etag
    return etag && request.headers['if-none-match'] === etag ? { status: 304, headers: { etag } } : answer
  })
  onTestFinished(() => web.close())
  return web
}

function withEtag(answer: Answer, etag: string): Answer {
  return { ...answer, headers: { ...answer.headers, etag } }
}

function pdf(title: string): Answer {
  return { headers: { 'content-type': 'application/pdf' }, body: makePdf({ title }) }
}

function rowsOf(source: number) {
  return site.db.selectFrom('spider_document').selectAll().where('source_id', '=', source).orderBy('url').execute()
}

function staffDocuments(origin: string) {
  return site.db
    .selectFrom('spider_document')
    .selectAll()
    .where('source_id', '=', 0)
    .where('origin', '=', origin)
    .orderBy('url')
    .execute()
}
