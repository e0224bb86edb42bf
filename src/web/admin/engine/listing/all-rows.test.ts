import { expect, test } from 'vitest'
import { loadAllRows } from '#web/admin/engine/listing/all-rows.ts'

const ids = (from: number, count: number) => Array.from({ length: count }, (_, index) => ({ id: from + index }))

function listOf(pages: { id: number }[][], total: number) {
  const asked: number[] = []
  const loadPage = async (page: number) => {
    asked.push(page)
    return { rows: pages[page - 1] ?? [], total }
  }
  return { asked, loadPage }
}

const options = { limit: 1000, signal: new AbortController().signal, onProgress: () => {} }

test('all pages are read, however small the list makes them', async () => {
  const { asked, loadPage } = listOf([ids(1, 100), ids(101, 100), ids(201, 34)], 234)
  const progress: [number, number][] = []
  const rows = await loadAllRows(loadPage, { ...options, onProgress: (done, total) => progress.push([done, total]) })
  expect(rows.map(({ id }) => id)).toEqual(ids(1, 234).map(({ id }) => id))
  expect(asked).toEqual([1, 2, 3])
  expect(progress).toEqual([
    [100, 234],
    [200, 234],
    [234, 234],
  ])
})

test('a row that moved to the next page counts once, and rows that vanished end it', async () => {
  const { loadPage } = listOf([ids(1, 3), ids(3, 3), []], 9)
  expect((await loadAllRows(loadPage, options)).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
})

test('no more rows are read than the limit', async () => {
  const { asked, loadPage } = listOf([ids(1, 100), ids(101, 100), ids(201, 100)], 5000)
  expect(await loadAllRows(loadPage, { ...options, limit: 150 })).toHaveLength(150)
  expect(asked).toEqual([1, 2])
})

test('it stops when asked to', async () => {
  const controller = new AbortController()
  const { asked, loadPage } = listOf([ids(1, 100), ids(101, 100)], 200)
  const stopped = loadAllRows(loadPage, { ...options, signal: controller.signal, onProgress: () => controller.abort() })
  await expect(stopped).rejects.toThrow()
  expect(asked).toEqual([1, 2])
})
