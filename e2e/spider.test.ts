import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { ContentType } from '#shared/enums.ts'
import { SpiderDocumentStatus, SpiderSourceState } from '#shared/spider.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { type LibrarySite, openLibrarySite } from '#server/testing/spider/library-site.ts'
import {
  chooseMenuItem,
  confirmDialog,
  desktop,
  expectNoPageErrors,
  openBrowser,
  openWindow,
  phone,
  visit,
  waitForPath,
  waitUntilIdle,
} from './browser.ts'
import { configure } from './owner.ts'
import { accessibilityFaults } from './page-checks.ts'
import { signInAs } from './person.ts'
import { journeyEngine, type RunningSite, startSite } from './running-site.ts'
import { addCategory, type Member, signInAsRoot } from './site-setup.ts'

/** The crawler, from the settings to the published documents. The tests build on each other. */

let browser: Browser
let site: RunningSite
let root: Member
let library: LibrarySite
beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite(journeyEngine, { ADMIN_PASSWORD: 'root password' })
  root = await signInAsRoot(site, 'root password')
  await addCategory(root, '馆藏资料')
  library = await openLibrarySite({ documents: 6, articles: 2, exts: ['.pdf', '.txt'] })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
  await library.close()
})

/** For a busy machine of two cores; a schedule is looked at once a minute. */
const patience = 180_000
const eventually = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 120_000, interval: 250 })

async function openAsRoot(options: Parameters<typeof openWindow>[2] = {}): Promise<Page> {
  const page = await openWindow(browser, site.url, options)
  await signInAs(page, site, root)
  return page
}

/** Ant Design writes a button of two characters with a space. */
function spaced(label: string): RegExp {
  return new RegExp(`${label.split('').join(String.raw`\s?`)}$`)
}

/** At all widths; afterwards the window is as it was. */
async function expectAccessible(page: Page): Promise<void> {
  const before = page.viewportSize() ?? desktop
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: null })
}

function drawer(page: Page, title: string): Locator {
  return page.getByRole('dialog', { name: title })
}

function row(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ hasText: name })
}

/** The number beside a status above a list. */
async function countOf(page: Page, status: string): Promise<number> {
  const counts = page.getByRole('navigation', { name: '各状态的数目' })
  const text = await counts.getByRole('link', { name: new RegExp(`${status} `) }).innerText()
  return Number(text.replace(/\D/g, ''))
}

test('without a source the list says what to do, and the dashboard has no card', async () => {
  const page = await openAsRoot()
  await visit(page, '/admin/spider/source')
  await page.getByText('还没有采集源').waitFor()
  await visit(page, '/admin/spider/url')
  await page.getByText('还没有采集链接').waitFor()
  await visit(page, '/admin/spider/document')
  await page.getByText('还没有采集文档').waitFor()
  const answered = page.waitForResponse(/\/api\/v1\/spider\/today$/)
  await visit(page, '/admin/dashboard')
  expect((await answered).status()).toBe(200)
  await waitUntilIdle(page)
  expect(await page.getByRole('heading', { name: '今天的采集' }).count()).toBe(0)
  expectNoPageErrors(page)
})

test('the owner switches the crawler on and allows the local host', async () => {
  const page = await openAsRoot()
  await visit(page, '/admin/config/spider')
  await page.getByLabel('启用采集').click()
  await page.getByLabel('两次请求的间隔（毫秒）').fill('0')
  await page.getByLabel('允许的内网主机').fill('127.0.0.1')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '保存设置' }).click()
  await page.getByText('设置已保存').waitFor()
  await expectAccessible(page)
  expectNoPageErrors(page)
})

test(
  'a source is made with the try-out: a fault in a selector is shown, and mended',
  { timeout: patience },
  async () => {
    const page = await openAsRoot()
    await visit(page, '/admin/spider/source')
    await page.getByRole('button', { name: '新增采集源' }).click()
    const form = drawer(page, '新增采集源')
    await form.getByText('来源网站的条款和内容的版权由您负责遵守').waitFor()
    // What is missing is said beside its field.
    await form.getByRole('button', { name: spaced('试采') }).click()
    await form.getByText('请填写起始网址').waitFor()
    await form.getByLabel('名称', { exact: true }).fill('小城文库')
    await form.getByLabel('起始网址', { exact: true }).fill(`${library.origin}/`)
    await form.getByLabel('不要的网址').fill('/news/**')
    await form.getByText('从页面里读取什么').click()
    const selector = form.getByLabel('标题', { exact: true })
    await selector.fill('h1[')
    await form.getByRole('button', { name: spaced('试采') }).click()
    await form.getByText('选择器无法识别').waitFor()

    await selector.fill('h1.title')
    const trial = drawer(page, '试采：小城文库')
    await form.getByRole('button', { name: spaced('试采') }).click()
    await trial.getByText(/读了 6 页，会采集 \d+ 份文档/).waitFor({ timeout: 60_000 })
    await trial.getByText('没有保存任何东西').waitFor()
    await trial
      .getByText(/资料第 \d 号/)
      .first()
      .waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await trial.waitFor({ state: 'hidden' })
    expect(await site.db.selectFrom('spider_url').select('id').execute()).toEqual([])

    await form.getByText('范围和上限').click()
    await form.getByLabel('最多几层').fill('5')
    await form.getByLabel('来源名称').fill('小城图书馆')
    await form.getByLabel('每天').check()
    await expectAccessible(page)
    await form.getByRole('button', { name: spaced('保存') }).click()
    await page.getByText('新增成功').waitFor()
    await postponeSchedule()
    await row(page, '小城文库').waitFor()
    await expectAccessible(page)
    expectNoPageErrors(page)
  },
)

test('the owner runs it, watches the numbers grow, and publishes in bulk', { timeout: patience }, async () => {
  const page = await openAsRoot()
  await visit(page, '/admin/spider/source')
  const source = row(page, '小城文库')
  await source.getByRole('button', { name: spaced('运行') }).click()
  await confirmDialog(page, spaced('运行'))
  await page.getByText('已处理 1 项').waitFor()
  // The list follows by itself.
  await eventually(() => source.innerText()).toContain('发现 6')
  await eventually(() => source.innerText()).toContain('下载 6')
  await eventually(() => source.innerText()).toContain('未运行')

  await chooseMenuItem(source.getByRole('button', { name: '更多操作' }), '查看链接')
  await waitForPath(page, /^\/admin\/spider\/url\?source_id=\d+$/)
  expect(await countOf(page, '等待采集')).toBe(0)
  // What robots.txt forbids is not requested, and the list says so.
  const refused = row(page, '/private/')
  await refused.getByText('对方的 robots.txt 不允许采集').waitFor()
  await refused.getByRole('button', { name: spaced('日志') }).click()
  await drawer(page, '采集日志').getByText('robots.txt 不允许').first().waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  expect(library.paths()).not.toContain('/private/')

  await visit(page, '/admin/spider/document')
  await eventually(() => countOf(page, '下载成功')).toBe(6)
  await page.locator('thead').getByRole('checkbox').check()
  await page.getByRole('button', { name: '批量设置分类' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('分类').click()
  await page.getByRole('menuitemcheckbox', { name: '馆藏资料' }).click()
  await confirmDialog(page, spaced('保存'))
  await page.getByText('已处理 6 项').waitFor()
  await expect.poll(() => page.getByRole('cell', { name: '馆藏资料' }).count()).toBe(6)

  await page.locator('thead').getByRole('checkbox').check()
  await page.getByRole('button', { name: '批量发布' }).click()
  await confirmDialog(page, spaced('发布'))
  await page.getByText('已处理 6 项').last().waitFor()
  await eventually(() => countOf(page, '发布成功')).toBe(6)
  await expectAccessible(page)
  expectNoPageErrors(page)
})

test('a visitor finds a document by its title and reads it, with its source', { timeout: patience }, async () => {
  const [first] = library.documents
  const title = first?.title ?? ''
  const page = await openWindow(browser, site.url)
  await eventually(async () => {
    await visit(page, `/search?wd=${encodeURIComponent(title)}`)
    return page.getByRole('link', { name: title }).count()
  }).toBeGreaterThan(0)
  await page.getByRole('link', { name: title }).first().click()
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
  await page.getByRole('link', { name: '小城图书馆' }).waitFor()
  expectNoPageErrors(page)
})

test('a scheduled second run fetches only what has changed', { timeout: patience }, async () => {
  const [edited] = library.documents
  if (!edited) throw new Error('the library is empty')
  library.change(edited.file, makePdf({ title: '修订后的资料' }))
  const added = library.add(edited.category)
  const before = library.log.length
  await site.db.updateTable('spider_source').set({ next_run_at: Date.now() }).execute()
  const { id } = await site.db.selectFrom('spider_source').select('id').executeTakeFirstOrThrow()
  const source = () => root.call(contract.spiderSources.get, { id })
  await eventually(async () => {
    const { run, state, downloaded, found } = await source()
    return [run, state, found, downloaded]
  }).toEqual([2, SpiderSourceState.Idle, 7, 7])
  // The list was full: its first page now has a second one.
  const list = `/${edited.category}/`
  const changed = [list, `${list}page-2.html`, added.page, added.file, edited.file]
  const unchanged = library.reachable().filter((path) => !path.startsWith('/news/') && !changed.includes(path))
  const answers = library.log.slice(before).map(({ path, status }) => `${status} ${path}`)
  const expected = [...changed.map((path) => `200 ${path}`), ...unchanged.map((path) => `304 ${path}`)]
  expect(answers.toSorted()).toEqual(expected.toSorted())
  // The home page, two other lists, the pages of six documents, and five files.
  expect(unchanged).toHaveLength(14)

  // The new content waits to be published anew.
  const page = await openAsRoot()
  await visit(page, `/admin/spider/document?status=${SpiderDocumentStatus.Downloaded}`)
  await row(page, added.title).waitFor()
  await row(page, edited.title).waitFor()
  await chooseMenuItem(row(page, added.title).getByRole('button', { name: '更多操作' }), '日志')
  await drawer(page, '采集日志').getByText('已下载').first().waitFor()
  expectNoPageErrors(page)
})

test(
  'pasted addresses: what is new, known and wrong is told; a file is downloaded',
  { timeout: patience },
  async () => {
    const pasted = library.add('novel', '.txt')
    const page = await openAsRoot({ viewport: phone })
    await visit(page, '/admin/spider/url')
    await page.getByRole('button', { name: '新增采集链接' }).click()
    const address = `${library.origin}${pasted.file}`
    await page.getByLabel('网址', { exact: true }).fill(`${address}\n\n${address}\nftp://example.com/a.pdf`)
    await expectAccessible(page)
    await page.getByRole('button', { name: spaced('保存') }).click()
    const reply = page.getByRole('dialog').last()
    await reply.getByText('新增 1 个').waitFor()
    await reply.getByText('ftp://example.com/a.pdf').waitFor()
    await reply.getByRole('button', { name: '知道了' }).click()

    await visit(page, '/admin/spider/document?source_id=0')
    const card = page.locator('[data-card]').filter({ hasText: 'novel' })
    await eventually(() => card.count()).toBe(1)
    await card.getByRole('button', { name: spaced('下载') }).click()
    await confirmDialog(page, spaced('下载'))
    await eventually(() => card.innerText()).toContain('下载成功')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
    expectNoPageErrors(page)
  },
)

test('articles are taken with their pictures', { timeout: patience }, async () => {
  const [article] = library.articles
  if (!article) throw new Error('the library has no articles')
  const page = await openAsRoot()
  await visit(page, '/admin/spider/source')
  await page.getByRole('button', { name: '新增采集源' }).click()
  const form = drawer(page, '新增采集源')
  await form.getByLabel('名称', { exact: true }).fill('馆讯')
  await form.getByLabel(/^文章：/).check()
  expect(await form.getByLabel('价格').count()).toBe(0)
  await form.getByLabel('起始网址', { exact: true }).fill(`${library.origin}/news/`)
  await form.getByRole('button', { name: spaced('保存') }).click()
  await form.getByText('请填写文章的网址').waitFor()
  await form.getByLabel('文章的网址').fill('/news/*.html')
  await form.getByLabel('不要的网址').fill('/news/page-*')
  await form.getByLabel('自动发布').check()
  await form.getByRole('button', { name: spaced('试采') }).click()
  const trial = drawer(page, '试采：馆讯')
  await trial.getByText(/会采集 2 篇文章/).waitFor({ timeout: 60_000 })
  await trial
    .getByText(article.paragraphs[0]?.slice(0, 12) ?? '')
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: spaced('保存') }).click()
  await page.getByText('新增成功').waitFor()
  await row(page, '馆讯')
    .getByRole('button', { name: spaced('运行') })
    .click()
  await confirmDialog(page, spaced('运行'))
  await eventually(() => row(page, '馆讯').innerText()).toContain('发布 2')

  await visit(page, `/admin/spider/document?target=${ContentType.Article}`)
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: article.title }).first().click(),
  ])
  await opened.getByRole('heading', { name: article.title, level: 1 }).waitFor()
  const picture = opened.locator('.prose-cn img').first()
  expect(await picture.getAttribute('src')).toMatch(/^\/uploads\//)
  expectNoPageErrors(page)
})

test('the dashboard tells what was done today', async () => {
  const page = await openAsRoot()
  await visit(page, '/admin/dashboard')
  const card = page.locator('.ant-card').filter({ has: page.getByRole('heading', { name: '今天的采集' }) })
  await card.getByText('没有采集源在运行').waitFor()
  const numbers = await card.locator('dl').innerText()
  const numberOf = (label: string) => Number(new RegExp(`${label}\\s+(\\d+)`).exec(numbers)?.[1])
  expect(numberOf('下载')).toBeGreaterThan(0)
  expect(numberOf('发布')).toBeGreaterThan(0)
  await expectAccessible(page)
  expectNoPageErrors(page)
})

test('numbers of today that cannot be had leave a card that says so', async () => {
  const page = await openAsRoot()
  let isBroken = true
  await page.route(/\/api\/v1\/spider\/today$/, (route) =>
    isBroken ? route.fulfill({ status: 500, json: { code: 13, message: '数据库忙' } }) : route.continue(),
  )
  await visit(page, '/admin/dashboard')
  const card = page.locator('.ant-card').filter({ has: page.getByRole('heading', { name: '今天的采集' }) })
  await card.getByText('数据库忙').waitFor()
  isBroken = false
  await card.getByRole('button', { name: spaced('重试') }).click()
  await card.getByText('没有采集源在运行').waitFor()
})

test('the page about the crawler names it, also on a closed site', async () => {
  const page = await openWindow(browser, site.url, { javaScriptEnabled: false })
  const read = async () => {
    await page.goto('/spider')
    return page.getByRole('main').innerText()
  }
  const asked = library.log.at(-1)?.headers['user-agent']
  const text = await read()
  expect(text).toContain('User-agent: WendouBot')
  expect(text).toContain(asked)
  await configure(site, { 'security.is_close': 'true' })
  expect(await read()).toBe(text)
})

/** As if the schedule's time had not come. */
async function postponeSchedule(): Promise<void> {
  await site.db
    .updateTable('spider_source')
    .set({ next_run_at: Date.now() + 24 * 60 * 60_000 })
    .execute()
}
