import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePdf } from '#server/samples/pdf.ts'
import { annotations, bookmarks, reading } from '#shared/contract/reading.ts'
import { desktop, expectNoPageErrors, openBrowser, openWindow, phone, tablet, visit, waitForPath } from './browser.ts'
import { configure } from './owner.ts'
import { accessibilityFaults, overflowOf } from './page-checks.ts'
import { fillLogin, signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { allowContributions, createMember, type Member, publishAndWait, signInAsRoot } from './site-setup.ts'
import type { PublishedDocument } from './upload-client.ts'

/** A student reads, takes notes, goes on elsewhere, and takes the notes with them: on a desktop, a phone in the dark and a tablet on sepia. */

let browser: Browser
let site: RunningSite
let student: Member
let classmate: Member
let book: PublishedDocument

const lines = ['温故而知新，可以为师矣。', '三人行，必有我师焉。', '择其善者而从之，其不善者而改之。']

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: 'root password' })
  const root = await signInAsRoot(site, 'root password')
  await allowContributions(root, { reviewed: false })
  await configure(site, { 'converter.max_preview_free': '0', 'display.pages_per_read': '100' })
  ;[student, classmate] = [await createMember(site, root, '读书的学生'), await createMember(site, root, '同班的同学')]
  const text = (page: number) => [`第${page}页。`, ...lines]
  book = await publishAndWait(site, root, {
    name: '论语选读.pdf',
    bytes: makePdf({ title: '论语选读', pages: 12, text }),
  })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('a student marks text on a desktop, goes on on a phone, exports the notes and finishes', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, student)
  await visit(page, `${pathOf(book)}?page=3`)
  await isAt(page, 3)

  await selectLines(page, 3, lines[0] ?? '', lines[1] ?? '')
  await page.getByRole('button', { name: '绿色高亮' }).click()
  await expect.poll(() => marks(page, 3)).toBe(2)
  expect((await student.call(annotations.list)).annotation).toMatchObject([
    { page: 3, quote: `${lines[0]}\n${lines[1]}`, note: '' },
  ])
  await expectMarksOverText(page)

  // A click on the highlight opens its note.
  await page.locator('figure[data-page="3"] [data-annotation]').first().click({ force: true })
  const editor = page.getByRole('dialog', { name: '高亮和笔记' })
  await editor.getByLabel('笔记').fill('学习的方法')
  await editor.getByRole('button', { name: '完成' }).click()
  await editor.waitFor({ state: 'detached' })
  expect((await student.call(annotations.list)).annotation).toMatchObject([{ note: '学习的方法' }])

  await page.keyboard.press('ArrowRight')
  await isAt(page, 4)
  await page.keyboard.press('b')
  await page.getByRole('button', { name: '第 4 页的书签', pressed: true }).waitFor()
  await page.getByRole('button', { name: '目录和缩略图' }).click()
  await page.getByRole('tab', { name: '笔记' }).click()
  const panel = page.getByRole('tabpanel', { name: '笔记' })
  await panel.getByText('学习的方法').waitFor()
  await panel.getByRole('button', { name: '书签', exact: true }).waitFor()
  await panel.getByRole('button', { name: '给第 4 页的书签命名' }).click()
  await page.keyboard.press('Escape')
  await panel.getByRole('button', { name: '给第 4 页的书签命名' }).and(page.locator(':focus')).click()
  await panel.getByLabel('第 4 页书签的名称').fill('温故知新')
  await page.keyboard.press('Enter')
  await panel.getByRole('button', { name: '温故知新' }).waitFor()

  // Deleting can be taken back.
  await panel.getByRole('button', { name: /^编辑/ }).click()
  await editor.getByRole('button', { name: '删除' }).click()
  await page.getByRole('button', { name: '撤销' }).click()
  await expect
    .poll(async () => (await student.call(annotations.list)).annotation)
    .toMatchObject([{ note: '学习的方法' }])
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize(desktop)
  await page.getByLabel('页码，共 12 页').fill('6')
  await page.keyboard.press('Enter')
  await isAt(page, 6)
  await expect.poll(progress).toMatchObject({ page: 6 })
  expectNoPageErrors(page)

  await readsOnOnPhone()
  await seesNothingAsClassmate()
  await managesNotes()
})

test('a visitor who marks text logs in, and the text is marked', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, `${pathOf(book)}?page=2`)
  await isAt(page, 2)
  await selectLines(page, 2, lines[2] ?? '', lines[2] ?? '')
  // The first selection loads the bar.
  await page.getByRole('button', { name: '黄色高亮' }).click()
  await page.getByText('登录后可以保存高亮').waitFor()
  await page.getByRole('link', { name: '去登录' }).click()
  await waitForPath(page, /^\/login/)
  await page.getByText('登录后可以保存高亮和笔记，选中的文字会为您标好').waitFor()
  await fillLogin(page, site, classmate)
  await waitForPath(page, new RegExp(`^${pathOf(book)}`))
  await expect.poll(() => marks(page, 2)).toBe(1)
  expect((await classmate.call(annotations.list)).annotation).toMatchObject([{ page: 2, quote: lines[2] }])
  expectNoPageErrors(page)

  // A note that could not be saved stays in its editor.
  await page.route('**/reading/annotation', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.fallback(),
  )
  await page.locator('figure[data-page="2"] [data-annotation]').first().click({ force: true })
  const editor = page.getByRole('dialog', { name: '高亮和笔记' })
  await editor.getByRole('textbox', { name: '笔记' }).fill('取长补短')
  const failing = page.waitForEvent('requestfailed')
  await page.keyboard.press('Escape')
  await failing
  expect(await editor.getByRole('textbox', { name: '笔记' }).inputValue()).toBe('取长补短')
  await page.unroute('**/reading/annotation')
  await editor.getByRole('button', { name: '完成' }).click()
  await editor.waitFor({ state: 'detached' })
  expect((await classmate.call(annotations.list)).annotation).toMatchObject([{ note: '取长补短' }])
})

test('a visitor who wants to write a note on a tablet logs in, and the note is open', async () => {
  const page = await openWindow(browser, site.url, { viewport: tablet })
  await visit(page, `${pathOf(book)}?page=5`)
  await isAt(page, 5)
  await selectLines(page, 5, lines[0] ?? '', lines[0] ?? '')
  await page.getByRole('button', { name: '笔记', exact: true }).click()
  await page.getByText('登录后可以写笔记').waitFor()
  expect(await overflowOf(page)).toBe(0)
  await page.getByRole('link', { name: '去登录' }).click()
  await waitForPath(page, /^\/login/)
  await fillLogin(page, site, classmate)
  await page.getByRole('dialog', { name: '高亮和笔记' }).getByRole('textbox', { name: '笔记' }).waitFor()
  await expect.poll(() => marks(page, 5)).toBe(1)
  expectNoPageErrors(page)
})

async function readsOnOnPhone(): Promise<void> {
  const options = { viewport: phone, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const
  const page = await openWindow(browser, site.url, options)
  await signInAs(page, site, student)
  await visit(page, '/')
  const shelf = page.getByRole('region', { name: '继续阅读' })
  await shelf.getByText('读到 6/12 页').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize(phone)
  await page.emulateMedia({ colorScheme: 'dark' })
  await visit(page, pathOf(book))
  await page.getByText('上次读到第 6 页（另一台设备）').waitFor()
  await page.getByRole('button', { name: '继续', exact: true }).click()
  await isAt(page, 6)
  await visit(page, '/')
  await shelf.getByRole('link', { name: /论语选读/ }).click()
  await waitForPath(page, new RegExp(`^${pathOf(book)}`))
  await isAt(page, 6)
  expect(await overflowOf(page)).toBe(0)
  await page.getByLabel('页码，共 12 页').fill('12')
  await page.keyboard.press('Enter')
  await isAt(page, 12)
  await expect.poll(progress).toMatchObject({ page: 12, furthest_page: 12, finished_at: expect.any(Number) })
  await visit(page, '/me/history')
  await page.getByText('已读完', { exact: true }).last().waitFor()
  await page.getByText('读到 12/12 页').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expectNoPageErrors(page)
}

async function seesNothingAsClassmate(): Promise<void> {
  expect((await classmate.call(annotations.list, { document_id: book.id })).total).toBe(0)
  expect((await classmate.call(bookmarks.list)).total).toBe(0)
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, classmate)
  const isListed = page.waitForResponse(/annotation\/list/)
  await visit(page, `${pathOf(book)}?page=3`)
  await isAt(page, 3)
  await isListed
  await page.getByRole('button', { name: '第 3 页的书签', pressed: false }).waitFor()
  expect(await marks(page, 3)).toBe(0)
  await visit(page, '/me/notes')
  await page.getByText('还没有笔记').waitFor()
}

async function managesNotes(): Promise<void> {
  const page = await openWindow(browser, site.url, { viewport: tablet })
  await signInAs(page, site, student)
  await visit(page, `${pathOf(book)}?page=3`)
  await isAt(page, 3)
  await page.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('radio', { name: '护眼' }).check({ force: true })
  await page.keyboard.press('Escape')
  await expect.poll(() => marks(page, 3)).toBe(2)
  await expectMarksOverText(page)
  expect(await overflowOf(page)).toBe(0)
  // A reader who stays some seconds has a place there.
  await expect.poll(progress).toMatchObject({ page: 3 })
  await visit(page, '/me/notes')
  await page.getByText('学习的方法').waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize(tablet)
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出这份' }).click()
  const download = await coming
  expect(download.suggestedFilename()).toBe('论语选读 读书笔记.md')
  const text = await readFile(await download.path(), 'utf8')
  expect(text).toContain(`> ${lines[0]}\n> ${lines[1]}\n\n学习的方法\n`)
  expect(text).toContain(`## [第 4 页](${pathOf(book)}?page=4)\n\n书签：温故知新\n`)
  await page.getByRole('searchbox', { name: '搜索原文、笔记和文档标题' }).fill('没有这个词')
  await page.getByRole('main').getByRole('button', { name: '搜索', exact: true }).click()
  await page.getByText('没有找到').waitFor()
  await visit(page, '/me/history')
  await page.getByRole('button', { name: '移除“论语选读”' }).click()
  await page.getByRole('button', { name: '撤销移除“论语选读”' }).click()
  await expect.poll(progress).toMatchObject({ page: 3, finished_at: expect.any(Number) })
  await page.getByRole('button', { name: '清空' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '清空' }).click()
  await page.getByText('还没有阅读记录').waitFor()
  expectNoPageErrors(page)
}

function progress() {
  return student.call(reading.progress, { uuid: book.uuid })
}

function pathOf({ uuid }: PublishedDocument): string {
  return `/document/${uuid}`
}

async function isAt(page: Page, wanted: number): Promise<void> {
  await expect
    .poll(() => page.getByLabel('页码，共 12 页').inputValue(), { timeout: 10_000, interval: 50 })
    .toBe(String(wanted))
}

/** From the beginning of one line to the end of another, as with a mouse. */
async function selectLines(page: Page, number: number, from: string, to: string): Promise<void> {
  const line = (text: string) => page.locator(`figure[data-page="${number}"] [data-line]`).filter({ hasText: text })
  await line(to).waitFor()
  await line(from).scrollIntoViewIfNeeded()
  const [first, last] = [await line(from).boundingBox(), await line(to).boundingBox()]
  if (!first || !last) throw new Error('the lines are not shown')
  await page.mouse.move(first.x + 1, first.y + first.height / 2)
  await page.mouse.down()
  await page.mouse.move(last.x + last.width - 1, last.y + last.height / 2, { steps: 8 })
  await page.mouse.up()
}

function marks(page: Page, number: number): Promise<number> {
  return page.locator(`figure[data-page="${number}"] [data-annotation]`).count()
}

/** Each mark covers its line of text. */
async function expectMarksOverText(page: Page): Promise<void> {
  const boxes = await page.locator('figure[data-page="3"]').evaluate(
    (figure, wanted) => {
      const rect = (element: Element) => element.getBoundingClientRect().toJSON() as DOMRect
      const texts = [...figure.querySelectorAll('[data-line]')].filter((line) =>
        wanted.some((text) => line.textContent.includes(text)),
      )
      return {
        marks: [...figure.querySelectorAll('[data-annotation]')].map(rect),
        texts: texts.map((line) => {
          const range = document.createRange()
          range.selectNodeContents(line)
          return range.getBoundingClientRect().toJSON() as DOMRect
        }),
      }
    },
    lines.slice(0, 2),
  )
  expect(boxes.marks).toHaveLength(2)
  for (const [index, mark] of boxes.marks.entries()) {
    const text = boxes.texts[index]
    expect(Math.abs(mark.left - (text?.left ?? 0))).toBeLessThan(3)
    expect(Math.abs(mark.right - (text?.right ?? 0))).toBeLessThan(6)
    expect(Math.abs(mark.top - (text?.top ?? 0))).toBeLessThan(3)
  }
}
