import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { ReportReason } from '#shared/enums.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { expectNoPageErrors, openBrowser, openWindow, phone, visit, waitForPath } from './browser.ts'
import { accessibilityFaults } from './page-checks.ts'
import { signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'
import {
  addCategory,
  allowContributions,
  createMember,
  type Member,
  publishAndWait,
  signInAsRoot,
} from './site-setup.ts'
import type { PublishedDocument } from './upload-client.ts'

/** A report from the reader's complaint to the answer. */

let browser: Browser
let site: RunningSite
let root: Member
let author: Member
let reader: Member
let document: PublishedDocument
const owner = { username: 'admin', password: 'root password' }
beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: owner.password })
  root = await signInAsRoot(site, owner.password)
  await allowContributions(root, { reviewed: false })
  await addCategory(root, '教材')
  author = await createMember(site, root, '上传的人')
  reader = await createMember(site, root, '写书的人')
  document = await publishAndWait(site, author, { name: '茶经.pdf', bytes: makePdf({ title: '茶经', pages: 2 }) })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('a copyright is claimed with words, a contact and a proof, on a phone', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone })
  await signInAs(page, site, reader)
  await visit(page, `/document/${document.uuid}`)
  await page.getByRole('button', { name: '举报' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: '侵犯版权' }).check()
  await dialog.getByRole('button', { name: '提交举报' }).click()
  await dialog.getByText('请说明情况').waitFor()
  await dialog.getByLabel('说明').fill('这是我写的书。')
  await dialog.getByLabel('联系方式').fill('author@example.com')
  const image = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#886644' } })
    .png()
    .toBuffer()
  await dialog.getByLabel('选择证明文件').setInputFiles([
    { name: '版权页.png', mimeType: 'image/png', buffer: image },
    { name: '坏文件.pdf', mimeType: 'application/pdf', buffer: Buffer.from('not a PDF') },
  ])
  await dialog.getByText('版权页.png').waitFor()
  await dialog.getByText(/坏文件\.pdf：请上传图片/).waitFor()
  await dialog.getByRole('button', { name: '提交举报' }).click()
  await page.getByRole('button', { name: '已举报' }).first().waitFor()
  expectNoPageErrors(page)
})

test('staff read the proof, disable the document and answer, by keyboard', async () => {
  const other = await createMember(site, root, '路过的人')
  await other.call(contract.reports.create, { document_id: document.id, reason: ReportReason.Misleading })
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, owner)
  await visit(page, '/admin/report')
  const entry = page.getByRole('article', { name: '茶经' })
  for (const words of ['侵犯版权', '内容与标题不符', '这是我写的书。', 'author@example.com'])
    await entry.getByText(words).first().waitFor()
  await entry.getByRole('button', { name: /版权页/ }).click()
  const picture = page.getByRole('dialog').getByRole('img', { name: '版权页.png' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(90)
  await page.keyboard.press('Escape')
  await picture.waitFor({ state: 'detached' })

  await page.keyboard.press('j')
  await expect.poll(() => entry.evaluate((element) => element === window.document.activeElement)).toBe(true)
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: /处理举报/ })
  await dialog.getByLabel(/答复举报人（2 人）/).fill('已经下架，感谢您。')
  await page.keyboard.press('Control+Enter')
  await entry.waitFor({ state: 'detached' })
  await page.getByText('没有待处理的举报').waitFor()
  const response = await fetch(new URL(`/document/${document.uuid}`, site.url))
  expect(response.status).toBe(404)
  await page.getByText('已处理', { exact: true }).first().click()
  await waitForPath(page, '/admin/report?status=true')
  await entry.getByText('文档已禁用').first().waitFor()
  expectNoPageErrors(page)
})

test('the reporter sees the result and the answer', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, reader)
  await visit(page, '/me')
  await page.getByRole('link', { name: '“茶经”' }).first().click()
  await waitForPath(page, '/me/report')
  await page.getByText('文档已禁用').waitFor()
  await page.getByText('已经下架，感谢您。').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expectNoPageErrors(page)
})
