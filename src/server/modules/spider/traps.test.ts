import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { spiderDocuments, spiderUrls } from '#shared/contract/spider.ts'
import { SpiderDocumentStatus, spiderFailureLabels, SpiderPublish, SpiderUrlStatus } from '#shared/spider.ts'
import { hostileFiles } from '#server/testing/hostile-files.ts'
import { openSpiderSite, type SpiderSite } from '#server/testing/spider/spider-site.ts'
import { openTrapSite, type Trap } from '#server/testing/spider/trap-site.ts'
import { endlessBodies, lyingLengths } from '#server/testing/spider/traps/bodies.ts'
import { bombs } from '#server/testing/spider/traps/bombs.ts'
import { brokenHtml } from '#server/testing/spider/traps/broken-html.ts'
import { calendar } from '#server/testing/spider/traps/calendar.ts'
import { changing } from '#server/testing/spider/traps/changing.ts'
import { cookies } from '#server/testing/spider/traps/cookies.ts'
import { duplicates } from '#server/testing/spider/traps/duplicates.ts'
import { encodedTitle, encodings } from '#server/testing/spider/traps/encodings.ts'
import { hostile } from '#server/testing/spider/traps/hostile.ts'
import { links } from '#server/testing/spider/traps/links.ts'
import { loops } from '#server/testing/spider/traps/loops.ts'
import { manyLinks } from '#server/testing/spider/traps/many-links.ts'
import { nofollow } from '#server/testing/spider/traps/nofollow.ts'
import { names, sentNames } from '#server/testing/spider/traps/names.ts'
import { privateRedirects, schemeRedirects } from '#server/testing/spider/traps/private-redirects.ts'
import { sessionIds } from '#server/testing/spider/traps/session-ids.ts'
import { statuses, unavailable } from '#server/testing/spider/traps/refusals.ts'
import { types } from '#server/testing/spider/traps/types.ts'
import { mostAtOnce } from '#server/testing/spider/web-server.ts'

/** Hostile and broken sites: what is stored of them, what is not, and why. Each crawl ends by itself. */

const { Done, Failed } = SpiderUrlStatus
const { Downloaded, DownloadFailed, Published } = SpiderDocumentStatus

let site: SpiderSite
beforeAll(async () => {
  site = await openSpiderSite()
})
afterAll(() => site.close())

test('redirects without end are given up, and a page is read once however it is spelled', async () => {
  const { trap, urls } = await crawl(loops)
  expect(urls).toMatchObject({
    '/loops/ping': { status: Failed, reason: 'redirects' },
    '/loops/self': { status: Failed, reason: 'redirects' },
    '/loops/longer/0': { status: Failed, reason: 'redirects' },
    '/loops/a.html': { status: Done },
    '/loops/b.html': { status: Done },
  })
  expect(trap.paths().filter((path) => /[ab]\.html/.test(path))).toEqual(['/loops/a.html', '/loops/b.html'])
  expect(trap.paths().filter((path) => path.includes('longer')).length).toBeLessThanOrEqual(6)
})

test('calendars, filters and folders without end are left at the limits of the rule', async () => {
  const { trap, urls } = await crawl(calendar, { depth: 20, max_pages: 30, max_queries: 5 })
  expect(trap.paths().length).toBeLessThanOrEqual(31)
  expect(trap.paths().filter((path) => path.startsWith('/events?')).length).toBeLessThanOrEqual(5)
  expect(trap.paths().filter((path) => path.startsWith('/filter?')).length).toBeLessThanOrEqual(5)
  expect(Object.values(urls).filter(({ status }) => status === Failed)).toEqual([])
})

test('of a page with very many links as many are kept as the rule allows', async () => {
  const { urls } = await crawl(manyLinks(100_000), { depth: 1, max_pages: 20 })
  expect(urls['/many-links.html']).toMatchObject({ status: Done })
  expect(Object.keys(urls).length).toBeLessThanOrEqual(20)
})

test('a page of a million links is larger than a page may be', async () => {
  const { urls } = await crawl(manyLinks())
  expect(urls).toEqual({ '/many-links.html': expect.objectContaining({ status: Failed, reason: 'too_large' }) })
})

test('sessions and trackers are no part of an address', async () => {
  const { trap, urls, documents } = await crawl(sessionIds)
  expect(Object.keys(urls).toSorted()).toEqual(['/session/', '/session/list.php'])
  expect(documents).toEqual({ '/session/report.pdf': expect.objectContaining({ status: Downloaded }) })
  expect(withoutRobots(trap.paths())).toHaveLength(3)
})

test('no private address is dialled, whether linked or at the third hop', async () => {
  const { trap, urls, documents } = await crawl(privateRedirects)
  expect(urls['/inwards/hop-1']).toMatchObject({ status: Failed, reason: 'private' })
  expect(documents['/inwards/hop-1.pdf']).toMatchObject({ status: DownloadFailed, reason: 'private' })
  for (const { status, reason } of Object.values(documents)) {
    expect({ status, reason }).toMatchObject({ status: DownloadFailed, reason: expect.stringMatching(/private|port/) })
  }
  expect(new Set(trap.log.map(({ headers }) => headers.host))).toEqual(new Set([new URL(trap.origin).host]))
})

test('a redirect leads to the web or nowhere', async () => {
  const { trap, documents } = await crawl(schemeRedirects)
  expect(Object.values(documents).map(({ status, reason }) => ({ status, reason }))).toEqual(
    Array.from({ length: 3 }, () => ({ status: DownloadFailed, reason: 'address' })),
  )
  expect(trap.paths()).not.toContain('/schemes/secret.pdf')
})

test('bombs are stopped while they are unpacked', async () => {
  const { urls, documents } = await crawl(bombs)
  expect(urls['/bombs/page.html']).toMatchObject({ status: Failed, reason: expect.stringMatching(/^too_/) })
  expect(urls['/bombs/twice.html']).toMatchObject({ status: Failed, reason: 'encoding' })
  expect(documents['/bombs/file.txt']).toMatchObject({ status: DownloadFailed, reason: expect.stringMatching(/^too_/) })
  // Its parts are not unpacked before its conversion, which refuses it as it does when a member uploads it.
  expect(documents['/bombs/word.docx']).toMatchObject({ status: Downloaded })
})

test('bodies without end are stopped at the limit of their size', async () => {
  const { trap, urls, documents } = await crawl(endlessBodies, { max_size: 1 })
  expect(urls['/endless/page.html']).toMatchObject({ status: Failed, reason: 'too_large' })
  expect(documents['/endless/file.pdf']).toMatchObject({ status: DownloadFailed, reason: 'too_large' })
  await expect.poll(() => trap.log.filter(({ endedAt }) => endedAt === undefined)).toEqual([])
})

test('a length is believed only where it is too large', async () => {
  const { trap, urls, documents } = await crawl(lyingLengths)
  expect(documents['/lengths/huge.pdf']).toMatchObject({ status: DownloadFailed, reason: 'too_large' })
  expect(documents['/lengths/short.pdf']).toMatchObject({ status: DownloadFailed, reason: 'interrupted' })
  expect(urls['/lengths/cut.html']).toMatchObject({ status: Failed, reason: 'interrupted' })
  expect(trap.paths()).not.toContain('/lengths/after-cut.pdf')
  expect(trap.paths().filter((path) => path === '/lengths/huge.pdf')).toHaveLength(1)
})

test('the content says what a file is, not its header or its name', async () => {
  const { documents } = await crawl(types)
  for (const path of ['/types/as-html.pdf', '/types/as-octets.pdf', '/types/untyped.pdf', '/types/download?id=7']) {
    expect(documents[path], path).toMatchObject({ status: Downloaded, ext: '.pdf' })
  }
  expect(documents['/types/login.pdf']).toMatchObject({ status: DownloadFailed, reason: 'not_a_file' })
  expect(documents['/types/program.docx']).toMatchObject({ status: DownloadFailed, reason: 'mismatch' })
  expect(documents['/types/really-word.pdf']?.ext).not.toBe('.pdf')
  // An address of a page that turns out to be a file is a file, whatever it is called.
  expect(documents['/types/picture.html']).toMatchObject({ status: DownloadFailed, reason: 'ext_denied' })
})

test('a file has the name that its server meant, without paths and invisible characters', async () => {
  const { documents } = await crawl(names)
  expect(Object.fromEntries(sentNames.map(({ path }) => [path, documents[path]?.name]))).toEqual(
    Object.fromEntries(sentNames.map(({ path, expected }) => [path, expected])),
  )
})

test('pages are read in the encoding that their bytes are in', async () => {
  const { urls } = await crawl(encodings)
  const { '/encodings/': _start, ...pages } = urls
  expect(Object.keys(pages)).toHaveLength(7)
  for (const [path, page] of Object.entries(pages)) {
    expect(page, path).toEqual({ status: Done, reason: '', title: encodedTitle })
  }
})

test('broken markup is read as far as it goes, and no more of it than a page may be', async () => {
  const small = await crawl(brokenHtml(200_000))
  expect(small.urls['/broken.html']).toMatchObject({ status: Done, title: '破碎的网页' })
  const { urls } = await crawl(brokenHtml(4_000_000))
  expect([Done, Failed]).toContain(urls['/broken.html']?.status)
  const large = await crawl(brokenHtml(50_000_000))
  expect(large.urls).toEqual({ '/broken.html': expect.objectContaining({ status: Failed, reason: 'too_large' }) })
})

test('a host that stays out of order is given up, with a reason', async () => {
  const { trap, documents } = await crawl(unavailable, {}, 'document')
  expect(documents['/unavailable.pdf']).toMatchObject({ status: DownloadFailed, reason: 'server_error' })
  const requests = withoutRobots(trap.paths()).length
  expect(requests).toBeGreaterThan(1)
  expect(requests).toBeLessThan(10)
})

test('a file that is not there, or not for everyone, is asked for once', async () => {
  const { trap, documents } = await crawl(statuses)
  const reasons = Object.fromEntries(Object.entries(documents).map(([path, { reason }]) => [path, reason]))
  expect(reasons).toMatchObject({
    '/statuses/404.pdf': 'not_found',
    '/statuses/410.pdf': 'not_found',
    '/statuses/401.pdf': 'forbidden',
    '/statuses/403.pdf': 'forbidden',
  })
  expect(Object.values(documents).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => DownloadFailed))
  expect(trap.paths().filter((path) => /40[134]|410/.test(path))).toHaveLength(4)
})

test('one content under several addresses becomes one document', async () => {
  const { documents } = await crawl(duplicates, { publish: SpiderPublish.Now })
  const published = Object.values(documents)
  expect(published.map(({ status }) => status)).toEqual([Published, Published, Published])
  expect(new Set(published.map(({ document_id }) => document_id)).size).toBe(1)
})

test('hostile files are taken or refused as those of members are', async () => {
  const { documents } = await crawl(hostile)
  const outcomes: Record<string, object> = {
    '空.docx': { status: DownloadFailed, reason: 'empty' },
    // Most often a login.
    '网页.docx': { status: DownloadFailed, reason: 'not_a_file' },
    '程序.txt': { status: DownloadFailed, reason: 'mismatch' },
    // A name is easily wrong on the web; the content is a PDF.
    '冒充.docx': { status: Downloaded, ext: '.pdf' },
  }
  for (const { name } of hostileFiles.filter(({ slow }) => !slow)) {
    const found = documents[`/hostile/${encodeURIComponent(name)}`]
    expect(found, name).toMatchObject(outcomes[name] ?? { status: Downloaded })
  }
})

test('what changes while it is crawled is taken once in a run', async () => {
  const { trap, documents } = await crawl(changing)
  expect(withoutRobots(trap.paths()).toSorted()).toEqual([
    '/changing/',
    '/changing/clock.html',
    '/changing/page-1.html',
    '/changing/report.pdf',
  ])
  expect(Object.keys(documents)).toEqual(['/changing/report.pdf'])
})

test('cookies never come back', async () => {
  const { trap, urls, documents } = await crawl(cookies)
  expect(Object.values(urls).map(({ status }) => status)).not.toContain(Failed)
  expect(documents['/cookies/file.pdf']).toMatchObject({ status: Downloaded })
  expect(trap.paths()).toContain('/cookies/after.html')
  for (const { path, headers } of trap.log) expect(headers.cookie, path).toBeUndefined()
})

test('links are followed as browsers resolve them, and what is no page is left out', async () => {
  const { trap } = await crawl(links)
  expect(withoutRobots(trap.paths()).toSorted()).toEqual([
    '/links/',
    '/links/absolute.html',
    '/links/based.html',
    '/links/fragments.html',
    '/moved/here.html',
  ])
})

test('links that a page asks not to follow are not followed', async () => {
  const { trap, documents } = await crawl(nofollow)
  expect(documents).toEqual({})
  expect(trap.paths().filter((path) => path.includes('behind'))).toEqual([])
  expect(trap.paths()).toContain('/nofollow/allowed.html')
})

test('every failure is told in words, with a log', async () => {
  const { source } = await crawl(statuses)
  const { document } = await site.root.call(spiderDocuments.list, { source_id: [source] })
  for (const { id, reason } of document) {
    if (reason === '') expect.fail('a failure without a reason')
    expect(spiderFailureLabels[reason]).toBeTruthy()
    const { log } = await site.root.call(spiderDocuments.log, { id })
    expect(log[0]).toMatchObject({ event: 'failed', reason })
  }
  const { url } = await site.root.call(spiderUrls.list, { source_id: [source] })
  expect(url.map(({ status }) => status)).toEqual([Done])
})

/** Crawls a trap to its end, one connection at a time, under our own name. */
async function crawl(trap: Trap, rule: object = {}, kind: 'page' | 'document' = 'page') {
  const page: Trap = {
    start: '/only-link.html',
    routes: { '/only-link.html': { headers: { 'content-type': 'text/html' }, body: `<a href="${trap.start}">文件` } },
  }
  const opened = await openTrapSite(...(kind === 'page' ? [trap] : [page, trap]))
  onTestFinished(() => opened.close())
  const crawled = await site.crawl({ start: opened.starts.slice(0, 1), ...rule })
  expect(mostAtOnce(opened.log)).toBe(1)
  for (const { headers } of opened.log)
    expect(headers['user-agent']).toMatch(/^WendouBot\/\S+ \(\+https:\/\/library\.example\/spider\)$/)
  return { trap: opened, ...crawled }
}

function withoutRobots(paths: readonly string[]): string[] {
  return paths.filter((path) => path !== '/robots.txt')
}
