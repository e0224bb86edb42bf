import { DocumentStatus } from '#shared/document-status.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { type DocumentSite, openDocumentSite, type DocumentFixture } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: DocumentSite
let owner: Person
let otherMember: Person
let cleaner: Person
let keeper: Person
beforeAll(async () => {
  site = await openDocumentSite()
  owner = await site.author()
  otherMember = await site.member()
  cleaner = await site.staff('DocumentAPI/DeleteDocument')
  keeper = await site.staff(
    'RecycleAPI/ListRecycleDocument',
    'RecycleAPI/RecoverRecycleDocument',
    'RecycleAPI/DeleteRecycleDocument',
    'RecycleAPI/ClearRecycleDocument',
  )
})
afterAll(() => site.close())

async function addDocument(fixture: DocumentFixture = {}): Promise<number> {
  const [id = 0] = await site.addDocuments({ owner, ...fixture })
  return id
}

function findRow(id: number) {
  return site.db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirst()
}

async function findBalance({ id }: Person) {
  const row = await site.db.selectFrom('user').select('credit_count').where('id', '=', id).executeTakeFirstOrThrow()
  return row.credit_count
}

async function findCounts(category: number, person: Person) {
  const row = await site.db.selectFrom('category').select('doc_count').where('id', '=', category).executeTakeFirst()
  const user = await site.db.selectFrom('user').select('doc_count').where('id', '=', person.id).executeTakeFirst()
  return [row?.doc_count, user?.doc_count]
}

describe('deleting', () => {
  test('moves an own document to the recycle bin and costs the penalty', async () => {
    await site.configure({ 'score.delete_document': '2' })
    await site.db.updateTable('user').set({ credit_count: 10 }).where('id', '=', owner.id).execute()
    const id = await addDocument()
    await owner.call(documents.delete, { id: [id] })
    expect(await findRow(id)).toMatchObject({ deleted_user_id: owner.id, deleted_at: expect.any(Number) })
    expect(await findBalance(owner)).toBe(8)
    await owner.call(documents.delete, { id: [id] })
    expect(await findBalance(owner)).toBe(8)
    expect(await refusal(owner.call(documents.get, { id }))).toMatchObject({ status: 404 })
  })

  test('deletes nothing if documents of others are among them', async () => {
    const own = await addDocument({ owner: otherMember })
    const foreign = await addDocument()
    for (const id of [[own, foreign], [foreign], [own, 999_999]])
      expect(await refusal(otherMember.call(documents.delete, { id }))).toMatchObject({
        status: 403,
        reason: 'documents.othersKept',
      })
    expect(await findRow(own)).toMatchObject({ deleted_at: null })
    expect(await findRow(foreign)).toMatchObject({ deleted_at: null })
  })

  test('by staff works for documents of all owners, without a penalty', async () => {
    const before = await findBalance(owner)
    const ids = [await addDocument(), await addDocument({ owner: otherMember })]
    await cleaner.call(documents.delete, { id: [...ids, 999_999] })
    for (const id of ids) expect(await findRow(id)).toMatchObject({ deleted_user_id: cleaner.id })
    expect(await findBalance(owner)).toBe(before)
  })

  test('several times concurrently costs the penalty once', async () => {
    const before = await findBalance(owner)
    const id = await addDocument()
    await Promise.all([1, 2, 3, 4].map(() => owner.call(documents.delete, { id: [id] })))
    expect(await findBalance(owner)).toBe(before - 2)
  })
})

describe('the recycle bin', () => {
  test('lists the latest deletions first, with the user who deleted, for staff with the permission', async () => {
    const otherSite = await openDocumentSite()
    otherSite.freezeClock()
    const ids = await otherSite.addDocuments({ title: '一' }, { title: '二' }, { title: '三' }, { title: '留着' })
    for (const index of [1, 2, 0]) {
      otherSite.advanceClock(1000)
      await otherSite.root.call(documents.delete, { id: [ids[index] ?? 0] })
    }
    const { document, total } = await otherSite.root.call(documentRecycle.list, { page: 1, size: 10 })
    expect(document.map(({ title }) => title)).toEqual(['一', '三', '二'])
    expect(document[0]).toMatchObject({ deleted_username: 'admin', deleted_at: expect.any(Number) })
    expect(total).toBe(3)
    const matching = await otherSite.root.call(documentRecycle.list, { wd: '三' })
    expect(matching.document.map(({ title }) => title)).toEqual(['三'])
    await otherSite.close()
    expect(await refusal(owner.call(documentRecycle.list))).toMatchObject({ status: 403 })
  })

  test('restores documents, and the counts if they are public', async () => {
    const category = await site.category('回收')
    const person = await site.member()
    const published = await addDocument({ category: [category], owner: person })
    const hidden = await addDocument({ category: [category], owner: person, status: DocumentStatus.Rejected })
    await person.call(documents.delete, { id: [published, hidden] })
    expect(await findCounts(category, person)).toEqual([0, 0])
    await keeper.call(documentRecycle.restore, { id: [published, hidden] })
    await keeper.call(documentRecycle.restore, { id: [published, hidden] })
    expect(await findCounts(category, person)).toEqual([1, 1])
    expect(await findRow(published)).toMatchObject({
      deleted_at: null,
      deleted_user_id: 0,
      status: DocumentStatus.Converted,
    })
    expect((await findRow(hidden))?.status).toBe(DocumentStatus.Rejected)
    expect((await site.call(documents.get, { id: published })).category_id).toEqual([category])
  })

  test('purges its documents, and leaves those that are not in it', async () => {
    const category = await site.category('清除')
    const file = await site.upload(owner)
    const { document } = await owner.call(documents.create, {
      category_id: [category],
      document: [{ attachment_id: file.id }],
    })
    const id = document[0]?.id ?? 0
    await otherMember.call(documents.rate, { document_id: id, score: 500 })
    const other = await addDocument({ category: [category] })
    await keeper.call(documentRecycle.delete, { id: [id, other] })
    expect(await findRow(id)).toBeDefined()
    await owner.call(documents.delete, { id: [id] })
    await keeper.call(documentRecycle.delete, { id: [id, other] })
    expect(await findRow(id)).toBeUndefined()
    expect(await findRow(other)).toBeDefined()
    for (const table of ['document_category', 'document_score', 'document_relate'] as const)
      expect(await site.db.selectFrom(table).selectAll().where('document_id', '=', id).execute()).toEqual([])
    const attachment = await site.db
      .selectFrom('attachment')
      .select('deleted_at')
      .where('id', '=', file.id)
      .executeTakeFirstOrThrow()
    expect(attachment.deleted_at).toEqual(expect.any(Number))
  })

  test('with very many documents is emptied by a job', async () => {
    const trash = Array.from({ length: 1300 }, (_, n) => ({
      uuid: `trash${n}`,
      user_id: owner.id,
      attachment_id: 0,
      hash: 'f'.repeat(64),
      ext: '.pdf',
      size: 1,
      title: '旧',
      status: DocumentStatus.Converted,
      recommend_at: null,
      deleted_at: 1,
      created_at: 1,
      updated_at: 1,
    }))
    for (let at = 0; at < trash.length; at += 500)
      await site.db
        .insertInto('document')
        .values(trash.slice(at, at + 500))
        .execute()
    const countRemaining = async () => (await keeper.call(documentRecycle.list)).total
    const full = await countRemaining()
    await keeper.call(documentRecycle.empty)
    expect(await countRemaining()).toBe(full - 1000)
    await site.runDueJobs()
    expect(await countRemaining()).toBe(0)
  })

  test('is emptied at once if it is small, without touching unpublished files', async () => {
    const unpublished = await site.upload(owner)
    const other = await addDocument()
    await site.addDocuments(...Array.from({ length: 205 }, () => ({ deleted_at: 1 })))
    await keeper.call(documentRecycle.empty)
    expect((await keeper.call(documentRecycle.list)).total).toBe(0)
    expect(await findRow(other)).toBeDefined()
    const attachment = await site.db
      .selectFrom('attachment')
      .select('deleted_at')
      .where('id', '=', unpublished.id)
      .executeTakeFirstOrThrow()
    expect(attachment.deleted_at).toBeNull()
  })
})
