import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makePdf } from '#server/samples/pdf.ts'
import { contract } from '#shared/contract/contract.ts'
import { waitForPath, desktop, expectNoPageErrors, openWindow, phone, visit } from './browser.ts'
import { startLibrary } from './library.ts'
import type { PublishedDocument } from './upload-client.ts'
import { type Member, publishAndWait } from './site-setup.ts'
import { configure } from './owner.ts'
import type { RunningSite } from './running-site.ts'

/** Find in document. */

let browser: Browser
let site: RunningSite
let author: Member
let book: PublishedDocument
const verse = '读书破万卷，下笔如有神。'
/** On page 3 once, on page 37 twice, on page 58 once. */
const rare = '凤凰木'

beforeAll(async () => {
  ;({ browser, site, author } = await startLibrary('写书的人'))
  book = await publishAndWait(site, author, {
    name: '六十页的书.pdf',
    bytes: makePdf({ title: '六十页的书', pages: 60, text: linesOf }),
    price: 5,
  })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})
beforeEach(async () => {
  await configure(site, { 'converter.max_preview': '0', 'display.pages_per_read': '100' })
})

test('from the toolbar: every hit is counted, and the arrows go from hit to hit over pages that were not loaded', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(book))
  await page.getByRole('button', { name: '在文档中查找' }).click()
  await type(page, rare)
  await counts(page, '1 / 4')
  await showsHit(page, 3, 0)
  await waitForPath(page, new RegExp(`find=${encodeURIComponent(rare)}`))

  await page.getByRole('button', { name: '下一处' }).click()
  await counts(page, '2 / 4')
  await showsHit(page, 37, 0)
  await expect.poll(() => marksOn(page, 37)).toEqual([rare, rare])
  await input(page).press('Enter')
  await counts(page, '3 / 4')
  await showsHit(page, 37, 1)
  await input(page).press('Enter')
  await showsHit(page, 58, 0)
  await input(page).press('Enter')
  await counts(page, '1 / 4')
  await showsHit(page, 3, 0)
  await input(page).press('Shift+Enter')
  await counts(page, '4 / 4')
  await showsHit(page, 58, 0)
  await page.getByRole('button', { name: '上一处' }).click()
  await showsHit(page, 37, 1)

  await input(page).press('Escape')
  await bar(page).waitFor({ state: 'detached' })
  expect(await page.locator('mark').count()).toBe(0)
  await waitForPath(page, `${pathOf(book)}?page=37`)
  expect(await focused(page), 'the focus is back where it was').toBe('在文档中查找')
  expectNoPageErrors(page)
})

test('by keyboard: a slash, Ctrl-F, and the browser’s own search at the second Ctrl-F', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(book))
  await page.evaluate(() => {
    const left: string[] = []
    Object.assign(window, { left })
    window.addEventListener('keydown', (event) => event.ctrlKey && !event.defaultPrevented && left.push(event.key))
  })
  const leftToBrowser = () =>
    page.evaluate(() => (window as unknown as { left: string[] }).left.filter((key) => key === 'f').length)
  await page.keyboard.press('/')
  await bar(page).waitFor()
  await expect.poll(() => focused(page)).toBe('要查找的文字')
  await page.keyboard.type('a/f')
  expect(await input(page).inputValue()).toBe('a/f')
  await page.keyboard.press('Escape')
  await bar(page).waitFor({ state: 'detached' })

  await page.keyboard.press('Control+f')
  await bar(page).waitFor()
  await expect.poll(() => focused(page)).toBe('要查找的文字')
  expect(await leftToBrowser()).toBe(0)
  await page.keyboard.press('Control+f')
  expect(await leftToBrowser()).toBe(1)
  await type(page, verse)
  await counts(page, /^1 \/ 1\d\d$/)
  await page.keyboard.press('Escape')

  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await page.getByLabel('页码，共 60 页').focus()
  await page.keyboard.press('Control+f')
  await expect.poll(() => focused(page)).toBe('要查找的文字')
  expectNoPageErrors(page)
})

test('a link opens on its page with the words highlighted; a reload keeps them', async () => {
  await configure(site, { 'display.pages_per_read': '5' })
  const page = await openWindow(browser, site.url)
  await visit(page, `${pathOf(book)}?page=37&find=${encodeURIComponent(rare)}`)
  await counts(page, '2 / 4')
  await showsHit(page, 37, 0)
  expect(await input(page).inputValue()).toBe(rare)
  await page.reload()
  await counts(page, '2 / 4')
  await showsHit(page, 37, 0)
  await page.getByText('已显示 40 页').waitFor({ state: 'attached' })

  await page.getByRole('button', { name: '下一处' }).click()
  await page.getByRole('button', { name: '下一处' }).click()
  await showsHit(page, 58, 0)
  await waitForPath(page, `${pathOf(book)}?page=58&find=${encodeURIComponent(rare)}`)
  await page.getByRole('button', { name: '关闭查找' }).click()
  await waitForPath(page, `${pathOf(book)}?page=58`)
  expectNoPageErrors(page)
})

test('scrolling away from a hit does not jump back, and hits are highlighted on every page', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(book))
  await page.keyboard.press('/')
  await type(page, '破')
  await counts(page, /^1 \/ \d{3,}$/)
  await showsHit(page, 1, 0)
  await page.getByLabel('页码，共 60 页').fill('20')
  await page.keyboard.press('Enter')
  await expect.poll(async () => new Set(await marksOn(page, 20))).toEqual(new Set(['破']))
  await page.waitForTimeout(500)
  expect(await page.getByLabel('页码，共 60 页').inputValue()).toBe('20')
  expectNoPageErrors(page)
})

test('enlarged and in full screen, hits are brought into sight from every side; Escape closes the bar first', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(book))
  await page.getByRole('button', { name: '全屏', exact: true }).click()
  for (let step = 0; step < 2; step += 1) await page.getByRole('button', { name: '放大' }).click()
  await page.keyboard.press('/')
  await type(page, rare)
  await counts(page, '1 / 4')
  await showsHit(page, 3, 0)
  await input(page).press('Enter')
  await showsHit(page, 37, 0)
  await page.locator('mark[aria-current]').evaluate((mark) => {
    const sideways = mark.closest('.overflow-x-auto')
    sideways?.scrollTo({ left: sideways.scrollWidth })
  })
  await input(page).press('Enter')
  await showsHit(page, 37, 1)
  await page.keyboard.press('Escape')
  await bar(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '退出全屏' }).click()
  expectNoPageErrors(page)
})

test('nothing found is said, whatever is typed; a long text is looked for by its beginning', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(book))
  await page.keyboard.press('/')
  for (const nowhere of ['麒麟', '<b>麒麟</b>', '%_\'"\\', '😀']) {
    await type(page, nowhere)
    await counts(page, '没有找到')
    await type(page, verse)
    await counts(page, /^\d+ \/ \d{3}$/)
  }
  await type(page, `${verse.repeat(4)}${'长'.repeat(30_000)}`)
  await counts(page, /^\d+ \/ \d+$/)
  await type(page, '')
  await expect.poll(() => page.locator('mark').count()).toBe(0)
  await waitForPath(page, /^[^?]*(\?page=\d+)?$/)
  expectNoPageErrors(page)
})

test('what is still being composed is not looked for, and late answers change nothing', async () => {
  const page = await openWindow(browser, site.url)
  const asked: string[] = []
  await page.route('**/api/v1/document/find?*', async (route) => {
    const url = new URL(route.request().url())
    const words = url.searchParams.get('wd') ?? ''
    if (!url.searchParams.has('page')) asked.push(words)
    if (words === '读') await new Promise((done) => setTimeout(done, 1500))
    await route.continue()
  })
  await visit(page, pathOf(book))
  await page.keyboard.press('/')
  await input(page).focus()
  const keyboard = await page.context().newCDPSession(page)
  await keyboard.send('Input.imeSetComposition', { text: 'feng huang', selectionStart: 10, selectionEnd: 10 })
  await page.waitForTimeout(500)
  expect(asked).toEqual([])
  await keyboard.send('Input.insertText', { text: rare })
  await counts(page, '1 / 4')
  expect(asked).toEqual([rare])

  await type(page, '读')
  await expect.poll(() => asked.length).toBe(2)
  await type(page, rare)
  await counts(page, '1 / 4')
  await page.waitForTimeout(1800)
  expect(await countOf(page)).toBe('1 / 4')
  expect(asked).toEqual([rare, '读', rare])
  expectNoPageErrors(page)
})

test('beyond the preview only the repetition of a hit is told, with a link to the download', async () => {
  await configure(site, { 'converter.max_preview': '12' })
  const page = await openWindow(browser, site.url)
  const said: string[] = []
  page.on('response', async (response) => {
    if (response.url().includes('/document/find?')) said.push(await response.text())
  })
  await visit(page, `${pathOf(book)}?find=${encodeURIComponent(rare)}`)
  await counts(page, '1 / 1')
  await showsHit(page, 3, 0)
  await bar(page).getByText('预览之外的页里也有').waitFor()
  await page.getByRole('button', { name: '下一处' }).click()
  await showsHit(page, 3, 0)
  expect(said.join('')).not.toMatch(/37|58/)
  const guest = await fetch(
    `${site.url}/api/v1/document/find?${new URLSearchParams({ id: String(book.id), wd: rare, page: '37' })}`,
  )
  expect(await guest.text()).not.toContain('[')
  await bar(page).getByRole('button', { name: /下载/ }).click()
  await page.getByRole('dialog').getByText('5 豆子').first().waitFor()
  await page.keyboard.press('Escape')

  await type(page, '第58页')
  await bar(page).getByText('预览里没有').waitFor()
  expect(await author.call(contract.documents.find, { id: book.id, wd: rare })).toMatchObject({
    page: [{ page: 3 }, { page: 37, hits: 2 }, { page: 58 }],
    beyond: 0,
  })
  expectNoPageErrors(page)
})

test('while text extraction runs the bar says so, and later hits appear by themselves', async () => {
  const { hash } = await site.db
    .selectFrom('document')
    .select('hash')
    .where('id', '=', book.id)
    .executeTakeFirstOrThrow()
  const extractUpTo = (text_pages: number) =>
    site.db.updateTable('rendition').set({ text_pages }).where('hash', '=', hash).execute()
  await extractUpTo(20)
  const page = await openWindow(browser, site.url)
  await visit(page, `${pathOf(book)}?find=${encodeURIComponent('麒麟')}`)
  await bar(page).getByText('正文还在读取（20 / 60 页），结果会自动补全').waitFor()
  expect(await countOf(page), 'not known yet').toBe('')
  await extractUpTo(60)
  await counts(page, '没有找到')
  await bar(page).getByText('正文还在读取').waitFor({ state: 'detached' })
  expectNoPageErrors(page)
})

test('on a phone the bar takes the place of the tools, and hits are shown above it', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
  await visit(page, pathOf(book))
  const tools = await boxOf(page.getByRole('toolbar', { name: '阅读工具' }))
  await page.getByRole('button', { name: '在文档中查找' }).tap()
  await type(page, rare)
  await counts(page, '1 / 4')
  const box = await boxOf(bar(page))
  expect(box.y).toBeGreaterThanOrEqual(tools.y)
  expect(box.y + box.height).toBeLessThanOrEqual(phone.height)
  expect(box.width).toBe(phone.width)
  await page.getByRole('button', { name: '下一处' }).tap()
  await page.getByRole('button', { name: '下一处' }).tap()
  await counts(page, '3 / 4')
  await showsHit(page, 37, 1, phone)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
  await page.getByRole('button', { name: '关闭查找' }).tap()
  await page.getByRole('button', { name: '更多', exact: true }).waitFor()
  expectNoPageErrors(page)
})

function linesOf(page: number): string[] {
  const lines = [`第${page}页正文。${verse}`, ...Array.from({ length: 30 }, () => '山高水长，来日方长。')]
  if (page === 3 || page === 58) lines.push(`园中有${rare}一株。`)
  if (page === 37) lines.push(`路旁是${rare}，`, '山高水长，来日方长。', `远处也是${rare}。`)
  return [...lines, verse.repeat(2)]
}

function pathOf({ uuid }: PublishedDocument): string {
  return `/document/${uuid}`
}

function bar(page: Page): Locator {
  return page.getByRole('search', { name: '在文档中查找' })
}

function input(page: Page): Locator {
  return bar(page).getByLabel('要查找的文字')
}

async function type(page: Page, words: string): Promise<void> {
  await input(page).fill(words)
}

async function countOf(page: Page): Promise<string> {
  return (await bar(page).locator('output > [aria-hidden], output:not(:has(*))').allTextContents()).join('').trim()
}

async function counts(page: Page, wanted: string | RegExp): Promise<void> {
  await expect.poll(() => countOf(page)).toMatch(wanted instanceof RegExp ? wanted : new RegExp(`^${wanted}$`))
}

async function marksOn(page: Page, number: number): Promise<string[]> {
  return page.locator(`figure[data-page="${number}"] mark`).allTextContents()
}

/** This hit is the current one and visible: inside the window, not below an overlay. */
async function showsHit(page: Page, number: number, hit: number, { width, height } = desktop): Promise<void> {
  const mark = page.locator('mark[aria-current]')
  await page.locator(`figure[data-page="${number}"] mark[data-hit="${hit}"][aria-current]`).waitFor()
  expect(await mark.count()).toBe(1)
  await expect
    .poll(async () => {
      const box = await boxOf(mark)
      const isInside = box.y > 0 && box.y + box.height < height && box.x >= 0 && box.x + box.width <= width
      if (!isInside) return box
      return mark.evaluate((shown) => {
        const { left, top, width, height } = shown.getBoundingClientRect()
        return shown.contains(document.elementFromPoint(left + width / 2, top + height / 2)) && 'seen'
      })
    })
    .toBe('seen')
}

async function boxOf(locator: Locator) {
  return (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
}

/** The name of what has the focus. */
async function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
}
