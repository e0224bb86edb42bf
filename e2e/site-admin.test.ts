import { AttachmentType, ContentType, RecommendAction } from '#shared/enums.ts'
import sharp from 'sharp'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { expectNoPageErrors, openBrowser, openWindow, phone, waitUntilIdle, visit, selectOption } from './browser.ts'
import { type Member, signInAsRoot } from './site-setup.ts'
import { signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { vectors } from './script-vectors.ts'

/** What an owner puts on every page: navigation, banners, advertisements, friend links, and in which order. */

let browser: Browser
let site: RunningSite
let root: Member

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: 'root password' })
  root = await signInAsRoot(site, 'root password')
  for (const title of ['甲书店', '乙书店', '丙书店'])
    await root.call(contract.friendlinks.create, { title, link: 'https://example.com', enable: true })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

async function openSignedIn(options: Parameters<typeof openWindow>[2] = {}): Promise<Page> {
  const page = await openWindow(browser, site.url, options)
  await signInAs(page, site, root)
  return page
}

test('navigation with a child, ordered by hand and by keys, is on the site at once', async () => {
  const page = await openSignedIn()
  await visit(page, '/admin/navigation')
  await add(page, '新增导航', { 名称: '专题', 链接: '/article?专题' })
  await page.getByRole('row', { name: /专题/ }).waitFor()
  await page.getByRole('button', { name: '新增导航' }).click()
  await selectOption(form(page).getByLabel('上级导航'), '专题')
  await form(page).getByLabel('名称').fill('小学专题')
  await form(page).getByLabel('链接').fill('https://example.com/primary')
  await selectOption(form(page).getByLabel('打开方式'), '新窗口')
  await save(page)
  await page.getByRole('row', { name: /小学专题/ }).waitFor()
  await page
    .getByRole('row', { name: /专题/ })
    .first()
    .getByRole('button', { name: /编\s*辑/ })
    .click()
  await form(page).getByText('有下级导航，只能作为一级导航').waitFor()
  expect(await form(page).getByLabel('上级导航').isDisabled()).toBe(true)
  await form(page).getByRole('button', { name: '取 消' }).click()
  await form(page).waitFor({ state: 'detached' })

  const fixed = page.getByRole('row', { name: /首页/ })
  await fixed.getByText('固定').waitFor()
  expect(await fixed.getByRole('button', { name: /删\s*除/ }).count()).toBe(0)

  await drag(page, '专题', '首页')
  await expect.poll(topEntries).toEqual(['专题', '首页', '文库资料', '文章资讯'])
  const handle = page.getByRole('button', { name: /^调整“文章资讯”的顺序/ })
  await handle.press('ArrowUp')
  await page.getByText('“文章资讯”移到第 3 位，共 4 项').waitFor({ state: 'attached' })
  await handle.press('ArrowUp')
  await page.getByText('“文章资讯”移到第 2 位，共 4 项').waitFor({ state: 'attached' })
  await handle.press('ArrowDown')
  await handle.press('Home')
  await expect.poll(topEntries).toEqual(['文章资讯', '专题', '首页', '文库资料'])
  expect(await handle.evaluate((element) => element === document.activeElement)).toBe(true)

  const visitor = await openWindow(browser, site.url)
  await visit(visitor, '/')
  const bar = visitor.getByRole('navigation', { name: '主导航' })
  expect(await linksOf(bar)).toEqual(['文章资讯', '专题', '首页'])
  await bar.getByRole('button', { name: '展开专题' }).click()
  const child = visitor.getByRole('link', { name: '小学专题' })
  expect(await child.getAttribute('target')).toBe('_blank')
  expectNoPageErrors(page)
  expectNoPageErrors(visitor)
})

test('a banner is cut to its shape and shown from its day on, in the order of the owner', async () => {
  const page = await openSignedIn()
  await visit(page, '/admin/banner')
  for (const [title, background] of [
    ['开学季', 'teal'],
    ['期末', 'orange'],
  ] as const) {
    await page.getByRole('button', { name: '新增横幅' }).click()
    await form(page).getByLabel('标题').fill(title)
    await page.locator('input[type=file]').setInputFiles(await picture(background))
    const cutting = page.getByRole('dialog').filter({ hasText: '裁剪图片' })
    const before = await cutting.getByRole('button', { name: /^裁剪范围/ }).getAttribute('aria-label')
    await cutting.getByRole('button', { name: /^裁剪范围/ }).press('+')
    await expect
      .poll(() => cutting.getByRole('button', { name: /^裁剪范围/ }).getAttribute('aria-label'))
      .not.toBe(before)
    await cutting.getByRole('button', { name: title === '开学季' ? '裁剪并上传' : '使用原图' }).click()
    await cutting.waitFor({ state: 'detached' })
    await save(page)
    await page.getByRole('row', { name: title }).getByText('投放中').waitFor()
  }
  const sizes = await site.db
    .selectFrom('attachment')
    .select(['width', 'height'])
    .where('type', '=', AttachmentType.Banner)
    .execute()
  expect(sizes.map(({ width, height }) => (width / height).toFixed(1))).toEqual(['4.6', '1.5'])
  await drag(page, '期末', '开学季')
  await expect.poll(() => shownBanners()).toEqual(['期末', '开学季'])

  await page
    .getByRole('row', { name: '期末' })
    .getByRole('button', { name: /编\s*辑/ })
    .click()
  await form(page).getByLabel('开始时间').click()
  await page.getByText('明天零点').filter({ visible: true }).click()
  await save(page)
  await page.getByRole('row', { name: '期末' }).getByText('未开始').waitFor()
  expect(await shownBanners()).toEqual(['开学季'])
  const visitor = await openWindow(browser, site.url)
  await visit(visitor, '/')
  expect(await visitor.getByRole('img', { name: '开学季' }).count()).toBe(1)
  expect(await visitor.getByRole('img', { name: '期末' }).count()).toBe(0)
  expectNoPageErrors(page)
  expectNoPageErrors(visitor)
})

test('an advertisement is looked at while it is written, and refused when it would end before it begins', async () => {
  const page = await openSignedIn()
  await visit(page, '/admin/advertisement?new=1')
  await selectOption(form(page).getByLabel('位置'), '首页 · 横幅下方')
  await form(page).getByLabel('标题').fill('文具')
  await form(page).getByLabel('内容').fill('<p style="height:60px">文具八折</p>')
  await page.frameLocator('iframe[title="广告预览"]').getByText('文具八折').waitFor()
  const begin = form(page).getByLabel('开始时间')
  await begin.fill('2099-01-01 00:00')
  await page
    .getByRole('button', { name: /^确\s*定$/ })
    .filter({ visible: true })
    .click()
  await form(page).getByLabel('结束时间').click()
  await page.getByText('1 小时', { exact: true }).filter({ visible: true }).click()
  await form(page).getByRole('button', { name: '保 存' }).click()
  await page.getByText('结束时间要晚于开始时间').waitFor()
  await begin.click()
  await page.getByText('现在', { exact: true }).filter({ visible: true }).click()
  await save(page)
  await page.getByRole('row', { name: '文具' }).waitFor()
  const visitor = await openWindow(browser, site.url)
  await visit(visitor, '/')
  await visitor.frameLocator('iframe[title="广告"]').getByText('文具八折').waitFor()
  expectNoPageErrors(page)
  expectNoPageErrors(visitor)
})

test('friend links are ordered with a finger on a phone; while a filter is on, nothing can be moved', async () => {
  const page = await openSignedIn({ viewport: phone, hasTouch: true, isMobile: true })
  await visit(page, '/admin/friendlink')
  await page.getByRole('button', { name: /^调整“乙书店”的顺序/ }).waitFor()
  await swipe(page, '乙书店', '甲书店')
  await expect.poll(friends).toEqual(['乙书店', '甲书店', '丙书店'])
  const visitor = await openWindow(browser, site.url)
  await visit(visitor, '/')
  const shown = await visitor.getByRole('contentinfo').getByRole('link', { name: /书店/ }).allInnerTexts()
  expect(shown.map((text) => text.trim())).toEqual(['乙书店', '甲书店', '丙书店'])

  await visit(page, '/admin/friendlink?wd=书店')
  const handle = page.getByRole('button', { name: /^调整“丙书店”的顺序.*清除筛选后才能调整顺序/ })
  expect(await handle.getAttribute('aria-disabled')).toBe('true')
  await handle.press('ArrowUp')
  expect(await friends()).toEqual(['乙书店', '甲书店', '丙书店'])
  expectNoPageErrors(page)
})

test('a row whose move the server refuses goes back to its place, with an error message', async () => {
  const page = await openSignedIn()
  await visit(page, '/admin/friendlink')
  const rows = () => page.getByRole('row', { name: /书店/ }).allInnerTexts()
  await page.getByRole('button', { name: /^调整“丙书店”的顺序/ }).waitFor()
  const [before, kept] = [await rows(), await friends()]
  await page.route('**/api/v1/friendlink/sort', (route) =>
    route.fulfill({
      status: 503,
      json: { code: 14, message: '服务器处理超时，请稍后重试', reason: 'request.timeout' },
    }),
  )
  await page.getByRole('button', { name: /^调整“丙书店”的顺序/ }).press('Home')
  await page.getByText('排序失败：服务器处理超时，请稍后重试').waitFor()
  await expect.poll(rows).toEqual(before)
  expect(await friends()).toEqual(kept)
})

test('categories are dragged among their siblings', async () => {
  await root.call(contract.categories.create, { title: '数学\n语文', type: ContentType.Document, enable: true })
  const page = await openSignedIn()
  await visit(page, '/admin/document/category')
  const order = async () =>
    (await root.call(contract.categories.list, { type: [ContentType.Document] })).category.map(({ title }) => title)
  await page.getByRole('button', { name: /^调整“语文”的顺序/ }).waitFor()
  const [first = '', second = ''] = await order()
  await drag(page, second, first)
  await expect.poll(order).toEqual([second, first])
  expectNoPageErrors(page)
})

test('script in titles, addresses, colours and advertisements is inert, for visitors and for the owner', async () => {
  const { create } = contract.navigations
  for (const vector of vectors) {
    expect(create.input.shape.color.safeParse(vector).success, vector).toBe(false)
    const { data = '' } = create.input.shape.href.safeParse(vector)
    expect(data).toMatch(/^$|^[/#]|^https?:/i)
  }
  // Inserted without validation, as imported data may be.
  const stamps = { enable: 1, created_at: 0, updated_at: 0, sort: 500 } as const
  for (const vector of vectors.filter((_, index) => index % 12 === 0)) {
    const text = vector.replaceAll('\0', ' ')
    const entry = { title: text, href: text, color: text, target: '_self', parent_id: 0, fixed: 0 } as const
    await site.db
      .insertInto('navigation')
      .values({ ...entry, ...stamps })
      .execute()
    await site.db
      .insertInto('friendlink')
      .values({ title: text, link: text, ...stamps })
      .execute()
    const times = { start_time: null, end_time: null }
    await site.db
      .insertInto('banner')
      .values({ title: text, path: text, url: text, type: RecommendAction.Withdraw, ...times, ...stamps })
      .execute()
  }
  for (let from = 0; from < vectors.length; from += 40) {
    const [title = '', remark = ''] = vectors.slice(from).map((vector) => vector.replaceAll('\0', ' ').slice(0, 200))
    const content = vectors
      .slice(from, from + 40)
      .join('')
      .replaceAll('\0', ' ')
    await root.call(contract.advertisements.create, {
      position: 'index_banner_bottom',
      title,
      remark,
      enable: true,
      content: `<p>广告</p>${content}`,
    })
  }
  const visitor = await openWatched()
  const owner = await openWatched()
  await signInAs(owner, site, root)
  await visitAndCheck(visitor, '/')
  for (const path of ['navigation', 'friendlink', 'banner', 'advertisement'])
    await visitAndCheck(owner, `/admin/${path}`)
  await owner
    .getByRole('row')
    .filter({ hasText: '首页 · 横幅下方' })
    .first()
    .getByRole('button', { name: /编\s*辑/ })
    .click()
  await owner.locator('iframe[title="广告预览"]').waitFor()
  await owner.waitForTimeout(300)
  await expectNothingRan(owner)
}, 180_000)

function form(page: Page): Locator {
  return page.getByRole('dialog').filter({ has: page.getByRole('button', { name: '保 存' }) })
}

async function add(page: Page, button: string, values: Record<string, string>): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  for (const [label, value] of Object.entries(values)) await form(page).getByLabel(label).fill(value)
  await save(page)
}

async function save(page: Page): Promise<void> {
  await form(page).getByRole('button', { name: '保 存' }).click()
  await form(page).waitFor({ state: 'detached' })
}

/** Drags a row by its handle above another one. */
async function drag(page: Page, title: string, above: string): Promise<void> {
  const [from, to] = await Promise.all([placeOf(page, title), placeOf(page, above)])
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x, (from.y + to.y) / 2, { steps: 4 })
  await page.mouse.move(from.x, to.y - 12, { steps: 4 })
  await page.locator('[class*="dropBefore"]').waitFor()
  await page.mouse.up()
}

async function swipe(page: Page, title: string, above: string): Promise<void> {
  const [from, to] = await Promise.all([placeOf(page, title), placeOf(page, above)])
  const { send } = await touches(page)
  await send('touchStart', from)
  for (const part of [0.25, 0.5, 0.75, 1])
    await send('touchMove', { x: from.x, y: from.y + (to.y - 8 - from.y) * part })
  await page.locator('[class*="dropBefore"]').waitFor()
  await send('touchEnd')
}

async function touches(page: Page) {
  const session = await page.context().newCDPSession(page)
  return {
    send: (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: { x: number; y: number }) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] }),
  }
}

async function placeOf(page: Page, title: string): Promise<{ x: number; y: number }> {
  const handle = page.getByRole('button', { name: new RegExp(`^调整“${title}”的顺序`) })
  await handle.waitFor()
  const box = await handle.boundingBox()
  if (!box) throw new Error(`${title} is not on the screen`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function linksOf(bar: Locator): Promise<string[]> {
  return (await bar.getByRole('link').filter({ visible: true }).allInnerTexts()).map((text) => text.trim()).slice(0, 3)
}

async function topEntries(): Promise<string[]> {
  const { navigation } = await root.call(contract.navigations.list)
  return navigation.filter(({ parent_id }) => parent_id === 0).map(({ title }) => title)
}

async function shownBanners(): Promise<string[]> {
  const response = await fetch(`${site.url}/api/v1/banner/list?type=0`)
  const { banner = [] } = (await response.json()) as { banner?: { title: string }[] }
  return banner.map(({ title }) => title)
}

async function friends(): Promise<string[]> {
  const { friendlink } = await root.call(contract.friendlinks.list, { order: 'sort desc' })
  return friendlink.map(({ title }) => title)
}

async function picture(background: string) {
  const buffer = await sharp({ create: { width: 1500, height: 1000, channels: 3, background } })
    .png()
    .toBuffer()
  return { name: `${background}.png`, mimeType: 'image/png', buffer }
}

/** A window that records if an injected script runs, in any of its frames. */
async function openWatched(): Promise<Page> {
  const page = await openWindow(browser, site.url)
  await page
    .context()
    .addInitScript(() => Object.assign(window, { ran: () => Object.assign(window, { hasRun: true }) }))
  page.on('dialog', (dialog) => void dialog.dismiss())
  return page
}

async function visitAndCheck(page: Page, path: string): Promise<void> {
  await visit(page, path)
  await waitUntilIdle(page)
  await expectNothingRan(page)
}

async function expectNothingRan(page: Page): Promise<void> {
  for (const frame of page.frames()) expect(await frame.evaluate(() => 'hasRun' in window), frame.url()).toBe(false)
}
