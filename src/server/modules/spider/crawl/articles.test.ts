import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ContentType } from '#shared/enums.ts'
import { SpiderDocumentStatus, SpiderPublish } from '#shared/spider.ts'
import { htmlAnswer, htmlPage, linkPage } from '#server/testing/spider/html-page.ts'
import { openSpiderSite, type SpiderSite } from '#server/testing/spider/spider-site.ts'
import { openWebServer } from '#server/testing/spider/web-server.ts'

const { DownloadFailed, Published } = SpiderDocumentStatus

let site: SpiderSite
beforeAll(async () => {
  site = await openSpiderSite()
})
afterAll(() => site.close())

const text = '一段足够长的正文，说明这是一篇文章，而不是别的什么。'.repeat(5)

/** Crawls pages, each by its head and its body, as articles, and publishes them. */
async function crawl(pages: Record<string, { head?: string; body: string }>) {
  const paths = Object.keys(pages)
  const web = await openWebServer(({ path }) => {
    const page = pages[path]
    if (page) return htmlAnswer(htmlPage({ title: `文章 ${path}`, ...page }))
    return path === '/' ? linkPage('目录', paths) : { status: 404 }
  })
  onTestFinished(() => web.close())
  return site.crawl({
    start: [`${web.origin}/`],
    target: ContentType.Article,
    item: ['/news/*.html'],
    selector_content: 'article',
    publish: SpiderPublish.Now,
  })
}

test('an article that asks not to be indexed is not taken', async () => {
  const body = `<article><p>${text}</p></article>`
  const { documents } = await crawl({
    '/news/open.html': { body },
    '/news/closed.html': { head: '<meta name="ROBOTS" content="NOINDEX, follow">', body: `${body}<p>另一篇</p>` },
  })
  expect(documents['/news/open.html']).toMatchObject({ status: Published })
  expect(documents['/news/closed.html']).toMatchObject({ status: DownloadFailed, reason: 'noindex' })
})

test('characters that a database refuses keep no article out', async () => {
  const filler = `<!-- ${'x'.repeat(5000)} -->`
  const { documents } = await crawl({
    '/news/nul.html': {
      head: `${filler}<meta name="description" content="摘\0要"><meta name="keywords" content="词\0">`,
      body: `<h1>题\0目</h1><article><p title="a\0b">${text}\0</p></article>`,
    },
  })
  expect(documents['/news/nul.html']).toMatchObject({ status: Published, reason: '' })
})
