import * as mupdf from 'mupdf'
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { NotificationKind } from '#shared/notification-kinds.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { readPaintMetrics, recordPaints } from './audits.ts'
import { desktop, openWindow, phone, tablet, visit, waitForHydration } from './browser.ts'
import { startLibrary } from './library.ts'
import { configure } from './owner.ts'
import { accessibilityFaults, overflowOf } from './page-checks.ts'
import { signInAs } from './person.ts'
import type { RunningSite } from './running-site.ts'
import { addCategory, createMember, type Member, publishAndWait } from './site-setup.ts'
import { serveSlowly } from './slow-line.ts'

/** A visitor from a search engine reads a hundred pages, whatever the network does. */

let browser: Browser
let site: RunningSite
let root: Member
let path: string
let pricedPath: string

const verse = '读书破万卷，下笔如有神。'

beforeAll(async () => {
  const { author, ...opened } = await startLibrary('写书的人')
  ;({ browser, site, root } = opened)
  await configure(site, { 'converter.max_preview_free': '0', 'display.pages_per_read': '0' })
  const text = (page: number) => [`第${page}页正文`, ...Array.from({ length: 12 }, () => verse.repeat(3))]
  const { uuid } = await publishAndWait(site, author, {
    name: '一百页的书.pdf',
    bytes: makePdf({ title: '一百页的书', pages: 100, text }),
    category: [await addCategory(root, '学校')],
  })
  path = `/document/${uuid}`
  const priced = { name: '要付钱的书.pdf', bytes: makePdf({ title: '要付钱的书', pages: 12, text }), price: 120 }
  pricedPath = `/document/${(await publishAndWait(site, author, priced)).uuid}`
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('a visitor reads a hundred pages on a phone, on sepia, while the network is lost twice', async () => {
  const page = await openReader({ viewport: phone, hasTouch: true, isMobile: true, serviceWorkers: 'allow' })
  const faults = recordFaults(page)
  await page.goto(path, { referer: 'https://www.example.com/search?q=一百页的书' })
  await waitForHydration(page)
  await page.evaluate(() => Object.assign(window, { wasNotReloaded: true }))
  await showsPage(page, 1)
  await chooseGround(page, '护眼')
  await expectTidy(page)

  await readTo(page, 30)
  const read = await currentPage(page)
  await showsPage(page, read)
  // In the middle of a swipe, while pages are being loaded.
  const swiping = readOn(page)
  await page.context().setOffline(true)
  await swiping
  const lost = await readToLostPage(page)
  await failedPage(page, lost).getByText(`网络已断开，恢复后会自动加载第 ${lost} 页`).waitFor()
  await failedPage(page, lost).getByRole('button', { name: '重试' }).tap()
  await failedPage(page, lost).getByText('网络已断开').waitFor()
  expect(await accessibilityFaults(page), 'with a page that is missing').toEqual([])
  await page.setViewportSize(phone)
  await expectTidy(page)
  // What was read is still there.
  await goTo(page, read)
  await showsPage(page, read)
  await showsText(page, read)
  await goTo(page, lost)
  await failedPage(page, lost).getByText('网络已断开').waitFor()
  expect(await toasts(page)).toEqual([])
  await page.context().setOffline(false)
  await expect.poll(() => toasts(page), { message: 'one message' }).toEqual(['网络已恢复'])
  await showsPage(page, lost)
  await showsText(page, lost)
  expect(await currentPage(page), 'the place is the same').toBe(lost)

  await readTo(page, 70)
  await page.context().setOffline(true)
  const again = await readToLostPage(page)
  await page.context().setOffline(false)
  await showsPage(page, again)
  await readTo(page, 100)
  await showsPage(page, 100)
  expect(await page.getByText(/没有加载成功|网络已断开/).count()).toBe(0)
  await page.getByText('已读完').first().waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await page.locator('figure').count(), 'pages in memory').toBeLessThan(12)
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3000)
  expect(await page.evaluate(() => 'wasNotReloaded' in window)).toBe(true)

  await expect.poll(() => page.url()).toContain('page=100')
  await page.reload()
  await expect.poll(() => currentPage(page)).toBe(100)
  await showsPage(page, 100)
  expect(await page.locator('figure[data-page="100"] img').getAttribute('src')).toMatch(/\.sepia\.svg$/)
  expect(faults).toEqual([])
})

test.each([390, 320])(
  'on a phone %i px wide the bar of a document with a price is one row in both views',
  async (width) => {
    const page = await openReader({ viewport: { width, height: 844 }, hasTouch: true, isMobile: true })
    for (const view of ['pages', 'text']) {
      await visit(page, `${pricedPath}?view=${view}`)
      const bar = page.getByRole('toolbar', { name: '阅读工具' })
      await bar.getByRole('button', { name: '120 豆子' }).waitFor()
      const middles = await bar.locator('button:visible, input:visible').evaluateAll((controls) =>
        controls.map((control) => {
          const { top, bottom } = control.getBoundingClientRect()
          return (top + bottom) / 2
        }),
      )
      expect(Math.max(...middles) - Math.min(...middles), view).toBeLessThan(8)
      expect(await overflowOf(page), view).toBe(0)
    }
  },
)

test('more than 99 notifications are a number on one line', async () => {
  const member = await createMember(site, root, '消息很多的人')
  const { id } = await member.call(contract.users.get)
  const rows = Array.from({ length: 120 }, (_, index) => ({
    user_id: id,
    kind: NotificationKind.Punishment,
    event_key: `many:${index}`,
    latest_at: index,
    created_at: index,
  }))
  await site.db.insertInto('notification').values(rows).execute()
  const page = await openReader({ viewport: { width: 320, height: 844 }, hasTouch: true, isMobile: true })
  await signInAs(page, site, member)
  await visit(page, path)
  const number = page.getByRole('banner').getByText('99+', { exact: true })
  await number.waitFor()
  expect(await number.evaluate(({ clientHeight }) => clientHeight)).toBe(18)
  expect(await overflowOf(page)).toBe(0)
})

test('over a slow line nothing moves while a document or an empty search comes in', async () => {
  const address = await serveSlowly(site.url)
  const page = await openWindow(browser, address, { viewport: phone, hasTouch: true, isMobile: true })
  await recordPaints(page)
  for (const place of [path, '/search?wd=zzz']) {
    await visit(page, place)
    await page.waitForLoadState('networkidle')
    const { shift, moved } = await readPaintMetrics(page)
    expect({ shift, moved }, place).toEqual({ shift: 0, moved: [] })
  }
})

test('on a tablet in the dark, a page that a broken connection cost comes at a click, and the words by themselves', async () => {
  const page = await openReader({ viewport: tablet, colorScheme: 'dark' })
  const faults = recordFaults(page)
  await visit(page, `${path}?page=3&find=${encodeURIComponent('万卷')}`)
  await expect.poll(() => currentPage(page)).toBe(3)
  await page.locator('[data-page="3"] mark').first().waitFor()
  await expectTidy(page)
  await page.getByRole('button', { name: '目录和缩略图' }).click()
  await page.getByRole('tab', { name: '缩略图' }).click()
  await page.getByRole('region', { name: '目录和缩略图' }).getByRole('button', { name: '第 3 页' }).waitFor()

  // The browser believes to be online.
  let isBroken = true
  await page.route(/\/view\/|\/document\/find/, (route) =>
    isBroken ? route.abort('connectionreset') : route.fallback(),
  )
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await readTo(page, 20)
  await goTo(page, 20)
  await failedPage(page, 20).getByText('第 20 页没有加载成功，稍后会自动重试').waitFor()
  await page.getByRole('button', { name: '在文档中查找' }).click()
  await page.getByLabel('要查找的文字').fill('下笔')
  await page.getByText('没有连上网络，恢复后会自动查找').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize(tablet)
  await page.emulateMedia({ colorScheme: 'dark' })
  // After the checks on other screens it is requested again.
  await comesToRest(page)
  await expect.poll(() => currentPage(page)).toBe(20)
  await failedPage(page, 20).waitFor()
  isBroken = false
  // Unless it comes by itself at this moment.
  await failedPage(page, 20)
    .getByRole('button', { name: '重试' })
    .evaluateAll((buttons: HTMLElement[]) => buttons.forEach((button) => button.click()))
  await showsPage(page, 20)
  await page.locator('[data-page="20"] mark').first().waitFor()
  expect(await page.locator('figure[data-page="20"] img').getAttribute('src')).toMatch(/\.night\.svg$/)
  expect(await toasts(page)).toEqual([])
  await expectTidy(page)
  expect(faults).toEqual([])
})

test('on a desktop in the light the same pages are read, and the browser prints those that have loaded', async () => {
  const page = await openReader({ viewport: desktop })
  const faults = recordFaults(page)
  await visit(page, path)
  await expectTidy(page)
  await readTo(page, 8)
  const at = await currentPage(page)
  await expectTidy(page)
  for (const [ground, value] of Object.entries({ 日间: 'day', 护眼: 'sepia', 夜间: 'night' })) {
    await chooseGround(page, ground)
    const outdated = page.locator(`figure:not([data-state="loaded"]), figure img:not([data-ground="${value}"])`)
    await expect.poll(() => outdated.count()).toBe(0)
    const rendered = await page.locator('figure[data-state="loaded"]').count()
    const pdf = mupdf.Document.openDocument(await page.pdf({ format: 'A4', printBackground: true }), 'application/pdf')
    expect(pdf.countPages(), 'a page on each sheet').toBe(rendered)
    const words = pdf.loadPage(0).toStructuredText('').asText()
    expect(words).toContain('一百页的书')
    expect(words.replaceAll(/\s/g, '')).toContain(site.url + path)
    for (const shell of ['阅读工具', '登录', '评论', '首页', '下载']) expect(words).not.toContain(shell)
    expect(cornerOf(pdf.loadPage(1)), `${ground}: paper is white`).toBeGreaterThan(245)
    expect(inkOf(pdf.loadPage(1)), `${ground}: with the picture of the page`).toBeLessThan(120)
    await expect.poll(() => currentPage(page), { message: 'printing keeps the place' }).toBe(at)
  }
  expect(faults).toEqual([])
})

function openReader(options: BrowserContextOptions): Promise<Page> {
  return openWindow(browser, site.url, options)
}

/** Errors of the page, but for those of the network. */
function recordFaults(page: Page): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('net::ERR_')) faults.push(message.text())
  })
  return faults
}

async function currentPage(page: Page): Promise<number> {
  return Number(await page.getByLabel('页码，共 100 页').inputValue())
}

/** Reads on as a person does: with a finger, or with the wheel of a mouse. */
async function readOn(page: Page): Promise<void> {
  if (page.viewportSize()?.width !== phone.width) await page.mouse.wheel(0, 1500)
  else await swipe(page)
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)))
}

let fingers: CDPSession | undefined

async function swipe(page: Page): Promise<void> {
  // Ending a session would end the loss of the network too.
  fingers ??= await page.context().newCDPSession(page)
  const session = fingers
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...y: number[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: y.map((at) => ({ x: 195, y: at })) })
  await touch('touchStart', 720)
  for (const y of [600, 420, 240, 60]) await touch('touchMove', y)
  await touch('touchEnd')
}

async function readTo(page: Page, wanted: number): Promise<void> {
  while ((await currentPage(page)) < wanted) await readOn(page)
  await comesToRest(page)
}

/** The first page that is in view and missing, once the pages have come to rest. */
async function readToLostPage(page: Page): Promise<number> {
  for (let swipes = 0; swipes < 20; swipes += 1) {
    await comesToRest(page)
    const number = await currentPage(page)
    if ((await failedPage(page, number).count()) > 0) return number
    await readOn(page)
  }
  throw new Error('all pages were loaded')
}

async function comesToRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let last = -1, still = 0; still < 20; still = last === scrollY ? still + 1 : 0) {
      last = scrollY
      await new Promise((painted) => requestAnimationFrame(painted))
    }
  })
}

function failedPage(page: Page, number: number) {
  return page.locator(`figure[data-page="${number}"]:is([data-state="failed"], [data-state="retrying"])`)
}

async function goTo(page: Page, number: number): Promise<void> {
  await page.getByLabel('页码，共 100 页').fill(String(number))
  await page.keyboard.press('Enter')
  await expect.poll(() => currentPage(page)).toBe(number)
}

async function showsPage(page: Page, number: number): Promise<void> {
  const picture = page.locator(`figure[data-page="${number}"][data-state="loaded"] img`)
  await picture.waitFor({ timeout: 20_000 })
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(50)
}

async function showsText(page: Page, number: number): Promise<void> {
  const lines = page.locator(`figure[data-page="${number}"] [data-line]`)
  await lines.filter({ hasText: `第${number}页正文` }).waitFor({ timeout: 20_000 })
}

async function chooseGround(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('radio', { name }).check({ force: true })
  await page.keyboard.press('Escape')
}

function toasts(page: Page): Promise<string[]> {
  return page.locator('output.fixed > div').allInnerTexts()
}

/** Nothing is wider than the screen, and the toolbar covers no other control. */
async function expectTidy(page: Page): Promise<void> {
  expect(await overflowOf(page)).toBe(0)
  const bar = await page.getByRole('toolbar', { name: '阅读工具' }).boundingBox()
  const header = await page.getByRole('banner').boundingBox()
  if (!bar || !header) throw new Error('the bars are not shown')
  expect(bar.x).toBeGreaterThanOrEqual(0)
  expect(bar.x + bar.width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
  expect(header.y + header.height, 'the bar is below the header').toBeLessThanOrEqual(bar.y)
}

/** The darkest point of a printed sheet, of 255. */
function inkOf(sheet: mupdf.Page): number {
  const picture = sheet.toPixmap(mupdf.Matrix.identity, mupdf.ColorSpace.DeviceGray, false)
  return picture.getPixels().reduce((darkest, pixel) => Math.min(darkest, pixel), 255)
}

/** How bright the upper left corner of the picture on a printed sheet is, of 255. */
function cornerOf(sheet: mupdf.Page): number {
  const picture = sheet.toPixmap(mupdf.Matrix.identity, mupdf.ColorSpace.DeviceGray, false)
  const [width, pixels] = [picture.getWidth(), picture.getPixels()]
  return pixels[Math.round(picture.getHeight() * 0.06) * width + Math.round(width * 0.5)] ?? 0
}
