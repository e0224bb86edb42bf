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

test('pages that are not indexed yet are searched too', async () => {
  const texts = Array.from({ length: 45 }, (_, index) => (index === 41 ? '精卫填海，精卫' : `第 ${index + 1} 页`))
  const [id = 0] = await site.addDocuments({ texts })
  await site.configure({ 'converter.max_preview': '0' })
  expect(await hits(id, '精卫')).toEqual([[42, 2]])
  expect(await hits(id, '夸父')).toEqual([])
  await site.configure({ 'converter.max_preview': '12' })
  expect(await site.call(documents.find, { id, wd: '精卫' })).toMatchObject({ page: [], beyond: 2 })
})
