import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { reading } from '#shared/contract/reading.ts'
import { users } from '#shared/contract/users.ts'
import { Visibility } from '#shared/enums.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

const minute = 60_000

let site: DocumentSite
let author: Person
let reader: Person
let now: number
beforeAll(async () => {
  site = await openDocumentSite()
  site.freezeClock()
  author = await site.member()
})
afterAll(() => site.close())
beforeEach(async () => {
  reader = await site.member()
  site.advanceClock(60 * minute)
  now = (await site.app.context()).now()
})

describe('the place in a document', () => {
  test('is the latest, and the furthest page is kept', async () => {
    const { uuid } = await addDocument({ pages: 30 })
    expect(await progressIn(uuid)).toMatchObject({ page: 0, read_at: null })
    await save({ uuid, page: 12, page_offset: 250, read_at: now - 3 * minute })
    await save({ uuid, page: 5, read_at: now - minute })
    expect(await progressIn(uuid)).toEqual({
      page: 5,
      page_offset: 0,
      furthest_page: 12,
      finished_at: null,
      read_at: now - minute,
    })
  })

  test('of a device that was offline does not throw a later one back, but counts for the furthest page', async () => {
    const { uuid } = await addDocument({ pages: 30 })
    await save({ uuid, page: 5, read_at: now - minute })
    await save({ uuid, page: 20, read_at: now - 9 * minute })
    expect(await progressIn(uuid)).toMatchObject({ page: 5, furthest_page: 20, read_at: now - minute })
  })

  test('comes with the furthest page of a device that went back before it could send', async () => {
    const { uuid } = await addDocument({ pages: 30 })
    await save({ uuid, page: 5, furthest_page: 18, read_at: now })
    expect(await progressIn(uuid)).toMatchObject({ page: 5, furthest_page: 18, finished_at: null })
    await save({ uuid, page: 6, furthest_page: 99, read_at: now })
    expect(await progressIn(uuid)).toMatchObject({ page: 6, furthest_page: 30 })
  })

  test('of a device whose clock is ahead keeps later ones of others not out', async () => {
    const { uuid } = await addDocument({ pages: 30 })
    await save({ uuid, page: 5, read_at: now + 1000 * minute })
    await save({ uuid, page: 6, read_at: now })
    expect(await progressIn(uuid)).toMatchObject({ page: 6, read_at: now })
  })

  test('is one row, however many tabs send it at once', async () => {
    const { uuid } = await addDocument({ pages: 30 })
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => save({ uuid, page: index + 1, read_at: now - index * minute })),
    )
    expect(await progressIn(uuid)).toMatchObject({ page: 1, furthest_page: 12 })
    expect((await reader.call(reading.history)).total).toBe(1)
  })

  test('never lies beyond the document; what the member cannot see is skipped', async () => {
    const { uuid } = await addDocument({ pages: 3 })
    const hidden = await addDocument({ visibility: Visibility.Private })
    await save(
      { uuid: 'nothing', page: 1, read_at: now },
      { uuid: hidden.uuid, page: 1, read_at: now },
      { uuid, page: 99, read_at: now },
    )
    expect(await progressIn(uuid)).toMatchObject({ page: 3 })
    expect(await progressIn(hidden.uuid)).toMatchObject({ page: 0 })
  })

  test('belongs to one member; visitors have none', async () => {
    const { id, uuid } = await addDocument({})
    await save({ uuid, page: 2, read_at: now })
    expect(await author.call(reading.progress, { uuid })).toMatchObject({ page: 0 })
    expect((await author.call(reading.history)).history.map(({ document_id }) => document_id)).not.toContain(id)
    const place = [{ uuid, page: 2, read_at: now }]
    expect(await refusal(site.call(reading.save, { place }))).toMatchObject({ status: 401 })
    expect(await refusal(site.call(reading.history))).toMatchObject({ status: 401 })
  })
})

describe('a document is finished', () => {
  test('when its last page was reached, and stays so when it is read again', async () => {
    const { uuid } = await addDocument({ pages: 3 })
    await save({ uuid, page: 3, read_at: now })
    expect(await progressIn(uuid)).toMatchObject({ finished_at: now })
    await save({ uuid, page: 1, read_at: now })
    expect(await progressIn(uuid)).toMatchObject({ page: 1, finished_at: now })
  })

  test('not when the rest lies beyond the preview', async () => {
    await site.configure({ 'converter.max_preview_free': '2' })
    const { uuid } = await addDocument({ pages: 3 })
    await save({ uuid, page: 3, read_at: now })
    expect(await progressIn(uuid)).toMatchObject({ finished_at: null })
    await site.configure({ 'converter.max_preview_free': '0' })
  })

  test('when the member says so, and not any more when they take it back', async () => {
    const { id, uuid } = await addDocument({ pages: 3 })
    await reader.call(reading.finish, { document_id: id, is_finished: true })
    expect(await progressIn(uuid)).toMatchObject({ page: 1, finished_at: now })
    await reader.call(reading.finish, { document_id: id, is_finished: false })
    expect(await progressIn(uuid)).toMatchObject({ finished_at: null })
    const hidden = await addDocument({ visibility: Visibility.Private })
    expect(await refusal(reader.call(reading.finish, { document_id: hidden.id, is_finished: true }))).toMatchObject({
      reason: 'documents.notFound',
    })
  })
})

describe('the history', () => {
  test('has the last read first, by state and words', async () => {
    const [first, second] = [await addDocument({ title: '年鉴' }), await addDocument({ title: '词典', pages: 9 })]
    await save({ uuid: second.uuid, page: 4, read_at: now - 2 * minute }, { uuid: first.uuid, page: 3, read_at: now })
    const { total, history } = await reader.call(reading.history)
    expect(total).toBe(2)
    expect(history).toMatchObject([
      { title: '年鉴', page: 3, pages: 3, finished_at: now, is_gone: false },
      { title: '词典', page: 4, pages: 9, finished_at: null, document_uuid: second.uuid },
    ])
    expect(history[0]?.cover).toMatch(/^\/view\/cover\//)
    expect((await reader.call(reading.history, { state: 'reading' })).history).toMatchObject([{ title: '词典' }])
    expect((await reader.call(reading.history, { state: 'finished' })).history).toMatchObject([{ title: '年鉴' }])
    expect((await reader.call(reading.history, { wd: '词' })).history).toMatchObject([{ title: '词典' }])
  })

  test('keeps the title of a document that was hidden since, and nothing else of it', async () => {
    const { id, uuid } = await addDocument({ title: '后来隐藏' })
    await save({ uuid, page: 2, read_at: now })
    await site.root.call(documents.setVisibility, { id: [id], visibility: Visibility.Private })
    await site.db.updateTable('document').set({ title: '不该看到' }).where('id', '=', id).execute()
    expect((await reader.call(reading.history)).history).toMatchObject([
      { title: '后来隐藏', is_gone: true, document_uuid: '', cover: '', pages: 0, page: 2 },
    ])
  })

  test('loses what is deleted for good', async () => {
    const { id, uuid } = await addDocument({})
    await save({ uuid, page: 2, read_at: now })
    await site.root.call(documents.delete, { id: [id] })
    expect((await reader.call(reading.history)).history).toMatchObject([{ is_gone: true }])
    await site.root.call(documentRecycle.delete, { id: [id] })
    await site.runDueJobs()
    expect((await reader.call(reading.history)).total).toBe(0)
  })

  test('is deleted by row or as a whole, each member their own', async () => {
    const [first, second] = [await addDocument({}), await addDocument({})]
    const place = [first, second].map(({ uuid }) => ({ uuid, page: 2, read_at: now }))
    await reader.call(reading.save, { place })
    const otherReader = await site.member()
    await otherReader.call(reading.save, { place })
    const { history } = await reader.call(reading.history)
    await otherReader.call(reading.delete, { id: history.map(({ id }) => id) })
    expect((await reader.call(reading.history)).total).toBe(2)
    await reader.call(reading.delete, { id: [history[0]?.id ?? 0] })
    expect((await reader.call(reading.history)).total).toBe(1)
    await reader.call(reading.clear)
    expect((await reader.call(reading.history)).total).toBe(0)
    expect((await otherReader.call(reading.history)).total).toBe(2)
  })

  test('is not written while it is paused', async () => {
    const { uuid } = await addDocument({})
    await reader.call(reading.setRecording, { is_paused: true })
    await reader.call(reading.setRecording, { is_paused: true })
    expect(await reader.call(reading.recording)).toEqual({ is_paused: true })
    expect(await save({ uuid, page: 2, read_at: now })).toEqual({ is_recorded: false })
    expect(await progressIn(uuid)).toMatchObject({ page: 0 })
    await reader.call(reading.setRecording, { is_paused: false })
    expect(await save({ uuid, page: 2, read_at: now })).toEqual({ is_recorded: true })
  })

  test('goes with the account', async () => {
    const { uuid } = await addDocument({})
    await save({ uuid, page: 2, read_at: now })
    await site.root.call(users.delete, { id: [reader.id], password: site.root.password })
    await site.runDueJobs()
    const rows = await site.db.selectFrom('reading_progress').select('id').where('user_id', '=', reader.id).execute()
    expect(rows).toEqual([])
  })
})

type Fixture = Parameters<DocumentSite['addDocuments']>[0]

async function addDocument(fixture: Fixture): Promise<{ id: number; uuid: string }> {
  const [id = 0] = await site.addDocuments({ owner: author, ...fixture })
  return site.db.selectFrom('document').select(['id', 'uuid']).where('id', '=', id).executeTakeFirstOrThrow()
}

function save(
  ...place: { uuid: string; page: number; page_offset?: number; furthest_page?: number; read_at: number }[]
) {
  return reader.call(reading.save, { place })
}

function progressIn(uuid: string) {
  return reader.call(reading.progress, { uuid })
}
