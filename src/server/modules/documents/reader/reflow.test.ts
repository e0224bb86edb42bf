import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { blockText, type ReflowedPage } from '#shared/reflow.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { convertAll, publishDocument } from '#server/testing/publish-document.ts'
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

async function read(call: Site['call'], first: number): Promise<ReflowedPage[]> {
  const { status, json } = await site.send('GET', `/view/reflow/${await keyFor(call)}/${first}.json`)
  expect(status).toBe(200)
  return json['pages'] as ReflowedPage[]
}

function textOf(page: ReflowedPage | undefined): string {
  return page?.blocks.map(blockText).join('\n') ?? ''
}

async function keyFor(call: Site['call']): Promise<string> {
  const reply = await call(documents.progress, { id: [id] })
  return reply.document[0]?.hash ?? ''
}
