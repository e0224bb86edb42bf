import { searches } from '#shared/contract/search.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { openDocumentSite, type DocumentSite } from '#server/testing/document-site.ts'

let site: DocumentSite
beforeAll(async () => {
  site = await openDocumentSite()
})
afterAll(() => site.close())

async function addIndexed(...texts: string[]): Promise<number> {
  const [id = 0] = await site.addDocuments({ texts })
  await site.root.call(searches.reindex, {})
  await site.runDueJobs()
  return id
}

async function hits(id: number, wd: string): Promise<number[][]> {
  const { page } = await site.call(documents.find, { id, wd })
  return page.map((row) => [row.page, row.hits])
}

async function marks(id: number, wd: string, page: number): Promise<number[][]> {
  return (await site.call(documents.find, { id, wd, page })).mark
}

test('each hit on a page has its numbered marks, also where hits touch or continue on the next line', async () => {
  const id = await addIndexed('哈哈哈哈', '一衣带\n水，带水')
  expect(await hits(id, '哈哈')).toEqual([[1, 2]])
  expect(await marks(id, '哈哈', 1)).toEqual([
    [0, 0, 2, 0],
    [0, 2, 4, 1],
  ])
  expect(await hits(id, '带水')).toEqual([[2, 2]])
  expect(await marks(id, '带水', 2)).toEqual([
    [0, 2, 3, 0],
    [1, 0, 1, 0],
    [1, 2, 4, 1],
  ])
})

test('words that never occur as a phrase are found one by one, in reading order', async () => {
  const id = await addIndexed('后羿射日', '嫦娥奔月，后羿')
  expect(await hits(id, '后羿 嫦娥')).toEqual([
    [1, 1],
    [2, 2],
  ])
  expect(await marks(id, '后羿 嫦娥', 2)).toEqual([
    [0, 0, 2, 0],
    [0, 5, 7, 1],
  ])
})

test('of withheld pages a stranger learns only that they repeat what the preview says, not what or how often', async () => {
  const id = await addIndexed('封面：桃花源记', '目录', '桃花源里可耕田，桃花源', '缘溪行忘路')
  await site.configure({ 'converter.max_preview_free': '2' })
  const found = (wd: string, call = site.call) => call(documents.find, { id, wd })
  expect(await found('桃花源')).toMatchObject({ page: [{ page: 1, hits: 1 }], beyond: 1 })
  for (const guess of ['缘溪', '缘溪行', '桃花源里', '封面 缘溪', '目录 缘溪行'])
    expect((await found(guess)).beyond, guess).toBe(0)
  // The phrase stands only beyond the preview: the answer is the one for words that stand nowhere together.
  expect(await found('桃花源 里可')).toMatchObject({ page: [{ page: 1, hits: 1 }], beyond: 1 })
  expect(await found('桃花源 外可')).toMatchObject({ page: [{ page: 1, hits: 1 }], beyond: 1 })
  expect((await found('桃花源', site.root.call)).page).toEqual([
    { page: 1, hits: 1 },
    { page: 3, hits: 2 },
  ])
  await site.configure({ 'converter.max_preview_free': '0' })
})

test.each([
  ['inside a document', 'find?id=1&wd=x', 120],
  ['all documents', 'search?wd=x', 265],
])('searching %s has a limit of its own for each network', async (_, query, tries) => {
  await addIndexed('一页')
  const ask = async (ip: string) => (await site.request(`/api/v1/document/${query}`, { ip })).status
  const statuses = await Promise.all(Array.from({ length: tries }, () => ask('203.0.113.9')))
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(await ask('203.0.113.10')).toBe(200)
  expect((await site.request('/api/v1/settings', { ip: '203.0.113.9' })).status).toBe(200)
})

test('marks on the pages that a reader scrolls through are not limited, however the page is named', async () => {
  await addIndexed('一页')
  const statuses = (page: string) =>
    Promise.all(
      Array.from({ length: 80 }, async () => {
        const path = `/api/v1/document/find?id=1&wd=x&${page}`
        return (await site.request(path, { ip: '203.0.113.11' })).status
      }),
    )
  expect(new Set(await statuses('page=1'))).toEqual(new Set([200]))
  for (const page of ['page=0', 'page=1&page=0', 'page=']) expect(await statuses(page), page).toContain(429)
})

test('pages that are not indexed yet are searched too', async () => {
  const texts = Array.from({ length: 45 }, (_, index) => (index === 41 ? '精卫填海，精卫' : `第 ${index + 1} 页`))
  const [id = 0] = await site.addDocuments({ texts })
  await site.configure({ 'converter.max_preview_free': '0' })
  expect(await hits(id, '精卫')).toEqual([[42, 2]])
  expect(await hits(id, '夸父')).toEqual([])
  await site.configure({ 'converter.max_preview_free': '12' })
  expect(await site.call(documents.find, { id, wd: '精卫' })).toMatchObject({ page: [], beyond: 0 })
})
