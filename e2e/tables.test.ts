import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeWorkbook } from '#server/samples/sheets.ts'
import type { ReadableIndex } from '#shared/tables.ts'
import { desktop, expectNoPageErrors, openWindow, phone, visit } from './browser.ts'
import { startLibrary } from './library.ts'
import { configure } from './owner.ts'
import { accessibilityFaults } from './page-checks.ts'
import type { RunningSite } from './running-site.ts'
import { publishAndWait } from './site-setup.ts'
import type { PublishedDocument } from './upload-client.ts'

/** Spreadsheets are read as tables. */

const longText = '这一格的说明很长，在表格里只看得到开头，选中它才看得到全文。'
let browser: Browser
let site: RunningSite
let csv: PublishedDocument
let workbook: PublishedDocument

beforeAll(async () => {
  const { author, ...opened } = await startLibrary('做表的人')
  ;({ browser, site } = opened)
  const records = Array.from(
    { length: 5000 },
    (_, index) => `N${index + 1},${index % 7 === 0 ? longText : '短'},${index}.50`,
  )
  const rows = (mark: string) => [
    ['编号', '名称', '数量'],
    ...Array.from({ length: 800 }, (_, index) => [
      `${mark}${index}`,
      index === 790 ? `${mark}凤凰木` : '寻常',
      String(index),
    ]),
  ]
  csv = await publishAndWait(site, author, {
    name: '五千行.csv',
    bytes: Buffer.from(['编号,说明,金额', ...records].join('\n')),
  })
  workbook = await publishAndWait(site, author, {
    name: '三个工作表.xlsx',
    bytes: makeWorkbook(['春', '夏', '秋'].map((name) => ({ name, rows: rows(name) }))),
  })
  for (const document of [csv, workbook])
    await vi.waitFor(async () => expect(await tableOf(document)).toMatchObject({ isPreview: false }), 30_000)
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('a long CSV: the header stays, the last row is one key away, a clipped cell is read in full, widths change', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(csv))
  await grid(page).waitFor()
  expect(await grid(page).getAttribute('aria-rowcount')).toBe('5002')
  await cell(page, 'N2').click()
  await page.keyboard.press('Control+End')
  await cell(page, '4999.50').waitFor()
  expect(await isInSight(page, '编号'), 'the header row stays in sight').toBe(true)
  expect(await page.getByRole('row').count(), 'only the rows in sight are rendered').toBeLessThan(80)
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.getByRole('textbox', { name: '单元格的全文' }).inputValue()).toBe(longText)

  const handle = page.getByRole('separator', { name: 'B 列的宽度' })
  const before = Number(await handle.getAttribute('aria-valuenow'))
  await handle.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => handle.getAttribute('aria-valuenow')).toBe(String(before + 16))
  expect(await accessibilityFaults(page)).toEqual([])
  expectNoPageErrors(page)
})

test('a workbook: sheets are tabs, and a search finds a cell far down in another sheet and goes there', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(workbook))
  const tab = (name: string) => page.getByRole('tab', { name })
  await tab('夏').click()
  await cell(page, '夏3').waitFor()
  await page.getByRole('button', { name: '在表格中查找' }).click()
  await page.getByRole('textbox', { name: '要查找的文字' }).fill('凤凰木')
  const count = page.locator('search output [aria-hidden]')
  await expect.poll(() => count.textContent()).toBe('2 / 3')
  await expect.poll(() => currentHit(page)).toBe('夏凤凰木')
  await page.getByRole('button', { name: '下一处' }).click()
  await expect.poll(() => currentHit(page)).toBe('秋凤凰木')
  expect(await tab('秋').getAttribute('aria-selected')).toBe('true')
  expect(await isInSight(page, '秋凤凰木')).toBe(true)
  await page.getByRole('button', { name: '原版页面' }).click()
  await page.getByRole('figure', { name: '第 1 页' }).waitFor()
  expectNoPageErrors(page)
})

test('without a network the search says so, and finds by itself when it is back', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(workbook))
  await page.getByRole('button', { name: '在表格中查找' }).click()
  const words = page.getByRole('textbox', { name: '要查找的文字' })
  await words.fill('凤')
  const count = page.locator('search output [aria-hidden]')
  await count.waitFor()
  await page.context().setOffline(true)
  await words.fill('凤凰木')
  await page.getByText('没有连上网络，恢复后会自动查找').waitFor()
  await page.context().setOffline(false)
  await expect.poll(() => count.textContent()).toBe('1 / 3')
})

test('a table is not read to the end when it opens, and an address with a page shows that page', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(workbook))
  await grid(page).waitFor()
  await page.getByText('后可以给这份文档评分').waitFor()
  expect(await page.getByRole('heading', { name: '读完了' }).count()).toBe(0)
  await visit(page, `${pathOf(workbook)}?page=2`)
  await expect.poll(() => page.getByLabel(/^页码/).inputValue()).toBe('2')
  await page.getByRole('button', { name: '表格' }).click()
  await grid(page).waitFor()
  expect(new URL(page.url()).search).toBe('')
  expectNoPageErrors(page)
})

test('the other documents beside the table leave once its first rows have', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(csv))
  const beside = page.getByRole('complementary', { name: '作者与相关文档' })
  await cell(page, 'N2').click()
  await beside.waitFor()
  await page.keyboard.press('Control+End')
  await beside.waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+Home')
  // The header row has been in sight all the time.
  await page.keyboard.press('ArrowDown')
  await beside.waitFor()
})

test('on a phone the table scrolls both ways inside the page', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
  await visit(page, pathOf(csv))
  await cell(page, 'N2').waitFor()
  await grid(page).evaluate((element) => element.scrollTo({ top: 34 * 3000, left: 200 }))
  await cell(page, 'N3005').waitFor()
  expect(await isInSight(page, '3006'), 'row numbers stay in sight').toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width)
  expect(await accessibilityFaults(page)).toEqual([])
  expectNoPageErrors(page)
})

test('a preview of one page shows its rows and gives away no others', async () => {
  await configure(site, { 'converter.max_preview_free': '1' })
  await expect.poll(async () => (await tableOf(csv)).isPreview).toBe(true)
  const { sheets } = await tableOf(csv)
  expect(sheets[0]?.rows).toBeLessThan(60)
  const key = await keyOf(csv)
  expect((await fetch(`${site.url}/view/table/${key}/0-0.json`).then((reply) => reply.json())).length).toBe(
    sheets[0]?.rows,
  )
  expect((await fetch(`${site.url}/view/table/${key}/0-1.json`)).status).toBe(403)
  const page = await openWindow(browser, site.url, { viewport: desktop })
  await visit(page, pathOf(csv))
  await page.getByText(/预览显示前 \d+ 行/).waitFor()
  await page.getByRole('button', { name: '在表格中查找' }).click()
  await page.getByRole('textbox', { name: '要查找的文字' }).fill('N4000')
  await page.getByText('预览里没有').waitFor()
  expectNoPageErrors(page)
})

function pathOf({ uuid }: PublishedDocument): string {
  return `/document/${uuid}`
}

function grid(page: Page) {
  return page.getByRole('grid')
}

function cell(page: Page, text: string) {
  return page.getByRole('gridcell', { name: text, exact: true })
}

function currentHit(page: Page): Promise<string | null> {
  return page.locator('[data-hit="current"]').textContent()
}

/** Whether it is inside the grid's visible part. */
function isInSight(page: Page, text: string): Promise<boolean> {
  return grid(page).evaluate((element, text) => {
    const area = element.getBoundingClientRect()
    return [...element.querySelectorAll('[role="gridcell"], [role="rowheader"]')].some((cell) => {
      const { top, bottom, left } = cell.getBoundingClientRect()
      return cell.textContent === text && top >= area.top && bottom <= area.bottom + 1 && left < area.right
    })
  }, text)
}

async function keyOf({ uuid }: PublishedDocument): Promise<string> {
  const reply = await fetch(`${site.url}/api/v1/document?uuid=${uuid}`).then((response) => response.json())
  return reply.attachment.hash
}

async function tableOf(document: PublishedDocument): Promise<ReadableIndex> {
  return fetch(`${site.url}/view/table/${await keyOf(document)}/index.json`).then((response) => response.json())
}
