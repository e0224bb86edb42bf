import { RecommendAction } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { setTimeout } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { tinyPdf } from '#server/testing/upload.ts'
import { waitForPath, expectNoPageErrors, openBrowser, openWindow, phone, visit } from './browser.ts'
import { configure } from './owner.ts'
import { signInAs, readToken } from './person.ts'
import { withoutStyles } from './page-checks.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { keepPassword } from './site-setup.ts'

/** Browsing by category, and managing one's own documents. */

let browser: Browser
let site: RunningSite
let token = ''
let page: Page
const root = { username: 'admin', password: 'root password' }
const ids = { education: 0, primary: 0, middle: 0, empty: 0 }

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: root.password })
  await configure(site, { 'security.enable_captcha_login': 'false' })
  token = (await call<{ token: string }>('POST', '/user/login', root)).token
  await addDocuments()
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})
beforeEach(async () => {
  page = await openWindow(browser, site.url)
})

test('a category is whole without scripts: its documents, its place, its one address', async () => {
  const html = await (await fetch(`${site.url}/category/${ids.primary}`)).text()
  for (const words of ['<title>小学 – 教育 –', '小学教案 12', '"BreadcrumbList"', '共 <!-- -->12'])
    expect(html).toContain(words)
  expect(html).toMatch(new RegExp(`rel="canonical" href="[^"]*/category/${ids.primary}"`))
  expect(html.match(/<svg/g)?.length ?? 0, 'no drawing in each row').toBeLessThan(30)
  const { created_at } = await site.db.selectFrom('document').select('created_at').executeTakeFirstOrThrow()
  expect(html, 'times are times in the first HTML too').toContain(new Date(created_at).toISOString().slice(0, 13))
  expect((await fetch(`${site.url}/category/999`)).status).toBe(404)
  expect((await fetch(`${site.url}/category/x`)).status).toBe(404)
})

test('filters live in the address, combine, begin at the first page, and back undoes them one by one', async () => {
  await visit(page, `/category/${ids.education}`)
  await page.getByRole('link', { name: '第 2 页' }).click()
  await waitForPath(page, `/category/${ids.education}?page=2`)
  await choice('免费').click()
  await waitForPath(page, `/category/${ids.education}?fee_type=free`)
  await choice('TXT').click()
  await waitForPath(page, `/category/${ids.education}?ext=txt&fee_type=free`)
  await expect.poll(titles).toEqual(['中学笔记 1'])
  expect(await choice('免费').getAttribute('aria-current')).toBe('true')

  await page.getByRole('navigation', { name: '排序' }).getByRole('link', { name: '最新' }).click()
  await waitForPath(page, `/category/${ids.education}?ext=txt&fee_type=free&sort=latest`)
  await choice('小学').click()
  await waitForPath(page, `/category/${ids.primary}?ext=txt&fee_type=free&sort=latest`)
  await page.getByText('没有符合条件的文档').waitFor()
  await page.getByRole('link', { name: '清除筛选' }).click()
  await waitForPath(page, `/category/${ids.primary}`)

  for (const path of [
    `/category/${ids.primary}?ext=txt&fee_type=free&sort=latest`,
    `/category/${ids.education}?ext=txt&fee_type=free&sort=latest`,
    `/category/${ids.education}?ext=txt&fee_type=free`,
    `/category/${ids.education}?fee_type=free`,
    `/category/${ids.education}?page=2`,
  ]) {
    await page.goBack()
    await waitForPath(page, path)
  }
  await expect.poll(titles).toHaveLength(4)
  expectNoPageErrors(page)
})

test('paging through a list shows every document exactly once', async () => {
  await visit(page, `/category/${ids.primary}`)
  const first = await titles()
  await page.getByRole('link', { name: '第 2 页' }).click()
  await waitForPath(page, `/category/${ids.primary}?page=2`)
  await expect.poll(titles).toHaveLength(2)
  const all = [...first, ...(await titles())]
  expect(new Set(all).size).toBe(12)
  await visit(page, `/category/${ids.primary}?page=40`)
  await page.getByText('没有这一页').waitFor()
})

test('breadcrumbs open the sibling categories, by pointer and by keyboard', async () => {
  await visit(page, `/category/${ids.primary}`)
  const way = page.getByRole('navigation', { name: '所在位置' })
  const opener = way.getByRole('button', { name: '与“小学”同级的分类' })
  await opener.press('Enter')
  await way.getByRole('link', { name: /^中学/ }).waitFor()
  await page.keyboard.press('Escape')
  expect(await opener.getAttribute('aria-expanded')).toBe('false')
  await opener.click()
  await way.getByRole('link', { name: /^中学/ }).click()
  await waitForPath(page, `/category/${ids.middle}`)
  await page.getByRole('heading', { level: 1, name: '中学' }).waitFor()
  expect(await way.getByRole('link', { name: /^小学/ }).count(), 'it closes on the way').toBe(0)
})

test('words of the page lead to the search, unless the owner hides them', async () => {
  await visit(page, `/category/${ids.primary}`)
  await page.getByRole('region', { name: '关键字' }).getByRole('link', { name: '算术' }).click()
  await waitForPath(page, `/search?wd=${encodeURIComponent('算术')}&type=0`)
  await configure(site, { 'display.hide_keywords_on_lists': 'true' })
  await visit(page, `/category/${ids.primary}`)
  expect(await page.getByRole('region', { name: '关键字' }).count()).toBe(0)
  await configure(site, { 'display.hide_keywords_on_lists': 'false' })
})

test('a list that fails to load says so, keeps its filters, and loads on retry', async () => {
  await visit(page, `/category/${ids.education}`)
  await page.route('**/api/v1/document/list*', (route) => route.fulfill({ status: 502, body: '' }))
  await choice('付费').click()
  await page.getByRole('alert').waitFor()
  expect(await choice('付费').getAttribute('aria-current')).toBe('true')
  await page.unroute('**/api/v1/document/list*')
  await page.getByRole('button', { name: '重试' }).click()
  await expect.poll(titles).toEqual(['中学笔记 2', '小学教案 12'])
})

test.each(['card', 'list'])(
  'the home page recommends, and shows what is new in each category, as %s',
  async (style) => {
    await configure(site, { 'display.index_document_style': style })
    const html = await (await fetch(site.url)).text()
    expect(withoutStyles(html).length).toBeLessThan(80_000)
    await visit(page, '/')
    const recommended = page.getByRole('region', { name: '推荐阅读' })
    expect(await recommended.getByRole('listitem').count()).toBe(2)
    const section = page.getByRole('region', { name: '教育' })
    expect(await section.getByRole('listitem').count()).toBe(style === 'card' ? 4 : 8)
    expect(await page.getByRole('region', { name: '空空如也' }).count(), 'what is empty is left out').toBe(0)
    await recommended.getByRole('link', { name: '小学教案 3' }).click()
    await waitForPath(page, /^\/document\//)
    expectNoPageErrors(page)
  },
)

test('in the dark, covers are a little darker until one points at them', async () => {
  const brightness = (of: Page) => {
    const cover = of
      .getByRole('region', { name: '推荐阅读' })
      .getByRole('link', { name: '小学教案 3' })
      .locator('.cover')
    return cover.evaluate((element) => getComputedStyle(element).filter)
  }
  await visit(page, '/')
  expect(await brightness(page)).toBe('none')
  const dark = await openWindow(browser, site.url, { colorScheme: 'dark' })
  await visit(dark, '/')
  expect(await brightness(dark)).toBe('brightness(0.86)')
  await dark.getByRole('link', { name: '小学教案 3' }).first().focus()
  await dark.keyboard.press('Shift+Tab')
  await dark.keyboard.press('Tab')
  expect(await brightness(dark)).toBe('none')
})

test('nothing is wider than the smallest phone', async () => {
  for (const viewport of [phone, { width: 320, height: 568 }]) {
    const window = await openWindow(browser, site.url, { viewport })
    await signInAs(window, site, root)
    for (const path of [
      '/',
      '/category',
      `/category/${ids.primary}`,
      '/user/1/document',
      '/me/document',
      '/me/download',
    ]) {
      await visit(window, path)
      await window.getByRole('heading').first().waitFor()
      const wider = await window.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(wider, path).toBeLessThanOrEqual(0)
    }
    expectNoPageErrors(window)
  }
})

test('owners see all of their documents and how they stand, find them, and delete them', async () => {
  const [disabled] = await listed('中学笔记 2')
  await call('PUT', '/document/check', { id: [disabled], status: DocumentStatus.Disabled })
  await visit(page, '/user/1/document')
  expect(await page.getByText('中学笔记 2').count(), 'visitors do not see it').toBe(0)

  await signInAs(page, site, root)
  await visit(page, '/user/1/document')
  const item = page.getByRole('listitem').filter({ hasText: '中学笔记 2' })
  await item.getByText('已禁用').waitFor()

  await visit(page, '/me/document')
  const row = (title: string) => page.getByRole('row').filter({ hasText: title })
  expect(await row('坏掉的文件').innerText()).toMatch(/转换失败[\s\S]*损坏/)
  await page.getByLabel('状态').selectOption('已禁用')
  await waitForPath(page, '/me/document?status=disabled')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await visit(page, '/me/document')
  await page.getByLabel('标题或关键字').fill('中学')
  await page.getByRole('button', { name: '查找' }).click()
  await waitForPath(page, `/me/document?wd=${encodeURIComponent('中学')}`)
  await expect.poll(() => page.getByRole('row').count()).toBe(3)

  await page.getByRole('button', { name: '编辑“中学笔记 1”' }).click()
  await page.getByRole('dialog').getByLabel('标题').fill('中学笔记（新）')
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await row('中学笔记（新）').waitFor()

  await page.getByLabel('全选').check()
  await page.getByRole('button', { name: '删除选中的 2 份' }).click()
  await page
    .getByRole('dialog')
    .getByText(/回收站/)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: '删除', exact: true }).click()
  await page.getByText('没有找到').waitFor()
  expect(await listed('中学笔记（新）')).toEqual([])
  expectNoPageErrors(page)
})

test('downloads are listed, and can be repeated at once', async () => {
  const reader = { username: 'reader', password: 'reader password' }
  const { group } = await call<{ group: { id: number }[] }>('GET', '/group/list')
  await call('POST', '/user', { ...reader, group_id: group.map(({ id }) => id) })
  await keepPassword(site, reader.username)
  const [id = 0] = await listed('小学教案 5')
  await signInAs(page, site, reader)
  await call('GET', `/document/download?id=${id}`, undefined, await readToken(page))
  await visit(page, '/me/download')
  await page.getByRole('main').getByRole('link', { name: '小学教案 5' }).waitFor()
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: '再次下载“小学教案 5”' }).click()
  expect((await coming).suggestedFilename()).toBe('小学教案 5.pdf')
  expectNoPageErrors(page)
})

function choice(name: string) {
  return page
    .getByRole('list')
    .getByRole('link', { name: new RegExp(`^${name}( ?\\d+)?$`) })
    .first()
}

async function titles(): Promise<string[]> {
  return page.getByRole('main').getByRole('heading', { level: 2 }).getByRole('link').allInnerTexts()
}

/** Twelve lessons and two notes, of which the last cost something, and a file that cannot be opened. */
async function addDocuments(): Promise<void> {
  ids.education = await addCategory('教育')
  ids.primary = await addCategory('小学', ids.education)
  ids.middle = await addCategory('中学', ids.education)
  ids.empty = await addCategory('空空如也')
  const primary = [ids.education, ids.primary]
  const middle = [ids.education, ids.middle]
  for (let n = 1; n <= 12; n++)
    await publish(`小学教案 ${n}.pdf`, tinyPdf(`lesson ${n}`), primary, {
      price: n === 12 ? 5 : 0,
      keywords: '算术,教案',
    })
  for (const n of [1, 2])
    await publish(`中学笔记 ${n}.txt`, new TextEncoder().encode(`笔记 ${n}\n`.repeat(9)), middle, {
      price: n === 2 ? 3 : 0,
    })
  await publish('坏掉的文件.pdf', new TextEncoder().encode('%PDF-1.4\nnothing that could be read'), middle)
  while ((await countOf([DocumentStatus.Pending, DocumentStatus.Converting])) > 0) await setTimeout(300)
  const chosen = [...(await listed('小学教案 3')), ...(await listed('小学教案 4'))]
  await call('PUT', '/document/recommend', { id: chosen, type: RecommendAction.Recommend })
  await setTimeout(300)
}

async function addCategory(title: string, parent = 0): Promise<number> {
  await call('POST', '/category', { title, parent_id: parent, enable: true })
  const { category } = await call<{ category: { id: number; title: string }[] }>('GET', '/category/list?size=100')
  return category.find((one) => one.title === title)?.id ?? 0
}

async function publish(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  category_id: number[],
  facts: { price?: number; keywords?: string } = {},
): Promise<void> {
  const body = new FormData()
  body.append('file', new File([bytes], name))
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${site.url}/api/v1/upload/document`, { method: 'POST', headers, body })
  const { data } = (await response.json()) as { data: { id: number } }
  const title = name.replace(/\.\w+$/, '')
  await call('POST', '/document', { category_id, document: [{ title, attachment_id: data.id, ...facts }] })
}

/** The numbers of the documents with this title. */
async function listed(title: string): Promise<number[]> {
  const { document = [] } = await call<{ document?: { id: number; title: string }[] }>(
    'GET',
    `/document/list?${new URLSearchParams({ wd: title, size: '100' })}`,
  )
  return document.filter((one) => one.title === title).map(({ id }) => id)
}

async function countOf(status: DocumentStatus[]): Promise<number> {
  const query = new URLSearchParams(status.map((code) => ['status', String(code)]))
  return (await call<{ total?: number }>('GET', `/document/list?${query}&size=1`)).total ?? 0
}

async function call<T = unknown>(method: string, path: string, body?: object, bearer = token): Promise<T> {
  const response = await fetch(`${site.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.status, `${method} ${path}`).toBe(200)
  return (await response.json()) as T
}
