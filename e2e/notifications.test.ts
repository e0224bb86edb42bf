import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { ContentType, ReviewStatus } from '#shared/enums.ts'
import { NotificationKind } from '#shared/notification-kinds.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { expectNoPageErrors, openWindow, phone, visit, waitForPath } from './browser.ts'
import { startLibrary } from './library.ts'
import { configure } from './owner.ts'
import { accessibilityFaults } from './page-checks.ts'
import { signInAs } from './person.ts'
import { journeyEngine, type RunningSite } from './running-site.ts'
import { addCategory, createMember, type Member, publishAndWait } from './site-setup.ts'
import type { PublishedDocument } from './upload-client.ts'

/** What a member is told of, from the bell to the mail that is ended with one click. */

let browser: Browser
let site: RunningSite
let mailbox: Mailbox
let root: Member
let author: Member
let reader: Member
let document: PublishedDocument
const address = 'author@example.com'
beforeAll(async () => {
  mailbox = await openMailbox()
  ;({ browser, site, root, author } = await startLibrary('写书的人', journeyEngine))
  await configure(site, {
    ...mailbox.settings,
    'system.domain': site.url,
    'security.comment_interval': '0',
    'security.enable_captcha_comment': 'false',
  })
  await addCategory(root, '教材')
  reader = await createMember(site, root, '读书的人')
  await site.db.updateTable('user').set({ email: address }).where('username', '=', author.username).execute()
  document = await publishAndWait(site, author, { name: '茶经.pdf', bytes: makePdf({ title: '茶经', pages: 2 }) })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
  await mailbox.close()
})

test('visitors have no bell', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, '/')
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('button', { name: /^通知/ }).count()).toBe(0)
  expectNoPageErrors(page)
})

test('a comment shows at the bell, leads to its place, and is read then; by keyboard', async () => {
  const before = await openWindow(browser, site.url)
  await signInAs(before, site, author)
  await visit(before, '/')
  await bell(before).click()
  await before.getByRole('dialog', { name: '最新通知' }).getByText('还没有通知').waitFor()

  await comment('第二章写得好')
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, author)
  await visit(page, '/')
  await page.getByRole('button', { name: '通知，1 条未读通知' }).focus()
  await page.keyboard.press('Enter')
  const latest = page.getByRole('dialog', { name: '最新通知' })
  const entry = latest.getByRole('link', { name: '读书的人 评论了您的文档《茶经》' })
  await entry.waitFor()
  expect(await latest.getByText('第二章写得好').count()).toBe(1)
  expect(await accessibilityFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await latest.waitFor({ state: 'detached' })
  await expect.poll(() => bell(page).evaluate((button) => button === window.document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await entry.press('Enter')
  await waitForPath(page, new RegExp(`^/document/${document.uuid}`))
  await page.getByText('第二章写得好').first().waitFor()
  await page.getByRole('button', { name: '通知', exact: true }).waitFor()
  expectNoPageErrors(page)
})

test('on a phone they are listed, filtered, read and deleted', async () => {
  await comment('第三章也好')
  await comment('第四章更好')
  const page = await openWindow(browser, site.url, { viewport: phone })
  await signInAs(page, site, author)
  await visit(page, '/me/notification')
  await page.getByRole('link', { name: '未读', exact: true }).click()
  await waitForPath(page, '/me/notification?unread=1')
  const main = page.getByRole('main')
  await main.getByText('第四章更好').waitFor()
  expect(await main.getByText('第二章写得好').count()).toBe(0)
  expect(await page.evaluate(() => window.document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
  await main.getByRole('button', { name: /^标为已读：/ }).click()
  await main.getByText('没有未读的通知').waitFor()
  await page.getByRole('button', { name: '通知', exact: true }).waitFor()
  await main.getByRole('link', { name: '查看全部' }).click()
  await waitForPath(page, '/me/notification')
  await main.getByText('第二章写得好').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await main
    .getByRole('button', { name: /^删除：/ })
    .last()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: '删除', exact: true }).click()
  await main.getByText('第二章写得好').waitFor({ state: 'detached' })
  expectNoPageErrors(page)
})

test('a kind is chosen to be mailed at once, and the recipient ends it from the mail without logging in', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, author)
  await visit(page, '/me/notification/mail')
  await page.getByText(`也可以发到 ${address}`).waitFor()
  const choice = page.getByLabel('有人评论我的文档或文章')
  await choice.selectOption('立即发邮件')
  await page.getByText('已保存').first().waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await comment('请看第五章')
  // It waits a minute for more of them.
  await site.db.updateTable('notification').set({ mail_at: 1 }).where('mail_at', 'is not', null).execute()
  await expect.poll(() => mailsTo().length, { timeout: 90_000, interval: 500 }).toBe(1)
  const mail = mailbox.latest(address)
  expect(mail.subject).toContain('评论了您的文档《茶经》')
  const link = /https?:\S+\/unsubscribe\?token=\S+/.exec(mail.text)?.[0] ?? ''
  expect(mail.headers['list-unsubscribe']).toBe(`<${link}>`)

  const visitor = await openWindow(browser, site.url, { viewport: phone })
  await visit(visitor, link.replace(site.url, ''))
  await visitor.getByText('有人评论我的文档或文章').waitFor()
  expect(await accessibilityFaults(visitor)).toEqual([])
  await visitor.getByRole('button', { name: '退订这些邮件' }).click()
  await visitor.getByText('已经退订').waitFor()
  await page.reload()
  await expect
    .poll(() => choice.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text))
    .toBe('不发邮件')
  await visit(visitor, '/unsubscribe?token=wrong')
  await visitor.getByText(/退订链接不完整或已失效/).waitFor()
  expectNoPageErrors(page)
  expectNoPageErrors(visitor)
}, 150_000)

function bell(page: Page) {
  return page.getByRole('button', { name: /^通知/ })
}

/** Waits until its author has been notified. */
async function comment(content: string): Promise<void> {
  const count = () =>
    site.db
      .selectFrom('notification')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('kind', '=', NotificationKind.Comment)
      .executeTakeFirstOrThrow()
  const { count: before } = await count()
  const { id } = await reader.call(contract.comments.create, {
    type: ContentType.Document,
    document_id: document.id,
    parent_id: 0,
    content,
  })
  await root.call(contract.comments.review, { id: [id], status: ReviewStatus.Approved })
  await expect.poll(async () => (await count()).count, { timeout: 20_000 }).toBe(before + 1)
}

function mailsTo() {
  return mailbox.mails().filter(({ to }) => to.includes(address))
}
