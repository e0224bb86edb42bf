import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { Visibility } from '#shared/enums.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { expectNoPageErrors, openBrowser, openWindow, phone, visit } from './browser.ts'
import { configure } from './owner.ts'
import { accessibilityFaults } from './page-checks.ts'
import { signInAs } from './person.ts'
import { journeyEngine, type RunningSite, startSite } from './running-site.ts'
import {
  addCategory,
  allowContributions,
  createMember,
  type Member,
  publishAndWait,
  signInAsRoot,
} from './site-setup.ts'
import type { PublishedDocument } from './upload-client.ts'

/** An author decides who sees a document; visitors, members and the holder of a link look. */

let browser: Browser
let site: RunningSite
let author: Member
let reader: Member
let document: PublishedDocument
const owner = { username: 'admin', password: 'root password' }
const title = '家书'
beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite(journeyEngine, { ADMIN_PASSWORD: owner.password })
  const root = await signInAsRoot(site, owner.password)
  await configure(site, { 'download.enable_guest_download': 'true' })
  await allowContributions(root, { reviewed: false })
  await addCategory(root, '书信')
  author = await createMember(site, root, '写信的人')
  reader = await createMember(site, root, '读信的人')
  const bytes = makePdf({ title, pages: 2 })
  document = await publishAndWait(site, author, { name: `${title}.pdf`, bytes })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

/** The author's window. */
async function openDesk(): Promise<Page> {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, author)
  return page
}

const openVisitor = () => openWindow(browser, site.url, { viewport: phone })

const html = async (path: string) => (await fetch(new URL(path, site.url))).text()
const statusOf = async (path: string) => (await fetch(new URL(path, site.url))).status

test('hidden for members from the own list, a document leaves every page for visitors at once', async () => {
  const desk = await openDesk()
  const path = `/document/${document.uuid}`
  const pages = ['/', '/category', path]
  for (const page of pages) expect(await html(page)).toContain(title)
  await visit(desk, '/me/document')
  await desk.getByRole('checkbox', { name: `选择“${title}”` }).check()
  await desk.getByRole('button', { name: '修改可见范围' }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByLabel('可见范围').selectOption('登录用户')
  await dialog.getByRole('button', { name: '保存' }).click()
  await desk.getByText('可见范围：登录用户').waitFor()
  for (const page of pages) expect(await html(page)).not.toContain(title)
  expect(await statusOf(path)).toBe(404)
  expect(await accessibilityFaults(desk)).toEqual([])

  const page = await openWindow(browser, site.url)
  await signInAs(page, site, reader)
  await visit(page, path)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.getByText('可见范围：登录用户').waitFor()
})

test('a link with a password and one download is made in the edit dialog', async () => {
  const desk = await openDesk()
  await visit(desk, '/me/document')
  const edit = async () => {
    await desk.getByRole('button', { name: `编辑“${title}”` }).click()
    return desk.getByRole('dialog', { name: '编辑文档' })
  }
  const first = await edit()
  await first.getByLabel('可见范围').selectOption('凭链接')
  await first.getByRole('button', { name: '保存' }).click()
  await desk.getByText('可见范围：凭链接').waitFor()
  const dialog = await edit()
  await dialog.getByText('还没有链接').waitFor()
  await dialog.getByRole('button', { name: '新建链接' }).click()
  await dialog.getByLabel('密码').fill('平安')
  await dialog.getByLabel('下载次数').fill('1')
  await dialog.getByRole('button', { name: '生成链接' }).click()
  await dialog.getByText('有密码 · 还能下载 1 次').waitFor()
  expect(await accessibilityFaults(desk)).toEqual([])
  expectNoPageErrors(desk)
})

test('its holder gives the password, reads, downloads once, and is told when its author ends it', async () => {
  const visitor = await openVisitor()
  const [share] = (await author.call(contract.documentShares.list, { document_id: document.id })).share
  const path = `/share/${share?.token ?? ''}`
  expect(await html(path)).toContain('noindex')
  expect(await html(path)).not.toContain(title)
  await visit(visitor, path)
  await visitor.getByRole('heading', { name: '这份文档需要密码' }).waitFor()
  expect(await accessibilityFaults(visitor)).toEqual([])
  const open = async (password: string) => {
    await visitor.getByLabel('密码', { exact: true }).fill(password)
    await visitor.getByRole('button', { name: '打开文档' }).click()
  }
  await open('不对')
  await visitor.getByText('密码不正确').waitFor()
  await open('平安')
  await visitor.getByRole('heading', { level: 1, name: title }).waitFor()
  const pagePicture = visitor.locator('img[src*="/view/page/"]').first()
  await expect.poll(() => pagePicture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

  await visitor.reload()
  await visitor.getByRole('heading', { level: 1, name: title }).waitFor()
  const ask = async () => {
    await visitor.getByRole('button', { name: /下载文档/ }).click()
    return visitor.getByRole('dialog', { name: '下载文档' })
  }
  const coming = visitor.waitForEvent('download')
  await (await ask()).getByRole('button', { name: '下载', exact: true }).click()
  expect((await coming).suggestedFilename()).toBe(`${title}.pdf`)
  // What was counted a moment ago may be repeated, also on a page that is opened anew.
  await visitor.reload()
  await visitor.getByRole('heading', { level: 1, name: title }).waitFor()
  const repeated = visitor.waitForEvent('download')
  const dialogAgain = await ask()
  await dialogAgain.getByText('0 次，刚才的下载可以重复，不再计次').waitFor()
  await dialogAgain.getByRole('button', { name: '下载', exact: true }).click()
  expect((await repeated).suggestedFilename()).toBe(`${title}.pdf`)

  const desk = await openDesk()
  await visit(desk, '/me/document')
  await desk.getByRole('button', { name: `编辑“${title}”` }).click()
  const dialog = desk.getByRole('dialog', { name: '编辑文档' })
  await dialog.getByText('已下载 1 次').waitFor()
  await dialog.getByRole('button', { name: '使失效' }).click()
  await desk.getByRole('dialog', { name: '使这个链接失效？' }).getByRole('button', { name: '使失效' }).click()
  await dialog.getByText('已失效 · 有密码').waitFor()
  await visitor.reload()
  await visitor.getByText('链接已失效，请向分享的人索取新的链接').waitFor()
  expect(await visitor.getByText(title).count()).toBe(0)
  await visit(visitor, '/share/AAAAAAAAAAAAAAAAAAAAAA')
  await visitor.getByText('链接不存在，请检查是否复制完整').waitFor()
  expect(await accessibilityFaults(visitor)).toEqual([])
})

test('for reading only, a public document has no download button', async () => {
  const [desk, visitor] = [await openDesk(), await openVisitor()]
  await author.call(contract.documents.setVisibility, {
    id: [document.id],
    visibility: Visibility.Public,
    downloadable: false,
  })
  await visit(visitor, `/document/${document.uuid}`)
  await visitor.getByText('作者只允许在线阅读，这份文档不能下载').waitFor()
  expect(await visitor.getByRole('button', { name: /下载/ }).count()).toBe(0)
  await visit(desk, `/document/${document.uuid}`)
  await desk.getByRole('button', { name: /下载文档/ }).waitFor()
})

test('a new file is uploaded for its owner alone', async () => {
  const desk = await openDesk()
  const { user_id: userId } = await author.call(contract.documents.get, { id: document.id })
  await visit(desk, '/upload')
  await desk.getByLabel('可见范围').selectOption('仅自己')
  await desk.locator('#upload-defaults select').first().selectOption({ label: '书信' })
  const buffer = Buffer.from(makePdf({ title: '日记', pages: 1 }))
  await desk.locator('input[type=file]').setInputFiles({ name: '日记.pdf', mimeType: 'application/pdf', buffer })
  await desk.getByLabel('已获得作者授权').check()
  await desk.getByRole('button', { name: '开始上传' }).click()
  const own = () => author.call(contract.documents.list, { user_id: [userId], visibility: [Visibility.Private] })
  await expect.poll(async () => (await own()).total).toBe(1)
  expect((await reader.call(contract.documents.list, { user_id: [userId] })).total).toBe(1)
})

test('staff see and filter the visibility', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, owner)
  await visit(page, `/admin/document/list?visibility=${Visibility.Private}`)
  await page.getByRole('link', { name: '日记' }).waitFor()
  await page.getByRole('cell', { name: '仅自己' }).waitFor()
  expect(await page.getByRole('link', { name: title, exact: true }).count()).toBe(0)
  expectNoPageErrors(page)
})
