import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { VipCard } from '#shared/enums.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { confirmDialog, expectNoPageErrors, openWindow, visit, waitForPath } from './browser.ts'
import { startLibrary } from './library.ts'
import { configure } from './owner.ts'
import { signInAs } from './person.ts'
import type { RunningSite } from './running-site.ts'
import { addCategory, createMember, type Member, publishAndWait } from './site-setup.ts'
import type { PublishedDocument } from './upload-client.ts'

/** What members with a VIP card see and pay. */

let browser: Browser
let site: RunningSite
let root: Member
let author: Member
let reader: Member
let marked: PublishedDocument
let other: PublishedDocument
beforeAll(async () => {
  ;({ browser, site, root, author } = await startLibrary('写书的会员'))
  await configure(site, { 'vip.enable': 'true', 'vip.month_download': '2', 'vip.month_document_discount': '70' })
  await configure(site, { 'converter.max_preview': '1' })
  await addCategory(root, '教材')
  reader = await createMember(site, root, '读书的人')
  const add = (title: string, price: number) =>
    publishAndWait(site, author, { name: `${title}.pdf`, bytes: makePdf({ title, pages: 2 }), price })
  marked = await add('茶经', 30)
  other = await add('蚕书', 20)
  await grant(author)
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('staff mark a document in the list of the back office', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, root)
  await visit(page, '/admin/document/list')
  await page.getByRole('row', { name: /茶经/ }).getByRole('checkbox').check()
  await page.getByRole('button', { name: '批量设为 VIP 文档' }).click()
  await confirmDialog(page, /^设为 VIP 文档|^确\s*定/)
  await page.getByRole('row', { name: /茶经/ }).getByText('VIP', { exact: true }).waitFor()
  await visit(page, '/admin/document/list?fee_type=vip')
  await page.getByRole('row', { name: /茶经/ }).waitFor()
  expect(await page.getByRole('row', { name: /蚕书/ }).count()).toBe(0)
  expectNoPageErrors(page)
})

test('a member without a card reads what it would save; with a card the price is reduced or nothing', async () => {
  const page = await openWindow(browser, site.url)
  await signInAs(page, site, reader)
  await visit(page, '/category')
  await page.getByRole('link', { name: 'VIP', exact: true }).click()
  await waitForPath(page, '/category?fee_type=vip')
  await page.getByText('VIP 免费').waitFor()
  expect(await page.getByRole('link', { name: '蚕书' }).count()).toBe(0)
  await visit(page, `/document/${marked.uuid}`)
  await page.getByRole('region', { name: '上传者' }).getByText('VIP', { exact: true }).waitFor()
  await openOffer(page)
  const dialog = page.getByRole('dialog', { name: '下载文档' })
  await dialog.getByText('开通 VIP 后').waitFor()
  expect(await dialog.getByRole('link', { name: '免费，去开通' }).getAttribute('href')).toBe('/joinvip')
  await grant(reader)

  await visit(page, `/document/${marked.uuid}`)
  await openOffer(page)
  await dialog.getByText('免费（VIP，原价 30 豆子）').waitFor()
  await dialog.getByText('2 份').waitFor()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: '下载', exact: true }).click()
  expect((await download).suggestedFilename()).toBe('茶经.pdf')
  expect(await reader.call(contract.vip.active)).toMatchObject({ download_used: 1 })
  await visit(page, `/document/${other.uuid}`)
  await openOffer(page)
  await dialog.getByText('14 豆子（VIP 价，原价 20 豆子）').waitFor()
  expectNoPageErrors(page)
})

test('before paying the page says that it opens the rest, and after it shows it by itself', async () => {
  const buyer = await createMember(site, root, '买书的人')
  const { id } = await buyer.call(contract.users.get)
  await root.call(contract.credits.adjust, { user_id: id, amount: 50, reason: '见面礼', key: 'paid-reading' })
  const page = await openWindow(browser, site.url)
  await visit(page, `/document/${marked.uuid}`)
  await page.getByText('已预览 1 页，还剩 1 页，购买或开通 VIP 后可在线阅读全文').waitFor()
  await signInAs(page, site, buyer)
  await visit(page, `/document/${other.uuid}`)
  await page.getByText('已预览 1 页，还剩 1 页，购买后可在线阅读全文').waitFor()
  await openOffer(page)
  const dialog = page.getByRole('dialog', { name: '下载文档' })
  await dialog.getByText('购买后', { exact: true }).waitFor()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: '支付并下载' }).click()
  await download
  await page.getByRole('heading', { name: '读完了' }).waitFor()
  expect(await page.getByText('购买后可在线阅读全文').count()).toBe(0)
  // The second page is drawn with the key that this member was given.
  await expect.poll(() => page.locator('img[src*="/view/page/"]').count()).toBe(2)
  // Opened anew, the page is rendered for everyone, and then shows what this member may read.
  await visit(page, `/document/${other.uuid}`)
  await page.getByRole('heading', { name: '读完了' }).waitFor()
  // An address of a page that was bought opens there.
  await visit(page, `/document/${other.uuid}?page=2`)
  await expect.poll(() => page.getByLabel(/^页码/).inputValue()).toBe('2')
  expectNoPageErrors(page)
})

test('the badge stands beside the names of VIP members, with the icon that the owner has chosen', async () => {
  const page = await openWindow(browser, site.url)
  const { id } = await author.call(contract.users.get)
  await visit(page, `/user/${id}`)
  const badge = page.getByRole('heading', { name: '写书的会员' })
  await badge.getByText('VIP', { exact: true }).waitFor()
  await configure(site, { 'vip.icon': '/static/icon.png' })
  await expect
    .poll(async () => {
      await visit(page, `/user/${id}`)
      return badge.getByAltText('VIP').count()
    })
    .toBe(1)
  await configure(site, { 'vip.icon': '', 'vip.enable': 'false' })
  await expect
    .poll(async () => {
      await visit(page, `/user/${id}`)
      return [await badge.count(), await badge.getByText('VIP').count()]
    })
    .toEqual([1, 0])
})

test('cards that are sold are offered where members look, and nowhere when nothing is sold', async () => {
  const page = await openWindow(browser, site.url)
  const guest = await openWindow(browser, site.url)
  await configure(site, { 'vip.enable': 'true' })
  const member = await createMember(site, root, '看看的人')
  await signInAs(page, site, member)
  const offer = (scope: Page | ReturnType<Page['getByRole']>) => scope.getByRole('link', { name: /^开通 VIP/ })
  const look = async () => {
    await visit(guest, '/')
    await visit(page, '/me')
    await page.getByRole('navigation', { name: '个人中心' }).getByRole('link', { name: '我的动态' }).waitFor()
    const menu = page.getByRole('navigation', { name: '个人中心' })
    await page.getByRole('button', { name: '看看的人 的菜单' }).click()
    const inMenu = await page.getByRole('menuitem', { name: '开通 VIP' }).count()
    await page.keyboard.press('Escape')
    return {
      home: await guest
        .getByRole('complementary')
        .getByRole('link', { name: /^开通 VIP/ })
        .count(),
      menu: inMenu,
      centre: await offer(page).count(),
      vip: await menu.getByRole('link', { name: 'VIP 会员' }).count(),
      orders: await menu.getByRole('link', { name: '我的订单' }).count(),
    }
  }
  await expect.poll(look).toEqual({ home: 1, menu: 1, centre: 1, vip: 1, orders: 1 })
  await visit(guest, `/document/${marked.uuid}`)
  expect(await guest.getByRole('link', { name: 'VIP 免费' }).getAttribute('href')).toBe('/joinvip')
  const unpriced = { 'vip.year_price': '0', 'vip.quarter_price': '0', 'vip.month_price': '0' }
  await configure(site, unpriced)
  await expect.poll(look, { timeout: 20_000 }).toEqual({ home: 0, menu: 0, centre: 0, vip: 0, orders: 1 })
  await expect
    .poll(async () => {
      await visit(guest, `/document/${marked.uuid}`)
      return guest.getByText(/VIP 免费|开通 VIP/).count()
    })
    .toBe(0)
  await visit(page, '/joinvip')
  await page.getByRole('heading', { name: '现在没有出售的 VIP 卡' }).waitFor()
  expect(await page.getByRole('link', { name: '设置价格' }).count()).toBe(0)
  const owner = await openWindow(browser, site.url)
  await signInAs(owner, site, root)
  await visit(owner, '/joinvip')
  await owner.getByRole('link', { name: '设置价格' }).click()
  await owner.getByText('会员买不到 VIP：三张卡的价格都是 0').waitFor()
  await configure(site, { 'vip.enable': 'false' })
  // Documents with a price are left: they are paid for with credits.
  await expect.poll(look, { timeout: 20_000 }).toEqual({ home: 0, menu: 0, centre: 0, vip: 0, orders: 1 })
  await site.db.updateTable('document').set({ price: 0 }).execute()
  await expect.poll(look, { timeout: 20_000 }).toEqual({ home: 0, menu: 0, centre: 0, vip: 0, orders: 0 })
  expectNoPageErrors(page)
})

async function openOffer(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^下载/ }).first().click()
}

async function grant(member: Member): Promise<void> {
  const { id } = await member.call(contract.users.get)
  await root.call(contract.vip.grant, { user_id: id, type: VipCard.Month, reason: '赠送' })
}
