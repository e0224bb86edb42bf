import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { blockText, type ReflowedPage } from '#shared/reflow.ts'
import { makeEpub, makeMobi } from '#server/samples/books.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { convertAll, publishDocument, renditionRow } from '#server/testing/publish-document.ts'
import { blockSliceKey } from '#server/modules/renditions/storage-keys.ts'
import { openSite, type Person, type Site } from '#server/testing/site.ts'

let site: Site
let owner: Person
let id: number
beforeAll(async () => {
  site = await openSite()
  owner = await site.member()
  const text = (page: number) => [`第 ${page} 页的段落从这里开始。`, `机密${page}在这一页。`]
  const content = makePdf({ title: '年报', pages: 26, text })
  ;({ id } = await publishDocument(site, { name: '年报.pdf', content, owner }))
  await convertAll(site)
})
afterAll(() => site.close())

test('the text of a document is offered, and that of a document without text is not', async () => {
  expect((await site.call(documents.layout, { id })).views).toEqual(['text'])
  const blank = makePdf({ title: '扫描件', pages: 3, text: () => [] })
  const scan = await publishDocument(site, { name: '扫描件.pdf', content: blank, owner })
  await convertAll(site)
  await site.db.updateTable('rendition').set({ excerpt: '3' }).where('hash', '=', scan.hash).execute()
  expect((await site.call(documents.layout, { id: scan.id })).views).toEqual([])
})

test('pages come in groups, each with its blocks', async () => {
  const pages = await read(site.call, 11)
  expect(pages.map(({ page }) => page)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
  expect(textOf(pages[0])).toContain('第 11 页的段落从这里开始。')
  expect((await read(site.call, 21)).map(({ page }) => page)).toEqual([21, 22, 23, 24, 25, 26])
})

test('only the first page of a group names it', async () => {
  const key = await keyFor(site.call)
  for (const page of ['2', '10', '31', '0', 'x']) {
    const response = await site.request(`/view/reflow/${key}/${page}.json`)
    expect(response.status).toBe(404)
  }
})

test('nothing beyond the preview is given, and all of it to the owner', async () => {
  await site.configure({ 'converter.max_preview_free': '13' })
  const pages = await read(site.call, 11)
  expect(pages.map(({ page }) => page)).toEqual([11, 12, 13])
  expect(JSON.stringify(pages)).not.toContain('机密14')
  const beyond = await site.send('GET', `/view/reflow/${await keyFor(site.call)}/21.json`)
  expect(beyond.json).toMatchObject({ reason: 'documents.beyondPreview' })
  const own = await site.request(`/view/reflow/${await keyFor(owner.call)}/11.json`)
  expect(own.headers.get('cache-control')).toBe('private, no-cache')
  expect(JSON.stringify(await own.json())).toContain('机密20')
  await site.configure({ 'converter.max_preview_free': '0' })
})

test('the text of a page is read from the file while it is not extracted', async () => {
  const { hash } = await site.db.selectFrom('document').select('hash').where('id', '=', id).executeTakeFirstOrThrow()
  const before = await read(site.call, 1)
  // A new revision has no stored text yet.
  await site.db.updateTable('rendition').set({ revision: 1 }).where('hash', '=', hash).execute()
  expect((await read(site.call, 1)).map(textOf)).toEqual(before.map(textOf))
})

test('text that is not final is asked for again', async () => {
  const content = makeEpub({
    title: '缓存',
    chapters: [{ title: '第一章', paragraphs: ['缓存的一段文字，不算太短。'] }],
  })
  const book = await publishDocument(site, { name: '缓存.epub', content, owner })
  await convertAll(site)
  const fetchText = async () => site.request(`/view/reflow/${await keyFor(site.call, book.id)}/1.json`)
  const final = await fetchText()
  expect(final.headers.get('cache-control')).toContain('immutable')
  const { pages, revision } = await renditionRow(site, book.hash)
  const setTextPages = (text_pages: number) =>
    site.db.updateTable('rendition').set({ text_pages }).where('hash', '=', book.hash).execute()
  await setTextPages(pages - 1)
  const early = await fetchText()
  expect(early.headers.get('cache-control')).toBe('private, no-cache')
  expect(early.headers.get('etag')).not.toBe(final.headers.get('etag'))
  await setTextPages(pages)
  const { storage } = await site.app.context()
  await storage.remove([blockSliceKey(book.hash, revision, 1)])
  const withoutBlocks = await fetchText()
  expect(withoutBlocks.headers.get('cache-control')).toBe('private, no-cache')
  expect(withoutBlocks.headers.get('etag')).not.toBe(final.headers.get('etag'))
  // As a book that an earlier version converted: the first reader has its structure extracted.
  await convertAll(site)
  const later = await fetchText()
  expect(later.headers.get('cache-control')).toContain('immutable')
  expect(await later.text()).toBe(await final.text())
})

test('a book keeps the structure of its file, on the pages of its text', async () => {
  const table = [
    ['品名', '数量'],
    ['铅笔', '120'],
  ]
  const chapters = [
    {
      title: '第一章 山谷',
      paragraphs: Array.from({ length: 30 }, (_, index) => `第${index + 1}段写的是山谷。`.repeat(4)),
    },
    { title: '第二章 河流', paragraphs: ['河流的开始。'], table },
  ]
  const book = await publishDocument(site, { name: '山谷.epub', content: makeEpub({ title: '山谷', chapters }), owner })
  await convertAll(site)
  await site.configure({ 'converter.max_preview_free': '0' })
  const pages = await read(site.call, 1, book.id)
  const blocks = pages.flatMap((page) => page.blocks)
  expect(blocks).toContainEqual({ kind: 'heading', level: 2, content: ['第一章 山谷'] })
  expect(blocks).toContainEqual({ kind: 'table', hasHead: true, rows: table.map((row) => row.map((cell) => [cell])) })
  expect(pages.length).toBeGreaterThan(2)
  await site.configure({ 'converter.max_preview_free': '1' })
  const [first, ...others] = await read(site.call, 1, book.id)
  expect(others).toEqual([])
  expect(textOf(first)).toContain('第1段')
  expect(textOf(first)).not.toContain('河流')
  const shown = (await site.send('GET', `/view/text/${await keyFor(site.call, book.id)}/1.json`)).json[
    'lines'
  ] as unknown[][]
  const letters = (text: string) => text.replace(/\s/g, '')
  expect(letters(shown.map((line) => line[4]).join(''))).toContain(letters(textOf(first)).slice(-40))
  await site.configure({ 'converter.max_preview_free': '0' })
})

test('MOBI and Markdown keep their own structure', async () => {
  const html = '<h2>第一章 山谷</h2><p>写的是山谷里的<i>第一个</i>春天。</p><ul><li>山</li><li>谷</li></ul>'
  const markdown = '# 第一章 山谷\n\n写的是山谷里的*第一个*春天。\n\n- 山\n- 谷\n\n> 引文在这里\n'
  const content = ['写的是山谷里的', { mark: 'italic', content: ['第一个'] }, '春天。']
  const files = [
    ['山谷.mobi', Buffer.from(makeMobi({ html })), 2, []],
    ['山谷.md', Buffer.from(markdown), 1, [{ kind: 'quote', content: ['引文在这里'] }]],
  ] as const
  for (const [name, file, level, more] of files) {
    const book = await publishDocument(site, { name, content: file, owner })
    await convertAll(site)
    const [page] = await read(site.call, 1, book.id)
    expect(page?.blocks).toEqual([
      { kind: 'heading', level, content: ['第一章 山谷'] },
      { kind: 'paragraph', content },
      { kind: 'item', marker: '•', depth: 0, content: ['山'] },
      { kind: 'item', marker: '•', depth: 0, content: ['谷'] },
      ...more,
    ])
  }
})

async function read(call: Site['call'], first: number, document = id): Promise<ReflowedPage[]> {
  const { status, json } = await site.send('GET', `/view/reflow/${await keyFor(call, document)}/${first}.json`)
  expect(status).toBe(200)
  return json['pages'] as ReflowedPage[]
}

function textOf(page: ReflowedPage | undefined): string {
  return page?.blocks.map(blockText).join('\n') ?? ''
}

async function keyFor(call: Site['call'], document = id): Promise<string> {
  const reply = await call(documents.progress, { id: [document] })
  return reply.document[0]?.hash ?? ''
}
