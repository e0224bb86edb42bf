import { once } from 'node:events'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ContentType } from '#shared/enums.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { expectNoPageErrors, openBrowser, openWindow, phone, visit, waitUntilIdle } from './browser.ts'
import { configure } from './owner.ts'
import { fillLogin, signInAs, readToken } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'

const owner = { username: 'admin', password: 'owner password' }
const megabyte = 1024 * 1024

let browser: Browser
let site: RunningSite
let folder: string
beforeAll(async () => {
  browser = await openBrowser()
  folder = mkdtempSync(join(tmpdir(), 'wendou-upload-'))
  // A server that is killed must come back under its old address.
  site = await startSite('sqlite', { ADMIN_PASSWORD: owner.password, PORT: String(await freePort()) })
  await configure(site, { 'security.enable_captcha_login': 'false' })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
  rmSync(site.dataDir, { recursive: true, force: true })
  rmSync(folder, { recursive: true })
})

test('of many files every good one is published and every bad one says why', async () => {
  const page = await openUploadPage()
  const good = Array.from({ length: 12 }, (_, at) => put(`第${at + 1}章.pdf`, makePdf({ title: `第${at + 1}章` })))
  const bad = ['一', '二', '三'].map((name) => put(`冒充${name}.docx`, Buffer.from(`<html>${name}</html>`)))
  const refused = [put('空的.pdf', ''), put('程序.exe', 'MZ'), put('无后缀', 'x')]
  await choose(page, [...good.slice(0, 6), ...bad, ...refused, ...good.slice(6)])
  await page.getByText('空的.pdf：文件是空的').waitFor()
  await page.getByText('程序.exe：不支持 .exe 格式').waitFor()
  await page.getByText('无后缀：文件没有扩展名').waitFor()
  await page.getByLabel('第2章.pdf 的标题').fill('改过的标题')
  await page.getByLabel('第3章.pdf 的价格').fill('7')

  await page.getByRole('button', { name: '开始上传 15 个' }).click()
  await page.getByText('请选择分类', { exact: true }).last().waitFor()
  await page.getByLabel('分类（必选）').selectOption({ label: '学习资料' })
  await page.getByLabel('下级分类').selectOption({ label: '教材' })
  await stateRights(page)
  await page.getByRole('button', { name: '开始上传 15 个' }).dblclick()
  await page.getByText('已提交 12 个：已发布 12 个；失败 3 个').last().waitFor({ timeout: 60_000 })
  expect(await page.getByText('文件内容与扩展名不符，请检查文件').count()).toBe(3)
  await expect.poll(() => page.getByText('已发布 · 1 页').count(), { timeout: 60_000 }).toBe(12)

  const documents = await site.db.selectFrom('document').select(['title', 'price', 'language']).execute()
  expect(documents).toHaveLength(12)
  expect(documents.find(({ price }) => price === 7)).toMatchObject({ title: '第3章', language: 'zh-CN' })
  expect(documents.map(({ title }) => title)).toContain('改过的标题')
  const placed = await site.db.selectFrom('document_category').select('category_id').execute()
  expect(placed).toHaveLength(24)

  await page.getByRole('button', { name: '重试 冒充一.docx' }).click()
  await page.getByText('文件内容与扩展名不符，请检查文件').nth(2).waitFor()
  expectNoPageErrors(page)
})

test('a file the site has already is there at once, whatever it is called; the own one is asked about first', async () => {
  const page = await openUploadPage()
  const sent = tusRequests(page)
  await choose(page, [put('同一章，换个名字.pdf', makePdf({ title: '第1章' }))])
  await begin(page)
  await page.getByText(/您已上传过《/).waitFor()
  await page.getByRole('button', { name: '仍然发布 同一章，换个名字.pdf' }).click()
  await page.getByText('秒传完成，已发布 · 1 页').waitFor()
  expect(sent).toEqual([])
  await page.getByRole('button', { name: '继续上传' }).click()
  await page.getByRole('button', { name: '选择文件', exact: true }).waitFor()
  expect(await page.getByRole('listitem').filter({ hasText: '同一章' }).count()).toBe(0)
  expectNoPageErrors(page)
})

test('an upload cut off by a lost connection and by a killed server arrives whole, sent once', async () => {
  const page = await openUploadPage()
  const line = await throttle(page)
  const sent = tusRequests(page)
  const bytes = bigPdf(24 * megabyte)
  await choose(page, [put('断了两次.pdf', bytes)])
  await begin(page)

  await sentMoreThan(page, 15)
  await line.cut()
  await page.getByText('连接断开，恢复后自动继续').waitFor()
  await line.restore()
  await sentMoreThan(page, 40)
  site.process.kill('SIGKILL')
  await once(site.process, 'exit')
  await page.getByText('连接断开，恢复后自动继续').waitFor()
  const revived = await site.startSecond()
  site = { ...revived, stop: () => revived.stop() }
  await sentMoreThan(page, 45)
  await line.quicken()
  await page.getByText('已发布 1 个').last().waitFor({ timeout: 60_000 })

  expect(sent.filter((method) => method === 'POST')).toHaveLength(1)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const stored = await site.db.selectFrom('document').select('size').where('hash', '=', hash).execute()
  expect(stored).toEqual([{ size: bytes.length }])
})

test('after a reload the same file goes on where it stopped', async () => {
  const page = await openUploadPage()
  page.on('dialog', (dialog) => void dialog.accept())
  const line = await throttle(page)
  const sent = tusRequests(page)
  const bytes = bigPdf(24 * megabyte)
  const path = put('重新打开.pdf', bytes)
  await choose(page, [path])
  await page.getByLabel('重新打开.pdf 的标题').fill('想好的标题')
  await begin(page)
  await sentMoreThan(page, 40)
  await page.reload()

  await page.getByText('上次有 1 个文件没有传完').waitFor()
  await choose(page, [path])
  await page.getByText(/上次传到 \d+%，接着传/).waitFor()
  expect(await page.getByLabel('重新打开.pdf 的标题').inputValue()).toBe('想好的标题')
  await line.quicken()
  await begin(page)
  await page.getByText('已发布 1 个').last().waitFor({ timeout: 60_000 })
  expect(sent.filter((method) => method === 'POST')).toHaveLength(1)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const stored = await site.db.selectFrom('document').select('title').where('hash', '=', hash).execute()
  expect(stored).toEqual([{ title: '想好的标题' }])
  await page.reload()
  await page.getByRole('button', { name: '选择文件', exact: true }).waitFor()
  expect(await page.getByText('没有传完').count()).toBe(0)
})

test('a member whose session ends during an upload finds the files still listed after logging in', async () => {
  const page = await openUploadPage()
  await choose(page, [put('登录失效.pdf', makePdf({ title: '登录失效' }))])
  await fillForm(page)
  // Whatever the page requests by itself would lead to the log-in, too.
  await waitUntilIdle(page)
  await site.db.deleteFrom('session').execute()
  await startUpload(page)
  await page.waitForURL(/\/login\?redirect=%2Fupload/)
  await page.getByLabel('用户名').waitFor()
  await fillLogin(page, site, owner)
  await page.waitForURL(/\/upload$/)
  await page.getByText('登录曾经失效，上传已暂停').waitFor()
  await page.getByRole('button', { name: '开始上传 1 个' }).click()
  await page.getByText('已发布 1 个').last().waitFor({ timeout: 30_000 })
})

test('on a phone nothing runs off the screen, and a member without the right sees a message', async () => {
  const page = await openUploadPage({ viewport: phone })
  await choose(page, [put('名字很长很长很长很长很长很长很长很长很长很长很长.pdf', makePdf())])
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBe(phone.width)
  await site.db.updateTable('group').set({ enable_upload: 0 }).execute()
  await visit(page, '/upload')
  await page.getByText('没有上传文档的权限').waitFor()
})

async function openUploadPage(options = {}): Promise<Page> {
  const page = await openWindow(browser, site.url, options)
  await signInAs(page, site, owner)
  await prepare(await readToken(page))
  await visit(page, '/upload')
  await page.getByRole('button', { name: '选择文件', exact: true }).waitFor()
  return page
}

/** Categories to put documents into. */
async function prepare(token: string): Promise<void> {
  const known = await site.db.selectFrom('category').select('id').where('title', '=', '教材').execute()
  if (known.length > 0) return
  await addCategory(token, '学习资料', 0)
  const { id } = await site.db
    .selectFrom('category')
    .select('id')
    .where('title', '=', '学习资料')
    .executeTakeFirstOrThrow()
  await addCategory(token, '教材', id)
}

async function addCategory(token: string, title: string, parent_id: number): Promise<void> {
  const response = await fetch(new URL('/api/v1/category', site.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title, parent_id, enable: true, type: ContentType.Document }),
  })
  expect(response.status, await response.text()).toBe(200)
}

async function choose(page: Page, paths: string[]): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(paths)
}

async function begin(page: Page): Promise<void> {
  await fillForm(page)
  await startUpload(page)
}

async function fillForm(page: Page): Promise<void> {
  await page.getByLabel('分类（必选）').selectOption({ label: '学习资料' })
  await stateRights(page)
}

async function startUpload(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^开始上传/ }).click()
}

async function stateRights(page: Page): Promise<void> {
  await page.getByLabel('已获得作者授权').check()
}

/** Records the requests to the tus endpoint. */
function tusRequests(page: Page): string[] {
  const methods: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/upload/tus')) methods.push(request.method())
  })
  return methods
}

async function sentMoreThan(page: Page, percent: number): Promise<void> {
  const shown = async () => {
    const texts = await page.getByText(/^上传 \d+%/).allInnerTexts()
    return Math.max(0, ...texts.map((text) => Number(/\d+/.exec(text)?.[0])))
  }
  await expect.poll(shown, { timeout: 30_000, interval: 100 }).toBeGreaterThan(percent)
}

interface Connection {
  cut(): Promise<void>
  restore(): Promise<void>
  quicken(): Promise<void>
}

/** Throttles the connection, so that there is time to act while a file is being sent. */
async function throttle(page: Page): Promise<Connection> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const set = async (offline: boolean, uploadThroughput: number) => {
    await session.send('Network.emulateNetworkConditions', {
      offline,
      uploadThroughput,
      downloadThroughput: -1,
      latency: 0,
    })
  }
  const slow = 4 * megabyte
  await session.send('Network.enable')
  await set(false, slow)
  return { cut: () => set(true, slow), restore: () => set(false, slow), quicken: () => set(false, -1) }
}

function put(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

/** A valid PDF with large invisible content. */
function bigPdf(size: number): Uint8Array {
  const small = Buffer.from(makePdf({ title: randomBytes(4).toString('hex') })).toString('latin1')
  const at = small.lastIndexOf('\nxref\n') + 1
  const ballast = `9999 0 obj\n<< /Length ${size} >>\nstream\n${randomBytes(size).toString('latin1')}\nendstream\nendobj\n`
  const rest = small.slice(at).replace(/startxref\n\d+/, `startxref\n${at + ballast.length}`)
  return Buffer.from(small.slice(0, at) + ballast + rest, 'latin1')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
