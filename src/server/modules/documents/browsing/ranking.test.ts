import { afterEach, beforeEach, expect, test } from 'vitest'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { favorites } from '#shared/contract/favorites.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { ContentType, Visibility } from '#shared/enums.ts'
import { purgeDocumentDays } from '#server/modules/stats/document-days.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import type { Person } from '#server/testing/site.ts'

const day = 24 * 3_600_000
const minute = 60_000
const type = ContentType.Document

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'

let site: DocumentSite
beforeEach(async () => {
  site = await openDocumentSite()
  site.freezeClock()
})
afterEach(() => site.close())

async function ranking(input: CallInput<typeof documents.ranking>, call: Person['call'] = site.call) {
  // Beyond the minute for which a ranking is cached.
  site.advanceClock(minute)
  const { document } = await call(documents.ranking, input)
  return document.map(({ title, ranking_count }) => [title, ranking_count] as const)
}

async function read(id: number, times: number): Promise<void> {
  for (let reader = 0; reader < times; reader++) {
    site.advanceClock(31 * minute)
    await site.caller({ userAgent })(documents.get, { id, with_author: true })
  }
}

test('reads of the last days are ranked, those of all time by the whole count', async () => {
  const [old = 0, fresh = 0] = await site.addDocuments({ title: '老书', view_count: 100 }, { title: '新书' })
  await read(old, 3)
  site.advanceClock(8 * day)
  await read(fresh, 2)
  await read(old, 1)
  expect(await ranking({ by: 'read', period: 'week' })).toEqual([
    ['新书', 2],
    ['老书', 1],
  ])
  expect(await ranking({ by: 'read', period: 'month' })).toEqual([
    ['老书', 4],
    ['新书', 2],
  ])
  expect(await ranking({ by: 'read', period: 'all' })).toEqual([
    ['老书', 104],
    ['新书', 2],
  ])
  expect(await ranking({ by: 'read', period: 'all', limit: 1 })).toEqual([['老书', 104]])
  site.advanceClock(day)
  expect(await ranking({ by: 'read', period: 'day' })).toEqual([])
  expect(await ranking({ by: 'download', period: 'all' })).toEqual([])
})

test('downloads are ranked', async () => {
  const member = await site.member()
  const [one, two] = [await site.upload(member), await site.upload(member)]
  const [first = 0, second = 0] = await site.addDocuments(
    { title: '一', hash: one.hash },
    { title: '二', hash: two.hash },
  )
  await member.call(downloads.download, { id: second })
  await member.call(downloads.download, { id: first })
  await (await site.member()).call(downloads.download, { id: second })
  // An owner's own download does not count.
  await site.root.call(downloads.download, { id: first })
  expect(await ranking({ by: 'download', period: 'day' })).toEqual([
    ['二', 2],
    ['一', 1],
  ])
})

test('a favorite counts on its day as long as it is one', async () => {
  const member = await site.member()
  const [first = 0, second = 0] = await site.addDocuments({ title: '一' }, { title: '二' })
  const added = await member.call(favorites.create, { document_id: first, type })
  await member.call(favorites.create, { document_id: second, type })
  await site.root.call(favorites.create, { document_id: second, type })
  expect(await ranking({ by: 'favorite', period: 'week' })).toEqual([
    ['二', 2],
    ['一', 1],
  ])
  site.advanceClock(day)
  await member.call(favorites.delete, { id: [added.id] })
  expect(await ranking({ by: 'favorite', period: 'week' })).toEqual([['二', 2]])
  // Adding and removing in turn leads nowhere.
  await member.call(favorites.create, { document_id: first, type })
  expect(await ranking({ by: 'favorite', period: 'week' })).toEqual([
    ['二', 2],
    ['一', 1],
  ])
})

test('only what shows in the viewer’s lists is ranked, from the moment it is hidden', async () => {
  const member = await site.member()
  const ids = await site.addDocuments(
    { title: '公开', view_count: 1 },
    { title: '用户', view_count: 2, visibility: Visibility.Members },
    { title: '私有', view_count: 3, visibility: Visibility.Private },
    { title: '待删', view_count: 4 },
  )
  const browser = site.caller({ token: site.root.token, userAgent })
  for (const id of ids) await browser(documents.get, { id, with_author: true })
  for (const period of ['week', 'all'] as const) {
    const titles = async (call: Person['call']) => (await ranking({ by: 'read', period }, call)).map(([title]) => title)
    expect((await titles(site.call)).toSorted()).toEqual(['公开', '待删'])
    expect((await titles(member.call)).toSorted()).toEqual(['公开', '待删', '用户'])
  }
  const { document } = await site.call(documents.ranking, { by: 'read', period: 'week' })
  expect(document).toHaveLength(2)
  await site.root.call(documents.delete, { id: [ids[3] ?? 0] })
  expect((await site.call(documents.ranking, { by: 'read', period: 'week' })).document).toHaveLength(1)
})

test('equal content of several members is ranked once, as in lists', async () => {
  const [one, other] = [await site.author(), await site.author()]
  const hash = 'c'.repeat(64)
  const ids = await site.addDocuments(
    { title: '同一本书', owner: one, hash, view_count: 1 },
    { title: '同一本书（再传）', owner: other, hash, view_count: 2 },
  )
  for (const id of ids) await read(id, 1)
  for (const period of ['week', 'all'] as const)
    expect((await ranking({ by: 'read', period })).map(([title]) => title)).toEqual(['同一本书'])
})

test('counts that the site does not show are not in the reply', async () => {
  const [id = 0] = await site.addDocuments({ title: '书' })
  await read(id, 2)
  await site.configure({ 'display.show_document_view_count': 'false' })
  expect(await ranking({ by: 'read', period: 'week' })).toEqual([['书', 0]])
  expect(await ranking({ by: 'read', period: 'week' }, site.root.call)).toEqual([['书', 2]])
})

test('the days of a purged document are deleted, and those of long ago', async () => {
  const [gone = 0, kept = 0] = await site.addDocuments({}, {})
  await read(gone, 1)
  await read(kept, 1)
  await site.root.call(documents.delete, { id: [gone] })
  await site.root.call(documentRecycle.delete, { id: [gone] })
  await site.runDueJobs()
  const rows = () => site.db.selectFrom('document_day').select('document_id').execute()
  expect(await rows()).toEqual([{ document_id: kept }])
  const ctx = await site.app.context()
  await purgeDocumentDays(ctx)
  expect(await rows()).toHaveLength(1)
  site.advanceClock(402 * day)
  await purgeDocumentDays(ctx)
  expect(await rows()).toEqual([])
})

test('active authors are those with most public documents of late, or of all time where they are few', async () => {
  const authors = await Promise.all(Array.from({ length: 5 }, () => site.author()))
  const now = (await site.app.context()).now()
  const [veteran, ...others] = authors
  await site.addDocuments(...Array.from({ length: 6 }, () => ({ owner: veteran, created_at: now - 40 * day })))
  await site.addDocuments(...others.slice(0, 3).map((owner) => ({ owner })))
  const listed = async () => {
    site.advanceClock(6 * minute)
    const { days, author } = await site.call(documents.activeAuthors)
    return { days, authors: author.map(({ id, count }) => [id, count]) }
  }
  expect(await listed()).toMatchObject({ days: 0 })
  expect((await listed()).authors[0]).toEqual([veteran?.id, 6])
  const [busy, , , fourth] = others
  await site.addDocuments({ owner: busy }, { owner: fourth }, { owner: fourth, visibility: Visibility.Private })
  const { days, authors: recent } = await listed()
  expect(days).toBe(30)
  expect(recent[0]).toEqual([busy?.id, 2])
  expect(recent).toContainEqual([fourth?.id, 1])
  expect(recent.map(([id]) => id)).not.toContain(veteran?.id)
  const { author } = await site.call(documents.activeAuthors)
  expect(Object.keys(author[0] ?? {}).toSorted()).toEqual(['avatar', 'count', 'id', 'is_vip', 'username'])
})
