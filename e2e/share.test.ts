import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePdf } from '#server/samples/pdf.ts'
import { expectNoPageErrors, openBrowser, openWindow, phone, visit } from './browser.ts'
import { configure } from './owner.ts'
import { accessibilityFaults } from './page-checks.ts'
import { journeyEngine, type RunningSite, startSite } from './running-site.ts'
import { addCategory, publishAndWait, signInAsRoot } from './site-setup.ts'
import type { PublishedDocument } from './upload-client.ts'

/** A reader passes a document on. */

let browser: Browser
let site: RunningSite
let document: PublishedDocument
beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite(journeyEngine, { ADMIN_PASSWORD: 'root password' })
  const root = await signInAsRoot(site, 'root password')
  await addCategory(root, '游记')
  document = await publishAndWait(site, root, { name: '山行.pdf', bytes: makePdf({ title: '山行', pages: 4 }) })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('the dialog gives the link to this page, a picture and the code of a frame', async () => {
  const page = await openWindow(browser, site.url)
  await visit(page, `/document/${document.uuid}?page=3`)
  // Below the title; another one stands at the end of the document.
  await page.getByRole('button', { name: '分享', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: '分享文档' })
  const link = dialog.getByLabel('链接', { exact: true })
  expect(await link.inputValue()).toBe(`${site.url}/document/${document.uuid}`)
  await dialog.getByLabel('打开就到第 3 页').check()
  expect(await link.inputValue()).toBe(`${site.url}/document/${document.uuid}?page=3`)
  const weibo = await dialog.getByRole('link', { name: '微博' }).getAttribute('href')
  expect(new URL(weibo ?? '').searchParams.get('url')).toBe(`${site.url}/document/${document.uuid}?page=3`)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: '保存图片' }).click()
  expect((await download).suggestedFilename()).toBe('山行.png')
  await dialog.getByText('嵌入到其他网页').click()
  expect(await dialog.getByLabel('嵌入代码').inputValue()).toContain(`src="${site.url}/embed/${document.uuid}"`)
  expect(await accessibilityFaults(page)).toEqual([])
  expectNoPageErrors(page)
})

test('on a phone sharing starts with its own sheet, or with the link, and the code comes last', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
  await page.addInitScript(() => {
    const sent: unknown[] = []
    Object.assign(window, { sent })
    Object.assign(navigator, { share: async (content: unknown) => void sent.push(content) })
  })
  await visit(page, `/document/${document.uuid}`)
  await page.getByRole('button', { name: '分享', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: '分享文档' })
  const sheet = dialog.getByRole('button', { name: '发给朋友' })
  await sheet.click()
  expect(await page.evaluate(() => Reflect.get(window, 'sent'))).toEqual([
    { title: '山行', url: `${site.url}/document/${document.uuid}` },
  ])
  const order = await Promise.all(
    [sheet, dialog.getByLabel('链接', { exact: true }), dialog.getByRole('figure')].map(topOf),
  )
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(await accessibilityFaults(page)).toEqual([])

  const plain = await openWindow(browser, site.url, { viewport: phone, hasTouch: true, isMobile: true })
  await visit(plain, `/document/${document.uuid}`)
  await plain.getByRole('button', { name: '分享', exact: true }).first().click()
  const other = plain.getByRole('dialog', { name: '分享文档' })
  expect(await topOf(other.getByRole('button', { name: '复制链接' }))).toBeLessThan(
    await topOf(other.getByRole('figure')),
  )
})

async function topOf(place: Locator): Promise<number> {
  return (await place.boundingBox())?.y ?? Number.NaN
}

test('another site shows the document in a frame, until the owner forbids it', async () => {
  const frame = `<iframe src="${site.url}/embed/${document.uuid}" title="山行" width="600" height="400"></iframe>`
  const foreign = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>别的网站</title>${frame}`)
  }).listen(0)
  const address = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`
  const page = await openWindow(browser, address, { viewport: phone })
  await page.goto(address)
  await page.frameLocator('iframe').getByRole('img', { name: '山行 第 1 页' }).waitFor()
  await configure(site, { 'display.enable_embed': 'false' })
  expect((await fetch(`${site.url}/embed/${document.uuid}`)).status).toBe(404)
  const response = await fetch(`${site.url}/embed/${document.uuid}`)
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
  foreign.close()
})
