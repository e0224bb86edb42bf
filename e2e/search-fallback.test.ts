import { setTimeout } from 'node:timers/promises'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePdf } from '#server/samples/pdf.ts'
import { contract } from '#shared/contract/contract.ts'
import { desktop, expectNoPageErrors, openBrowser, openWindow, phone, tablet, visit, waitForPath } from './browser.ts'
import { configure } from './owner.ts'
import { accessibilityFaults, overflowOf } from './page-checks.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { addCategory, type Member, signInAsRoot } from './site-setup.ts'

/** A visitor searches badly and finds: on a desktop, a tablet and a phone, in the light, in the dark and on sepia. */

let browser: Browser
let site: RunningSite
let root: Member
let page: Page
let letter = ''
let work = 0

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: 'root password' })
  root = await signInAsRoot(site, 'root password')
  await configure(site, { 'converter.max_preview_free': '0' })
  const law = await addCategory(root, '法律')
  work = await addCategory(root, '职场')
  letter = await add('辞职报告范文', work, (number) =>
    number === 3 ? ['因家庭原因，我希望在月底离职。'] : ['尊敬的领导，您好。'],
  )
  await add('房屋租赁合同范本', law, () => ['甲方把房屋租给乙方。'])
  await add('商铺租赁合同', law, () => ['押金在期满后退还。'])
  const found = async (wd: string) => (await root.call(contract.searches.documents, { wd })).total
  while ((await found('领导')) + (await found('甲方')) + (await found('押金')) < 3) await setTimeout(200)
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

async function open(path: string, options: BrowserContextOptions): Promise<void> {
  page = await openWindow(browser, site.url, options)
  await visit(page, path)
  expect(await overflowOf(page)).toBe(0)
}

test('a typing error leads to what was meant, and the words are offered', async () => {
  await open(searchFor('房屋租凭合同'), { viewport: desktop })
  expect(await note().innerText()).toMatch(
    /^没有包含“房屋租凭合同”的文档。您是不是要找\s*房屋租赁合同\s*？以下是它的结果。$/,
  )
  expect(await titles()).toEqual(['房屋租赁合同范本'])
  expect(await accessibilityFaults(page)).toEqual([])
  await note().getByRole('link', { name: '房屋租赁合同' }).click()
  await waitForPath(page, searchFor('房屋租赁合同'))
  await expect.poll(() => note().count()).toBe(0)
})

test('pinyin and initials find titles', async () => {
  await open(searchFor('cizhibaogao'), { viewport: tablet, colorScheme: 'dark' })
  expect(await note().innerText()).toContain('以下按拼音匹配标题')
  expect(await titles()).toEqual(['辞职报告范文'])
  await visit(page, searchFor('fwzlht'))
  expect(await titles()).toEqual(['房屋租赁合同范本'])
})

test('a question is answered, and most of the words lead to their page', async () => {
  await open(searchFor('请问怎么写辞职报告'), { viewport: tablet })
  expect(await titles()).toEqual(['辞职报告范文'])
  await visit(page, searchFor('家庭 原因 离职 补偿金'))
  expect(await note().innerText()).toBe('没有同时包含“家庭 原因 离职 补偿金”的文档，以下结果只包含：家庭、原因、离职')
  await page.getByRole('main').getByRole('link', { name: '第 3 页' }).click()
  await waitForPath(
    page,
    `/document/${letter}?page=3&find=${encodeURIComponent('家庭 原因 离职').replaceAll('%20', '+')}`,
  )
  await expect.poll(() => page.locator('[data-page="3"] mark').allInnerTexts()).toContain('家庭')
  // The first read of what was found is on sepia.
  await page.getByRole('button', { name: '关闭查找' }).click()
  await page.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('radio', { name: '护眼' }).check({ force: true })
  await expect.poll(() => page.locator('[data-page="3"] img').getAttribute('src')).toMatch(/\.sepia\.svg$/)
  expect(await overflowOf(page)).toBe(0)
  expectNoPageErrors(page)
})

test('choices tell how many results they leave', async () => {
  await open(searchFor('租赁合同'), { viewport: desktop, colorScheme: 'dark' })
  const filters = page.getByRole('complementary', { name: '筛选' })
  expect(await filters.getByRole('link', { name: /^法律/ }).innerText()).toMatch(/^法律\s*2$/)
  expect(await filters.getByRole('link', { name: /^职场/ }).innerText()).toBe('职场')
})

test('without results, words that find something and what is new are offered, also on a phone', async () => {
  await addFile('打不开的文件', work, new TextEncoder().encode('%PDF-1.7 and nothing else'))
  await open(searchFor('量子 磁场 押金 引力'), { viewport: phone, hasTouch: true, isMobile: true, colorScheme: 'dark' })
  const words = page.getByRole('region', { name: '这些词有结果' })
  expect(await words.getByRole('link').allInnerTexts()).toEqual(['押金'])
  const others = await page.getByRole('region', { name: /最新文档|大家在看/ }).allInnerTexts()
  expect(others.join()).toContain('商铺租赁合同')
  expect(others.join()).not.toContain('打不开的文件')
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize(phone)
  await page.emulateMedia({ colorScheme: 'dark' })
  await words.getByRole('link', { name: '押金' }).click()
  await expect.poll(titles).toEqual(['商铺租赁合同'])
  expectNoPageErrors(page)
})

function searchFor(words: string): string {
  return `/search?wd=${encodeURIComponent(words).replaceAll('%20', '+')}&type=0`
}

function note() {
  return page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /^没有|^只有/ })
}

async function titles(): Promise<string[]> {
  return page
    .getByRole('main')
    .getByRole('heading', { level: 2 })
    .filter({ has: page.locator('a') })
    .locator('a')
    .allInnerTexts()
}

function add(title: string, category: number, text: (number: number) => string[]): Promise<string> {
  return addFile(title, category, makePdf({ title, pages: 3, text }))
}

async function addFile(title: string, category: number, bytes: Uint8Array): Promise<string> {
  const { id: attachment_id } = await root.upload(`${title}.pdf`, bytes)
  const { document } = await root.call(contract.documents.create, {
    category_id: [category],
    document: [{ title, attachment_id, keywords: '' }],
  })
  return document[0]?.uuid ?? ''
}
