import type { Browser, Page } from 'playwright-core'
import { contract } from '#shared/contract/contract.ts'
import { ContentType, Punishment, ReportReason } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { filterMenu } from '#web/admin/menu.tsx'
import {
  chooseMenuItem,
  desktop,
  expectNoPageErrors,
  openBrowser,
  openWindow,
  phone,
  tablet,
  waitUntilIdle,
  visit,
} from './browser.ts'
import { readPaintMetrics, recordPaints } from './audits.ts'
import { crawl } from './crawl.ts'
import { type FullSite, buildFullSite } from './full-site.ts'
import type { Member } from './site-setup.ts'
import { configure } from './owner.ts'
import { accessibilityFaults, recordFailedRequests, htmlFaults } from './page-checks.ts'
import { signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** Every kind of page: no broken links, valid HTML, no accessibility violations. */

let browser: Browser
let site: RunningSite
let fullSite: FullSite

beforeAll(async () => {
  ;[browser, site] = await Promise.all([openBrowser(), startSite('sqlite', { ADMIN_PASSWORD: 'root password' })])
  fullSite = await buildFullSite(site)
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

/** A path, or one with what to do there before the check. */
type PageCheck = string | [path: string, act: (page: Page) => Promise<unknown>]

function publicPages(): string[] {
  const { category, documents, article, collection, topic, authorId } = fullSite
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
    `/user/${authorId}/collection`,
    '/collections',
    collection,
    '/topic',
    topic,
    '/ranking',
    `/embed/${documents.whole.split('/').at(-1)}`,
    '/login',
    '/register',
    '/findpassword',
    '/spider',
    '/nowhere',
    '/offline',
  ]
}

test('every link from the home page on leads somewhere, and so do pictures, feeds, sitemap and manifest', async () => {
  const { addresses, broken } = await crawl(site.url, ['/', '/sitemap.xml', '/robots.txt'])
  expect(broken).toEqual([])
  const { documents, article, category, authorId } = fullSite
  for (const path of [documents.whole, article, '/feed/article', `/category/${category}`, `/user/${authorId}`])
    expect(addresses, path).toContain(site.url + path)
  expect(
    addresses.filter((address) => /\.(png|svg|webp|ico)$|\/view\/|\/uploads\//.test(address)).length,
  ).toBeGreaterThan(5)
})

test('the HTML of every kind of page is valid', async () => {
  const faults: Record<string, string[]> = {}
  for (const path of publicPages()) {
    const found = await htmlFaults(await (await fetch(site.url + path)).text())
    if (found.length > 0) faults[path] = found
  }
  expect(faults).toEqual({})
})

/** For a busy machine of two cores. */
const patience = 240_000

test(
  'nothing moves while either home page loads, for visitors and members, on any screen',
  { timeout: patience },
  async () => {
    const { value: logo } = await site.db
      .selectFrom('setting')
      .select('value')
      .where('name', '=', 'logo')
      .executeTakeFirstOrThrow()
    onTestFinished(() => configure(site, { 'display.home_version': 'v1', 'system.logo': logo }))
    const visitor = await openWindow(browser, site.url)
    const member = await openWindow(browser, site.url)
    await signInAs(member, site, fullSite.author)
    const shifts: Record<string, string[]> = {}
    for (const page of [visitor, member]) await recordPaints(page)
    for (const version of ['v1', 'v2']) {
      // The width of an owner's logo is not known before it is loaded.
      await configure(site, { 'display.home_version': version, 'system.logo': '' })
      for (const [who, page] of Object.entries({ visitor, member })) {
        for (const viewport of [desktop, tablet, phone]) {
          await page.setViewportSize(viewport)
          await visit(page, '/')
          if (page === member) await page.getByRole('button', { name: /签到/ }).first().waitFor()
          await waitUntilIdle(page)
          const { shift, moved } = await readPaintMetrics(page)
          if (shift > 0) shifts[`${version}, ${who}, ${viewport.width}`] = moved
        }
      }
    }
    expect(shifts).toEqual({})
  },
)

test('every title of content is set in the serif, on every page, and no title loads a font', async () => {
  const { category, documents, article, collection, topic, authorId } = fullSite
  const page = await openWindow(browser, site.url)
  const titles: string[] = []
  for (const path of [documents.whole, article, collection, topic]) {
    await visit(page, path)
    // A badge may stand beside the title.
    const title = await page.locator('main h1').evaluate((heading) => heading.firstChild?.textContent?.trim() ?? '')
    titles.push(title)
  }
  await signInAs(page, site, fullSite.author)
  const paths = [
    '/',
    '/me',
    '/ranking',
    `/category/${category}`,
    documents.whole,
    article,
    '/article',
    `/search?wd=${encodeURIComponent('课本')}`,
    `/user/${authorId}/document`,
    '/collections',
    collection,
    topic,
  ]
  // Their headings and places have a font, their titles do not.
  const withHeadingFont = new Set(['/', '/ranking'])
  const faults: string[] = []
  let found = 0
  for (const path of paths) {
    await visit(page, path)
    await waitUntilIdle(page)
    const fonts = await page.evaluate(fontsOfTitles, titles)
    found += fonts.length
    for (const font of fonts) if (!font.startsWith('"Noto Serif CJK SC"')) faults.push(`${path}: ${font}`)
    const loaded = await page.evaluate(
      () => Array.from(document.fonts).filter(({ status }) => status !== 'unloaded').length,
    )
    if (loaded > 0 && !withHeadingFont.has(path)) faults.push(`${path}: ${loaded} fonts were loaded`)
  }
  expect(faults).toEqual([])
  expect(found).toBeGreaterThanOrEqual(paths.length)
})

test('in lists size and date are smaller and paler than title, pages and price, and what nobody rated has no stars', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, `/category/${fullSite.category}`)
  const row = page.locator('main li').filter({ has: page.getByRole('link', { name: '识字课本', exact: true }) })
  const look = (text: string | RegExp) =>
    row
      .getByText(text)
      .first()
      .evaluate((element) => {
        const { fontSize, color } = getComputedStyle(element)
        return { size: Number.parseFloat(fontSize), color }
      })
  const quiet = await look(/\d (B|KB|MB)/)
  expect(await look(/前|刚刚/)).toEqual(quiet)
  for (const loud of [await look('识字课本'), await look('8 页'), await look('免费')]) {
    expect(loud.size).toBeGreaterThan(quiet.size)
    expect(loud.color).not.toBe(quiet.color)
  }
  expect(await page.getByTitle(/^评分/).count()).toBe(0)
})

/** The fonts of titles in headings and in links to their content, which also have other words. Runs in the page. */
function fontsOfTitles(titles: string[]): string[] {
  const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
  const places = 'h1, h2, a[href^="/document/"], a[href^="/article/"], a[href^="/collection/"]'
  const fonts: string[] = []
  while (texts.nextNode()) {
    const { parentElement: element, textContent } = texts.currentNode
    if (element?.closest(places) && !element.closest('nav') && titles.includes(textContent?.trim() ?? ''))
      fonts.push(getComputedStyle(element).fontFamily)
  }
  return fonts
}

describe('without accessibility violations:', () => {
  test('the public pages, as a visitor, with either home page', { timeout: patience }, async () => {
    const windows = await openWindows()
    const { documents } = fullSite
    expect(await checkPages(windows, [...publicPages(), [documents.priced, openDownload]])).toEqual({})

    onTestFinished(() => configure(site, { 'display.home_version': 'v1', 'display.index_document_style': 'card' }))
    await configure(site, { 'display.home_version': 'v2', 'display.index_document_style': 'list' })
    expect(await checkPages(windows, ['/'])).toEqual({})
    expect(await htmlFaults(await (await fetch(site.url)).text())).toEqual([])
  })

  test('the public pages and their own, as a member, who may not enter the admin', { timeout: patience }, async () => {
    const { documents, article, authorId, author } = fullSite
    const { whole, waiting } = documents
    const pages = ['/', whole, waiting, article, `/user/${authorId}`, '/upload', '/post']
    const own = ['', '/profile', '/password', '/document', '/article', '/download', '/favorite', '/credit', '/order']
    const reading = ['/history', '/notes', '/collections', '/follows']
    const places = [...pages, ...[...own, ...reading].map((path) => `/me${path}`)]
    const windows = await openWindows(author)
    expect(await checkPages(windows, [...places, '/admin/dashboard', [documents.priced, openDownload]])).toEqual({})
  })

  const pagesOfMenu = filterMenu(() => true).flatMap(({ pages }) => pages.map(([path]) => path))

  test(
    'every page of the admin, with rows in its lists, its dialogs and drawers',
    { timeout: 3 * patience },
    async () => {
      expect(pagesOfMenu.length).toBeGreaterThan(35)
      await fillAdminLists()
      const pages = ['/admin/dashboard', '/admin/article/set', ...pagesOfMenu]
      const dialogs: PageCheck[] = [
        ['/admin/navigation', openForm],
        ['/admin/advertisement', openForm],
        ['/admin/spider/source', openForm],
        ['/admin/user/group', openPermissions],
        ['/admin/user/list', openOwnPassword],
      ]
      // In the same windows: new ones would load the admin's scripts again.
      expect(await checkPages(await openWindows(fullSite.root), [...pages, ...dialogs])).toEqual({})
    },
  )
})

/** Rows for the lists that are empty on a site where all goes well. */
async function fillAdminLists(): Promise<void> {
  const { root, author, authorId } = fullSite
  const { document } = await root.call(contract.documents.list, { wd: '山谷的书' })
  const id = document.map((row) => row.id)
  await root.call(contract.reports.create, { document_id: id[0] ?? 0, reason: ReportReason.Sensitive })
  await root.call(contract.documents.delete, { id })
  await root.call(contract.punishments.create, { user_id: [authorId], type: [Punishment.NoFavorite], enable: true })
  const { category } = await author.call(contract.categories.list, { type: [ContentType.Article] })
  const category_id = category.slice(0, 1).map((row) => row.id)
  const article = await author.call(contract.articles.create, { title: '作废', content: '<p>草稿</p>', category_id })
  await author.call(contract.articles.delete, { id: [article.id] })
  await root.call(contract.spiderSources.create, { name: '小城文库', start: ['https://library.example/'] })
}

async function openForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: /新增/ }).click()
  await page.getByRole('dialog').getByRole('textbox').first().waitFor()
}

async function openPermissions(page: Page): Promise<void> {
  await page
    .getByRole('row', { name: /审核员/ })
    .getByRole('button', { name: '权限' })
    .click()
  await page.getByRole('dialog').getByRole('group', { name: '评论' }).waitFor()
}

async function openOwnPassword(page: Page): Promise<void> {
  await chooseMenuItem(page.locator('header').getByRole('button', { name: /admin/ }), '修改密码')
  await page.getByRole('dialog').getByLabel('原密码').waitFor()
}

async function openDownload(page: Page): Promise<void> {
  await page.getByRole('button', { name: /下载/ }).first().click()
  await page.getByRole('dialog').getByRole('button').first().waitFor()
}

async function openSignedIn(person?: Member): Promise<Page> {
  const page = await openWindow(browser, site.url)
  if (person) await signInAs(page, site, person)
  return page
}

function openWindows(person?: Member): Promise<Page[]> {
  return Promise.all([openSignedIn(person), openSignedIn(person)])
}

/** The faults of these pages, checked in several windows at a time. */
async function checkPages(windows: Page[], places: PageCheck[]): Promise<Record<string, string[]>> {
  const queue = places.map((place) => (typeof place === 'string' ? ([place] as const) : place))
  // The server renders pages anonymously: what only its author may see is 404 there.
  const hidden = new Set(['/nowhere', fullSite.documents.waiting].map((path) => `404 ${site.url}${path}`))
  const faults: Record<string, string[]> = {}
  const work = async (page: Page) => {
    const failures = recordFailedRequests(page)
    for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
      const [path, act] = place
      await page.setViewportSize(desktop)
      await (path === '/offline' ? page.goto(path) : visit(page, path))
      await waitUntilIdle(page)
      if (act) {
        await act(page)
        await waitUntilIdle(page)
      }
      const found = [...(await accessibilityFaults(page)), ...failures.splice(0)]
      const unexpected = found.filter((fault) => !hidden.has(fault))
      if (unexpected.length > 0) faults[act ? `${path}, ${act.name}` : path] = unexpected
    }
    expectNoPageErrors(page)
  }
  await Promise.all(windows.map(work))
  return faults
}
