import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { maxFoundCells } from '#shared/contract/documents.ts'
import type { ReadableIndex } from '#shared/tables.ts'
import { makeXlsx } from '#server/samples/sheets.ts'
import { convertAll, documentRow, publishDocument, renditionRow } from '#server/testing/publish-document.ts'
import { openSite, type Person, type Site } from '#server/testing/site.ts'
import { tableIndexKey } from '#server/modules/renditions/storage-keys.ts'
import { openTableCache } from './table-cache.ts'
import { readPageTexts } from '#server/modules/renditions/page-text.ts'

/** Rows of very different heights: the first ones fill many pages, the others few. */
const tallRows = 60
const flatRows = 900
const csv = [
  '编号,内容',
  ...Array.from({ length: tallRows }, (_, index) => `A${1000 + index},${`高行${index}，`.repeat(120)}`),
  ...Array.from({ length: flatRows }, (_, index) => `B${1000 + index},${index % 2 === 0 ? '单' : '双'}`),
].join('\n')

/** Too wide for a page: its last columns are on pages behind all rows of the first ones. Every other row has only one. */
const wideRows = [
  [...Array.from({ length: 9 }, (_, column) => `第${column + 1}列`), '金额'],
  ...Array.from({ length: 90 }, (_, row) => {
    const cells = Array.from({ length: 9 }, (_, column) => `行${row + 1}列${column + 1}${'甲乙丙丁戊己庚辛'.repeat(6)}`)
    return row % 2 === 0 ? [...cells, `机密${row}`] : cells.slice(0, 1)
  }),
]

let site: Site
let owner: Person
let id: number
let hash: string
beforeAll(async () => {
  site = await openSite()
  owner = await site.member()
  ;({ id, hash } = await publishDocument(site, { name: '表.csv', content: csv, owner }))
  await convertAll(site)
}, 60_000)
afterAll(() => site.close())
afterEach(() => site.configure({ 'converter.max_preview_free': '0' }))

test('a spreadsheet can be read as a table, in slices', async () => {
  expect((await site.call(documents.layout, { id })).views).toContain('table')
  const index = await readIndex(site.call)
  expect(index).toMatchObject({
    rowsPerSlice: 200,
    isPreview: false,
    sheets: [{ id: 0, name: '表格', rows: 961, isCut: false, columns: [{ number: 0 }, { number: 1 }] }],
  })
  expect(await readSlice(site.call, 0)).toHaveLength(200)
  expect((await readSlice(site.call, 4)).at(-1)).toEqual(['B1899', '双'])
  for (const name of ['0-5.json', '1-0.json', '0-0.txt', 'x.json', '0-1e1.json'])
    expect((await site.request(`/view/table/${await keyFor(site.call)}/${name}`)).status).toBe(404)
})

test('a slice is compressed once and kept by browsers; the index is asked for again', async () => {
  const key = await keyFor(site.call)
  const slice = await site.request(`/view/table/${key}/0-0.json`, { headers: { 'accept-encoding': 'gzip' } })
  expect(slice.headers.get('content-encoding')).toBe('gzip')
  expect(slice.headers.get('cache-control')).toContain('immutable')
  expect(JSON.parse(gunzipSync(Buffer.from(await slice.arrayBuffer())).toString('utf8'))).toHaveLength(200)
  const index = await site.request(`/view/table/${key}/index.json`)
  expect(index.headers.get('cache-control')).toBe('no-cache')
  const headers = { 'if-none-match': index.headers.get('etag') ?? '' }
  expect((await site.request(`/view/table/${key}/index.json`, { headers })).status).toBe(304)
})

test('a preview has no row that its pages do not show', async () => {
  const { pages, revision } = await renditionRow(site, hash)
  for (const preview of [1, 5, pages - 2]) {
    await site.configure({ 'converter.max_preview_free': String(preview) })
    const index = await readIndex(site.call)
    expect(index.isPreview).toBe(true)
    const rows = index.sheets[0]?.rows ?? 0
    expect(rows).toBeGreaterThan(0)
    const ctx = await site.app.context()
    const shown = (await readPageTexts(ctx, { hash, revision, from: 1, to: preview })).join('\n')
    const lastSlice = Math.floor((rows - 1) / 200)
    const slice = await readSlice(site.call, lastSlice)
    expect(slice).toHaveLength(rows - lastSlice * 200)
    expect(shown).toContain(slice.at(-1)?.[0] ?? '?')
    const beyond = await site.send('GET', `/view/table/${await keyFor(site.call)}/0-${lastSlice + 1}.json`)
    expect(beyond.json).toMatchObject({ reason: 'documents.beyondPreview' })
    expect(beyond.headers.get('cache-control')).toBe('no-store')
    // The owner reads all of it.
    expect(await readIndex(owner.call)).toMatchObject({ isPreview: false, sheets: [{ rows: 961 }] })
  }
})

test('a preview has no column whose pages it does not show', async () => {
  const wide = await publishDocument(site, {
    name: '宽表.xlsx',
    content: makeXlsx({ name: '宽', rows: wideRows }),
    owner,
  })
  await convertAll(site)
  const { pages, revision } = await renditionRow(site, wide.hash)
  const ctx = await site.app.context()
  const texts = await readPageTexts(ctx, { hash: wide.hash, revision, from: 1, to: pages })
  expect(texts.findIndex((text) => text.includes('机密'))).toBeGreaterThan(
    texts.findIndex((text) => text.includes('行90列1')),
  )
  await site.configure({ 'converter.max_preview_free': '2' })
  const [index, hits] = [
    await site.request(`/view/table/${await keyFor(site.call, wide.id)}/index.json`),
    await site.call(documents.findCells, { id: wide.id, wd: '机密' }),
  ]
  expect({ status: index.status, cells: hits.cell }).toEqual({ status: 404, cells: [] })
  expect((await owner.call(documents.findCells, { id: wide.id, wd: '机密' })).cell).toHaveLength(45)
})

test('a search finds cells of all rows, and in a preview only those of its rows', async () => {
  const { cell, has_more } = await site.call(documents.findCells, { id, wd: 'b1899' })
  expect({ cell, has_more }).toEqual({ cell: [[0, 960, 0]], has_more: false })
  expect((await site.call(documents.findCells, { id, wd: '没有这个' })).cell).toEqual([])
  expect((await site.call(documents.findCells, { id, wd: '双' })).cell).toHaveLength(450)
  await site.configure({ 'converter.max_preview_free': '2' })
  expect((await site.call(documents.findCells, { id, wd: 'b1899' })).cell).toEqual([])
  expect((await site.call(documents.findCells, { id, wd: '编号' })).cell).toEqual([[0, 0, 0]])
  expect((await owner.call(documents.findCells, { id, wd: 'b1899' })).cell).toHaveLength(1)
})

test('more searches than a few at once are asked to come again', async () => {
  const search = () => site.send('GET', `/api/v1/document/table/find?id=${id}&wd=b1899`)
  const statuses = (await Promise.all(Array.from({ length: 40 }, search))).map(({ status }) => status)
  expect(statuses).toContain(200)
  expect(statuses).toContain(429)
  expect((await search()).status).toBe(200)
})

test('a workbook gives its formatted values, and so many hits that not all are listed', async () => {
  const rows = [['名称', '数量'], ...Array.from({ length: maxFoundCells + 10 }, () => ['墨', '5'])]
  const workbook = await publishDocument(site, { name: '价目.xlsx', content: makeXlsx({ name: '价', rows }), owner })
  await convertAll(site)
  const reader = (path: string) => site.send('GET', path)
  const key = await keyFor(site.call, workbook.id)
  const { json } = await reader(`/view/table/${key}/index.json`)
  expect(json).toMatchObject({ sheets: [{ name: '价', rows: rows.length }] })
  const found = await site.call(documents.findCells, { id: workbook.id, wd: '墨' })
  expect(found.cell).toHaveLength(maxFoundCells)
  expect(found.has_more).toBe(true)
}, 60_000)

test('a document that was converted without a table gets one when it is read', async () => {
  const { id, hash } = await publishDocument(site, { name: '旧表.csv', content: '编号,内容\nA1,旧', owner })
  await convertAll(site)
  const { revision } = await renditionRow(site, hash)
  const { storage } = await site.app.context()
  await storage.remove([tableIndexKey(hash, revision)])
  expect((await site.call(documents.layout, { id })).views).not.toContain('table')
  site.advanceClock(60_000)
  await site.runDueJobs()
  expect((await site.call(documents.layout, { id })).views).toContain('table')
}, 60_000)

test('a document that is no spreadsheet, and one whose cells cannot be read, have no table', async () => {
  const text = await publishDocument(site, { name: '文.txt', content: '一段文字', owner })
  await convertAll(site)
  expect((await site.request(`/view/table/${await keyFor(site.call, text.id)}/index.json`)).status).toBe(404)
  expect(await site.call(documents.findCells, { id: text.id, wd: '文字' })).toEqual({ cell: [], has_more: false })
  const { status } = await documentRow(site, text.id)
  expect(status).toBe((await documentRow(site, id)).status)
})

test('what of a table may be read is worked out once for all visitors, and anew for other limits and conversions', async () => {
  const { storage } = await site.app.context()
  const rendition = await renditionRow(site, hash)
  const reads: string[] = []
  const counting = {
    storage: {
      ...storage,
      read: (...[key, range]: Parameters<typeof storage.read>) => {
        reads.push(key)
        return storage.read(key, range)
      },
    },
  }
  const tables = openTableCache()
  const [first, second] = await Promise.all([2, 2].map((pages) => tables.find(counting, rendition, pages)))
  const once = reads.length
  expect(once).toBeGreaterThan(0)
  expect(second).toBe(first)
  expect(await tables.find(counting, rendition, 2)).toBe(first)
  expect(reads).toHaveLength(once)
  const wider = await tables.find(counting, rendition, 4)
  expect(wider?.index.sheets[0]?.rows).toBeGreaterThan(first?.index.sheets[0]?.rows ?? 0)
  expect(reads.length).toBeGreaterThan(once)
  // The cells of a new conversion are not there yet: that is asked for each time.
  const anew = { ...rendition, revision: rendition.revision + 1 }
  const before = reads.length
  expect(await tables.find(counting, anew, 2)).toBeUndefined()
  expect(await tables.find(counting, anew, 2)).toBeUndefined()
  expect(reads).toHaveLength(before + 2)
})

test('a reader gets a table also if others fill the cache meanwhile', async () => {
  const { storage } = await site.app.context()
  const rendition = await renditionRow(site, hash)
  const start = Promise.withResolvers<void>()
  const slow = {
    storage: {
      ...storage,
      read: async (...[key, range]: Parameters<typeof storage.read>) => {
        await start.promise
        return storage.read(key, range)
      },
    },
  }
  const noTable = { ...rendition, revision: rendition.revision + 1 }
  // Room for one of these tables.
  const tables = openTableCache({ maxSize: 30 })
  const waiting = Promise.all([tables.find(slow, rendition, 2), tables.find(slow, noTable, 2)])
  // Each number of pages is a table of its own to the cache.
  for (let pages = 1; pages <= 5; pages++)
    expect(await tables.find({ storage }, { ...rendition, pages }, pages)).toBeDefined()
  start.resolve()
  const [found, none] = await waiting
  expect(found?.index.isPreview).toBe(true)
  expect(none).toBeUndefined()
})

async function keyFor(call: Person['call'], document = id): Promise<string> {
  return (await call(documents.get, { id: document })).attachment.hash
}

async function readIndex(call: Person['call']): Promise<ReadableIndex> {
  const response = await site.request(`/view/table/${await keyFor(call)}/index.json`)
  expect(response.status).toBe(200)
  return response.json()
}

async function readSlice(call: Person['call'], slice: number): Promise<string[][]> {
  const response = await site.request(`/view/table/${await keyFor(call)}/0-${slice}.json`)
  expect(response.status).toBe(200)
  return response.json()
}
