import { DocumentStatus } from '#shared/document-status.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makePdf } from '#server/samples/pdf.ts'
import { makeDocx } from '#server/samples/word.ts'
import { contract } from '#shared/contract/contract.ts'
import { type Audit, auditElements, readPaintMetrics, auditScore, recordPaints, recordTransfers } from './audits.ts'
import { waitForPath, expectNoPageErrors, openBrowser, openWindow, phone, visit } from './browser.ts'
import type { PublishedDocument } from './upload-client.ts'
import {
  addCategory,
  allowContributions,
  type Member,
  createMember,
  signInAsRoot,
  publish,
  publishAndWait,
} from './site-setup.ts'
import { configure } from './owner.ts'
import { signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** Reading, downloading, rating, editing and deleting a document. */

let browser: Browser
let site: RunningSite
let root: Member
let author: Member
let book: PublishedDocument
let category: { school: number; maths: number; home: number }
const verse = '读书破万卷，下笔如有神。'

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: 'root password' })
  root = await signInAsRoot(site, 'root password')
  await allowContributions(root, { reviewed: false })
  author = await createMember(site, root, '写书的人')
  const school = await addCategory(root, '学校')
  category = { school, maths: await addCategory(root, '数学', school), home: await addCategory(root, '家庭') }
  const text = (page: number) => [`第${page}页正文。${verse}`, ...Array.from({ length: 12 }, () => verse.repeat(4))]
  book = await publishAndWait(site, author, {
    name: '六十页的书.pdf',
    bytes: makePdf({ title: '六十页的书', pages: 60, text }),
    category: [category.school, category.maths],
  })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})
beforeEach(async () => {
  await configure(site, { 'converter.max_preview_free': '0', 'display.pages_per_read': '100' })
})

test('the first HTML has the first page, its text, and what search engines and sharers ask for', async () => {
  const response = await fetch(site.url + pathOf(book))
  expect(response.status).toBe(200)
  const html = await response.text()
  expect(html).toMatch(/<img [^>]*src="\/view\/page\/[^"]+\/1\.svg"/)
  expect(html).toMatch(/<title>六十页的书 – /)
  expect(html).toMatch(/<meta name="description" content="[^"]*读书破万卷/)
  expect(html).toContain(`第1页正文。${verse}`)
  expect(html).toMatch(new RegExp(`<link rel="canonical" href="[^"]*${pathOf(book)}"`))
  for (const property of ['og:title', 'og:type', 'og:url', 'og:description', 'og:image'])
    expect(html).toMatch(new RegExp(`<meta property="${property}" content="[^"]+"`))
  const data = [...html.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs)].map(
    ([, json = '']): unknown => JSON.parse(json),
  )
  expect(data).toContainEqual(
    expect.objectContaining({ '@type': 'DigitalDocument', name: '六十页的书', numberOfPages: 60 }),
  )
  expect(data).toContainEqual(expect.objectContaining({ '@type': 'BreadcrumbList' }))
  expect((await fetch(`${site.url}/document/${book.id}`)).status, 'by its number').toBe(200)
  for (const path of ['/document/999999', '/document/none', '/document/0123456789abcdef'])
    expect((await fetch(site.url + path)).status, path).toBe(404)
})

test('the first page comes before the scripts, unless it takes long', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(book))
  await pictureOf(page, 1)
  const { shown, script } = await page.evaluate(() => {
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return {
      shown: resources.find(({ name }) => /\/view\/page\/[^/]+\/1\.svg$/.test(name))?.responseEnd ?? Infinity,
      script: resources.find(({ name }) => /\/assets\/.*\.js$/.test(name))?.startTime ?? 0,
    }
  })
  expect(script).toBeGreaterThanOrEqual(Math.min(shown, 200))
  await page.close()
})

test('the page scores at least 95, and nothing moves while fifty pages go by', async () => {
  const page = await openWindow(browser, site.url)
  await recordPaints(page)
  const moved = recordTransfers(page)
  const troubles: string[] = []
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()))
  await visit(page, pathOf(book))
  await page.waitForLoadState('networkidle')
  const script = moved.filter(({ type }) => type === 'script').reduce((sum, { bytes }) => sum + bytes, 0)
  // On a busy machine the first page is painted after the network is idle.
  const firstPage = /\/view\/page\/[^/]+\/1\.svg$/
  await expect.poll(async () => (await readPaintMetrics(page)).largest).toMatch(firstPage)
  const { largest } = await readPaintMetrics(page)
  const elements = await auditElements(page)
  while ((await currentPage(page)) < 50) {
    await page.mouse.wheel(0, 700)
    await page.waitForTimeout(40)
  }
  await pictureOf(page, 50)
  const { shift } = await readPaintMetrics(page)
  const origin = new URL(site.url).origin

  const audits: Audit[] = [
    ...elements,
    audit('the largest thing painted is the first page', 15, firstPage.test(largest), largest),
    audit('nothing moves', 15, shift < 0.02, String(shift)),
    audit('little script', 10, script > 20_000 && script <= 172 * 1024, `${script} bytes`),
    audit('no complaints of the browser', 5, troubles.length === 0, troubles.join('\n')),
    listed(
      'every answer is good',
      5,
      moved.filter(({ status }) => status >= 400).map(({ url }) => url),
    ),
    listed(
      'nothing from elsewhere',
      5,
      moved.filter(({ url }) => !url.startsWith(origin)).map(({ url }) => url),
    ),
    audit('robots are let in', 3, await robotsMayRead()),
  ]
  const faults = audits.filter((one) => one.faults.length > 0)
  expect(auditScore(audits), JSON.stringify(faults, null, 1)).toBeGreaterThanOrEqual(95)
  expect(shift).toBeLessThan(0.02)
  expect(script).toBeLessThanOrEqual(172 * 1024)
  expectNoPageErrors(page)
})

test('the reader is paged by keyboard, toolbar and page number, zooms, and goes full screen', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(book))
  await pictureOf(page, 1)
  await page.keyboard.press('ArrowRight')
  await isAt(page, 2)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await isAt(page, 4)
  await page.getByRole('button', { name: '下一页' }).click()
  await isAt(page, 5)
  await page.getByRole('button', { name: '上一页' }).click()
  await page.keyboard.press('PageUp')
  await isAt(page, 3)
  await page.keyboard.press('End')
  await isAt(page, 60)
  expect(await page.getByRole('button', { name: '下一页' }).isDisabled()).toBe(true)
  await page.keyboard.press('Home')
  await isAt(page, 1)
  await page.getByLabel('页码，共 60 页').fill('33')
  await page.keyboard.press('Enter')
  await isAt(page, 33)
  await pictureOf(page, 33)

  const fit = await widthOf(page, 33)
  await page.getByRole('button', { name: '放大' }).click()
  await expect.poll(() => widthOf(page, 33)).toBeGreaterThan(fit)
  await isAt(page, 33)
  await page.getByLabel('页码，共 60 页').blur()
  await page.keyboard.press('0')
  await expect.poll(() => widthOf(page, 33)).toBe(fit)
  await page.keyboard.press('-')
  await expect.poll(() => widthOf(page, 33)).toBeLessThan(fit)
  await page.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('button', { name: '页面适合屏幕' }).click()
  await expect.poll(async () => (await boxOf(page, 33)).height).toBeLessThanOrEqual(900)
  await page.getByRole('button', { name: '页面适合宽度' }).click()
  await expect.poll(() => widthOf(page, 33)).toBe(fit)
  await page.keyboard.press('Escape')

  const reader = page.getByRole('region', { name: '文档正文' })
  await page.getByRole('button', { name: '全屏', exact: true }).click()
  await expect.poll(async () => await reader.boundingBox()).toMatchObject({ x: 0, y: 0, height: 900 })
  await isAt(page, 33)
  await page.keyboard.press('ArrowRight')
  await isAt(page, 34)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '全屏', exact: true }).waitFor()
  await isAt(page, 34)
  expectNoPageErrors(page)
})

test('a page that the reader goes to is requested before those around it, and they one after the other', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(book))
  await pictureOf(page, 1)
  await page.waitForLoadState('networkidle')
  const events: string[] = []
  const record = (name: string, url: string) => {
    const number = /\/view\/page\/[^/]+\/(\d+)\.svg$/.exec(url)?.[1]
    if (number) events.push(`${name} ${number}`)
  }
  page.on('request', (request) => record('request', request.url()))
  page.on('requestfinished', (request) => record('finish', request.url()))
  await page.getByLabel('页码，共 60 页').fill('33')
  await page.keyboard.press('Enter')
  await pictureOf(page, 35)
  await pictureOf(page, 31)
  expect(events.slice(0, 2)).toEqual(['request 33', 'finish 33'])
  const requests = events.filter((event) => event.startsWith('request'))
  expect(requests).toEqual([33, 34, 32, 35, 31].map((number) => `request ${number}`))
})

test('the table of contents and the thumbnails lead to their pages', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(book))
  await page.getByRole('button', { name: '目录和缩略图' }).click()
  const panel = page.getByRole('region', { name: '目录和缩略图' })
  await panel.getByRole('button', { name: /^第 20 页/ }).click()
  await isAt(page, 20)
  const here = panel.getByRole('button', { name: /^第 20 页/ })
  expect(await here.evaluate((button) => getComputedStyle(button).fontWeight), 'where one is stands out').toBe('500')
  await panel.getByRole('tab', { name: '缩略图' }).click()
  const small = panel.getByRole('button', { name: '第 22 页' }).locator('img')
  await arrives(small)
  await panel.getByRole('button', { name: '第 22 页' }).click()
  await isAt(page, 22)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  expectNoPageErrors(page)
})

test('text that is selected with the mouse is copied in reading order', async () => {
  const page = await openWindow(browser, site.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  await visit(page, pathOf(book))
  const first = page.getByRole('figure', { name: '第 1 页', exact: true })
  const title = first.getByText('六十页的书 1', { exact: true })
  const line = first.getByText(`第1页正文。${verse}`)
  const [from, to] = [await title.boundingBox(), await line.boundingBox()]
  if (!from || !to) throw new Error('the text has no place')
  await page.mouse.move(from.x + 1, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width - 1, to.y + to.height / 2, { steps: 8 })
  await page.mouse.up()
  await page.keyboard.press('Control+C')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split('\n').map((part) => part.trim())).toEqual(['六十页的书 1', `第1页正文。${verse}`])
  expectNoPageErrors(page)
})

test('a reload keeps the page, and a later visit offers to continue there', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(book))
  await page.getByLabel('页码，共 60 页').fill('41')
  await page.keyboard.press('Enter')
  await waitForPath(page, `${pathOf(book)}?page=41`)
  await page.reload()
  await isAt(page, 41)
  await pictureOf(page, 41)
  await visit(page, pathOf(book))
  await page.getByText('上次读到第 41 页').waitFor()
  expect(await currentPage(page)).toBe(1)
  await page.getByRole('button', { name: '继续', exact: true }).click()
  await isAt(page, 41)
  expectNoPageErrors(page)
})

test('who scrolls up from page 41 keeps that place, and does what he came for in the bar', async () => {
  const page = await openWindow(browser, site.url)
  const reader = await createMember(site, root, '读到一半的人')
  await signInAs(page, site, reader)
  await visit(page, pathOf(book))
  await page.getByLabel('页码，共 60 页').fill('41')
  await page.keyboard.press('Enter')
  await isAt(page, 41)
  const bar = page.getByRole('toolbar', { name: '阅读工具' })
  await bar.getByRole('button', { name: '收藏', exact: true }).click()
  await bar.getByRole('button', { name: '取消收藏', pressed: true }).waitFor()
  await bar.getByRole('button', { name: '给这一页加书签' }).click()
  await page.getByText('已在第 41 页加书签').waitFor()
  await waitForPath(page, `${pathOf(book)}?page=41`)
  // Not by the mouse: what lies over it for a moment makes the test scroll.
  await bar.getByRole('button', { name: '分享' }).evaluate((button: HTMLElement) => button.click())
  await page.getByRole('dialog', { name: '分享文档' }).getByLabel('打开就到第 41 页').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => localStorage.getItem('wendou-places'))).toContain(book.uuid)
  await page.evaluate(() => scrollTo(0, 0))
  await isAt(page, 1)
  // Longer than a stay takes.
  await page.waitForTimeout(4000)
  await visit(page, pathOf(book))
  await page.getByText('上次读到第 41 页').waitFor()

  const other = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
  await signInAs(other, site, reader)
  await visit(other, pathOf(book))
  await other.getByText('上次读到第 41 页（另一台设备）').waitFor()
  expectNoPageErrors(page)
})

test('a slow answer does not cost the place that another device knows', async () => {
  const reader = await createMember(site, root, '换了设备的人')
  await reader.call(contract.reading.save, { place: [{ uuid: book.uuid, page: 41, read_at: Date.now() }] })
  const placeNow = async () => (await reader.call(contract.reading.progress, { uuid: book.uuid })).page
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, reader)
  const answers = Promise.withResolvers<void>()
  await page.route('**/api/v1/reading/progress**', async (route) => {
    await answers.promise
    await route.continue()
  })
  await visit(page, pathOf(book))
  await page.getByLabel('页码，共 60 页').fill('2')
  await page.keyboard.press('Enter')
  await isAt(page, 2)
  await page.waitForTimeout(1500)
  answers.resolve()
  await page.waitForResponse(/reading\/progress/)
  await page.evaluate(() => scrollTo(0, 0))
  await isAt(page, 1)
  // Longer than places wait before they are sent.
  await page.waitForTimeout(6000)
  expect(await placeNow()).toBe(41)
  expectNoPageErrors(page)
})

test('more pages load in steps up to the preview limit; no address gives a page beyond it', async () => {
  const priced = await publishAndWait(site, author, {
    name: '要买的书.pdf',
    bytes: makePdf({ title: '要买的书', pages: 20 }),
    price: 5,
  })
  const { attachment } = await author.call(contract.documents.get, { id: priced.id })
  const whole = await fetch(`${site.url}/view/page/${attachment.hash}/20.svg`)
  expect(whole.status, 'its owner reads it all').toBe(200)
  await configure(site, { 'display.pages_per_read': '5' })
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(priced))
  await page.getByText('已显示 5 页，还可以预览 7 页').waitFor()
  await page.getByRole('button', { name: '继续阅读' }).click()
  await page.getByText('已显示 10 页，还可以预览 2 页').waitFor()
  await page.getByRole('button', { name: '继续阅读' }).click()
  await page.getByText('已预览 12 页，还剩 8 页，购买后可在线阅读全文').waitFor()
  await page.getByRole('button', { name: '下载文档（5 豆子）' }).waitFor()
  await page.getByLabel('页码，共 20 页').fill('15')
  await page.keyboard.press('Enter')
  await page.getByText('第 15 页不在预览范围内').waitFor()
  await isAt(page, 12)

  const src = (await page.locator('figure[data-page="12"] img').getAttribute('src')) ?? ''
  expect((await fetch(site.url + src)).status).toBe(200)
  for (const path of [src, src.replace('.svg', '.gzip.svg'), thumbOf(src), textOf(src)])
    expect((await fetch(site.url + path.replace(/\/12\./, '/13.'))).status, path).toBeGreaterThanOrEqual(400)
  expectNoPageErrors(page)
})

test('free documents are read whole, and pages follow while scrolling without a button', async () => {
  await configure(site, { 'display.pages_per_read': '0' })
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(book))
  await page.locator('figure[data-page="1"] img').waitFor()
  expect(await page.getByRole('button', { name: '继续阅读' }).count()).toBe(0)
  await page.getByText('读完了').scrollIntoViewIfNeeded()
  await isAt(page, 60)
  await pictureOf(page, 60)
  await page.getByText('已读完', { exact: true }).waitFor()
  expectNoPageErrors(page)
})

test('the outline, where the owner shows all of it, is whole; entries beyond the preview are marked and lead to the download', async () => {
  const priced = await publishAndWait(site, author, {
    name: '带目录的书.pdf',
    bytes: makePdf({ title: '带目录的书', pages: 20 }),
    price: 5,
  })
  await configure(site, { 'display.pages_per_read': '5', 'converter.paid_outline': 'true' })
  const page = await openWindow(browser, site.url)
  await visit(page, pathOf(priced))
  await page.getByRole('button', { name: '目录和缩略图' }).click()
  const panel = page.getByRole('region', { name: '目录和缩略图' })
  await panel.getByText('带锁的部分不在预览范围内').waitFor()
  expect(await panel.getByRole('listitem').count()).toBe(20)
  expect(await panel.getByRole('button', { name: /^第 12 页/ }).innerText()).not.toContain('不在预览范围内')
  await panel.getByRole('button', { name: /^第 13 页.*不在预览范围内/ }).click()
  const download = page.getByRole('button', { name: '下载文档（5 豆子）' })
  await expect.poll(() => download.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await download.isVisible()).toBe(true)
  expectNoPageErrors(page)
})

test('a buyer sees the price and the balance, pays once, and can download again', async () => {
  const name = '值五个豆子.pdf'
  const { id, uuid } = await publishAndWait(site, author, { name, bytes: makePdf({ title: name, pages: 3 }), price: 5 })
  const guest = await openWindow(browser, site.url)
  await visit(guest, `/document/${uuid}`)
  await openDownload(guest)
  await guest.getByRole('dialog').getByRole('link', { name: '登录后下载' }).click()
  await waitForPath(guest, `/login?${new URLSearchParams({ redirect: `/document/${uuid}` })}`)

  const buyer = await createMember(site, root, '买书的人')
  await setCredit(buyer, 3)
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, buyer)
  await visit(page, `/document/${uuid}`)
  await openDownload(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('您有 3 豆子，还差 2 豆子').waitFor()
  expect(await dialog.getByRole('button', { name: '支付并下载' }).isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: '取消' }).click()

  await setCredit(buyer, 12)
  const before = await creditOf(author)
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/document/download?') && asked.push(request.url()))
  await openDownload(page)
  await dialog.getByText('7 豆子', { exact: true }).waitFor()
  const coming = page.waitForEvent('download')
  await dialog.getByRole('button', { name: '支付并下载' }).dblclick()
  expect((await coming).suggestedFilename()).toBe(name)
  await dialog.waitFor({ state: 'detached' })
  expect(asked).toHaveLength(1)
  expect(await creditOf(buyer)).toBe(7)
  expect(await creditOf(author)).toBe(before + 5)

  await openDownload(page)
  await dialog.getByText('免费（已购买）').waitFor()
  const again = page.waitForEvent('download')
  await dialog.getByRole('button', { name: '免费下载', exact: true }).click()
  await again
  expect(await creditOf(buyer)).toBe(7)
  const bought = await site.db.selectFrom('download').select('price').where('document_id', '=', id).execute()
  expect(bought.filter(({ price }) => price > 0)).toHaveLength(1)
  expectNoPageErrors(guest)
  expectNoPageErrors(page)
})

test('a reader rates once; the owner cannot', async () => {
  const { uuid } = await publishAndWait(site, author, { name: '待评分.pdf', bytes: makePdf({ title: '待评分' }) })
  const reader = await createMember(site, root, '评书的人')
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, reader)
  await visit(page, `/document/${uuid}`)
  await page.getByRole('button', { name: '4 星，不错' }).dblclick()
  await page.getByText('我的评分').waitFor()
  await page.getByText('4.0（1 人）').waitFor()
  await page.reload()
  await page.getByText('我的评分').waitFor()
  expect(await page.getByRole('button', { name: /星，/ }).count()).toBe(0)
  const own = await openWindow(browser, site.url)
  await signInAs(own, site, author)
  await visit(own, `/document/${uuid}`)
  await own.getByRole('button', { name: '编辑' }).waitFor()
  expect(await own.getByText('给这份文档评分').count()).toBe(0)
  expectNoPageErrors(page)
})

test('the owner edits the details of a document, and deletes it', async () => {
  const { id, uuid } = await publishAndWait(site, author, {
    name: '旧标题.pdf',
    bytes: makePdf({ title: '旧标题' }),
    category: [category.school, category.maths],
  })
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, author)
  await visit(page, `/document/${uuid}`)
  await page.getByRole('button', { name: '编辑' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('标题').fill('新标题')
  expect(await dialog.getByLabel('分类', { exact: true }).inputValue()).toBe(String(category.school))
  await dialog.getByLabel('分类', { exact: true }).selectOption('')
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.getByText('请选择分类').last().waitFor()
  await dialog.getByLabel('分类', { exact: true }).selectOption('家庭')
  await dialog.getByLabel('语言').selectOption('英语')
  await dialog.getByLabel(/^价格/).fill('9')
  await dialog.getByRole('button', { name: '保存' }).click()
  await page.getByRole('heading', { level: 1, name: /^新标题/ }).waitFor()
  const changed = await root.call(contract.documents.get, { id })
  expect(changed).toMatchObject({ title: '新标题', price: 9, category_id: [category.home], language: 'en' })

  await page.getByRole('button', { name: '删除' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await waitForPath(page, '/me/document')
  await expect.poll(async () => (await fetch(`${site.url}/document/${uuid}`)).status).toBe(410)
  expectNoPageErrors(page)
})

test('a document in review is visible to its owner and the staff, and to visitors once it is approved', async () => {
  await allowContributions(root, { reviewed: true })
  const { id, uuid } = await publishAndWait(site, author, { name: '待审核.pdf', bytes: makePdf({ title: '待审核' }) })
  await allowContributions(root, { reviewed: false })
  expect((await fetch(`${site.url}/document/${uuid}`)).status).toBe(404)
  const guest = await openWindow(browser, site.url)
  await visit(guest, `/document/${uuid}`)
  await guest.getByText('文档不存在或已被删除').first().waitFor()
  for (const who of [author, root]) {
    const page = await openWindow(browser, site.url)
    await signInAs(page, site, who)
    await visit(page, `/document/${uuid}`)
    await page.getByText('等待审核').waitFor()
    await pictureOf(page, 1)
    expectNoPageErrors(page)
  }
  await root.call(contract.documents.review, { id: [id], status: DocumentStatus.Pending })
  await expect.poll(async () => (await fetch(`${site.url}/document/${uuid}`)).status).toBe(200)
  await visit(guest, `/document/${uuid}`)
  await pictureOf(guest, 1)
})

test('the owner of a broken file sees why it has no pages; visitors see that they can download it', async () => {
  const bytes = new TextEncoder().encode('%PDF-1.4\nnothing that could be read')
  const { uuid } = await publishAndWait(site, author, { name: '坏掉的文件.pdf', bytes })
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, author)
  await visit(page, `/document/${uuid}`)
  await page.getByText(/转换失败.*损坏/).waitFor()
  const guest = await openWindow(browser, site.url)
  await visit(guest, `/document/${uuid}`)
  await guest.getByRole('heading', { name: '文件无法转换，不能在线预览' }).waitFor()
  expect(await guest.getByText(/损坏/).count()).toBe(0)
  await guest.getByRole('main').getByRole('button', { name: /下载/ }).first().waitFor()
  expectNoPageErrors(guest)
})

test('a document opened right after publishing shows its first page as soon as it is converted', async () => {
  const docx = (title: string) => ({ name: `${title}.docx`, bytes: makeDocx({ title, pages: 40 }) })
  // Other conversions are queued before it, so that it still waits when it is opened.
  for (const number of [1, 2, 3, 4]) await publish(author, docx(`先来的 ${number}`))
  const { uuid } = await publish(author, docx('刚刚发布'))
  const page = await openWindow(browser, site.url)
  await visit(page, `/document/${uuid}`)
  await page.evaluate(() => Object.assign(window, { stayed: true }))
  expect(await page.getByRole('figure').count(), 'it is early enough').toBe(0)
  await pictureOf(page, 1)
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true)
  await page.getByLabel('页码，共 40 页').waitFor({ timeout: 30_000 })
  expectNoPageErrors(page)
})

test('a site that requires login, and a closed one, show visitors neither the page nor its images', async () => {
  const guest = await openWindow(browser, site.url)
  await visit(guest, pathOf(book))
  const picture = (await guest.locator('figure[data-page="1"] img').getAttribute('src')) ?? ''
  try {
    await configure(site, { 'security.login_required': 'true' })
    expect((await fetch(site.url + picture)).status).toBeGreaterThanOrEqual(400)
    expect(await (await fetch(site.url + pathOf(book))).text()).not.toContain(verse)
    await visit(guest, pathOf(book))
    await waitForPath(guest, /^\/login/)
    const page = await openWindow(browser, site.url)
    await signInAs(page, site, author)
    await visit(page, pathOf(book))
    await pictureOf(page, 1)
    expectNoPageErrors(page)

    await configure(site, { 'security.login_required': 'false', 'security.is_close': 'true' })
    expect((await fetch(site.url + picture)).status).toBeGreaterThanOrEqual(400)
    await visit(page, pathOf(book))
    expect(await page.getByRole('figure').count()).toBe(0)
    const staff = await openWindow(browser, site.url)
    await signInAs(staff, site, root)
    await visit(staff, pathOf(book))
    await pictureOf(staff, 1)
  } finally {
    await configure(site, { 'security.login_required': 'false', 'security.is_close': 'false' })
  }
})

test('on a phone the actions of a document are one row, and nothing moves for its owner', async () => {
  const common = ['评论', '分享', '加入文集', '收藏']
  const visitor = await openWindow(browser, site.url, { viewport: phone })
  await visit(visitor, pathOf(book))
  for (const width of [phone.width, 320]) {
    await visitor.setViewportSize({ ...phone, width })
    const { rows, right } = await placeOf(visitor, [...common, '举报'])
    expect(rows).toHaveLength(1)
    expect(right, 'none is off the screen').toBeLessThanOrEqual(width)
  }
  const owner = await openWindow(browser, site.url, { viewport: phone })
  await signInAs(owner, site, author)
  await recordPaints(owner)
  await visit(owner, pathOf(book))
  await pictureOf(owner, 1)
  expect((await placeOf(owner, [...common, '编辑', '替换文件', '删除'])).rows).toHaveLength(1)
  const { shift, moved } = await readPaintMetrics(owner)
  expect(shift, moved.join('\n')).toBe(0)
  expectNoPageErrors(owner)
})

test('on a phone the tools lie below, nothing is wider than the screen, and two taps enlarge', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
  await visit(page, pathOf(book))
  await pictureOf(page, 1)
  const bar = await page.getByRole('toolbar', { name: '阅读工具' }).boundingBox()
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeCloseTo(844, 0)
  expect(bar?.width).toBe(390)
  expect(await sideways(page)).toBeLessThanOrEqual(0)
  const fit = await widthOf(page, 1)
  const box = await boxOf(page, 1)
  // On a busy machine two taps may be too far apart to be a double tap.
  const tapTwiceUntil = (isDone: (width: number) => boolean) =>
    expect
      .poll(async () => {
        await page.touchscreen.tap(box.x + box.width / 2, 500)
        await page.touchscreen.tap(box.x + box.width / 2, 500)
        await page.waitForTimeout(500)
        return isDone(await widthOf(page, 1))
      })
      .toBe(true)
  await tapTwiceUntil((width) => width > fit * 1.8)
  expect(await sideways(page)).toBeLessThanOrEqual(0)
  await tapTwiceUntil((width) => width === fit)
  await page.getByRole('button', { name: '目录和缩略图' }).tap()
  await page
    .getByRole('region', { name: '目录和缩略图' })
    .getByRole('button', { name: /^第 9 页/ })
    .tap()
  await isAt(page, 9)
  await page.getByRole('region', { name: '目录和缩略图' }).waitFor({ state: 'detached' })
  expectNoPageErrors(page)
})

function pathOf({ uuid }: PublishedDocument): string {
  return `/document/${uuid}`
}

function thumbOf(picture: string): string {
  return picture.replace('/view/page/', '/view/thumb/').replace('.svg', '.webp')
}

function textOf(picture: string): string {
  return picture.replace('/view/page/', '/view/text/').replace('.svg', '.json')
}

async function currentPage(page: Page): Promise<number> {
  return Number(await page.getByLabel(/^页码，共/).inputValue())
}

async function isAt(page: Page, wanted: number): Promise<void> {
  await expect.poll(() => currentPage(page), { timeout: 10_000, interval: 50 }).toBe(wanted)
}

/** Waits until a page's picture has arrived and is shown. */
async function pictureOf(page: Page, number: number): Promise<void> {
  const picture = page.locator(`figure[data-page="${number}"] img`)
  await picture.waitFor({ timeout: 30_000 })
  await arrives(picture)
}

async function arrives(picture: Locator): Promise<void> {
  await expect
    .poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth), { timeout: 20_000 })
    .toBeGreaterThan(50)
}

async function boxOf(page: Page, number: number) {
  const box = await page.locator(`figure[data-page="${number}"]`).boundingBox()
  return box ?? { x: 0, y: 0, width: 0, height: 0 }
}

async function widthOf(page: Page, number: number): Promise<number> {
  return Math.round((await boxOf(page, number)).width)
}

/** Where the actions below the title are: the top of each row, and the right edge of the last action. */
async function placeOf(page: Page, actions: string[]): Promise<{ rows: number[]; right: number }> {
  const boxes = await Promise.all(
    actions.map(async (name) => {
      const action = page.locator('main header').locator('a, button').filter({ hasText: name })
      await action.waitFor()
      return action.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect)
    }),
  )
  return { rows: [...new Set(boxes.map(({ y }) => y))], right: Math.max(...boxes.map(({ right }) => right)) }
}

async function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

async function openDownload(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^下载/ }).first().click()
}

async function setCredit({ username }: Member, credit_count: number): Promise<void> {
  await site.db.updateTable('user').set({ credit_count }).where('username', '=', username).execute()
}

async function creditOf({ username }: Member): Promise<number> {
  const row = await site.db
    .selectFrom('user')
    .select('credit_count')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  return row.credit_count
}

async function robotsMayRead(): Promise<boolean> {
  const rules = await fetch(`${site.url}/robots.txt`)
  return rules.status === 404 || !/disallow: \/(document)?\s*$/im.test(await rules.text())
}

function audit(name: string, weight: number, isPassed: boolean, fault = name): Audit {
  return listed(name, weight, isPassed ? [] : [fault])
}

function listed(name: string, weight: number, faults: string[]): Audit {
  return { name, weight, faults }
}
