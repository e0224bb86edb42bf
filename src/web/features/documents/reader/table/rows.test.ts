import { afterEach, expect, test, vi } from 'vitest'
import { createRows } from '#web/features/documents/reader/table/rows.ts'

afterEach(() => vi.unstubAllGlobals())

/** Answers with rows that name themselves, unless the slice is in `broken`. */
function serveRows(broken: readonly string[] = []) {
  const requests: string[] = []
  const fails = new Set(broken)
  vi.stubGlobal('fetch', async (address: string) => {
    const [, sheet, slice] = /(\d+)-(\d+)\.json$/.exec(address) ?? []
    requests.push(`${sheet}-${slice}`)
    if (fails.delete(`${sheet}-${slice}`)) return new Response('', { status: 502 })
    return Response.json(Array.from({ length: 10 }, (_, row) => [`${sheet}:${Number(slice) * 10 + row}`]))
  })
  return requests
}

test('rows are loaded slice by slice, each once', async () => {
  const requests = serveRows()
  const rows = createRows('key', 10)
  expect(rows.get(0, 5)).toBeUndefined()
  rows.request(0, 5, 12)
  rows.request(0, 6, 13)
  await vi.waitFor(() => expect(rows.get(0, 12)).toEqual(['0:12']))
  expect(requests).toEqual(['0-0', '0-1'])
  expect(await rows.load(0, 8, 11)).toEqual([['0:8'], ['0:9'], ['0:10'], ['0:11']])
  expect(requests).toHaveLength(2)
})

test('a slice that failed is loaded again when the reader asks for it', async () => {
  const requests = serveRows(['1-0'])
  const rows = createRows('key', 10)
  rows.request(1, 0, 3)
  await vi.waitFor(() => expect(rows.hasFailed()).toBe(true))
  rows.request(1, 0, 3)
  expect(requests).toEqual(['1-0'])
  rows.retry()
  rows.request(1, 0, 3)
  await vi.waitFor(() => expect(rows.get(1, 3)).toEqual(['1:3']))
  expect(rows.hasFailed()).toBe(false)
})

test('of a long table only the last slices stay in memory', async () => {
  serveRows()
  const rows = createRows('key', 10)
  for (let slice = 0; slice < 105; slice += 1) await rows.load(0, slice * 10, slice * 10)
  await vi.waitFor(() => expect(rows.get(0, 1040)).toBeDefined())
  expect(rows.get(0, 0)).toBeUndefined()
  expect(rows.get(0, 50)).toBeDefined()
})
