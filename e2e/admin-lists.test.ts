import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { makePdf } from '#server/samples/pdf.ts'
import {
  confirmDialog,
  expectNoPageErrors,
  openWindow,
  selectOption,
  visit,
  waitForPath,
  waitUntilIdle,
} from './browser.ts'
import { startLibrary } from './library.ts'
import { signInAs } from './person.ts'
import type { RunningSite } from './running-site.ts'
import { addCategory, type Member, publishAndWait } from './site-setup.ts'

/** What all lists of the back office have in common, on the list of documents. */

let browser: Browser
let site: RunningSite
let root: Member
let author: Member
let page: Page
let folder: string

const count = 234

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wendou-lists-'))
  ;({ browser, site, root, author } = await startLibrary('投稿人'))
  await addCategory(root, '学校')
  await seed(count)
}, 60_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  page = await openWindow(browser, site.url)
  await signInAs(page, site, root)
})

test('all documents of a filter are selected across pages and disabled, with progress and a result', async () => {
  await visit(page, '/admin/document/list?wd=批量')
  await page.getByText(`共 ${count} 条`).waitFor()
  await page.getByRole('columnheader').getByRole('checkbox').first().check()
  await page.getByText('已选 20 项').waitFor()
  await page.getByTitle('2', { exact: true }).click()
  await waitForPath(page, /page=2/)
  await page.getByRole('link', { name: `=批量 ${count - 21}`, exact: true }).waitFor()
  await page.getByRole('columnheader').getByRole('checkbox').first().check()
  await page.getByText('已选 40 项').waitFor()
  await page.getByRole('button', { name: `选择全部 ${count} 条符合条件的` }).click()
  await page.getByText(`已选 ${count} 项`).waitFor()
  // Documents that wait for review can be neither enabled nor converted again.
  expect(await page.getByRole('button', { name: '批量启用' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: '批量重新转换' }).count()).toBe(0)
  await page.getByRole('button', { name: '批量禁用' }).click()
  await page.getByText(`禁用选中的 ${count} 个文档？`).last().waitFor()
  await page.getByLabel('原因').fill('版权不清楚')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^禁 ?用$/ })
    .click()
  await page.getByText(`成功 ${count} 条`).waitFor()
  await confirmDialog(page, /^关 ?闭$/)
  const disabled = await site.db
    .selectFrom('document')
    .select('id')
    .where('status', '=', DocumentStatus.Disabled)
    .execute()
  expect(disabled).toHaveLength(count + 1)
  await page.getByText(/^已选/).waitFor({ state: 'detached' })
  const row = page.getByRole('row').filter({ hasText: '批量' }).first()
  await row.getByText('已禁用').waitFor()
  await row.getByRole('button', { name: '更多操作' }).click()
  const menu = page.locator('.ant-dropdown').filter({ visible: true })
  await menu.getByText('启用', { exact: true }).waitFor()
  const offered = await menu.getByRole('menuitem').allTextContents()
  expect(offered).not.toContain('禁用')
  expect(await menu.getByRole('menuitem', { disabled: true }).count()).toBe(0)
  expectNoPageErrors(page)
})

test('what is filtered is exported whole, in words, with formulas inert', async () => {
  await visit(page, '/admin/document/list?wd=批量')
  await page.getByText(`共 ${count} 条`).waitFor()
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出 CSV' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(/^文档-\d{8}\.csv$/)
  const path = join(folder, 'export.csv')
  await file.saveAs(path)
  const text = readFileSync(path, 'utf8')
  expect(text.startsWith('\uFEFF')).toBe(true)
  const lines = text.slice(1).trimEnd().split('\r\n')
  expect(lines[0]).toBe('编号,文档,状态,上传者,分类,可见范围,上传时间,页数,价格,大小,浏览,下载')
  expect(lines).toHaveLength(count + 1)
  expect(lines.filter((line) => line.includes('投稿人'))).toHaveLength(count)
  expect(text).toContain("'=批量 0")
  expect(text).toMatch(/等待审核|已禁用/)
})

test('a view is saved with the account: filters, order and columns come back in another browser', async () => {
  await visit(page, '/admin/document/list')
  await selectOption(page.getByRole('combobox', { name: '状态' }), '已禁用')
  await waitForPath(page, /status=4/)
  await page.keyboard.press('Escape')
  await waitUntilIdle(page)
  await page.getByRole('columnheader', { name: '上传时间' }).click()
  await waitForPath(page, /order=/)
  await page.locator('th[aria-sort]').waitFor()
  await page.getByRole('button', { name: '显示的列' }).click()
  await page.getByRole('checkbox', { name: '分类' }).uncheck()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '视图' }).click()
  await page.getByLabel('视图名称').fill('禁用的，新的在后')
  await page.getByRole('button', { name: '保存当前' }).click()
  await page.getByText('保存成功').waitFor()

  const other = await openWindow(browser, site.url)
  await signInAs(other, site, root)
  await visit(other, '/admin/document/list?wd=别的')
  await other.getByText('没有符合条件的文档').waitFor()
  await other.getByRole('button', { name: '视图' }).click()
  await other.getByRole('button', { name: '禁用的，新的在后', exact: true }).click()
  await waitForPath(other, /order=created_at.*status=4/)
  await other.getByRole('row').filter({ hasText: '禁用的样本' }).waitFor()
  expect(await other.getByRole('columnheader', { name: '分类' }).count()).toBe(0)
  await other.getByRole('button', { name: '视图' }).click()
  await other.getByRole('button', { name: '删除视图“禁用的，新的在后”' }).click()
  await other.getByText('删除成功').waitFor()
  expectNoPageErrors(other)
  expectNoPageErrors(page)
})

test('documents are found by uploader and by days, and one changes hands', async () => {
  const { id } = await publishAndWait(site, root, { name: '易主.pdf', bytes: makePdf({ title: '易主' }) })
  await visit(page, '/admin/document/list')
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: '易主', exact: true }) })
  await expect
    .poll(() => row.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  await row.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '更换上传者' }).click()
  await page.getByRole('dialog').getByRole('combobox').fill('投稿')
  await page.locator('.ant-select-dropdown').getByTitle('投稿人', { exact: true }).click()
  await confirmDialog(page, /^保 ?存$/)
  await expect.poll(async () => (await root.call(contract.documents.get, { id })).username).toBe('投稿人')
  const { document } = await author.call(contract.documents.list, { user_id: [await idOf('投稿人')], limit: 5 })
  expect(document.map(({ title }) => title)).toContain('易主')

  await page.getByRole('combobox', { name: '上传者' }).fill('投稿')
  await page.locator('.ant-select-dropdown').filter({ visible: true }).getByTitle('投稿人', { exact: true }).click()
  await waitForPath(page, /user_id=/)
  await page.getByText(`共 ${count + 1} 条`).waitFor()
  await page.getByPlaceholder('开始日期').click()
  await page.getByText('最近一周').click()
  await waitForPath(page, /created_at=.*created_at=/)
  await page.getByText(`共 ${count + 1} 条`).waitFor()
  expectNoPageErrors(page)
})

test('staff upload for a member, whose document it is', async () => {
  const path = join(folder, '代传.pdf')
  writeFileSync(path, makePdf({ title: '代传' }))
  await visit(page, '/admin/document/list')
  await page.getByRole('button', { name: '新增文档' }).click()
  await waitForPath(page, '/upload')
  await page.getByLabel('分类（必选）').selectOption({ label: '学校' })
  await page.getByLabel('已获得作者授权').check()
  await page.getByLabel('上传者').fill('没有这个人')
  await page.locator('input[type=file]').first().setInputFiles(path)
  await page.getByRole('button', { name: '开始上传 1 个' }).click()
  await page.getByText('没有这个用户，请从列表里选择').waitFor()
  const search = page.waitForResponse(/user\/list/)
  await page.getByLabel('上传者').fill('投稿人')
  await search
  await expect
    .poll(async () => {
      await page
        .getByRole('button', { name: '开始上传 1 个' })
        .click({ timeout: 500 })
        .catch(() => {})
      return page.getByText('已发布 1 个').count()
    })
    .toBeGreaterThan(0)
  const row = await site.db.selectFrom('document').select('user_id').where('title', '=', '代传').executeTakeFirst()
  expect(row?.user_id).toBe(await idOf('投稿人'))
  expectNoPageErrors(page)
})

test('no column lies under another, from 820 to 1440 pixels', async () => {
  for (const width of [820, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of screens) {
      await visit(page, path)
      await page.locator('main').waitFor()
      await waitUntilIdle(page)
      const faults = await page.evaluate(findOverlaps)
      expect(faults, `${path} at ${width}`).toEqual([])
    }
  }
  await visit(page, '/admin/document/list')
  await page.setViewportSize({ width: 820, height: 900 })
  await page.getByRole('button', { name: '展开行' }).first().click()
  await page.locator('.ant-table-expanded-row').getByText('上传时间').waitFor()
  expectNoPageErrors(page)
})

test('on a narrow screen the filters fold, and their button says how many are active', async () => {
  await page.setViewportSize({ width: 820, height: 900 })
  await visit(page, `/admin/document/list?status=${DocumentStatus.Converted}`)
  const button = page.getByRole('button', { name: '筛选（1）' })
  await button.waitFor()
  await page.getByRole('combobox', { name: '状态' }).waitFor({ state: 'hidden' })
  await button.click()
  await page.getByRole('combobox', { name: '状态' }).waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  await button.waitFor({ state: 'hidden' })
  await page.getByRole('combobox', { name: '状态' }).waitFor()
  expectNoPageErrors(page)
})

const screens = [
  '/admin/document/list',
  '/admin/document/recycle',
  '/admin/document/category',
  '/admin/article/list',
  '/admin/user/list',
  '/admin/user/group',
  '/admin/user/punishment',
  '/admin/user/audit',
  '/admin/comment',
  '/admin/attachment',
  '/admin/navigation',
]

/** Cells that reach beyond the table or are covered by a fixed one, and headings that are cut off. */
function findOverlaps(): string[] {
  const table = document.querySelector('.ant-table-content')
  if (!table) return []
  const faults: string[] = []
  if (table.scrollWidth > table.clientWidth + 1) faults.push(`scrolls by ${table.scrollWidth - table.clientWidth}`)
  for (const cell of table.querySelectorAll<HTMLElement>('th, td')) {
    if (getComputedStyle(cell).position === 'sticky') faults.push(`fixed: ${cell.textContent}`)
    if (cell.scrollWidth > cell.clientWidth + 1) faults.push(`too narrow: ${cell.textContent}`)
  }
  return [...new Set(faults)].slice(0, 10)
}

async function idOf(username: string): Promise<number> {
  const { user } = await root.call(contract.users.list, { wd: username, size: 10 })
  return user.find((candidate) => candidate.username === username)?.id ?? 0
}

/** Documents that wait for review, and a disabled one of another member; without files. */
async function seed(number: number): Promise<void> {
  const now = Date.now()
  const user_id = await idOf('投稿人')
  const rows = Array.from({ length: number }, (_, index) => ({
    uuid: randomBytes(8).toString('hex'),
    title: `=批量 ${index}`,
    hash: randomBytes(32).toString('hex'),
    ext: '.pdf',
    size: 1000 + index,
    attachment_id: 0,
    user_id,
    status: DocumentStatus.InReview,
    recommend_at: null,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  }))
  const [first] = rows
  if (!first) return
  const sample = {
    ...first,
    uuid: 'sample',
    title: '禁用的样本',
    user_id: 1,
    status: DocumentStatus.Disabled,
    created_at: now - 60_000,
  }
  await site.db
    .insertInto('document')
    .values([sample, ...rows])
    .execute()
}
