import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { desktop, expectNoTroubles, openBrowser, openWindow, settled, visit } from './browser.ts'
import { crawl } from './crawl.ts'
import { type Furnished, furnish } from './furnished.ts'
import type { Member } from './library.ts'
import { configure } from './owner.ts'
import { atDesk, barriers, failuresOf, invalidities } from './page-checks.ts'
import { enterAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** Every kind of page, as everybody finds it: all links lead somewhere, the HTML is valid, nobody is kept out. */

let browser: Browser
let site: RunningSite
let furnished: Furnished

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: 'root password' })
  furnished = await furnish(site)
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

/** An address, or one with what is done there before one looks. */
type Place = string | [path: string, act: (page: Page) => Promise<unknown>]

function publicPages(): string[] {
  const { category, documents, article, authorId } = furnished
  return [
    '/',
    '/category',
    `/category/${category}`,
    documents.whole,
    documents.priced,
    documents.failed,
    '/article',
    article,
    '/search',
    `/search?wd=${encodeURIComponent('课本')}`,
    `/search?type=1&wd=${encodeURIComponent('教书')}`,
    `/search?wd=${encodeURIComponent('没有的词')}`,
    `/user/${authorId}`,
    `/user/${authorId}/document`,
    `/user/${authorId}/article`,
    '/login',
    '/register',
    '/findpassword',
    '/nowhere',
    '/offline',
  ]
}

test('every link from the home page on leads somewhere, and so do pictures, feeds, sitemap and manifest', async () => {
  const { addresses, broken } = await crawl(site.url, ['/', '/sitemap.xml', '/robots.txt'])
  expect(broken).toEqual([])
  const { documents, article, category, authorId } = furnished
  for (const path of [documents.whole, article, '/feed/article', `/category/${category}`, `/user/${authorId}`])
    expect(addresses, path).toContain(site.url + path)
  expect(
    addresses.filter((address) => /\.(png|svg|webp|ico)$|\/view\/|\/uploads\//.test(address)).length,
  ).toBeGreaterThan(5)
})

test('the HTML of every kind of page is valid', async () => {
  const faults: Record<string, string[]> = {}
  for (const path of publicPages()) {
    const found = await invalidities(await (await fetch(site.url + path)).text())
    if (found.length > 0) faults[path] = found
  }
  expect(faults).toEqual({})
})

/** On two cores that others use as well. */
const patience = 240_000

describe('nobody is kept from using', () => {
  test('the public pages, as a visitor', { timeout: patience }, async () => {
    const { documents } = furnished
    expect(await lookAt([...publicPages(), [documents.priced, openDownload]])).toEqual({})
  })

  test('the other home page', { timeout: patience }, async () => {
    onTestFinished(() => configure(site, { 'display.home_version': 'v1', 'display.index_document_style': 'card' }))
    await configure(site, { 'display.home_version': 'v2', 'display.index_document_style': 'list' })
    expect(await lookAt(['/'])).toEqual({})
    expect(await invalidities(await (await fetch(site.url)).text())).toEqual([])
  })

  test('the public pages and their own, as a member', { timeout: patience }, async () => {
    const { documents, article, authorId, author } = furnished
    const { whole, waiting } = documents
    const pages = ['/', whole, waiting, article, `/user/${authorId}`, '/upload', '/post']
    const own = ['', '/profile', '/password', '/document', '/article', '/download', '/favorite', '/credit', '/order']
    const places = [...pages, ...own.map((path) => `/me${path}`)]
    expect(await lookAt([...places, [documents.priced, openDownload]], author)).toEqual({})
  })

  const openForm = (page: Page) => page.getByRole('button', { name: /新增/ }).click()
  const offices: Place[] = [
    '/admin/dashboard',
    '/admin/document/list',
    ['/admin/navigation', openForm],
    ['/admin/advertisement', openForm],
    '/admin/banner',
    '/admin/article/set',
    '/admin/user/list',
    '/admin/config/system',
    '/admin/config/email',
  ]

  test('the back office', { timeout: patience }, async () => {
    expect(await lookAt(offices, furnished.root)).toEqual({})
  })

  test('every other page of the back office, at a desk by daylight', { timeout: patience }, async () => {
    const page = await enter(furnished.root)
    await visit(page, '/admin/dashboard')
    const links = page.locator('.ant-card').filter({ hasText: '快捷入口' }).getByRole('link')
    await links.first().waitFor()
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    expect(paths).toContain('/admin/config/security')
    const others = paths.filter((path) => !offices.includes(path))
    expect(await lookAt(others, furnished.root, atDesk)).toEqual({})
  })
})

async function openDownload(page: Page): Promise<void> {
  await page.getByRole('button', { name: /下载/ }).first().click()
  await page.getByRole('dialog').getByRole('button').first().waitFor()
}

async function enter(person?: Member): Promise<Page> {
  const page = await openWindow(browser, site.url)
  if (person) await enterAs(page, site, person)
  return page
}

/** What is wrong with these places, in two windows at a time. */
async function lookAt(places: Place[], person?: Member, looks?: typeof atDesk): Promise<Record<string, string[]>> {
  const windows = [await enter(person), await enter(person)]
  const queue = places.map((place) => (typeof place === 'string' ? ([place] as const) : place))
  // What only its author may see, the server's HTML does not show to anybody.
  const hidden = new Set(['/nowhere', furnished.documents.waiting].map((path) => `404 ${site.url}${path}`))
  const faults: Record<string, string[]> = {}
  const work = async (page: Page) => {
    const failures = failuresOf(page)
    for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
      const [path, act] = place
      await page.setViewportSize(desktop)
      await (path === '/offline' ? page.goto(path) : visit(page, path))
      await settled(page)
      if (act) {
        await act(page)
        await settled(page)
      }
      const found = [...(await barriers(page, looks)), ...failures.splice(0)]
      const unexpected = found.filter((fault) => !hidden.has(fault))
      if (unexpected.length > 0) faults[act ? `${path}, ${act.name}` : path] = unexpected
    }
    expectNoTroubles(page)
  }
  await Promise.all(windows.map(work))
  return faults
}
