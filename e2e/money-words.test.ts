import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { expectNoPageErrors, openWindow, phone, visit, waitForPath } from './browser.ts'
import { startLibrary } from './library.ts'
import { configure } from './owner.ts'
import { accessibilityFaults } from './page-checks.ts'
import { fillLogin, signInAs } from './person.ts'
import { journeyEngine, type RunningSite } from './running-site.ts'
import { addCategory, createMember, type Member, publishAndWait } from './site-setup.ts'
import type { PublishedDocument } from './upload-client.ts'

/** What a document costs is said truly to each who looks, and a login on the way loses nothing. */

let browser: Browser
let site: RunningSite
let author: Member
let buyer: Member
let poor: Member
let sold: PublishedDocument
const title = '考研真题'
beforeAll(async () => {
  const { root, ...opened } = await startLibrary('出卷人', journeyEngine)
  ;({ browser, site, author } = opened)
  await configure(site, {
    'score.sign_in': '2',
    'score.upload_document': '3',
    'score.upload_document_limit': '5',
    'score.register': '0',
  })
  await addCategory(root, '考试')
  buyer = await createMember(site, root, '买卷人')
  poor = await createMember(site, root, '穷学生')
  sold = await publishAndWait(site, author, { name: `${title}.pdf`, bytes: makePdf({ title, pages: 2 }), price: 6 })
  await site.db.updateTable('user').set({ credit_count: 20 }).where('username', '=', buyer.username).execute()
  await site.db.updateTable('user').set({ credit_count: 1 }).where('username', '=', poor.username).execute()
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

const path = () => `/document/${sold.uuid}`

test('a visitor logs in for a download, buys it, and every button tells that it is paid', async () => {
  const page = await openWindow(browser, site.url, { acceptDownloads: true })
  await visit(page, path())
  const button = page.getByRole('button', { name: '下载文档（6 豆子）' })
  await button.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(`登录后即可下载《${title}》`).waitFor()
  await dialog.getByRole('link', { name: '登录后下载' }).click()
  await waitForPath(page, /^\/login/)
  await page.getByText(`登录后即可下载《${title}》`).waitFor()
  await fillLogin(page, site, buyer)
  await waitForPath(page, new RegExp(`^${path()}(\\?page=\\d+)?$`))
  // It goes on where it stopped.
  await dialog.getByText('下载后剩余').waitFor()
  await dialog.getByRole('button', { name: '支付并下载' }).click()
  await page.getByRole('button', { name: '已购买，免费下载' }).waitFor()
  const bar = page.getByRole('button', { name: /^下载\s*已购买$/ })
  await bar.waitFor()
  await page.locator('h1').getByText('已购买').waitFor()
  await page.getByRole('button', { name: '已购买，免费下载' }).click()
  await dialog.getByText('免费（已购买）').waitFor()
  await dialog.getByRole('button', { name: '免费下载' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await visit(page, '/category')
  await page.getByRole('listitem').filter({ hasText: title }).getByText('已购买').waitFor()
  expectNoPageErrors(page)
})

test('the author pays nothing, and reads what others pay', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, author)
  await visit(page, path())
  await page.getByRole('button', { name: '下载文档（自己的文档，免费）' }).waitFor()
  await page.locator('h1').getByText('售价 6 豆子').waitFor()
  expectNoPageErrors(page)
})

test('a member with too few credits reads how to get them, by what the site offers', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone })
  await signInAs(page, site, poor)
  await visit(page, path())
  await page.getByText('您有 1 豆子，还差 5 豆子').waitFor()
  await page.getByRole('link', { name: '签到得 2 豆子' }).waitFor()
  await page.getByRole('link', { name: '上传一份文档得 3 豆子' }).waitFor()
  expect(await page.getByRole('link', { name: /充值/ }).count()).toBe(0)
  expectNoPageErrors(page)
})

test('a favourite asked for before the login is set after it', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, path())
  await page.getByRole('link', { name: /收藏/ }).first().click()
  await waitForPath(page, /^\/login/)
  await page.getByText('登录后即可收藏').waitFor()
  await fillLogin(page, site, poor)
  await waitForPath(page, path())
  await page.getByRole('button', { name: /收藏/, pressed: true }).first().waitFor()
  const { favorite } = await poor.call(contract.favorites.list, { page: 1, size: 10 })
  expect(favorite.map(({ document_id }) => document_id)).toEqual([sold.id])
  expectNoPageErrors(page)
})

test('a log-out shows in the other tab at once, and so does the next account; a draft is kept', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, buyer)
  await visit(page, path())
  const other = await page.context().newPage()
  await visit(other, path())
  await other.getByRole('button', { name: '已购买，免费下载' }).waitFor()
  await other.locator('#comments').scrollIntoViewIfNeeded()
  await other.getByLabel('写评论').fill('还没写完的话')

  const session = await page.evaluate(() => localStorage.getItem('wendou') ?? '')
  await page.evaluate(() => localStorage.clear())
  await other.getByText('已在其他标签页退出登录').waitFor()
  await other.getByRole('button', { name: '下载文档（6 豆子）' }).waitFor()
  await page.evaluate((kept) => localStorage.setItem('wendou', kept), session)
  await other.getByText(`已在其他标签页登录为 ${buyer.username}`).waitFor()
  await other.getByRole('button', { name: '已购买，免费下载' }).waitFor()
  await expect.poll(() => other.getByLabel('写评论').inputValue()).toBe('还没写完的话')
  expectNoPageErrors(other)
})
