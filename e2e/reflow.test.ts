import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { documents } from '#shared/contract/documents.ts'
import { client } from '#shared/client.ts'
import { HighlightColor } from '#shared/enums.ts'
import { makeEpub } from '#server/samples/books.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { paragraphs } from '#server/samples/prose.ts'
import { desktop, expectNoPageErrors, openBrowser, openWindow, phone, visit } from './browser.ts'
import { configure } from './owner.ts'
import { accessibilityFaults } from './page-checks.ts'
import { signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { type PublishedDocument, createUploadClient } from './upload-client.ts'

const owner = { username: 'admin', password: 'owner password' }
const numerals = '一二三四五六七八九十'

let browser: Browser
let site: RunningSite
let report: PublishedDocument
let book: PublishedDocument
beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: owner.password })
  await configure(site, { 'security.enable_captcha_login': 'false', 'converter.max_preview_free': '6' })
  const uploader = await createUploadClient(site.url, owner)
  const text = (page: number) => [`第${numerals[page - 1]}页从这里开始。`, ...paragraphs(6)]
  const [pdf, epub] = await uploader.publish(
    ['年报.pdf', makePdf({ title: '年报', pages: 9, text })],
    ['山谷.epub', makeEpub({ title: '山谷', chapters: 3, extra: await pictureChapter() })],
  )
  if (!pdf || !epub) throw new Error('not published')
  ;[report, book] = [pdf, epub]
  await uploader.waitUntilFinished([report.id, book.id])
  // The text is read after the pages.
  for (const document of [report, book])
    await vi.waitFor(async () => expect(await viewsOf(document)).toEqual(['text']), { timeout: 20_000, interval: 200 })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('a phone reader goes on in the text, sets it, and comes back to the same page', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
  await visit(page, `/document/${report.uuid}`)
  await page.getByLabel(/^页码/).fill('3')
  await page.keyboard.press('Enter')
  await page.locator('figure[data-page="3"] img').waitFor()
  await page.getByRole('button', { name: '文字版' }).click()
  await expect.poll(() => topLines(page)).toContain('第三页从这里开始')
  expect(await page.getByLabel(/^页码/).inputValue()).toBe('3')

  await page.getByRole('button', { name: '排版' }).click()
  await page.getByRole('button', { name: '增大字号' }).click()
  await page.getByRole('radio', { name: '宋体' }).check({ force: true })
  await page.getByRole('radio', { name: '护眼' }).check({ force: true })
  await page.keyboard.press('Escape')
  expect(await setting(page)).toMatchObject({ size: '20px', ground: 'rgb(245, 236, 217)' })
  // The place stays while the text is set anew.
  await expect.poll(() => topLines(page)).toContain('第三页从这里开始')
  await expect.poll(() => page.url()).toMatch(/[?&]page=3(&|$)/)
  expect(page.url()).toContain('view=text')

  await page.reload()
  await expect.poll(() => topLines(page)).toContain('第三页从这里开始')
  expect(await setting(page)).toMatchObject({ size: '20px', ground: 'rgb(245, 236, 217)' })
  expect(await setting(page)).toHaveProperty('family', expect.stringContaining('Songti'))

  await page.getByRole('button', { name: '原版页面' }).click()
  await page.locator('figure[data-page="3"] img').waitFor()
  await expect.poll(() => page.getByLabel(/^页码/).inputValue()).toBe('3')
  await expect.poll(() => distanceBelowBars(page, 3)).toBeLessThan(12)
  expectNoPageErrors(page)
})

test('nothing beyond the preview is in the text, and the end says so', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
  const received: string[] = []
  page.on('response', async (response) => {
    if (response.url().includes('/view/reflow/')) received.push(await response.text())
  })
  await visit(page, `/document/${report.uuid}?view=text&page=6`)
  await expect.poll(() => topLines(page)).toContain('第六页从这里开始')
  await page.getByRole('heading', { name: '预览到此为止' }).scrollIntoViewIfNeeded()
  await page.getByText('已预览 6 页，还剩 3 页').waitFor()
  expect(received.join()).toContain('第六页从这里开始')
  expect(received.join()).not.toMatch(/第[七八九]页从这里开始/)
  expect(await page.locator('body').innerText()).not.toMatch(/第[七八九]页从这里开始/)
})

test('a book has its headings, fits the smallest phone, and reads well with assistive technology', async () => {
  const page = await openWindow(browser, site.url, { viewport: { width: 320, height: 568 } })
  await visit(page, `/document/${book.uuid}?view=text`)
  await page.getByRole('heading', { name: '第2章' }).waitFor()
  const picture = page.getByRole('img', { name: '山谷的地图' })
  // As high as the picture before that is loaded.
  const height = () => picture.evaluate((image) => image.getBoundingClientRect().height)
  const reserved = await height()
  expect(reserved).toBeGreaterThan(100)
  await picture.scrollIntoViewIfNeeded()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(480)
  expect(await height()).toBe(reserved)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.getByRole('button', { name: '排版' }).click()
  await page.getByRole('radiogroup', { name: '字体' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  for (const ground of ['日间', '护眼', '夜间']) {
    await page.getByRole('radio', { name: ground }).check({ force: true })
    expect(await accessibilityFaults(page), ground).toEqual([])
  }
  expectNoPageErrors(page)
})

test('the text offers to continue, lists its keys, prints dark on white, and finds words', async () => {
  const page = await openWindow(browser, site.url, { viewport: { width: 320, height: 568 } })
  await visit(page, `/document/${report.uuid}?view=text&page=3`)
  await expect.poll(() => topLines(page)).toContain('第三页从这里开始')
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain(report.uuid)
  // As in a new tab: nothing is scrolled back to.
  await page.addInitScript(() => sessionStorage.clear())
  await visit(page, `/document/${report.uuid}?view=text`)
  await page.getByText('上次读到第 3 页').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.getByRole('button', { name: '继续', exact: true }).click()
  await expect.poll(() => topLines(page)).toContain('第三页从这里开始')
  // The bar has no room for it.
  await page.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('button', { name: '原版页面' }).click()
  await expect.poll(() => distanceBelowBars(page, 3)).toBeLessThan(12)
  await page.setViewportSize(desktop)
  await page.getByRole('button', { name: '全屏', exact: true }).click()
  await page.getByRole('button', { name: '文字版' }).click()
  await page.getByRole('button', { name: '排版' }).waitFor()
  // Still in full screen.
  await page.getByRole('button', { name: '退出全屏' }).click()

  await page.getByRole('button', { name: '排版' }).click()
  await page.getByRole('radio', { name: '夜间' }).check({ force: true })
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('排版')
  await page.emulateMedia({ media: 'print' })
  expect(await setting(page)).toMatchObject({ ground: 'rgb(255, 255, 255)', ink: 'rgb(27, 31, 29)' })
  await page.emulateMedia({ media: 'screen' })
  expect(await setting(page)).toMatchObject({ ground: 'rgb(26, 29, 27)' })

  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: '快捷键' }).getByText('标准字号').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('要查找的文字')
  await page.keyboard.type('第五页从这里')
  await expect.poll(() => topLines(page, 400)).toContain('第五页从这里开始')
  await page.getByText('1 / 1').waitFor()
  expect(await paintedText(page, 'found-now')).toEqual(['第五页从这里'])
  await page.keyboard.press('Escape')
  expect(await paintedText(page, 'found-now')).toEqual([])
  await page.keyboard.press('Control+p')
  await page.getByRole('dialog', { name: '打印' }).waitFor()
  expectNoPageErrors(page)
})

test('on a phone a book is text, in a window of one ground, and its screens are turned by taps and swipes', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
  await visit(page, `/document/${book.uuid}`)
  await page.getByRole('heading', { name: '第1章' }).waitFor()
  await page.getByRole('button', { name: '排版' }).tap()
  await page.getByRole('radio', { name: '护眼' }).check({ force: true })
  expect(await groundsOf(page)).toEqual({ window: 'rgb(239, 228, 204)', bar: 'rgb(245, 236, 217)' })
  await page.getByRole('radio', { name: '左右翻页' }).check({ force: true })
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('region', { name: '文档正文' }).evaluate((reader) => reader.scrollTop)).toBe(0)
  const first = await linesInSight(page)
  await page.touchscreen.tap(360, 400)
  const second = await linesInSight(page)
  expect(second[0], 'the next screen begins where this one ends').toBe(first[1] + 1)
  await page.touchscreen.tap(30, 400)
  expect(await linesInSight(page)).toEqual(first)
  await page.touchscreen.tap(195, 400)
  await page.getByRole('toolbar', { name: '阅读工具' }).waitFor({ state: 'hidden' })
  await page.touchscreen.tap(195, 400)
  await page.getByRole('toolbar', { name: '阅读工具' }).waitFor()
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...x: number[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: x.map((at) => ({ x: at, y: 400 })) })
  await touch('touchStart', 300)
  await touch('touchMove', 200)
  await touch('touchMove', 100)
  await touch('touchEnd')
  expect(await linesInSight(page)).toEqual(second)
  expect(await accessibilityFaults(page)).toEqual([])

  // The choice is for all that is read as text.
  await visit(page, `/document/${report.uuid}?view=text`)
  await page.locator('[data-screen-end]').waitFor({ state: 'attached' })
  const opened = await linesInSight(page)
  await page.touchscreen.tap(360, 400)
  expect((await linesInSight(page))[0]).toBe(opened[1] + 1)
  await page.getByRole('button', { name: '更多', exact: true }).tap()
  await page.getByRole('button', { name: '离开全屏' }).tap()
  await page.locator('[data-screen-end]').waitFor({ state: 'detached' })
  await visit(page, `/document/${book.uuid}#comments`)
  await page.getByRole('link', { name: '登录后评论' }).waitFor()
  expect(await page.locator('[data-screen-end]').count()).toBe(0)

  await visit(page, `/document/${book.uuid}`)
  await page.locator('[data-screen-end]').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: '原版页面' }).tap()
  await page.locator('figure[data-page="1"] img').waitFor()
  await page.reload()
  await page.locator('figure[data-page="1"] img').waitFor()
  expect(page.url(), 'the reader chose pages').toContain('view=pages')
  expectNoPageErrors(page)
})

test('who scrolls up in the text on a phone keeps the place', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
  await page.clock.install()
  await visit(page, `/document/${report.uuid}?view=text`)
  await page.getByLabel(/^页码/).fill('5')
  await page.keyboard.press('Enter')
  await expect.poll(() => topLines(page)).toContain('第五页从这里开始')
  const place = () => page.evaluate(() => localStorage.getItem('wendou-places'))
  await expect.poll(place).toContain(report.uuid)
  const kept = await place()
  await page.evaluate(() => scrollTo(0, 0))
  await expect.poll(() => page.getByLabel(/^页码/).inputValue()).toBe('1')
  // Longer than a stay takes.
  for (let waits = 0; waits < 10; waits++) await page.clock.fastForward(1000)
  expect(await place()).toBe(kept)
  await page.addInitScript(() => sessionStorage.clear())
  await visit(page, `/document/${report.uuid}?view=text`)
  await page.getByText('上次读到第 5 页').waitFor()
})

test('the other documents beside the text leave after its first page', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, `/document/${report.uuid}?view=text`)
  const beside = page.getByRole('complementary', { name: '作者与相关文档' })
  await beside.waitFor()
  await page.getByLabel(/^页码/).fill('2')
  await page.keyboard.press('Enter')
  await beside.waitFor({ state: 'hidden' })
  await page.getByLabel(/^页码/).fill('1')
  await page.keyboard.press('Enter')
  await beside.waitFor()
})

test.each(['pages', 'text'])(
  'on a phone find and the panel are never open together in the %s, and find says that there is no network',
  async (view) => {
    const page = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
    await visit(page, `/document/${report.uuid}?view=${view}`)
    const find = page.getByRole('search', { name: /^在(文档|文字版)中查找$/ })
    const panel = page.getByRole('region', { name: '目录和缩略图' })
    await page.getByRole('button', { name: '目录和缩略图' }).tap()
    await panel.waitFor()
    // The bar of the text has no room for it.
    if (view === 'text') await page.getByRole('button', { name: '更多', exact: true }).tap()
    await page.getByRole('button', { name: '在文档中查找' }).tap()
    await find.waitFor()
    await panel.waitFor({ state: 'detached' })
    const words = find.getByLabel('要查找的文字')
    await words.blur()
    await page.keyboard.press('t')
    await panel.waitFor()
    await find.waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await panel.waitFor({ state: 'detached' })

    await page.context().setOffline(true)
    await words.fill('第五页从这里')
    const said = find.getByText('没有连上网络，恢复后会自动查找')
    await said.waitFor()
    const { x, y, width, height } = (await said.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    expect([x >= 0, x + width <= phone.width, y + height <= phone.height]).toEqual([true, true, true])
    await page.context().setOffline(false)
    await find.getByText('1 / 1').waitFor()
  },
)

test('a member marks text and a page here, and finds both on the pages', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, owner)
  await visit(page, `/document/${report.uuid}?view=text&page=3`)
  await expect.poll(() => topLines(page)).toContain('第三页从这里开始')
  await page.evaluate(() => {
    const block = [...document.querySelectorAll('p')].find((one) => one.textContent.includes('第三页从这里开始'))
    const text = block && document.createTreeWalker(block, NodeFilter.SHOW_TEXT).nextNode()
    if (text) getSelection()?.setBaseAndExtent(text, 0, text, 4)
  })
  await page.getByRole('toolbar', { name: '标记选中的文字' }).getByRole('button', { name: '蓝色高亮' }).click()
  await expect.poll(() => paintedText(page, `note-${HighlightColor.Blue}`)).toEqual(['第三页从'])
  await page.mouse.click(...(await middleOf(page, `note-${HighlightColor.Blue}`)))
  await page.getByRole('dialog', { name: '高亮和笔记' }).getByLabel('笔记').fill('从这里读起')
  await page.getByRole('button', { name: '完成' }).click()
  await expect.poll(() => paintedText(page, 'noted')).toEqual(['第三页从'])
  await page.getByRole('button', { name: '目录和缩略图' }).click()
  await page.getByRole('tab', { name: '笔记' }).click()
  await page.getByText('从这里读起').waitFor()
  await page.getByRole('button', { name: '给第 3 页加书签' }).click()
  await page.getByText('已在第 3 页加书签').waitFor()
  await page.keyboard.press('Escape')
  const inBar = page.getByRole('button', { name: '取消这一页的书签' })
  await inBar.waitFor()
  await page.getByRole('button', { name: '原版页面' }).click()
  await page.locator('figure[data-page="3"] [data-annotation]').waitFor()
  await page.getByRole('button', { name: '第 3 页的书签', pressed: true }).waitFor()
  expectNoPageErrors(page)
})

test('text that does not load says so, and comes with the network', async () => {
  const page = await openWindow(browser, site.url)
  await page.route('**/view/reflow/**', (route) => route.abort())
  await visit(page, `/document/${report.uuid}?view=text`)
  await page.getByText('第 1–6 页的文字没有加载成功').waitFor()
  await page.unroute('**/view/reflow/**')
  await page.getByRole('button', { name: '重试' }).click()
  await expect.poll(() => topLines(page)).toContain('第一页从这里开始')
})

async function pictureChapter(): Promise<Record<string, string | Uint8Array>> {
  const map = { create: { width: 480, height: 320, channels: 3, background: '#7c9a6b' } } as const
  const body = '<h2>第3章</h2><p>地图在下面。</p><p><img src="map.png" alt="山谷的地图"/></p><p>地图在上面。</p>'
  return {
    'OEBPS/c3.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`,
    'OEBPS/map.png': await sharp(map).png().toBuffer(),
  }
}

/** From the lower edge of what is above the pages to a page, in pixels. */
function distanceBelowBars(page: Page, number: number): Promise<number> {
  return page.evaluate((number) => {
    const figure = document.querySelector(`figure[data-page="${number}"]`)
    const bars = [...document.querySelectorAll('header, [data-reader-bar]')].map((bar) => bar.getBoundingClientRect())
    const above = bars.filter(({ top }) => top < window.innerHeight / 2).map(({ bottom }) => bottom)
    return Math.abs((figure?.getBoundingClientRect().top ?? Infinity) - Math.max(0, ...above))
  }, number)
}

async function viewsOf({ id }: PublishedDocument): Promise<string[]> {
  return (await client({ fetch, origin: site.url })(documents.layout, { id })).views
}

/** The ranges of a highlight of the browser's own. */
function paintedText(page: Page, name: string): Promise<string[]> {
  return page.evaluate((name) => [...(CSS.highlights.get(name)?.keys() ?? [])].map(String), name)
}

/** The middle of its first range. */
function middleOf(page: Page, name: string): Promise<[number, number]> {
  return page.evaluate((name) => {
    const [range] = CSS.highlights.get(name)?.keys() ?? []
    const { x, y, width, height } = range instanceof Range ? range.getBoundingClientRect() : new DOMRect()
    return [x + width / 2, y + height / 2]
  }, name)
}

/** What is at the top, below the site's header and, on a large screen, the toolbar. */
function topLines(page: Page, depth = 0): Promise<string> {
  return page.evaluate((depth) => {
    const column = document.querySelector('[data-first]')
    const blocks = [...(column?.querySelectorAll('p, h2, h3, h4, li') ?? [])]
    const bars = [...document.querySelectorAll('header, [data-reader-bar]')].map((bar) => bar.getBoundingClientRect())
    const above = bars.filter(({ top }) => top < window.innerHeight / 2).map(({ bottom }) => bottom)
    const edge = Math.max(0, ...above) + 8
    const shown = blocks.filter((block) => block.getBoundingClientRect().bottom > edge)
    const lines = shown.filter((block, index) => index < 2 || block.getBoundingClientRect().top < depth)
    return lines.map((block) => block.textContent).join('\n')
  }, depth)
}

function groundsOf(page: Page): Promise<{ window: string; bar: string }> {
  return page.evaluate(() => {
    const groundOf = (element: Element | null) => getComputedStyle(element ?? document.body).backgroundColor
    return { window: groundOf(document.documentElement), bar: groundOf(document.querySelector('[data-reader-bar]')) }
  })
}

/** The first and the last line that is whole and not covered, counted from the start of the text. */
function linesInSight(page: Page): Promise<[first: number, last: number]> {
  return page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
    const end = document.querySelector('[data-screen-end]')?.getBoundingClientRect().top ?? 0
    const range = document.createRange()
    const blocks = [...document.querySelectorAll('[data-first] :is(p, li, h2, h3)')]
    const lines = blocks.flatMap((block) => {
      range.selectNodeContents(block)
      return [...range.getClientRects()].filter(({ width }) => width > 12)
    })
    const isWhole = ({ top, bottom }: DOMRect) => top > -2 && bottom <= end + 2
    return [lines.findIndex(isWhole), lines.findLastIndex(isWhole)]
  })
}

function setting(page: Page): Promise<{ size: string; family: string; ground: string; ink: string }> {
  return page.evaluate(() => {
    const column = document.querySelector('[data-first]')?.parentElement
    const { fontSize, fontFamily, color } = getComputedStyle(column ?? document.body)
    const { backgroundColor } = getComputedStyle(column?.parentElement ?? document.body)
    return { size: fontSize, family: fontFamily, ground: backgroundColor, ink: color }
  })
}
