import { ContentType } from '#shared/enums.ts'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makePdf } from '#server/samples/pdf.ts'
import { contract } from '#shared/contract/contract.ts'
import { auditElements } from './audits.ts'
import {
  waitForHydration,
  waitForPath,
  desktop,
  expectNoPageErrors,
  openBrowser,
  openWindow,
  currentPath,
  phone,
  visit,
} from './browser.ts'
import { addCategory, type Member, signInAsRoot } from './site-setup.ts'
import { configure } from './owner.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** Searching: from the box to the page of a document that has the words. */

let browser: Browser
let site: RunningSite
let root: Member
let page: Page
let atlas = ''
const ids = { nature: 0, letters: 0 }
const touch = { viewport: phone, hasTouch: true, isMobile: true }
const reports = 12

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: 'root password' })
  root = await signInAsRoot(site, 'root password')
  await configure(site, { 'converter.max_preview_free': '0' })
  await addDocuments()
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})
beforeEach(async () => {
  page = await openWindow(browser, site.url)
})

test('two characters in the header lead to the page that has them', async () => {
  await visit(page, '/category')
  await boxIn(page.getByRole('banner')).pressSequentially('白鹭')
  await boxIn(page.getByRole('banner')).press('Enter')
  await waitForPath(page, searchFor('白鹭'))
  expect(await page.getByRole('main').getByRole('status').innerText()).toMatch(/^找到 1 份文档，用时 \d+\.\d{3} 秒$/)
  const item = results().filter({ hasText: '江河图志' })
  expect(await item.locator('p mark').allInnerTexts()).toContain('白鹭')
  await item.getByRole('link', { name: '第 37 页' }).click()
  await waitForPath(page, `/document/${atlas}?page=37&find=${encodeURIComponent('白鹭')}`)
  await readsMarked(page)
  await page.goBack()
  await waitForPath(page, searchFor('白鹭'))
  expect(await boxIn(page.getByRole('main')).inputValue()).toBe('白鹭')
  // Only its text has the word: the title leads to the page as well.
  await item.getByRole('heading').getByRole('link').click()
  await waitForPath(page, `/document/${atlas}?page=37&find=${encodeURIComponent('白鹭')}`)
  await readsMarked(page)
  expectNoPageErrors(page)
})

test('paging in the reader and going back returns to the results at their own address', async () => {
  await visit(page, searchFor('白鹭'))
  await results().getByRole('link', { name: '第 37 页' }).click()
  await waitForPath(page, `/document/${atlas}?page=37&find=${encodeURIComponent('白鹭')}`)
  await readsMarked(page)
  const isAsked = page.waitForRequest('**/api/v1/document/search**')
  await page.route('**/api/v1/document/search**', async (route) => {
    await setTimeout(1200)
    await route.continue()
  })
  await page.mouse.wheel(0, 4000)
  await setTimeout(150)
  await page.evaluate(() => history.back())
  await isAsked
  await setTimeout(1000)
  expect(await currentPath(page)).toBe(searchFor('白鹭'))
  await results().getByRole('link', { name: '第 37 页' }).waitFor()
  expect(await currentPath(page)).toBe(searchFor('白鹭'))
  await page.unrouteAll({ behavior: 'wait' })
})

test('on a phone the magnifier leads to the box, and the box to the page', async () => {
  const window = await openWindow(browser, site.url, touch)
  await visit(window, '/category')
  await window.getByRole('banner').getByRole('link', { name: '搜索' }).tap()
  await waitForPath(window, '/search')
  await expect.poll(() => window.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
  await window.keyboard.type('白鹭')
  await window.keyboard.press('Enter')
  await waitForPath(window, searchFor('白鹭'))
  await window.getByRole('link', { name: '第 37 页' }).tap()
  await waitForPath(window, `/document/${atlas}?page=37&find=${encodeURIComponent('白鹭')}`)
  await readsMarked(window)
  expectNoPageErrors(window)
})

test('titles and words are marked, with how many pages have them and what the document is like', async () => {
  await visit(page, searchFor('水文'))
  const item = results().filter({ hasText: '水文报告 12' })
  expect(await item.getByRole('heading').locator('mark').allInnerTexts()).toEqual(['水文'])
  for (const fact of ['免费', '1 页', 'admin']) expect(await item.innerText()).toContain(fact)
  await visit(page, searchFor('两岸'))
  await results().getByRole('link', { name: '第 1 页 · 共 60 页有结果' }).waitFor()
})

test('the answer is whole without scripts, keeps the words, and stays out of search engines', async () => {
  const html = await (await fetch(site.url + searchFor('水文'))).text()
  expect(html).toContain('<meta name="robots" content="noindex, follow"/>')
  expect(html).toMatch(/<title>水文 的搜索结果 – /)
  expect(html).toContain(`找到 ${reports} 份文档`)
  expect(html).toMatch(/<mark[^>]*>水文<\/mark>/)
  expect(html).toMatch(/<input[^>]*name="wd"[^>]*value="水文"/)
  const plain = await openWindow(browser, site.url, { javaScriptEnabled: false })
  await plain.goto(searchFor('水文'))
  await boxIn(plain.getByRole('main')).fill('白鹭')
  await plain.getByRole('main').getByRole('button', { name: '搜索' }).click()
  await plain.getByRole('link', { name: '第 37 页' }).waitFor()
})

test('what is written in documents and asked for is text, never markup', async () => {
  await visit(page, searchFor('<img src=x onerror="window.hacked=1">'))
  await visit(page, searchFor('粗体'))
  expect(await results().filter({ hasText: '<b>粗体</b>' }).count()).toBe(1)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expectNoPageErrors(page)
})

test('the list below the box is walked by keyboard: a title opens, words are searched, Escape closes', async () => {
  await visit(page, '/category')
  const box = boxIn(page.getByRole('banner'))
  await box.pressSequentially('江河')
  const options = page.getByRole('listbox').getByRole('option')
  await options.filter({ hasText: '江河图志' }).waitFor()
  expect(await box.getAttribute('aria-expanded')).toBe('true')
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  expect(await box.inputValue()).toBe('江河')
  await page.keyboard.press('ArrowDown')
  await options.first().waitFor()
  await page.keyboard.press('ArrowDown')
  const active = () => box.getAttribute('aria-activedescendant')
  await expect.poll(active).toBe(await options.first().getAttribute('id'))
  expect(await options.first().getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('ArrowUp')
  await expect.poll(active, { message: 'above the first is what was typed' }).toBeNull()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await waitForPath(page, `/document/${atlas}`)
  await expect.poll(() => box.inputValue()).toBe('')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  expectNoPageErrors(page)
})

test('an empty box offers the visitor’s recent searches, until they are removed or cleared', async () => {
  // What has found nothing is not offered again.
  for (const words of ['渡口', '水文', '飞船', '航道', '渡口']) await visit(page, searchFor(words))
  await visit(page, searchFor('关于我们', ContentType.Article))
  const own = page.getByRole('option').filter({ hasText: '最近' })
  await visit(page, '/article')
  await page.getByRole('banner').getByRole('combobox', { name: '搜索文章' }).click()
  await expect.poll(() => own.allInnerTexts()).toEqual([expect.stringContaining('关于我们')])
  await visit(page, '/category')
  await boxIn(page.getByRole('banner')).click()
  await expect
    .poll(() => own.allInnerTexts())
    .toEqual(['渡口', '航道', '水文'].map((words) => expect.stringContaining(words) as string))
  await own.nth(1).getByTitle('删除这条记录').click()
  await expect.poll(() => own.count()).toBe(2)
  expect(await currentPath(page)).toBe('/category')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Delete')
  await expect.poll(() => own.allInnerTexts()).toEqual([expect.stringContaining('水文')])
  await page.getByRole('option', { name: '水文 最近', exact: true, selected: true }).waitFor()
  await own.last().click()
  await waitForPath(page, searchFor('水文'))
  await visit(page, '/category')
  await boxIn(page.getByRole('banner')).click()
  await page.getByRole('button', { name: '清除最近搜索' }).click()
  await expect.poll(() => own.count()).toBe(0)
  expect(await boxIn(page.getByRole('banner')).evaluate((box) => box === document.activeElement)).toBe(true)
  const stored = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith('searches')))
  expect(stored, 'also of those for articles').toEqual([])
})

test('the owner’s words are offered at the start, on the search page and in the box', async () => {
  await configure(site, { 'system.recommend_words': '渡口,水文' })
  await visit(page, '/')
  await page.getByRole('region', { name: '搜索' }).getByRole('link', { name: '渡口' }).waitFor()
  await boxIn(page.getByRole('main')).click()
  await expect.poll(() => page.getByRole('option').filter({ hasText: '热门' }).count()).toBe(2)
  await page.getByRole('heading', { level: 1 }).click()
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await visit(page, '/search')
  await page.getByRole('region', { name: '可以搜什么' }).waitFor()
  await page.getByRole('region', { name: '热门搜索' }).getByRole('link', { name: '水文' }).click()
  await waitForPath(page, searchFor('水文'))
  await configure(site, { 'system.recommend_words': '' })
})

test('text that an input method is still composing is not searched', async () => {
  const asked = recordSearches(page)
  await visit(page, '/category')
  await boxIn(page.getByRole('banner')).click()
  const keyboard = await page.context().newCDPSession(page)
  for (const text of ['d', 'du', 'du kou']) {
    await keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
    await setTimeout(250)
  }
  expect(asked).toEqual([])
  await keyboard.send('Input.insertText', { text: '渡口' })
  await expect.poll(() => asked).toEqual(['渡口'])
})

test('typing is debounced, and a late response is ignored', async () => {
  const asked = recordSearches(page)
  await page.route('**/api/v1/search/suggest*', async (route) => {
    if (new URL(route.request().url()).searchParams.get('wd') === '水文') await setTimeout(1500)
    await route.continue().catch(() => {})
  })
  await visit(page, '/category')
  const box = boxIn(page.getByRole('banner'))
  await box.click()
  await box.pressSequentially('水文', { delay: 30 })
  await expect.poll(() => asked).toEqual(['水文'])
  await box.fill('江河')
  await page.getByRole('option').filter({ hasText: '江河图志' }).waitFor()
  await setTimeout(1800)
  expect(await page.getByRole('option').allInnerTexts()).toEqual([expect.stringContaining('江河图志')])
})

test('with suggestions switched off no request is sent and no list opens', async () => {
  await configure(site, { 'search.enable_suggest': 'false' })
  const asked = recordSearches(page)
  await visit(page, '/category')
  await boxIn(page.getByRole('banner')).pressSequentially('江河', { delay: 30 })
  await setTimeout(600)
  expect(asked).toEqual([])
  expect(await page.getByRole('listbox').count()).toBe(0)
  await page.keyboard.press('Enter')
  await waitForPath(page, searchFor('江河'))
  await configure(site, { 'search.enable_suggest': 'true' })
})

test('in the drawer Escape closes the list first, and a word in it is searched', async () => {
  const window = await openWindow(browser, site.url, touch)
  await visit(window, '/category')
  await window.getByRole('button', { name: '打开导航' }).tap()
  const drawer = window.getByRole('dialog')
  await boxIn(drawer).pressSequentially('江河')
  await window.getByRole('option').first().waitFor()
  await window.keyboard.press('Escape')
  await window.getByRole('listbox').waitFor({ state: 'detached' })
  expect(await drawer.count(), 'the drawer stays').toBe(1)
  await boxIn(drawer).press('ArrowDown')
  await window.getByRole('option').filter({ hasText: '江河图志' }).tap()
  await waitForPath(window, `/document/${atlas}`)
  await drawer.waitFor({ state: 'detached' })
})

test('filters combine in the address, back undoes them one by one, and all are cleared at once', async () => {
  await visit(page, searchFor('渡口'))
  await expect.poll(() => results().count()).toBe(10)
  await page.getByRole('link', { name: '第 2 页', exact: true }).click()
  await waitForPath(page, `${searchFor('渡口')}&page=2`)
  await filter('书信').click()
  await waitForPath(page, `${searchFor('渡口')}&category_id=${ids.letters}`)
  await expect.poll(titles).toEqual(['渡口来信'])
  await filter('Word').click()
  await waitForPath(page, `${searchFor('渡口')}&ext=doc&category_id=${ids.letters}`)
  await page.getByText('没有找到与“渡口”有关的文档').waitFor()
  await page.getByRole('link', { name: '清除筛选再搜' }).click()
  await waitForPath(page, searchFor('渡口'))
  await page.getByRole('navigation', { name: '排序' }).getByRole('link', { name: '页数' }).click()
  await waitForPath(page, `${searchFor('渡口')}&sort=pages`)
  await expect.poll(async () => (await titles())[0]).toBe('江河图志')
  await page.getByLabel('时间').selectOption('一周')
  await waitForPath(page, `${searchFor('渡口')}&sort=pages&duration=week`)
  await page.getByRole('region', { name: '筛选' }).getByRole('link', { name: '清除筛选' }).click()
  await waitForPath(page, `${searchFor('渡口')}&sort=pages`)
  for (const rest of [
    '&sort=pages&duration=week',
    '&sort=pages',
    '',
    `&ext=doc&category_id=${ids.letters}`,
    `&category_id=${ids.letters}`,
    '&page=2',
    '',
  ]) {
    await page.goBack()
    await waitForPath(page, searchFor('渡口') + rest)
  }
  await expect.poll(() => results().count()).toBe(10)
  expectNoPageErrors(page)
})

test('on a phone the filters are in a sheet that stays open while they are chosen', async () => {
  const window = await openWindow(browser, site.url, touch)
  await visit(window, searchFor('渡口'))
  await window.getByRole('button', { name: '筛选' }).tap()
  const sheet = window.getByRole('dialog')
  await sheet.getByRole('link', { name: '书信' }).tap()
  await waitForPath(window, `${searchFor('渡口')}&category_id=${ids.letters}`)
  await sheet.getByRole('link', { name: '一年' }).tap()
  await waitForPath(window, `${searchFor('渡口')}&category_id=${ids.letters}&duration=year`)
  await sheet.getByRole('button', { name: '查看 1 份文档' }).tap()
  await window.getByRole('dialog').waitFor({ state: 'detached' })
  await window.getByRole('button', { name: '筛选（2）' }).waitFor()
  expectNoPageErrors(window)
})

test('what is not found offers words that find something and a way on', async () => {
  await visit(page, searchFor('飞船 火箭 卫星 渡口'))
  await page.getByText('没有找到与“飞船 火箭 卫星 渡口”有关的文档').waitFor()
  expect(await page.getByRole('main').getByRole('status').innerText()).toContain('找到 0 份')
  expect(await page.getByRole('main').getByRole('link', { name: '看看全部分类' }).count()).toBe(1)
  await page.getByRole('region', { name: '这些词有结果' }).getByRole('link', { name: '渡口' }).click()
  await waitForPath(page, searchFor('渡口'))
  await expect.poll(() => results().count()).toBe(10)
  await page.getByRole('navigation', { name: '搜索范围' }).getByRole('link', { name: '文章' }).click()
  await waitForPath(page, searchFor('渡口', ContentType.Article))
  await page.getByRole('region', { name: '最新文章' }).getByRole('link').first().waitFor()
  await page.getByRole('link', { name: '在文档里搜索' }).click()
  await waitForPath(page, searchFor('渡口'))
  await visit(page, `${searchFor('渡口')}&page=50`)
  await page.getByRole('link', { name: '回到第一页' }).click()
  await waitForPath(page, searchFor('渡口'))
})

test('words of the results lead to other searches', async () => {
  await visit(page, searchFor('渡口'))
  await page.getByRole('region', { name: '相关搜索' }).getByRole('link', { name: '航道' }).click()
  await waitForPath(page, searchFor('航道'))
})

test('what is typed before the scripts have come is kept', async () => {
  const { promise: typed, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/assets/**/*.js', async (route) => {
    await typed
    await route.continue()
  })
  await page.goto('/category', { waitUntil: 'commit' })
  const box = boxIn(page.getByRole('banner'))
  await box.pressSequentially('江')
  goOn()
  await waitForHydration(page)
  await box.blur()
  await box.click()
  await page.getByRole('option').first().waitFor()
  await box.pressSequentially('河')
  await page.getByRole('option').filter({ hasText: '江河图志' }).waitFor()
  expect(await box.inputValue()).toBe('江河')
})

test('pressed twice, a search is one step back', async () => {
  await visit(page, '/category')
  await boxIn(page.getByRole('banner')).fill('渡口')
  await page.getByRole('banner').getByRole('button', { name: '搜索' }).dblclick()
  await waitForPath(page, searchFor('渡口'))
  await results().first().waitFor()
  await page.getByRole('main').getByRole('button', { name: '搜索' }).dblclick()
  await setTimeout(500)
  await page.goBack()
  await waitForPath(page, '/category')
  expectNoPageErrors(page)
})

test('a search that fails says so, and works on retry', async () => {
  await visit(page, searchFor('水文'))
  await page.route('**/api/v1/document/search*', (route) => route.fulfill({ status: 502, body: '' }))
  await filter('PDF').click()
  await page.getByRole('alert').waitFor()
  await page.unroute('**/api/v1/document/search*')
  await page.getByRole('button', { name: '重试' }).click()
  await expect.poll(() => results().count()).toBe(10)
})

test('a skeleton is shown while the results load', async () => {
  await visit(page, searchFor('水文'))
  await page.route('**/api/v1/document/search*', async (route) => {
    await setTimeout(800)
    await route.continue()
  })
  await filter('PDF').click()
  await page.getByLabel('正在加载').waitFor()
  await waitForPath(page, `${searchFor('水文')}&ext=pdf`)
  await expect.poll(() => results().count()).toBe(10)
})

test.each(['light', 'dark'] as const)(
  'by %s all can be read, named, hit, and nothing is too wide',
  async (colorScheme) => {
    for (const viewport of [desktop, phone, { width: 320, height: 568 }]) {
      const window = await openWindow(browser, site.url, { viewport, colorScheme })
      for (const path of [
        '/search',
        searchFor('渡口'),
        searchFor('没有这样的词'),
        searchFor('渡口', ContentType.Article),
      ]) {
        await visit(window, path)
        for (const { name, faults } of await auditElements(window))
          if (!notForAnswers.has(name)) expect(faults, `${path}: ${name}`).toEqual([])
        const wider = await window.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect(wider, path).toBeLessThanOrEqual(0)
      }
      expectNoPageErrors(window)
    }
  },
)

test('an index that was deleted while the site was down is made again, and the site serves meanwhile', async () => {
  site.process.kill('SIGKILL')
  await once(site.process, 'exit')
  for (const name of ['search.db', 'search.db-wal', 'search.db-shm']) rmSync(join(site.dataDir, name), { force: true })
  const again = await site.startSecond()
  try {
    expect((await fetch(`${again.url}/document/${atlas}`)).status).toBe(200)
    const total = async () => {
      const response = await fetch(`${again.url}/api/v1/document/search?wd=${encodeURIComponent('白鹭')}`)
      return ((await response.json()) as { total?: number }).total ?? 0
    }
    await expect.poll(total, { timeout: 20_000 }).toBe(1)
  } finally {
    await again.stop()
  }
})

/** Result pages are noindex, and their heading is the search box. */
const notForAnswers = new Set(['what the head says', 'headings go down step by step'])

function searchFor(words: string, type: ContentType = ContentType.Document): string {
  return `/search?${new URLSearchParams({ wd: words, type: String(type) })}`
}

function boxIn(place: Locator): Locator {
  return place.getByRole('combobox', { name: '搜索文档' })
}

function results(): Locator {
  return page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 2 }) })
}

async function titles(): Promise<string[]> {
  return results().getByRole('heading', { level: 2 }).getByRole('link').allInnerTexts()
}

/** A choice is named with the number of results it leaves. */
function filter(name: string): Locator {
  return page.getByRole('region', { name: '筛选' }).getByRole('link', { name: new RegExp(`^${name}( ?\\d+)?$`) })
}

/** Records the words for which suggestions are requested. */
function recordSearches(window: Page): string[] {
  const asked: string[] = []
  window.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/search/suggest')) asked.push(searchParams.get('wd') ?? '')
  })
  return asked
}

/** The word is highlighted on the page, and in view. */
async function readsMarked(on: Page): Promise<void> {
  const mark = on.locator('[data-page="37"] mark[aria-current]')
  await expect.poll(() => mark.allInnerTexts()).toEqual(['白鹭'])
  const height = on.viewportSize()?.height ?? 0
  await expect
    .poll(async () => {
      const { y = -1 } = (await mark.boundingBox()) ?? {}
      return y > 0 && y < height
    })
    .toBe(true)
}

/** An atlas with a word on its 37th page alone, twelve reports, and a letter. */
async function addDocuments(): Promise<void> {
  ids.nature = await addCategory(root, '自然')
  ids.letters = await addCategory(root, '书信')
  const onPage = (number: number) => [
    `江河两岸，第${number}程，渡口。`,
    number === 37 ? '白鹭洲头看日落。' : '青山不断。',
  ]
  atlas = await add('江河图志', makePdf({ title: '江河图志', pages: 60, text: onPage }), ids.nature)
  for (let n = 1; n <= reports; n++)
    await add(`水文报告 ${n}`, makePdf({ pages: 1, text: () => [`第${n}号渡口的水位。`] }), ids.nature, '航道,水位')
  await add('渡口来信', makePdf({ pages: 1, text: () => ['<b>粗体</b>的渡口。'] }), ids.letters)
  const found = async () => (await root.call(contract.searches.documents, { wd: '渡口' })).total
  while ((await found()) < reports + 2) await setTimeout(300)
}

async function add(title: string, bytes: Uint8Array, category: number, keywords = ''): Promise<string> {
  const { id: attachment_id } = await root.upload(`${title}.pdf`, bytes)
  const { document } = await root.call(contract.documents.create, {
    category_id: [category],
    document: [{ title, attachment_id, keywords }],
  })
  return document[0]?.uuid ?? ''
}
