import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { documents } from '#shared/contract/documents.ts'
import { type Call, client } from '#shared/client.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { openBrowser, openWindow, visit } from './browser.ts'
import { type PublishedDocument, type UploadClient, createUploadClient } from './upload-client.ts'
import { configure } from './owner.ts'
import { type RunningSite, startSite } from './running-site.ts'

const owner = { username: 'admin', password: 'owner password' }
const pages = 8

let browser: Browser
let site: RunningSite
let uploader: UploadClient
let book: PublishedDocument
beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: owner.password })
  await configure(site, { 'security.enable_captcha_login': 'false', 'converter.max_preview_free': '0' })
  uploader = await createUploadClient(site.url, owner)
  const text = (page: number) => [`暗号${'甲乙丙丁戊己庚辛'[page - 1]}`]
  const [made] = await uploader.publish(['样章.pdf', makePdf({ title: '样章', pages, text })])
  if (!made) throw new Error('not published')
  book = made
  await uploader.waitUntilFinished([book.id])
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('beyond the preview limit no address gives a page, a thumbnail or its text, whatever was given out before', async () => {
  const visitor = client({ fetch, origin: site.url })
  const before = await keyFor(visitor)
  for (let page = 1; page <= pages; page++) expect(await statuses(before, page)).toEqual([200, 200, 200, 200])

  await configure(site, { 'converter.max_preview_free': '3' })
  const after = await keyFor(visitor)
  for (const key of new Set([before, after])) {
    for (let page = 1; page <= 3; page++) expect(await statuses(key, page)).toEqual([200, 200, 200, 200])
    for (let page = 4; page <= pages; page++) expect(await statuses(key, page)).toEqual([403, 403, 403, 403])
  }
  const own = await keyFor(uploader.call)
  for (let page = 1; page <= pages; page++) expect(await statuses(own, page)).toEqual([200, 200, 200, 200])

  const replies = JSON.stringify([
    await visitor(documents.get, { id: book.id, with_all_content: true }),
    await visitor(documents.layout, { id: book.id }),
    await visitor(documents.list, {}),
    await visitor(documents.progress, { id: [book.id] }),
  ])
  const html = await (await fetch(`${site.url}/document/${book.uuid}?fresh`)).text()
  for (const words of [replies, html]) {
    expect(words).toContain('暗号甲')
    expect(words).not.toMatch(/暗号[丁戊己庚辛]/)
  }
})

test('the limit by percent holds too, and the page shows the preview and the number of further pages', async () => {
  await configure(site, { 'converter.max_preview_free': '0', 'converter.max_preview_percent': '25' })
  const key = await keyFor(client({ fetch, origin: site.url }))
  expect(await statuses(key, 2)).toEqual([200, 200, 200, 200])
  expect(await statuses(key, 3)).toEqual([403, 403, 403, 403])
  const page = await openWindow(browser, site.url)
  await visit(page, `/document/${book.uuid}`)
  await page.locator('figure[data-page="1"] img').waitFor()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await page.locator('figure[data-page="2"] img').waitFor()
  expect(await page.locator('figure[data-page="3"]').count()).toBe(0)
})

async function keyFor(call: Call): Promise<string> {
  const { document } = await call(documents.progress, { id: [book.id] })
  return document[0]?.hash ?? ''
}

/** Of every address that could give something of a page. */
function statuses(key: string, page: number): Promise<number[]> {
  const addresses = [`page/${key}/${page}.svg`, `page/${key}/${page}.gzip.svg`, `thumb/${key}/${page}.webp`]
  return Promise.all(
    [...addresses, `text/${key}/${page}.json`].map(async (path) => (await fetch(`${site.url}/view/${path}`)).status),
  )
}
