import { afterEach, beforeEach, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { reading } from '#shared/contract/reading.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { Visibility } from '#shared/enums.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import type { Person } from '#server/testing/site.ts'

const minute = 60_000
const day = 24 * 60 * minute

let site: DocumentSite
let readers: Person[]
beforeEach(async () => {
  site = await openDocumentSite()
  site.freezeClock()
  readers = await Promise.all([site.member(), site.member(), site.member()])
})
afterEach(() => site.close())

/** So many of the readers open the document now. */
async function read(id: number, count: number, first = 0): Promise<void> {
  const [{ uuid }, { now }] = [await site.root.call(documents.get, { id }), await site.app.context()]
  for (const { call } of readers.slice(first, first + count))
    await call(reading.save, { place: [{ uuid, page: 2, read_at: now() }] })
}

async function current(call: Person['call'] = site.call) {
  // Beyond the minute for which it is cached.
  site.advanceClock(2 * minute)
  const { document } = await call(documents.beingRead)
  return document.map(({ title, reader_count }) => [title, reader_count] as const)
}

test('what several members read in the last week is told with their number, most readers first', async () => {
  const [pair = 0, all = 0, alone = 0, old = 0] = await site.addDocuments(
    { title: '两人在读', pages: 9 },
    { title: '三人在读', pages: 9 },
    { title: '一人在读', pages: 9 },
    { title: '上周读的', pages: 9 },
  )
  await read(old, 3)
  site.advanceClock(8 * day)
  await read(all, 3)
  await read(pair, 2)
  await read(alone, 1)
  expect(await current()).toEqual([
    ['三人在读', 3],
    ['两人在读', 2],
  ])
  expect((await current(readers[0]?.call)).length, 'the same for members').toBe(2)
  await site.configure({ 'display.show_document_view_count': 'false' })
  expect(await current()).toEqual([
    ['三人在读', 0],
    ['两人在读', 0],
  ])
})

test('an author’s own reading does not count, nor what is not public, nor a second entry of equal content', async () => {
  const [author] = readers
  const hash = 'e'.repeat(64)
  const ids = await site.addDocuments(
    { title: '自己的书', owner: author, pages: 9 },
    { title: '会员的书', pages: 9, visibility: Visibility.Members },
    { title: '同一本书', pages: 9, hash },
    { title: '同一本书（再传）', pages: 9, hash },
    { title: '停用的书', pages: 9 },
  )
  for (const id of ids.slice(1)) await read(id, 3)
  await read(ids[0] ?? 0, 2)
  await site.root.call(documents.review, { id: [ids[4] ?? 0], status: DocumentStatus.Disabled })
  expect(await current(readers[1]?.call)).toEqual([['同一本书', 3]])
  await read(ids[0] ?? 0, 1, 2)
  expect(await current()).toContainEqual(['自己的书', 2])
})
