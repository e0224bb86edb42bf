import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePdf } from '#server/samples/pdf.ts'
import { contract } from '#shared/contract/contract.ts'
import { ContentType } from '#shared/enums.ts'
import { readPaintMetrics, recordPaints } from './audits.ts'
import { expectNoPageErrors, openBrowser, openWindow, visit, waitForPath } from './browser.ts'
import { accessibilityFaults } from './page-checks.ts'
import { signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'
import { allowContributions, createMember, type Member, publishAndWait, signInAsRoot } from './site-setup.ts'
import type { PublishedDocument } from './upload-client.ts'

/** Topics that staff curate, rankings, and the people on the home page. */

let browser: Browser
let site: RunningSite
let root: Member
let books: PublishedDocument[]
const owner = { username: 'admin', password: 'root password' }
beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: owner.password })
  root = await signInAsRoot(site, owner.password)
  await allowContributions(root, { reviewed: false })
  const author = await createMember(site, root, '写书的人')
  const gardener = await createMember(site, root, '种花的人')
  books = await Promise.all(
    ['榫卯图解', '古建彩画', '园林小史'].map((title) =>
      publishAndWait(site, title === '园林小史' ? gardener : author, {
        name: `${title}.pdf`,
        bytes: makePdf({ title, pages: 2 }),
      }),
    ),
  )
  const [first, second] = books
  const readers = await Promise.all([createMember(site, root, '读者甲'), createMember(site, root, '读者乙')])
  for (const { uuid, id } of [first, second].flatMap((book) => book ?? [])) {
    for (const { call } of readers)
      await call(contract.reading.save, { place: [{ uuid, page: 1, read_at: Date.now() }] })
    // What scripts look at is not counted.
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
    await fetch(`${site.url}/api/v1/document?id=${id}&with_author=true`, { headers })
  }
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('staff make a topic, put it in order and publish it; a visitor finds it on the home page and reads', async () => {
  const staff = await openWindow(browser, site.url)
  await signInAs(staff, site, owner)
  await visit(staff, '/admin/topic?new=1')
  await staff.getByLabel('标题', { exact: true }).fill('古建筑入门')
  await staff.getByLabel('简介').fill('木头是怎样站了一千年的。')
  for (const title of ['榫卯图解', '古建彩画']) {
    await staff.getByLabel('收录的文档和文章').first().fill(title)
    await staff.getByTitle(`文档：${title}`).click()
    await staff.getByLabel(`编者的话：${title}`).fill(`先读${title}。`)
  }
  await staff.getByRole('button', { name: '上移：古建彩画' }).click()
  await staff.getByRole('switch', { name: '发布' }).click()
  await staff.getByRole('button', { name: '保 存' }).click()
  await staff.getByRole('row', { name: /古建筑入门/ }).waitFor()
  expectNoPageErrors(staff)

  const page = await openWindow(browser, site.url)
  await recordPaints(page)
  await visit(page, '/')
  const people = page.getByRole('region', { name: '活跃作者' })
  expect(await people.getByRole('link').allTextContents()).toEqual(['写书的人2 份', '种花的人1 份'])
  for (const [region, note] of [
    ['本周排行', '1 次阅读'],
    ['大家在读', '2 人在读'],
  ] as const) {
    const popular = page.getByRole('region', { name: region }).getByRole('listitem')
    expect((await popular.allTextContents()).toSorted(), region).toEqual([`古建彩画${note}`, `榫卯图解${note}`])
    expect(await popular.locator('.cover img').count(), `${region} has covers`).toBe(2)
  }
  expect((await readPaintMetrics(page)).shift).toBe(0)
  expect(await accessibilityFaults(page)).toEqual([])
  await page
    .getByRole('region', { name: '专题' })
    .getByRole('link', { name: /古建筑入门/ })
    .click()
  await waitForPath(page, /^\/topic\/\d+$/)
  await page.getByRole('heading', { name: '古建筑入门' }).waitFor()
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['古建彩画', '榫卯图解'])
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('link', { name: '古建彩画' }).click()
  await waitForPath(page, /^\/document\//)
  expectNoPageErrors(page)
})

test('what the week’s readers downloaded and favorited most comes first', async () => {
  const [first, second] = books.map(({ id }) => id)
  const reader = await createMember(site, root, '读书的人')
  for (const [member, id] of [
    [root, second],
    [reader, second],
    [reader, first],
  ] as const) {
    await member.call(contract.downloads.download, { id: id ?? 0 })
    await member.call(contract.favorites.create, { document_id: id ?? 0, type: ContentType.Document })
  }
  const page = await openWindow(browser, site.url)
  await visit(page, '/ranking')
  await page.getByRole('link', { name: '下载最多' }).click()
  await waitForPath(page, '/ranking?by=download')
  const places = page.getByRole('main').getByRole('listitem')
  await places.filter({ hasText: '古建彩画' }).waitFor()
  expect((await places.allTextContents()).map((text) => text.slice(0, 5))).toEqual(['1古建彩画', '2榫卯图解'])
  await page.getByRole('link', { name: '收藏最多' }).click()
  await waitForPath(page, '/ranking?by=favorite')
  await places.filter({ hasText: '2次收藏' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await (await fetch(`${site.url}/ranking?by=download&period=day`)).text()).toContain('古建彩画')
  expectNoPageErrors(page)
})
