import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { ContentType } from '#shared/enums.ts'
import { makeMobi } from '#server/samples/books.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { expectNoPageErrors, openBrowser, openWindow, phone, tablet, visit } from './browser.ts'
import { configure } from './owner.ts'
import { accessibilityFaults, overflowOf } from './page-checks.ts'
import { signInAs } from './person.ts'
import { journeyEngine, type RunningSite, startSite } from './running-site.ts'
import { addCategory, allowContributions, createMember, type Member, signInAsRoot } from './site-setup.ts'

/** A member uploads twelve files, of which three are broken, and replaces one of them later. */

let browser: Browser
let site: RunningSite
let root: Member
let member: Member
beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite(journeyEngine, { ADMIN_PASSWORD: 'root password' })
  root = await signInAsRoot(site, 'root password')
  await configure(site, {
    'score.upload_document': '3',
    'score.upload_document_limit': '20',
    'security.enable_captcha_comment': 'false',
  })
  await allowContributions(root, { reviewed: false })
  const parent = await addCategory(root, '学习资料')
  await addCategory(root, '教材', parent)
  await addCategory(root, '公文')
  member = await createMember(site, root, '上传的人')
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

const file = (name: string, bytes: Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(bytes),
})

/** Twelve, the last three of them broken: another format, cut off, with a password. */
function twelveFiles() {
  const good = Array.from({ length: 9 }, (_, at) =>
    file(`扫描${at + 1}.pdf`, makePdf({ title: `线性代数第${at + 1}讲` })),
  )
  const cut = makePdf({ title: '半份' }).slice(0, 300)
  return [
    ...good,
    file('冒充.docx', Buffer.from('<html>不是文档</html>')),
    file('传断了.pdf', cut),
    file('有密码.mobi', makeMobi({ title: '机密', encryption: 2 })),
  ]
}

async function openUpload(options = {}): Promise<Page> {
  const page = await openWindow(browser, site.url, options)
  await signInAs(page, site, member)
  await visit(page, '/upload')
  await page.getByRole('button', { name: '选择文件', exact: true }).waitFor()
  return page
}

test('nine of twelve are published, and each of the others says why', async () => {
  const page = await openUpload()
  await page.getByText('公开发布一份奖励 3 豆子，今天还有 20 份有奖励').waitFor()
  // The zone comes before the form.
  const zone = await page.getByRole('region', { name: '选择要上传的文件' }).boundingBox()
  const form = await page.locator('#upload-defaults').boundingBox()
  expect(zone?.y).toBeLessThan(form?.y ?? 0)

  await page.locator('input[type=file]').setInputFiles([...twelveFiles(), file('空.pdf', new Uint8Array())])
  await page.getByText('空.pdf：文件是空的').waitFor()
  await expect.poll(() => page.getByLabel('扫描9.pdf 的标题').inputValue()).toBe('线性代数第9讲')
  await page.getByLabel('扫描1.pdf 的标题').fill('我取的标题')
  await page.getByRole('button', { name: '改用文件名 扫描2.pdf' }).click()
  await page.getByLabel('扫描3.pdf 的分类').focus()
  await page.getByLabel('扫描3.pdf 的分类').selectOption({ label: '公文' })
  expect(await accessibilityFaults(page)).toEqual([])

  const start = page.getByRole('button', { name: '开始上传 12 个' })
  await start.click()
  await page.getByText('请选择分类', { exact: true }).last().waitFor()
  await page.getByLabel('分类（必选）').selectOption({ label: '学习资料' })
  await start.click()
  await page.getByText('请先确认您有权发布这些文件').waitFor()
  await page.getByLabel('已获得作者授权').check()
  await start.click()
  await page.getByText('已提交 11 个：已发布 9 个，转换失败 2 个；失败 1 个').last().waitFor({ timeout: 60_000 })
  const list = page.getByRole('region', { name: '文件列表' })
  await list.getByText('文件内容与扩展名不符').waitFor()
  await list.getByText('转换失败：文件已加密').waitFor()
  await list.getByText(/转换失败：文件(已损坏|内容)/).waitFor()
  await page.getByText('今天还有 9 份有奖励').waitFor()
  expect(await overflowOf(page)).toBe(0)

  const { document } = await member.call(contract.documents.list, { user_id: [await ownId()], page: 1, size: 20 })
  const titled = (title: string) => document.find((row) => row.title === title)
  expect(document).toHaveLength(11)
  expect(titled('我取的标题')).toBeDefined()
  expect(titled('扫描2')).toBeDefined()
  expect(titled('线性代数第3讲')?.category.map(({ title }) => title)).toEqual(['公文'])
  expect(titled('线性代数第4讲')?.category.map(({ title }) => title)).toEqual(['学习资料'])

  // The reasons stay in the member's list.
  await visit(page, '/me/document?status=failed')
  await page.getByText('文件已加密，请去掉密码后重新上传').waitFor()
  expectNoPageErrors(page)
})

test.each([
  { name: 'a phone', viewport: phone },
  { name: 'a tablet', viewport: tablet },
])('on $name in the dark nothing is said of dragging, and nothing runs off the screen', async ({ viewport }) => {
  const page = await openUpload({ viewport, hasTouch: true, colorScheme: 'dark' })
  expect(await page.getByText('拖放').isVisible()).toBe(false)
  await page.getByText('从手机或平板里选择要上传的文档').waitFor()
  await page.locator('input[type=file]').setInputFiles(twelveFiles().slice(0, 2))
  await page.getByLabel('扫描2.pdf 的标题').waitFor()
  const title = await page.getByLabel('扫描2.pdf 的标题').boundingBox()
  expect(title?.width, 'room for a title').toBeGreaterThan(viewport.width / 2)
  expect(await overflowOf(page)).toBe(0)
  expectNoPageErrors(page)
})

test('the title of the metadata does not replace one that the member is about to change', async () => {
  const page = await openUpload()
  let deliver = () => {}
  const held = new Promise<void>((resolve) => (deliver = resolve))
  await page.route(/\/assets\/read-title-/, async (route) => {
    await held
    await route.continue()
  })
  await page.locator('input[type=file]').setInputFiles(twelveFiles().slice(0, 2))
  const title = page.getByLabel('扫描1.pdf 的标题')
  await title.focus()
  await title.press('End')
  deliver()
  await expect.poll(() => page.getByLabel('扫描2.pdf 的标题').inputValue()).toBe('线性代数第2讲')
  await page.keyboard.insertText('，我的')
  expect(await title.inputValue()).toBe('扫描1，我的')
})

test('a replaced file keeps address, comments and sales, and readers see the new pages', async () => {
  const { document } = await member.call(contract.documents.list, {
    user_id: [await ownId()],
    wd: '',
    page: 1,
    size: 20,
  })
  const chosen = document.find(({ title }) => title === '线性代数第5讲')
  if (!chosen) throw new Error('the document of the first test is missing')
  await root.call(contract.comments.create, {
    document_id: chosen.id,
    type: ContentType.Document,
    content: '讲得清楚',
    captcha: '',
  })
  const { url } = await root.call(contract.downloads.download, { id: chosen.id })
  expect(url).toContain('/download/')

  const page = await openWindow(browser, site.url, { viewport: tablet, colorScheme: 'dark' })
  await signInAs(page, site, member)
  await visit(page, `/document/${chosen.uuid}`)
  await page.getByRole('button', { name: '替换文件' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('地址、评论、收藏、评分和销量都不变').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize(tablet)
  expect(await overflowOf(page)).toBe(0)
  const newer = file('线性代数第5讲修订.pdf', makePdf({ title: '修订版', pages: 4 }))
  await dialog.locator('input[type=file]').setInputFiles(newer)
  // Closing while the file is being sent asks first, also by Escape and beside the dialog.
  const held = Promise.withResolvers<void>()
  await page.route('**/document/replacement', async (route) => {
    if (route.request().method() === 'POST') await held.promise
    await route.continue()
  })
  const sending = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/replacement'),
  )
  await dialog.getByRole('button', { name: '替换', exact: true }).click()
  await sending
  const question = page.getByRole('dialog', { name: '放弃上传新文件？' })
  for (const close of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 300)]) {
    await close()
    await question.getByRole('button', { name: '取消' }).click()
    await question.waitFor({ state: 'hidden' })
  }
  held.resolve()
  await dialog.getByText('已换成“线性代数第5讲修订.pdf”').waitFor({ timeout: 30_000 })
  await dialog.getByRole('button', { name: '完成' }).click()
  await expect.poll(() => page.getByText('4 页').count()).toBeGreaterThan(0)

  const after = await root.call(contract.documents.get, { id: chosen.id })
  expect(after).toMatchObject({ uuid: chosen.uuid, pages: 4, comment_count: 1, download_count: 1 })
  const visitor = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
  await visit(visitor, `/document/${chosen.uuid}`)
  await visitor.getByText('共 4 页').or(visitor.getByText('4 页')).first().waitFor()
  expect(await overflowOf(visitor)).toBe(0)
  const { replacement } = await root.call(contract.replacements.list, { page: 1, size: 10 })
  expect(replacement.map(({ former }) => former?.name)).toEqual(['扫描5.pdf'])
  const back = await openWindow(browser, site.url)
  await signInAs(back, site, root)
  await visit(back, '/admin/document/replacement')
  await back.getByText('线性代数第5讲修订.pdf').waitFor()
  expectNoPageErrors(page)
})

async function ownId(): Promise<number> {
  return (await member.call(contract.users.get, {})).id
}
