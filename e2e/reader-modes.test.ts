import * as mupdf from 'mupdf'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstExtraObject, makeRawPdf, pdfText } from '#server/samples/raw-pdf.ts'
import { readPaintMetrics, recordPaints } from './audits.ts'
import { expectNoPageErrors, openWindow, phone, visit } from './browser.ts'
import { startLibrary } from './library.ts'
import { accessibilityFaults } from './page-checks.ts'
import type { RunningSite } from './running-site.ts'
import { addCategory, publishAndWait } from './site-setup.ts'

/** How pages are shown: on a phone, on other grounds, in other arrangements. */

let browser: Browser
let site: RunningSite
let path: string

beforeAll(async () => {
  const { root, author, ...opened } = await startLibrary('排版的人')
  ;({ browser, site } = opened)
  const category = [await addCategory(root, '学校')]
  const { uuid } = await publishAndWait(site, author, { name: '双栏.pdf', bytes: makePaper(12), category })
  path = `/document/${uuid}`
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('on a phone margins are cropped from the start, and the header hides while reading on', async () => {
  const page = await openPhone()
  await recordPaints(page)
  await visit(page, path)
  await showsPicture(page, 1)
  const [box, picture] = [await boxOf(page, 1), await pictureBox(page, 1)]
  expect(box.width).toBe(phone.width - 32)
  expect(picture.width / box.width, 'the margins of the sample').toBeGreaterThan(1.25)
  expect(picture.x).toBeLessThan(box.x - 20)
  expect((await readPaintMetrics(page)).shift).toBeLessThan(0.02)

  const header = page.getByRole('banner')
  await page.mouse.wheel(0, 700)
  await expect.poll(async () => bottomOf(header)).toBeLessThanOrEqual(0)
  await page.mouse.wheel(0, -200)
  await expect.poll(async () => bottomOf(header)).toBeGreaterThan(60)

  await openMore(page)
  await page.getByRole('button', { name: '裁边' }).tap()
  await expect.poll(async () => (await pictureBox(page, 1)).width).toBeCloseTo(box.width - 2, 0)
  await page.reload()
  await showsPicture(page, 1)
  expect((await pictureBox(page, 1)).width, 'remembered').toBeCloseTo(box.width - 2, 0)
  expectNoPageErrors(page)
})

test('two taps fill the screen with the column under the finger; a pinch enlarges pages alone', async () => {
  const page = await openPhone()
  await visit(page, path)
  await showsPicture(page, 1)
  await page.locator('figure[data-page="1"]').getByText('左栏').first().waitFor({ state: 'attached' })
  const fit = await boxOf(page, 1)
  const bar = await page.getByRole('toolbar', { name: '阅读工具' }).boundingBox()
  const x = fit.x + fit.width * 0.75
  // On a busy machine two taps may be too far apart to be a double tap.
  const tapTwiceUntil = (isDone: (width: number) => boolean) =>
    expect
      .poll(async () => {
        await page.touchscreen.tap(x, 500)
        await page.touchscreen.tap(x, 500)
        await page.waitForTimeout(400)
        return isDone((await boxOf(page, 1)).width)
      })
      .toBe(true)
  await tapTwiceUntil((width) => width > fit.width * 1.5)
  const column = await page.locator('figure[data-page="1"]').getByText('右栏').first().boundingBox()
  expect(column?.x, 'the column begins in view').toBeGreaterThanOrEqual(0)
  expect((column?.x ?? 0) + (column?.width ?? 0), 'and ends in view').toBeLessThanOrEqual(phone.width)
  expect(column?.width, 'and fills the screen').toBeGreaterThan(phone.width * 0.75)
  await tapTwiceUntil((width) => Math.round(width) === Math.round(fit.width))

  await pinch(page, { x: 195, y: 450 }, 60, 130)
  await expect.poll(async () => (await boxOf(page, 1)).width).toBeGreaterThan(fit.width * 1.8)
  expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1)
  expect(await page.getByRole('toolbar', { name: '阅读工具' }).boundingBox(), 'the bar stays').toEqual(bar)
  expect(await sideways(page)).toBeLessThanOrEqual(0)
  await pinch(page, { x: 195, y: 450 }, 160, 40)
  await expect.poll(async () => Math.round((await boxOf(page, 1)).width)).toBe(Math.round(fit.width))

  await openMore(page)
  await page.getByRole('button', { name: '放大页面' }).tap()
  await expect.poll(async () => (await boxOf(page, 1)).width).not.toBe(fit.width)
  expectNoPageErrors(page)
})

test('the ground of pages is remembered, at night pictures keep their colours, and the dark theme is the default', async () => {
  const page = await openWindow(browser, site.url)
  await recordPaints(page)
  await visit(page, path)
  await showsPicture(page, 1)
  await openMore(page)
  await page.getByRole('radio', { name: '夜间' }).check({ force: true })
  await showsGround(page, '.night.svg')
  expect(await pixelsOf(page)).toEqual({ paper: [24, 27, 26], picture: [255, 0, 0] })
  await page.reload()
  await showsGround(page, '.night.svg')
  expect(await paperOf(page)).toBe('rgb(24, 27, 26)')
  await openMore(page)
  await page.getByRole('radio', { name: '护眼' }).check({ force: true })
  await showsGround(page, '.sepia.svg')
  expect(await pixelsOf(page)).toEqual({ paper: [245, 236, 217], picture: [255, 0, 0] })
  expect((await readPaintMetrics(page)).shift).toBeLessThan(0.02)

  const dark = await openWindow(browser, site.url, { colorScheme: 'dark' })
  await visit(dark, path)
  await showsGround(dark, '.night.svg')
  await openMore(dark)
  await dark.getByRole('radio', { name: '日间' }).check({ force: true })
  await showsGround(dark, '/1.svg')
  expectNoPageErrors(page)
})

test('the other documents beside the pages leave after the first page, and no page moves', async () => {
  const page = await openWindow(browser, site.url)
  await recordPaints(page)
  await visit(page, path)
  await showsPicture(page, 1)
  const beside = page.getByRole('complementary', { name: '作者与相关文档' })
  await beside.waitFor()
  const left = (await boxOf(page, 1)).x
  await page.getByRole('figure', { name: '第 1 页' }).click()
  await page.keyboard.press('PageDown')
  await isAt(page, 2)
  await beside.waitFor({ state: 'hidden' })
  expect((await boxOf(page, 2)).x).toBe(left)
  await page.keyboard.press('Home')
  await beside.waitFor()
  expect((await readPaintMetrics(page)).shift).toBeLessThan(0.02)
  expectNoPageErrors(page)
})

test('the outline stays beside the pages, folds, and marks the chapter', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, path)
  await showsPicture(page, 1)
  await page.keyboard.press('t')
  const panel = page.getByRole('region', { name: '目录和缩略图' })
  const section = panel.getByRole('button', { name: /^第一节/ })
  await section.click()
  await isAt(page, 3)
  await expect.poll(() => section.getAttribute('aria-current')).toBe('location')
  const [left, right] = [await panel.boundingBox(), await boxOf(page, 3)]
  expect((left?.x ?? 0) + (left?.width ?? 0), 'beside the page').toBeLessThanOrEqual(right.x)
  expect(await page.getByRole('complementary', { name: '作者与相关文档' }).isVisible()).toBe(false)
  await panel.getByRole('button', { name: '收起“第一章”' }).click()
  await section.waitFor({ state: 'detached' })
  await page.getByRole('figure', { name: '第 3 页' }).click()
  await page.keyboard.press('End')
  await isAt(page, 12)
  expect(await panel.isVisible(), 'stays open').toBe(true)
  await panel.getByRole('tab', { name: '缩略图' }).click()
  await panel.getByRole('button', { name: '第 12 页' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expectNoPageErrors(page)
})

test('two pages side by side, rotation, focus, presentation, print and the list of keys', async () => {
  const page = await openWindow(browser, site.url)
  await page.addInitScript(() => {
    window.print = () => document.body.toggleAttribute('data-printing', true)
  })
  await recordPaints(page)
  await visit(page, path)
  await showsPicture(page, 1)
  await openMore(page)
  await page.getByRole('radio', { name: '双页' }).check({ force: true })
  await expect.poll(async () => (await boxOf(page, 2)).y - (await boxOf(page, 1)).y).toBe(0)
  expect((await boxOf(page, 2)).x).toBeGreaterThan((await boxOf(page, 1)).x + 200)
  await page.getByRole('radio', { name: '封面单独' }).check({ force: true })
  await expect.poll(async () => (await boxOf(page, 3)).y - (await boxOf(page, 2)).y).toBe(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowRight')
  await isAt(page, 2)
  await page.keyboard.press('ArrowRight')
  await isAt(page, 4)
  await page.reload()
  await isAt(page, 4)
  expect((await readPaintMetrics(page)).shift, 'nothing moves on the way to two pages').toBeLessThan(0.02)

  await page.keyboard.press('r')
  await expect.poll(async () => (await boxOf(page, 4)).width / (await boxOf(page, 4)).height).toBeGreaterThan(1.3)
  const line = page.getByRole('figure', { name: '第 4 页' }).getByText('左栏').first()
  await expect.poll(async () => isHigh(line), { message: 'the text is rotated with the picture' }).toBe(true)

  await page.keyboard.press('z')
  await page.getByRole('toolbar', { name: '专注阅读' }).waitFor()
  expect(await page.getByRole('toolbar', { name: '阅读工具' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('toolbar', { name: '阅读工具' }).waitFor()

  await page.keyboard.press('p')
  const show = page.getByRole('dialog', { name: /^演示/ })
  await show.getByText('4 / 12').waitFor()
  for (const key of ['ArrowRight', 'Space', 'ArrowLeft']) await page.keyboard.press(key)
  await show.click({ position: { x: 300, y: 300 } })
  await show.getByText('6 / 12').waitFor()
  expect(await show.boundingBox()).toMatchObject({ x: 0, y: 0, width: 1440, height: 900 })
  await page.keyboard.press('Escape')
  await show.waitFor({ state: 'detached' })
  await isAt(page, 6)

  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: '快捷键' }).getByText('旋转 90°').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+p')
  const print = page.getByRole('dialog', { name: '打印' })
  await print.getByLabel('到第几页').fill('13')
  await print.getByText('请填 1 到 12 之间的页码').waitFor()
  await print.getByLabel('到第几页').fill('3')
  await print.getByRole('button', { name: '打印', exact: true }).click()
  await expect.poll(() => page.evaluate(() => document.body.hasAttribute('data-printing'))).toBe(true)
  expect(await sheetsOf(page), 'each page on a sheet of its own, and nothing else').toBe(3)
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await print.waitFor({ state: 'detached' })
  expectNoPageErrors(page)
})

test('at 200 % text the toolbar overlaps nothing at any width, and all commands can be reached', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, path)
  await showsPicture(page, 1)
  await page.addStyleTag({ content: 'html { font-size: 32px !important }' })
  for (const width of [320, 390, 768, 820, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await expect.poll(() => overlapsIn(page), { message: `${width} px` }).toEqual([])
    await openMore(page)
    const menu = page.getByRole('region', { name: '更多阅读设置' })
    const box = await menu.boundingBox()
    expect(box?.y, `${width} px: the menu begins in view`).toBeGreaterThanOrEqual(0)
    await menu.getByRole('button', { name: '打印' }).scrollIntoViewIfNeeded()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
  }
  await page.reload()
  await showsPicture(page, 1)
  await openMore(page)
  expect(await accessibilityFaults(page)).toEqual([])
})

/** Two columns of text between wide margins, a red picture on the first page, and an outline of two levels. */
function makePaper(count: number): Uint8Array {
  const firstPage = firstExtraObject + 5
  const pageNumber = (page: number) => firstPage + (page - 1) * 2
  const entry = (title: string, page: number, links: string) =>
    `<< /Title ${pdfText(title)} /Dest [${pageNumber(page)} 0 R /Fit] ${links} >>`
  const column = (x: number, text: string) =>
    `BT /F 10 Tf 16 TL ${x} 740 Td ${Array.from({ length: 38 }, () => `${pdfText(text).replace('FEFF', '')} Tj T*`).join('\n')} ET`
  const pages = Array.from({ length: count }, (_, index) => ({
    content: `${column(95, '左栏的文字是这样的一行又一行字')}\n${column(325, '右栏的文字是这样的一行又一行字')}\n${
      index === 0 ? 'q 100 0 0 40 95 60 cm /I Do Q' : ''
    }`,
    resources: `/XObject << /I ${firstExtraObject + 4} 0 R >>`,
  }))
  const [outlines, first, section, second] = [0, 1, 2, 3].map((index) => firstExtraObject + index)
  return makeRawPdf(pages, {
    catalog: `/Outlines ${outlines} 0 R`,
    objects: [
      `<< /Type /Outlines /First ${first} 0 R /Last ${second} 0 R /Count 3 >>`,
      entry(
        '第一章',
        1,
        `/Parent ${outlines} 0 R /Next ${second} 0 R /First ${section} 0 R /Last ${section} 0 R /Count 1`,
      ),
      entry('第一节', 3, `/Parent ${first} 0 R`),
      entry('第二章', 8, `/Parent ${outlines} 0 R /Prev ${first} 0 R`),
      [
        '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8',
        '\u00ff\u0000\u0000',
      ],
    ],
  })
}

function openPhone(): Promise<Page> {
  return openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
}

async function openMore(page: Page): Promise<void> {
  await page.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('region', { name: '更多阅读设置' }).waitFor()
}

async function showsPicture(page: Page, number: number): Promise<void> {
  const picture = page.locator(`figure[data-page="${number}"] img`)
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(50)
}

async function showsGround(page: Page, ending: string): Promise<void> {
  const picture = page.locator('figure[data-page="1"] img')
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.complete && img.src)).toContain(ending)
}

function paperOf(page: Page): Promise<string> {
  return page.locator('figure[data-page="1"]').evaluate((box) => getComputedStyle(box).backgroundColor)
}

/** The colours of the paper and of the red picture, as drawn. */
function pixelsOf(page: Page): Promise<{ paper: number[]; picture: number[] }> {
  return page.locator('figure[data-page="1"] img').evaluate((img: HTMLImageElement) => {
    const canvas = document.createElement('canvas')
    ;[canvas.width, canvas.height] = [595, 842]
    const context = canvas.getContext('2d')
    context?.drawImage(img, 0, 0, 595, 842)
    const at = (x: number, y: number) => [...(context?.getImageData(x, y, 1, 1).data ?? [])].slice(0, 3)
    return { paper: at(20, 20), picture: at(145, 842 - 80) }
  })
}

async function boxOf(page: Page, number: number) {
  const box = await page.locator(`figure[data-page="${number}"]`).boundingBox()
  return box ?? { x: 0, y: 0, width: 0, height: 0 }
}

async function pictureBox(page: Page, number: number) {
  const box = await page.locator(`figure[data-page="${number}"] img`).boundingBox()
  return box ?? { x: 0, y: 0, width: 0, height: 0 }
}

function bottomOf(element: Locator): Promise<number> {
  return element.evaluate((box) => box.getBoundingClientRect().bottom)
}

async function isHigh(element: Locator): Promise<boolean> {
  const box = await element.boundingBox()
  return box !== null && box.height > box.width * 3
}

async function isAt(page: Page, wanted: number): Promise<void> {
  await expect.poll(() => page.getByLabel(/^页码，共/).inputValue()).toBe(String(wanted))
}

function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/** The number of sheets that the browser would print. */
async function sheetsOf(page: Page): Promise<number> {
  const pdf = mupdf.Document.openDocument(await page.pdf({ preferCSSPageSize: true }), 'application/pdf')
  return pdf.countPages()
}

/** Controls of the toolbar that overlap each other or leave it. */
function overlapsIn(page: Page): Promise<string[]> {
  return page.getByRole('toolbar', { name: '阅读工具' }).evaluate((bar) => {
    const outer = bar.getBoundingClientRect()
    const controls = [...bar.querySelectorAll('button, a, input')]
      .map((element) => ({
        name: element.getAttribute('aria-label') ?? element.textContent,
        box: element.getBoundingClientRect(),
      }))
      .filter(({ box }) => box.width > 0)
    const outside = controls.filter(({ box }) => box.left < outer.left - 1 || box.right > outer.right + 1)
    const overlaps = controls.flatMap((a, index) =>
      controls
        .slice(index + 1)
        .filter(
          ({ box }) =>
            a.box.left < box.right - 1 &&
            box.left < a.box.right - 1 &&
            a.box.top < box.bottom - 1 &&
            box.top < a.box.bottom - 1,
        )
        .map((b) => `${a.name} over ${b.name}`),
    )
    return [...outside.map(({ name }) => `${name} outside`), ...overlaps]
  })
}

/** Two fingers move apart or together, as the browser's own input. */
async function pinch(page: Page, center: { x: number; y: number }, from: number, to: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const fingers = (distance: number) => [
    { x: center.x - distance / 2, y: center.y, id: 0 },
    { x: center.x + distance / 2, y: center.y, id: 1 },
  ]
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(from) })
  for (let step = 1; step <= 6; step += 1) {
    const touchPoints = fingers(from + ((to - from) * step) / 6)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints })
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}
