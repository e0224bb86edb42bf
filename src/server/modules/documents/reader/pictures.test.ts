import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { Visibility } from '#shared/enums.ts'
import type { ReflowedPage } from '#shared/reflow.ts'
import { makeEpub, makeMobi } from '#server/samples/books.ts'
import { paragraphs } from '#server/samples/prose.ts'
import { convertAll, publishDocument } from '#server/testing/publish-document.ts'
import { openSite, type Person, type Site } from '#server/testing/site.ts'

/** The pictures of the text view. */

let site: Site
let owner: Person
let id: number
let red: Buffer
let blue: Buffer
beforeAll(async () => {
  ;[red, blue] = await Promise.all([paint('#aa0000', 'png'), paint('#0000aa', 'jpeg')])
  site = await openSite()
  owner = await site.member()
  const chapter = (body: string) => `<html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`
  const prose = paragraphs(30)
    .map((text, index) => `<p>第${index}段：${text}</p>`)
    .join('')
  const content = makeEpub({
    title: '图册',
    chapters: 2,
    extra: {
      'OEBPS/c1.xhtml': chapter(
        `<p>第一幅图在这里。<img src="images/red%20one.png" alt="红"/><img src="drawn.svg" alt="画"/></p>
        <p><img src="fake.png" alt="假"/><img src="../../outside.png"/><img src="https://example.com/a.png"/></p>${prose}`,
      ),
      'OEBPS/c2.xhtml': chapter('<p>第二幅图在下面的地方。</p><svg><image xlink:href="blue.jpg"/></svg><p>完了。</p>'),
      'OEBPS/images/red one.png': red,
      'OEBPS/blue.jpg': blue,
      'OEBPS/drawn.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'OEBPS/fake.png': '<html><script>alert(1)</script></html>',
    },
  })
  ;({ id } = await publishDocument(site, { name: '图册.epub', content, owner }))
  await convertAll(site)
})
afterAll(() => site.close())

test('pictures stand in the text with their sizes, and are what the book has', async () => {
  const shown = picturesOf(await read())
  expect(shown.map(({ block }) => block)).toEqual([
    { kind: 'picture', width: 320, height: 200, alt: '红' },
    { kind: 'picture', width: 320, height: 200, alt: '' },
  ])
  const replies = await Promise.all(shown.map(async ({ name }) => ask(await keyFor(site.call), name)))
  expect(replies.map(({ headers }) => headers.get('content-type'))).toEqual(['image/png', 'image/jpeg'])
  expect(await Promise.all(replies.map(bytesOf))).toEqual([red, blue])
  for (const { headers } of replies) {
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('nothing but pictures is given', async () => {
  const key = await keyFor(site.call)
  for (const name of ['1-0', '1-99', '1-1.svg', '0-1', '99-1', '1', 'x', '1--1'])
    expect((await ask(key, name)).status, name).toBe(404)
})

test('a picture behind the preview is refused to readers who may not read its page', async () => {
  const last = picturesOf(await read()).at(-1)
  await site.configure({ 'converter.max_preview_free': '1' })
  const visitor = await keyFor(site.call)
  const shown = picturesOf(await read())
  expect(shown).toHaveLength(1)
  expect((await ask(visitor, shown[0]?.name)).status).toBe(200)
  expect(last?.page).toBeGreaterThan(1)
  expect((await ask(visitor, last?.name)).status).toBe(403)
  expect((await ask(await keyFor(owner.call), last?.name)).status).toBe(200)
  await site.configure({ 'converter.max_preview_free': '0' })
})

test('a picture goes with its document: hidden, deleted, or not free', async () => {
  const [first] = picturesOf(await read())
  const key = await keyFor(site.call)
  const change = (values: { visibility?: Visibility; deleted_at?: number | null; price?: number }) =>
    site.db.updateTable('document').set(values).where('id', '=', id).execute()
  expect((await ask(key, first?.name)).status).toBe(200)
  await change({ visibility: Visibility.Private })
  expect((await ask(key, first?.name)).status).toBe(404)
  await change({ visibility: Visibility.Public, deleted_at: 1 })
  expect((await ask(key, first?.name)).status).toBe(404)
  await change({ deleted_at: null, price: 5 })
  await site.configure({ 'converter.max_preview': '1' })
  const [, second] = picturesOf(await read(owner.call))
  expect((await ask(await keyFor(site.call), second?.name)).status).toBe(403)
})

test('a MOBI book has its pictures', async () => {
  const html = '<h1>图</h1><p>一幅画在下面。</p><p><img recindex="00001"/></p><p>画在上面。</p><img recindex="00009"/>'
  const book = await publishDocument(site, { name: '图.mobi', content: makeMobi({ html, pictures: [blue] }), owner })
  await convertAll(site)
  const [picture, ...others] = picturesOf(await read(site.call, book.id))
  expect(others).toEqual([])
  expect(await bytesOf(await ask(await keyFor(site.call, book.id), picture?.name))).toEqual(blue)
})

async function paint(background: string, format: 'png' | 'jpeg'): Promise<Buffer> {
  return sharp({ create: { width: 320, height: 200, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
}

async function read(call = site.call, document = id): Promise<ReflowedPage[]> {
  const { status, json } = await site.send('GET', `/view/reflow/${await keyFor(call, document)}/1.json`)
  expect(status).toBe(200)
  return json['pages'] as ReflowedPage[]
}

function picturesOf(pages: readonly ReflowedPage[]) {
  return pages.flatMap(({ page, blocks }) =>
    blocks.flatMap((block, index) => (block.kind === 'picture' ? [{ page, block, name: `${page}-${index}` }] : [])),
  )
}

function ask(key: string, name = ''): Promise<Response> {
  return site.request(`/view/picture/${key}/${name}`)
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer())
}

async function keyFor(call: Site['call'], document = id): Promise<string> {
  const reply = await call(documents.progress, { id: [document] })
  return reply.document[0]?.hash ?? ''
}
