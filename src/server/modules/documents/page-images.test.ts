import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#server/context.ts'
import { Unconvertible } from '#server/convert/converter.ts'
import { bring, convertAll, renditionRow } from '#server/testing/converting.ts'
import { tempFolder } from '#server/testing/folder.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { openPictures } from '#server/modules/renditions/page-images.ts'
import type { Rendition } from '#server/modules/renditions/renditions.queries.ts'

let site: Site
let ctx: Ctx
let rendition: Rendition
const drawn: number[] = []
beforeAll(async () => {
  site = await openSite()
  const { hash } = await bring(site, { name: '图.pdf', content: makePdf({ title: '图', pages: 5 }) })
  await convertAll(site)
  rendition = await renditionRow(site, hash)
  const real = await site.app.context()
  const page: Ctx['converter']['page'] = (book, number, ask) => {
    drawn.push(number)
    if (number === 5) return Promise.reject(new Unconvertible('timeout'))
    return real.converter.page(book, number, ask)
  }
  ctx = { ...real, converter: { ...real.converter, page } }
})
afterAll(() => site.close())

test('a page that many ask for at once is drawn once, and then kept', async () => {
  const pictures = openPictures(tempFolder())
  drawn.length = 0
  const pages = await Promise.all(Array.from({ length: 20 }, () => pictures.page(ctx, rendition, 2)))
  expect(drawn).toEqual([2])
  expect(new Set(pages.map((bytes) => Buffer.from(bytes).toString('base64'))).size).toBe(1)
  await pictures.page(ctx, rendition, 2)
  await pictures.prepare(ctx, { rendition, page: 2, book: { path: '', type: 'pdf' }, ask: {} })
  expect(drawn).toEqual([2])
})

test('a page that has left the cache is drawn again', async () => {
  const pictures = openPictures(tempFolder())
  const before = await pictures.page(ctx, rendition, 3)
  await pictures.drop(rendition.hash, rendition.revision)
  drawn.length = 0
  expect(Buffer.from(await pictures.page(ctx, rendition, 3)).equals(before)).toBe(true)
  expect(drawn).toEqual([3])
})

test('a page that cannot be drawn is not tried again for every reader', async () => {
  const pictures = openPictures(tempFolder())
  drawn.length = 0
  for (let n = 0; n < 3; n++) await expect(read(() => pictures.page(ctx, rendition, 5))).rejects.toThrow('页面不存在')
  expect(drawn).toEqual([5])
  await pictures.page(ctx, rendition, 4)
})

async function read(page: () => Promise<Uint8Array>): Promise<Uint8Array> {
  return page()
}
