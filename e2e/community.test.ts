import { ContentType, ReviewStatus } from '#shared/enums.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePdf } from '#server/samples/pdf.ts'
import { contract } from '#shared/contract/contract.ts'
import {
  confirmDialog,
  waitForPath,
  chooseMenuItem,
  desktop,
  expectNoPageErrors,
  openWindow,
  phone,
  visit,
} from './browser.ts'
import { startLibrary } from './library.ts'
import type { PublishedDocument } from './upload-client.ts'
import { addCategory, type Member, createMember, publishAndWait } from './site-setup.ts'
import { configure } from './owner.ts'
import { answerCaptcha, signInAs } from './person.ts'
import type { RunningSite } from './running-site.ts'

/** An article from writing to comments, and the credits its author earns. */

let browser: Browser
let site: RunningSite
let root: Member
let author: Member
let reader: Member
let document: PublishedDocument
/** One window for all tests of this file, as a person would have it. */
let identifier = ''
const title = '江南园林的门窗'
const rare = '月洞门外竹影'

beforeAll(async () => {
  ;({ browser, site, root, author } = await startLibrary('写园林的人'))
  await allowArticles({ reviewed: true })
  await configure(site, { 'security.comment_interval': '0' })
  reader = await createMember(site, root, '爱读的人')
  await addCategory(root, '建筑')
  await root.call(contract.categories.create, { title: '随笔', parent_id: 0, type: ContentType.Article, enable: true })
  document = await publishAndWait(site, author, {
    name: '园林测绘.pdf',
    bytes: makePdf({ title: '园林测绘', pages: 3 }),
  })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test.each([
  ['a phone', phone],
  ['a desktop', desktop],
])(
  'on %s an article with a picture, a table, code and a formula is written and waits for review',
  async (name, viewport) => {
    const page = await openWindow(browser, site.url, { viewport, hasTouch: viewport === phone })
    await signInAs(page, site, author)
    await visit(page, '/post')
    await page.getByLabel('标题', { exact: true }).fill(`${title}（${name}）`)
    const text = page.getByRole('textbox', { name: '正文' })
    await text.click()
    await page.keyboard.type('## 门')
    await page.keyboard.press('Enter')
    await page.keyboard.type(`${rare}，一步一景。`)
    await page.keyboard.press('Enter')
    await tool(page, '公式').click()
    await page.getByLabel('LaTeX').fill('a^2 + b^2 = c^2')
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
    await text.locator('[data-type$="math"]').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page
      .getByLabel('图片文件')
      .setInputFiles({ name: '漏窗.png', mimeType: 'image/png', buffer: await painted() })
    await text.locator('img[src^="/uploads/"]').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('```js ')
    await page.keyboard.type('const doors = 3')
    await page.keyboard.press('Control+Enter')
    await tool(page, '表格').click()
    await page.keyboard.type('名称')
    await expect.poll(() => text.locator('table').innerText()).toContain('名称')
    await page.getByLabel('分类（必选）').selectOption({ label: '随笔' })
    await page.getByRole('button', { name: '提交审核' }).dblclick()
    await waitForPath(page, /^\/article\/[0-9a-f]{16}$/)
    identifier = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await page.getByText('待审核').first().waitFor()
    for (const part of ['table', 'pre code', '[data-type$="math"] math', 'img[src^="/uploads/"]', 'h2'])
      await page.locator(`article ${part}`).first().waitFor()
    expect(await sideways(page)).toBe(false)
    expectNoPageErrors(page)
    const { total } = await author.call(contract.articles.list, {
      user_id: [await idOf(author)],
      status: [ReviewStatus.Pending],
    })
    expect(total, 'a double click is one article').toBe(viewport === phone ? 1 : 2)
    expect(await (await fetch(`${site.url}/article/${identifier}`)).text()).not.toContain(rare)
    expect((await fetch(`${site.url}/article/${identifier}`)).status).toBe(404)
  },
)

test('an administrator sends it back with a reason; the author reads it, corrects the article, and it is approved', async () => {
  const staff = await openWindow(browser, site.url)
  await signInAs(staff, site, { username: 'admin', password: 'root password' })
  await visit(staff, '/admin/article/list?status=0')
  await chooseMore(rowOf(staff), '审核不通过')
  await staff.getByLabel('原因').fill('请写明在哪一座园林')
  await confirmDialog(staff, '审核不通过')
  await expect.poll(() => statusNow()).toBe(2)

  const page = await openWindow(browser, site.url)
  await signInAs(page, site, author)
  await visit(page, '/me/article')
  await page.getByText('请写明在哪一座园林').first().waitFor()
  await visit(page, `/post?identifier=${identifier}`)
  await page.getByText('原因：请写明在哪一座园林').waitFor()
  const text = page.getByRole('textbox', { name: '正文' })
  await text.locator('h2').click()
  await page.keyboard.press('End')
  await page.keyboard.type('，拙政园')
  // A reload in the middle loses nothing.
  await page
    .getByText(/草稿已保存/)
    .first()
    .waitFor()
  await page.reload()
  await page.getByRole('button', { name: '恢复' }).click()
  await expect.poll(() => text.locator('h2').innerText()).toContain('拙政园')
  await page.getByRole('button', { name: /提交审核|重新提交/ }).click()
  await waitForPath(page, `/article/${identifier}`)
  await expect.poll(() => statusNow()).toBe(0)

  await visit(staff, `/article/${identifier}`)
  await staff.getByRole('button', { name: '通过', exact: true }).click()
  await expect.poll(() => statusNow()).toBe(1)
  expectNoPageErrors(staff)
  expectNoPageErrors(page)
})

test('then visitors find it: in the list, by searching, in the feed and in the sitemap', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/article')
  await page
    .getByRole('link', { name: `${title}（a desktop）` })
    .first()
    .waitFor()
  await expect
    .poll(async () => {
      await visit(page, `/search?type=1&wd=${encodeURIComponent(rare)}`)
      return page.getByRole('link', { name: `${title}（a desktop）` }).count()
    })
    .toBeGreaterThan(0)
  await page
    .getByRole('link', { name: `${title}（a desktop）` })
    .first()
    .click()
  await waitForPath(page, `/article/${identifier}`)
  await page.locator('article').getByText(rare).waitFor()
  for (const path of ['/feed/article', '/sitemap/articles-1.xml'])
    expect(await (await fetch(site.url + path)).text(), path).toContain(`/article/${identifier}`)
  expectNoPageErrors(page)
})

test('its text is sent once, with any query, and stays when the page comes to life, for visitors, offline and for staff', async () => {
  const longText = '流觞曲水，'.repeat(200)
  const content = `<p>引子</p><h2>一</h2><p>${longText}</p><h2>二</h2><pre><code class="language-js">const x = 1</code></pre>`
  const { id } = await root.call(contract.articles.create, { title: '兰亭', content, identifier: 'orchid' })
  const html = async (query: string) => (await fetch(`${site.url}/article/orchid${query}`)).text()
  const first = await html('')
  expect(first.split(longText)).toHaveLength(2)
  expect(await html(`?u=${Math.random()}`)).toBe(first)

  const page = await openWindow(browser, site.url)
  await visit(page, '/article/orchid?u=1')
  await page.locator('article').getByText(longText).waitFor()
  // Colours are added in the browser.
  await page.locator('article pre code span').first().waitFor()
  expectNoPageErrors(page)
  await page.getByRole('link', { name: '首页' }).first().click()
  await waitForPath(page, '/')
  await page.context().setOffline(true)
  await page.goBack()
  await page.locator('article').getByText(longText).waitFor()

  const staff = await openWindow(browser, site.url)
  await signInAs(staff, site, { username: 'admin', password: 'root password' })
  await visit(staff, '/article/orchid')
  await staff
    .getByRole('button', { name: '编辑' })
    .or(staff.getByRole('link', { name: '编辑' }))
    .first()
    .waitFor()
  await staff.locator('article').getByText(longText).waitFor()
  await root.call(contract.articles.update, { id, title: '兰亭', content: content.replace('引子', '改过的引子') })
  await visit(staff, '/article/orchid')
  await staff.locator('article').getByText('改过的引子').waitFor()
  expectNoPageErrors(staff)
})

test('a reader comments, adds to favorites and reports; the author earns credits and sees the activities', async () => {
  const before = (await author.call(contract.users.get)).credit_count
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, reader)
  await visit(page, `/article/${identifier}`)
  await comment(page, '写得真好，我也去过。')
  await page.getByRole('button', { name: /收藏/ }).first().click()
  await expect.poll(async () => (await author.call(contract.articles.get, { identifier })).favorite_count).toBe(1)

  await visit(page, `/document/${document.uuid}`)
  await comment(page, '图很清楚。')
  await page.getByRole('button', { name: /收藏/ }).first().click()
  await expect.poll(async () => (await author.call(contract.documents.get, { id: document.id })).favorite_count).toBe(1)
  await page.getByRole('button', { name: '举报' }).first().click()
  await page.getByRole('radio', { name: '垃圾广告' }).check()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /举报|提交/ })
    .click()
  await page.getByRole('button', { name: '已举报' }).first().waitFor()
  expectNoPageErrors(page)

  const own = await openWindow(browser, site.url)
  await signInAs(own, site, author)
  await visit(own, '/me')
  for (const action of ['作品被收藏', '作品被评论', '文章通过了审核', '文章未通过审核'])
    await own.getByText(action).first().waitFor()
  await own.getByText(`作品被评论“${title}`).waitFor()
  // One for the document's favorite, one for its comment; articles earn nothing.
  await expect.poll(async () => (await author.call(contract.users.get)).credit_count).toBe(before + 2)
  await visit(own, '/me/credit')
  await own.getByText('文档被评论奖励').waitFor()
  await visit(own, '/me/favorite')
  await own.getByText('还没有收藏').waitFor()
  expectNoPageErrors(own)
  await visit(page, '/me/favorite?type=1')
  await page.getByText(`${title}（a desktop）`).waitFor()
})

test('a daily check-in earns credits and shows the days in a row', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, reader)
  await visit(page, '/')
  await page.getByRole('button', { name: '每日签到' }).first().dblclick()
  await page.getByText(/签到成功，获得 1 个/).waitFor()
  await page.reload()
  await page.getByText('今日已签到').first().waitFor()
  const { entry } = await reader.call(contract.credits.entries)
  expect(entry.filter(({ reason }) => reason === 'sign')).toHaveLength(1)
  expectNoPageErrors(page)
})

async function allowArticles({ reviewed }: { reviewed: boolean }): Promise<void> {
  const { group } = await root.call(contract.groups.list)
  const standard = group.find(({ is_default }) => is_default)
  if (!standard) throw new Error('no default group')
  await root.call(contract.groups.update, {
    ...standard,
    enable_article: true,
    enable_article_approval: reviewed,
    enable_comment_approval: false,
  })
}

async function comment(page: Page, words: string): Promise<void> {
  const box = page.getByLabel('写评论')
  await page.locator('#comments').scrollIntoViewIfNeeded()
  await box.fill(words)
  await answerCaptcha(page, site.db)
  await page.getByRole('button', { name: '发表评论' }).click()
  await page.getByText('评论已发表').waitFor()
  await page.locator('#comments p').getByText(words).waitFor()
}

function tool(page: Page, name: string): Locator {
  return page.getByRole('toolbar', { name: '编辑工具' }).getByRole('button', { name, exact: true })
}

function rowOf(staff: Page): Locator {
  return staff.getByRole('row').filter({ hasText: `${title}（a desktop）` })
}

async function chooseMore(row: Locator, action: string): Promise<void> {
  await chooseMenuItem(row.getByRole('button', { name: '更多操作' }), action)
}

async function statusNow(): Promise<number> {
  const { status } = await author.call(contract.articles.get, { identifier })
  return status
}

async function idOf(member: Member): Promise<number> {
  return (await member.call(contract.users.get)).id
}

async function sideways(page: Page): Promise<boolean> {
  return page.evaluate(() => window.document.documentElement.scrollWidth > window.innerWidth)
}

async function painted(): Promise<Buffer> {
  return sharp({ create: { width: 320, height: 200, channels: 3, background: '#336655' } })
    .png()
    .toBuffer()
}
