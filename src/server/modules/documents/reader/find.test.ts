import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { openLibrary, type Library } from '#server/testing/document-site.ts'

let site: Library
beforeAll(async () => {
  site = await openLibrary()
})
afterAll(() => site.close())

async function shelveIndexed(...texts: string[]): Promise<number> {
  const [id = 0] = await site.shelve({ texts })
  await site.root.call(documents.reindex, {})
  await site.settle()
  return id
}

async function hits(id: number, wd: string): Promise<number[][]> {
  const { page } = await site.call(documents.find, { id, wd })
  return page.map((one) => [one.page, one.hits])
}

async function marks(id: number, wd: string, page: number): Promise<number[][]> {
  return (await site.call(documents.find, { id, wd, page })).mark
}

test('a page has as many numbered marks as it has hits, also where they touch or go on in the next line', async () => {
  const id = await shelveIndexed('哈哈哈哈', '一衣带\n水，带水')
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

test('several words that stand nowhere in a row are each found, in the order one reads them', async () => {
  const id = await shelveIndexed('后羿射日', '嫦娥奔月，后羿')
  expect(await hits(id, '后羿 嫦娥')).toEqual([
    [1, 1],
    [2, 2],
  ])
  expect(await marks(id, '后羿 嫦娥', 2)).toEqual([
    [0, 0, 2, 0],
    [0, 5, 7, 1],
  ])
})

test('what the index does not have yet is found all the same', async () => {
  const texts = Array.from({ length: 45 }, (_, place) => (place === 41 ? '精卫填海，精卫' : `第 ${place + 1} 页`))
  const [id = 0] = await site.shelve({ texts })
  await site.configure({ 'converter.max_preview': '0' })
  expect(await hits(id, '精卫')).toEqual([[42, 2]])
  expect(await hits(id, '夸父')).toEqual([])
  await site.configure({ 'converter.max_preview': '12' })
  expect(await site.call(documents.find, { id, wd: '精卫' })).toMatchObject({ page: [], beyond: 2 })
})
