import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { Visibility } from '#shared/enums.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { currentPath, expectNoPageErrors, openWindow, phone, visit, waitForPath, waitUntilIdle } from './browser.ts'
import { startLibrary } from './library.ts'
import { accessibilityFaults, htmlFaults } from './page-checks.ts'
import { signInAs } from './person.ts'
import { journeyEngine, type RunningSite } from './running-site.ts'
import { addCategory, createMember, type Member, publishAndWait } from './site-setup.ts'
import type { PublishedDocument } from './upload-client.ts'

/** A collection from the page of a document to the bells of its followers. */

let browser: Browser
let site: RunningSite
let category: number
let owner: Member
let reader: Member
let first: PublishedDocument
let second: PublishedDocument
let secret: PublishedDocument
let path = ''

beforeAll(async () => {
  const { root, ...opened } = await startLibrary('收书的人', journeyEngine)
  ;({ browser, site, author: owner } = opened)
  // Texts of collections are reviewed where comments are.
  const { group } = await root.call(contract.groups.list)
  for (const standard of group.filter(({ is_default }) => is_default))
    await root.call(contract.groups.update, { ...standard, enable_comment: true, enable_comment_approval: false })
  category = await addCategory(root, '茶')
  reader = await createMember(site, root, '读书的人')
  first = await publish('茶经')
  second = await publish('大观茶论')
  secret = await publish('未公开的手稿')
  await owner.call(contract.documents.setVisibility, { id: [secret.id], visibility: Visibility.Private })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('a member makes a collection from a document, adds others, orders and describes it', async () => {
  const page = await openMemberWindow(owner)
  await visit(page, `/document/${first.uuid}`)
  await page.getByRole('button', { name: '加入文集' }).click()
  const dialog = page.getByRole('dialog', { name: '加入文集' })
  await dialog.getByLabel('新建第一个文集').fill('喝茶的书')
  await dialog.getByRole('button', { name: '新建并加入' }).click()
  await dialog.getByRole('checkbox', { name: /^喝茶的书/, checked: true }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  for (const { uuid } of [second, secret]) {
    await visit(page, `/document/${uuid}`)
    await page.getByRole('button', { name: '加入文集' }).click()
    await dialog.getByRole('checkbox', { name: /^喝茶的书/, checked: false }).click()
    await dialog.getByRole('checkbox', { name: /^喝茶的书/, checked: true }).waitFor()
    await waitUntilIdle(page)
  }
  await dialog.getByRole('link', { name: '查看文集“喝茶的书”' }).click()
  await waitForPath(page, /^\/collection\//)
  path = await currentPath(page)

  await page.getByRole('button', { name: '修改' }).click()
  await page.getByLabel('简介').fill('从唐到宋，按年代读。')
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await page.getByText('从唐到宋，按年代读。').waitFor()

  await page.getByRole('button', { name: '整理内容' }).click()
  const rows = page.getByRole('list', { name: '文集的内容' }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(3)
  // By keyboard, and the focus stays with the item.
  const up = page.getByRole('button', { name: '上移“大观茶论”' })
  await up.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => rows.first().textContent()).toContain('大观茶论')
  await expect.poll(() => up.evaluate((button) => button === window.document.activeElement)).toBe(true)
  // By the handle: back to where it was.
  await dragBelow(page, '大观茶论', '茶经')
  await expect.poll(savedTitles).toEqual(['茶经', '大观茶论', '未公开的手稿'])
  await page.getByRole('button', { name: '“茶经”的附注' }).click()
  await page.getByLabel('附注', { exact: true }).fill('先读这一本')
  await page.getByRole('button', { name: '保存附注' }).click()
  await rows.first().getByText('先读这一本').waitFor()
  await page.getByRole('button', { name: '移除“茶经”', exact: true }).click()
  await page.getByRole('button', { name: '撤销移除“茶经”' }).click()
  await page.getByRole('button', { name: '移除“茶经”', exact: true }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: '完成整理' }).click()
  await expect.poll(() => titlesOn(page)).toEqual(['茶经', '大观茶论', '未公开的手稿'])
  expectNoPageErrors(page)
})

test('a visitor with the link reads it in order, without what is not for everyone', async () => {
  const html = await (await fetch(new URL(path, site.url))).text()
  for (const part of ['<title>喝茶的书（文集）', 'CollectionPage', '从唐到宋', '先读这一本'])
    expect(html).toContain(part)
  expect(html).not.toContain('未公开的手稿')
  expect(await htmlFaults(html)).toEqual([])
  const page = await openWindow(browser, site.url, { viewport: phone })
  await visit(page, '/collections')
  await page.getByRole('link', { name: '喝茶的书' }).click()
  await waitForPath(page, path)
  await expect.poll(() => titlesOn(page)).toEqual(['茶经', '大观茶论'])
  expect(await page.getByText('共 2 项').count()).toBe(1)
  expect(await page.evaluate(() => window.document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
  expect(await accessibilityFaults(page)).toEqual([])
  await visit(page, '/collections?order=popular')
  expect(await accessibilityFaults(page)).toEqual([])
  expectNoPageErrors(page)
})

test('another member follows it, its author and a category, and the bell has what is new', async () => {
  const page = await openMemberWindow(reader)
  const { user } = await owner.call(contract.collections.get, { uuid: path.split('/').at(-1) ?? '' })
  for (const address of [path, `/user/${user.id}`, `/category/${category}`]) {
    await visit(page, address)
    await page.getByRole('main').getByRole('button', { name: /^关注/ }).click()
    await page
      .getByRole('main')
      .getByRole('button', { name: /已关注/, pressed: true })
      .waitFor()
  }
  for (const [tab, name] of [
    ['作者', owner.username],
    ['分类', '茶'],
    ['文集', '喝茶的书'],
  ] as const) {
    await visit(page, '/me/follows')
    await page.getByRole('link', { name: tab, exact: true }).click()
    await page.getByRole('main').getByRole('link', { name, exact: true }).waitFor()
  }
  expect(await accessibilityFaults(page)).toEqual([])

  const added = await publish('续茶经')
  const { collection } = await owner.call(contract.collections.own)
  await owner.call(contract.collections.addItems, {
    collection_id: collection[0]?.id ?? 0,
    item: [{ content_id: added.id }],
  })
  await expect
    .poll(
      async () => {
        // What is gathered for a minute is announced now.
        await site.db.updateTable('job').set({ run_at: 0 }).where('kind', '=', 'follows.announce').execute()
        const { notification } = await reader.call(contract.notifications.list)
        return notification.map(({ title }) => title).toSorted()
      },
      { timeout: 30_000, interval: 300 },
    )
    .toEqual([`${owner.username} 发布了文档《续茶经》`, '文集《喝茶的书》新增了文档《续茶经》'])
  await visit(page, '/')
  await page.getByRole('button', { name: '通知，2 条未读通知' }).click()
  const latest = page.getByRole('dialog', { name: '最新通知' })
  await latest.getByRole('link', { name: '文集《喝茶的书》新增了文档《续茶经》' }).click()
  await waitForPath(page, path)
  await expect.poll(() => titlesOn(page)).toEqual(['茶经', '大观茶论', '续茶经'])
  expectNoPageErrors(page)
})

async function openMemberWindow(member: Member): Promise<Page> {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, member)
  return page
}

function publish(title: string): Promise<PublishedDocument> {
  return publishAndWait(site, owner, {
    name: `${title}.pdf`,
    bytes: makePdf({ title, pages: 2 }),
    category: [category],
  })
}

/** As the server has them. */
async function savedTitles(): Promise<string[]> {
  const { item } = await owner.call(contract.collections.items, { uuid: path.split('/').at(-1) ?? '' })
  return item.map(({ title }) => title)
}

/** Of the items, in their order. */
function titlesOn(page: Page): Promise<string[]> {
  return page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()
}

async function dragBelow(page: Page, title: string, other: string): Promise<void> {
  const rowOf = (name: string) =>
    page.getByRole('list', { name: '文集的内容' }).getByRole('listitem').filter({ hasText: name })
  const handle = await rowOf(title).getByTitle('拖动调整顺序').boundingBox()
  const target = await rowOf(other).boundingBox()
  if (!handle || !target) throw new Error('nothing to drag')
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2)
  await page.mouse.down()
  await page.mouse.move(handle.x + handle.width / 2, target.y + target.height - 4, { steps: 4 })
  await page.mouse.up()
}
