import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { spiderSources } from '#shared/contract/spider.ts'
import { ContentType } from '#shared/enums.ts'
import { SpiderDocumentStatus, SpiderEntry, SpiderPublish, SpiderUrlStatus } from '#shared/spider.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { type LibraryOptions, openLibrarySite } from '#server/testing/spider/library-site.ts'
import { openSpiderSite, type SpiderSite } from '#server/testing/spider/spider-site.ts'
import { mostAtOnce } from '#server/testing/spider/web-server.ts'

/** An ordinary site, crawled as an owner would. */

const { Downloaded, Published } = SpiderDocumentStatus

let site: SpiderSite
beforeAll(async () => {
  site = await openSpiderSite()
})
afterAll(() => site.close())

test('every document of a library is found with what its page says of it', async () => {
  const library = await open()
  const [history, other] = [await site.category('历史馆'), await site.category('其他')]
  const { source, urls, documents } = await site.crawl({
    start: [`${library.origin}/`],
    depth: 9,
    category_id: [other],
    category_rule: [{ pattern: '**history**', category_id: [history] }],
    price: 3,
    selector_title: 'h1',
  })
  expect([...Object.keys(urls), ...Object.keys(documents)].toSorted()).toEqual(
    [...library.reachable(), '/private/'].toSorted(),
  )
  expect(urls['/private/']).toMatchObject({ status: SpiderUrlStatus.Failed, reason: 'robots' })
  for (const { file, title, description, keywords, date, category, ext } of library.documents) {
    const row = await site.db
      .selectFrom('spider_document')
      .selectAll()
      .where('source_id', '=', source)
      .where('url', '=', library.origin + file)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ status: Downloaded, title, description, ext, price: 3 })
    expect(row.keywords.split(',')).toEqual(keywords)
    expect(new Date(row.dated_at ?? 0).toISOString().slice(0, 10)).toBe(date)
    expect(JSON.parse(row.category_ids)).toEqual([category === 'history' ? history : other])
  }
  expect(library.paths()).not.toContain('/private/')
  expect(mostAtOnce(library.log)).toBe(1)
})

test('a second run asks conditionally, and takes what is new or has changed', async () => {
  const library = await open()
  const { source } = await site.crawl({ start: [`${library.origin}/`], depth: 9 })
  const [kept, edited] = library.documents
  if (!kept || !edited) throw new Error('no documents')
  const added = library.add('science', '.txt')
  const content = makePdf({ title: '修订后的资料' })
  library.change(edited.file, content)
  const before = library.log.length
  await site.root.call(spiderSources.start, { id: [source] })
  await site.finish(source)

  const second = library.log.slice(before)
  const asked = second.filter(({ path }) => path !== '/robots.txt' && path !== added.page && path !== added.file)
  for (const { path, headers } of asked) expect(headers['if-none-match'], path).toBeTruthy()
  const sent = second.filter(({ status }) => status === 200).map(({ path }) => path)
  expect(sent).toEqual(expect.arrayContaining([edited.file, added.page, added.file]))
  expect(sent.filter((path) => path.startsWith('/files/')).toSorted()).toEqual([edited.file, added.file].toSorted())
  const { documents } = await site.look(source)
  expect(documents[added.file]).toMatchObject({ status: Downloaded })
  expect(Object.keys(documents)).toHaveLength(library.documents.length)
})

test('a sitemap leads to the same documents as the lists', async () => {
  const library = await open()
  const { documents } = await site.crawl({
    start: [`${library.origin}/sitemap.xml`],
    entry: SpiderEntry.Sitemap,
    depth: 1,
  })
  expect(Object.keys(documents).toSorted()).toEqual(library.documents.map(({ file }) => file).toSorted())
  expect(library.paths()).not.toContain('/history/page-2.html')
})

test('articles become articles of the site, with their pictures', async () => {
  const library = await open()
  const { documents } = await site.crawl({
    start: [`${library.origin}/news/`],
    target: ContentType.Article,
    item: ['/news/*.html'],
    exclude: ['/news/page-*.html'],
    publish: SpiderPublish.Now,
  })
  for (const { page, title, paragraphs } of library.articles) {
    expect(documents[page], page).toMatchObject({ status: Published, title })
    const article = await site.db
      .selectFrom('article')
      .select(['content'])
      .where('title', '=', title)
      .executeTakeFirstOrThrow()
    expect(article.content).toContain(paragraphs.at(-1))
    expect(article.content).toMatch(/<img[^>]+src="\/uploads\//)
    expect(article.content).not.toContain(library.origin)
  }
})

async function open(options?: LibraryOptions) {
  const library = await openLibrarySite(options)
  onTestFinished(() => library.close())
  return library
}
