import { ContentType } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makePdf } from '#server/samples/pdf.ts'
import { contract } from '#shared/contract/contract.ts'
import {
  confirmDialog,
  waitForPath,
  chooseMenuItem,
  expectNoPageErrors,
  openWindow,
  phone,
  waitUntilIdle,
  visit,
  selectOption,
} from './browser.ts'
import { startLibrary } from './library.ts'
import { addCategory, allowContributions, type Member, publishAndWait } from './site-setup.ts'
import { signInAs } from './person.ts'
import type { RunningSite } from './running-site.ts'

/** The admin pages for categories, languages, documents, the recycle bin and files. */

let browser: Browser
let site: RunningSite
let root: Member
let author: Member
let page: Page
let categories: { school: number; home: number }

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGOQ9evEihiGlgQAuyE9Af1d2JQAAAAASUVORK5CYII=',
  'base64',
)
const png = { name: '封面.png', mimeType: 'image/png', buffer: picture }

beforeAll(async () => {
  ;({ browser, site, root, author } = await startLibrary('投稿人'))
  categories = { school: await addCategory(root, '学校'), home: await addCategory(root, '家庭') }
}, 60_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})
beforeEach(async () => {
  page = await openWindow(browser, site.url)
  await signInAs(page, site, root)
})

test('categories are made several at once, moved, given a cover, switched off, and deleted unless they are in use', async () => {
  await visit(page, '/admin/document/category')
  await page.getByRole('button', { name: '新增分类' }).click()
  await selectOption(page.getByLabel('上级分类'), '学校')
  await page.getByLabel('名称').fill('语文\n算术\n\n图画')
  await save()
  await row('图画').waitFor()
  expect(await below('学校')).toEqual(['图画', '算术', '语文'])

  await act(row('图画'), '编辑')
  await selectOption(page.getByLabel('上级分类'), '家庭')
  await uploadTo('封面')
  await save()
  await eventually(() => below('家庭')).toEqual(['图画'])
  const moved = await site.db
    .selectFrom('category')
    .select('cover')
    .where('title', '=', '图画')
    .executeTakeFirstOrThrow()
  expect((await fetch(site.url + moved.cover)).headers.get('content-type')).toMatch(/^image\//)

  await act(row('家庭'), '编辑')
  await selectOption(page.getByLabel('上级分类'), '图画')
  await save()
  await page.getByText(/不能.*(自己|下级)/).waitFor()
  await page.getByRole('button', { name: /^取 ?消$/ }).click()
  await page.getByRole('button', { name: '放弃修改' }).click()

  await row('图画').getByRole('switch').click()
  await eventually(async () => await navigation()).not.toContain('图画')

  await publishAndWait(site, root, {
    name: '在学校.pdf',
    bytes: makePdf({ title: '在学校' }),
    category: [categories.school],
  })
  await page.reload()
  await row('学校').getByRole('button', { name: '编辑' }).waitFor()
  expect(await row('学校').getByRole('button', { name: '删除' }).count()).toBe(0)
  await act(row('图画'), '删除')
  await confirm('删除')
  await row('图画').waitFor({ state: 'detached' })
  expectNoPageErrors(page)
})

test('languages are added, renamed and switched off', async () => {
  await visit(page, '/admin/document/language')
  await page.getByRole('button', { name: '新增语言' }).click()
  await page.getByLabel('名称').fill('克林贡语')
  await page.getByLabel('代码').fill('zh-CN')
  await save()
  await page
    .getByRole('dialog')
    .getByText(/代码.*(已|存在)|已.*代码/)
    .waitFor()
  await page.getByLabel('代码').fill('tlh')
  await save()
  await page.getByText('新增成功').waitFor()
  await visit(page, '/admin/document/language?wd=tlh')
  await row('克林贡语').getByRole('switch').click()
  await eventually(async () => (await fetch(`${site.url}/api/v1/settings`)).text()).not.toContain('克林贡语')
  await act(row('克林贡语'), '编辑')
  await page.getByLabel('名称').fill('人工语')
  await save()
  await row('人工语').waitFor()
  await act(row('人工语'), '删除')
  await confirm('删除')
  await row('人工语').waitFor({ state: 'detached' })
  expectNoPageErrors(page)
})

test('what is submitted is found by its state, approved, or rejected with a reason its author reads', async () => {
  await allowContributions(root, { reviewed: true })
  const good = await publishAndWait(site, author, { name: '好稿.pdf', bytes: makePdf({ title: '好稿' }) })
  const bad = await publishAndWait(site, author, { name: '坏稿.pdf', bytes: makePdf({ title: '坏稿' }) })
  await allowContributions(root, { reviewed: false })
  await visit(page, '/admin/document/list')
  await selectOption(page.getByRole('combobox', { name: '状态' }), '等待审核')
  await waitForPath(page, /status=6/)
  await eventually(() => page.getByRole('row').filter({ hasText: '稿' }).count()).toBe(2)
  await page.reload()
  await row('好稿').waitFor()
  expect(await row('在学校').count()).toBe(0)

  const coming = page.waitForEvent('download')
  await chooseMore(row('好稿'), '下载原文件')
  await confirm('下载原文件')
  expect((await coming).suggestedFilename()).toBe('好稿.pdf')
  await act(row('好稿'), '审核通过')
  await confirm('审核通过')
  await eventually(() => statusOf(good.id)).toBe(2)
  await chooseMore(row('坏稿'), '审核不通过')
  await page.getByLabel('原因').fill('内容与标题不符')
  await confirmDialog(page, '审核不通过')
  await eventually(() => statusOf(bad.id)).toBe(7)
  await visit(page, '/admin/document/list?status=7')
  await row('坏稿').getByText('内容与标题不符').waitFor()
  const own = await author.call(contract.documents.get, { id: bad.id })
  expect(own.reject_reason).toBe('内容与标题不符')
  expectNoPageErrors(page)
})

test('one and many documents are disabled, enabled, recommended, moved and edited', async () => {
  const ids: number[] = []
  for (const name of ['甲', '乙', '丙']) {
    const { id } = await publishAndWait(site, author, { name: `${name}书.pdf`, bytes: makePdf({ title: `${name}书` }) })
    ids.push(id)
  }
  const [first = 0] = ids
  await visit(page, '/admin/document/list?wd=书')
  await act(row('甲书'), '禁用')
  await page.getByLabel('原因').fill('有人称书是他的')
  await confirm('禁用')
  await eventually(() => statusOf(first)).toBe(4)
  await act(row('甲书'), '启用')
  await confirm('启用')
  await eventually(() => statusOf(first)).toBe(2)
  await act(row('甲书'), '推荐')
  await confirm('推荐')
  await row('甲书').getByText('推荐', { exact: true }).waitFor()

  await chooseAll()
  await page.getByRole('button', { name: '批量修改分类' }).click()
  await page.getByRole('dialog').getByText('修改分类：选中的 3 个文档').waitFor()
  await selectOption(page.getByRole('dialog').getByRole('combobox'), '家庭')
  await page.getByRole('dialog').getByText('修改分类：选中的 3 个文档').click()
  await confirmDialog(page, /^保 ?存$/)
  await eventually(async () => (await documentOf(first)).category_id).toEqual([categories.home])
  await chooseAll()
  await page.getByRole('button', { name: '批量修改语言' }).click()
  await selectOption(page.getByRole('dialog').getByRole('combobox'), '英语')
  await confirmDialog(page, /^保 ?存$/)
  for (const id of ids) await eventually(async () => (await documentOf(id)).language).toBe('en')

  await act(row('乙书'), '编辑')
  await page.getByLabel('标题').fill('乙书（修订）')
  await page.getByRole('spinbutton', { name: '价格' }).fill('8')
  await save()
  await row('乙书（修订）').waitFor()
  const edited = await documentOf(ids[1] ?? 0)
  expect(edited).toMatchObject({
    title: '乙书（修订）',
    price: 8,
    language: 'en',
    category_id: [categories.home],
    status: DocumentStatus.Converted,
  })
  expect(edited.content).toContain('1-')
  expectNoPageErrors(page)
})

test('staff say where a document or an article was taken from, and readers are led there', async () => {
  const { uuid } = await publishAndWait(site, author, { name: '转来.pdf', bytes: makePdf({ title: '转来' }) })
  await visit(page, '/admin/document/list?wd=转来')
  await act(row('转来'), '编辑')
  await page.getByLabel('来源名称').fill('统计局')
  await page.getByLabel('来源链接').fill('stats.example.com')
  await page.getByRole('button', { name: /^保 ?存$/ }).click()
  await page.getByText('网址须以 http:// 或 https:// 开头').waitFor()
  await page.getByLabel('来源链接').fill('https://stats.example.com/2026')
  await save()
  const reader = await openWindow(browser, site.url, { viewport: phone })
  await visit(reader, `/document/${uuid}`)
  const link = reader.getByText('来源：').getByRole('link')
  expect(await link.innerText()).toBe('统计局')
  expect(await link.evaluate((a) => [a.getAttribute('href'), a.getAttribute('rel'), a.getAttribute('target')])).toEqual(
    ['https://stats.example.com/2026', 'nofollow noopener', '_blank'],
  )

  const { id, identifier } = await root.call(contract.articles.create, { title: '转来的文章', content: '<p>正文</p>' })
  await visit(page, `/admin/article/set?id=${id}`)
  await page.getByLabel('来源链接').fill('https://news.example.com/1')
  await page.getByRole('button', { name: /^保存/ }).click()
  await eventually(async () => (await root.call(contract.articles.get, { id })).source_url).not.toBe('')
  await visit(reader, `/article/${identifier}`)
  expect(await link.innerText()).toBe('news.example.com')
  expectNoPageErrors(page)
  expectNoPageErrors(reader)
})

test('failures say why, and are tried again one by one or all together', async () => {
  const broken = (n: number) => new TextEncoder().encode(`%PDF-1.4\nnothing that could be read ${n}`)
  const one = await publishAndWait(site, author, { name: '破损一.pdf', bytes: broken(1) })
  await publishAndWait(site, author, { name: '破损二.pdf', bytes: broken(2) })
  const attempts = async () => {
    const jobs = await site.db
      .selectFrom('rendition')
      .select(['hash', 'updated_at'])
      .where('state', '=', 'failed')
      .execute()
    return new Map(jobs.map(({ hash, updated_at }) => [hash, updated_at]))
  }
  const before = await attempts()
  expect(before.size).toBe(2)
  await visit(page, '/admin/document/list?status=3')
  await row('破损一').getByText('文件已损坏').hover()
  await page.getByRole('tooltip').waitFor()
  await chooseMore(row('破损一'), '重新转换')
  await confirm('重新转换')
  await page.getByText('重新转换成功').waitFor()
  await eventually(() => statusOf(one.id)).toBe(3)
  await page.getByRole('button', { name: '重新转换失败的文档' }).click()
  await confirm('重新转换失败的文档')
  await eventually(
    async () => [...(await attempts())].filter(([hash, at]) => (before.get(hash) ?? 0) < (at ?? 0)).length,
  ).toBe(2)
  expectNoPageErrors(page)
})

test('what is deleted lies in the recycle bin, comes back, or goes for good', async () => {
  const gone = ['去一', '去二', '去三']
  for (const name of gone) await publishAndWait(site, author, { name: `${name}.pdf`, bytes: makePdf({ title: name }) })
  await visit(page, '/admin/document/list?wd=去')
  await chooseAll()
  await page.getByRole('button', { name: '批量删除' }).click()
  await page.getByText('文档会移到回收站，可以恢复。').waitFor()
  await confirm('删除')
  await page.getByText('没有符合条件的文档').waitFor()

  await visit(page, '/admin/document/recycle')
  await eventually(() =>
    page
      .getByRole('row')
      .filter({ hasText: /去[一二三]/ })
      .count(),
  ).toBe(3)
  await row('去一').getByRole('link', { name: 'admin' }).waitFor()
  await act(row('去一'), '恢复')
  await confirm('恢复')
  await row('去一').waitFor({ state: 'detached' })
  await act(row('去二'), '删除')
  await confirm('删除')
  await row('去二').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '清空回收站' }).click()
  await confirm('清空回收站')
  await row('去三').waitFor({ state: 'detached' })
  const { document } = await root.call(contract.documents.list, { wd: '去' })
  expect(document.map(({ title }) => title)).toEqual(['去一'])
  expectNoPageErrors(page)
})

test('a file that is switched off cannot be uploaded again, under any name', async () => {
  const bytes = makePdf({ title: '不受欢迎' })
  await publishAndWait(site, author, { name: '不受欢迎.pdf', bytes })
  await visit(page, '/admin/attachment')
  await row('不受欢迎.pdf').getByRole('switch').click()
  await eventually(async () => (await author.upload('换个名字.pdf', bytes)).refusal).not.toBe('')
  await act(row('不受欢迎.pdf'), '编辑')
  await page.getByLabel('备注').fill('侵权')
  await save()
  await row('不受欢迎.pdf').getByText('侵权').waitFor()
  await row('不受欢迎.pdf').getByRole('switch').click()
  await eventually(async () => (await author.upload('换个名字.pdf', bytes)).refusal).toBe('')
  expectNoPageErrors(page)
})

test('a picture is uploaded into a setting', async () => {
  await visit(page, '/admin/config/system')
  await uploadTo('网站标志')
  await page.getByRole('button', { name: '保存设置' }).click()
  await page.getByText('设置已保存').waitFor()
  const logo = async () => {
    const row = await site.db.selectFrom('setting').select('value').where('name', '=', 'logo').executeTakeFirst()
    return row?.value ?? ''
  }
  await eventually(logo).not.toBe('')
  expect((await fetch(site.url + (await logo()))).status).toBe(200)
  expectNoPageErrors(page)
})

test('the dashboard shows which executables are installed and what the missing ones are for', async () => {
  await visit(page, '/admin/dashboard')
  const card = page.locator('.ant-card').filter({ hasText: '转换环境' })
  await card.getByText('已安装').first().waitFor({ timeout: 30_000 })
  await card.getByText('转换 Word、Excel、PPT、WPS 等办公文档与 CSV 表格').waitFor()
  expectNoPageErrors(page)
})

test('all of it fits on a phone', async () => {
  const small = await openWindow(browser, site.url, { viewport: phone })
  await signInAs(small, site, root)
  for (const path of [
    '/admin/dashboard',
    '/admin/document/list',
    '/admin/document/category',
    '/admin/document/category?new=1',
    '/admin/document/language',
    '/admin/document/recycle',
    '/admin/attachment',
    '/admin/config/converter',
    '/admin/config/download',
    '/admin/config/score',
    '/admin/config/security',
  ]) {
    await visit(small, path)
    await small.locator('main').waitFor()
    await waitUntilIdle(small)
    const wider = await small.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(wider, path).toBeLessThanOrEqual(0)
  }
  expectNoPageErrors(small)
})

/** Polls until the expectation holds. */
function eventually<T>(ask: () => T | Promise<T>) {
  return expect.poll(ask, { timeout: 20_000 })
}

function row(name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
}

async function act(target: Locator, action: string): Promise<void> {
  const shown = target.getByRole('button', { name: action, exact: true })
  await target.getByRole('button').first().waitFor()
  await ((await shown.count()) > 0 ? shown.click() : chooseMore(target, action))
}

async function chooseMore(target: Locator, action: string): Promise<void> {
  await chooseMenuItem(target.getByRole('button', { name: '更多操作' }), action)
}

/** Confirms the dialog by its own button. */
async function confirm(action: string): Promise<void> {
  const question = page.getByRole('dialog').last()
  await confirmDialog(page, new RegExp(`^${action.split('').join(' ?')}$`))
  await question.waitFor({ state: 'hidden' })
}

async function save(): Promise<void> {
  await page.getByRole('button', { name: /^保 ?存$/ }).click()
}

async function chooseAll(): Promise<void> {
  await page.getByRole('columnheader').getByRole('checkbox').first().check()
}

async function uploadTo(label: string): Promise<void> {
  const item = page.locator('.ant-form-item').filter({ has: page.getByText(label, { exact: true }) })
  await item.locator('input[type=file]').setInputFiles(png)
  await eventually(() => item.getByRole('textbox').inputValue()).toMatch(/^\//)
}

async function below(title: string): Promise<string[]> {
  const { category } = await root.call(contract.categories.list, { type: [ContentType.Document] })
  const parent = category.find((one) => one.title === title)?.id
  return category
    .filter(({ parent_id }) => parent_id === parent)
    .map((one) => one.title)
    .toSorted()
}

/** The categories that visitors see. */
async function navigation(): Promise<string> {
  return (await fetch(`${site.url}/category`)).text()
}

function documentOf(id: number) {
  return root.call(contract.documents.get, { id })
}

async function statusOf(id: number): Promise<number> {
  return (await documentOf(id)).status
}
