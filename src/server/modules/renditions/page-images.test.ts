import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#server/context.ts'
import { Unconvertible } from '#server/convert/converter.ts'
import { publishDocument, convertAll, renditionRow } from '#server/testing/publish-document.ts'
import { tempFolder } from '#server/testing/folder.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { openPageImages } from './page-images.ts'
import type { Rendition } from './renditions.queries.ts'

let site: Site
let ctx: Ctx
let rendition: Rendition
const rendered: number[] = []
beforeAll(async () => {
  site = await openSite()
  const { hash } = await publishDocument(site, { name: '图.pdf', content: makePdf({ title: '图', pages: 5 }) })
  await convertAll(site)
  rendition = await renditionRow(site, hash)
  const real = await site.app.context()
  const renderPage: Ctx['converter']['renderPage'] = (source, number, options) => {
    rendered.push(number)
    if (number === 5) return Promise.reject(new Unconvertible('timeout'))
    return real.converter.renderPage(source, number, options)
  }
  ctx = { ...real, converter: { ...real.converter, renderPage } }
})
afterAll(() => site.close())

test('concurrent requests for a page render it once, and the image is cached', async () => {
  const pageImages = openPageImages(tempFolder())
  rendered.length = 0
  const pages = await Promise.all(Array.from({ length: 20 }, () => pageImages.page(ctx, rendition, 2)))
  expect(rendered).toEqual([2])
  expect(new Set(pages.map((bytes) => Buffer.from(bytes).toString('base64'))).size).toBe(1)
  await pageImages.page(ctx, rendition, 2)
  await pageImages.prerender(ctx, { rendition, page: 2, source: { path: '', type: 'pdf' }, options: {} })
  expect(rendered).toEqual([2])
})

test('an evicted page is rendered again', async () => {
  const pageImages = openPageImages(tempFolder())
  const before = await pageImages.page(ctx, rendition, 3)
  await pageImages.evict(rendition.hash, rendition.revision)
  rendered.length = 0
  expect(Buffer.from(await pageImages.page(ctx, rendition, 3)).equals(before)).toBe(true)
  expect(rendered).toEqual([3])
})

test('a page that cannot be rendered is not retried for each request', async () => {
  const pageImages = openPageImages(tempFolder())
  rendered.length = 0
  for (let n = 0; n < 3; n++)
    await expect(renderAsync(() => pageImages.page(ctx, rendition, 5))).rejects.toThrow('页面不存在')
  expect(rendered).toEqual([5])
  await pageImages.page(ctx, rendition, 4)
})

async function renderAsync(page: () => Promise<Uint8Array>): Promise<Uint8Array> {
  return page()
}
