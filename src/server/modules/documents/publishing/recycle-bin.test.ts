import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { type Library, openLibrary, type Volume } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: Library
let owner: Person
let stranger: Person
let cleaner: Person
let keeper: Person
beforeAll(async () => {
  site = await openLibrary()
  owner = await site.author()
  stranger = await site.member()
  cleaner = await site.staff('DocumentAPI/DeleteDocument')
  keeper = await site.staff(
    'RecycleAPI/ListRecycleDocument',
    'RecycleAPI/RecoverRecycleDocument',
    'RecycleAPI/DeleteRecycleDocument',
    'RecycleAPI/ClearRecycleDocument',
  )
})
afterAll(() => site.close())

async function shelved(volume: Volume = {}): Promise<number> {
  const [id = 0] = await site.shelve({ owner, ...volume })
  return id
}

function findRow(id: number) {
  return site.db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirst()
}

async function creditOf({ id }: Person) {
  const row = await site.db.selectFrom('user').select('credit_count').where('id', '=', id).executeTakeFirstOrThrow()
  return row.credit_count
}

async function countsOf(category: number, person: Person) {
  const held = await site.db.selectFrom('category').select('doc_count').where('id', '=', category).executeTakeFirst()
  const user = await site.db.selectFrom('user').select('doc_count').where('id', '=', person.id).executeTakeFirst()
  return [held?.doc_count, user?.doc_count]
}

describe('deleting', () => {
  test('puts an own document into the recycle bin and takes the penalty', async () => {
    await site.configure({ 'score.delete_document': '2' })
    await site.db.updateTable('user').set({ credit_count: 10 }).where('id', '=', owner.id).execute()
    const id = await shelved()
    await owner.call(documents.delete, { id: [id] })
    expect(await findRow(id)).toMatchObject({ deleted_user_id: owner.id, deleted_at: expect.any(Number) })
    expect(await creditOf(owner)).toBe(8)
    await owner.call(documents.delete, { id: [id] })
    expect(await creditOf(owner)).toBe(8)
    expect(await refusal(owner.call(documents.get, { id }))).toMatchObject({ status: 404 })
  })

  test('own ones together with others’ deletes nothing', async () => {
    const own = await shelved({ owner: stranger })
    const foreign = await shelved()
    for (const id of [[own, foreign], [foreign], [own, 999_999]])
      expect(await refusal(stranger.call(documents.delete, { id }))).toMatchObject({
        status: 403,
        reason: 'documents.othersKept',
      })
    expect(await findRow(own)).toMatchObject({ deleted_at: null })
    expect(await findRow(foreign)).toMatchObject({ deleted_at: null })
  })

  test('by the staff takes any, and costs their owners nothing', async () => {
    const before = await creditOf(owner)
    const ids = [await shelved(), await shelved({ owner: stranger })]
    await cleaner.call(documents.delete, { id: [...ids, 999_999] })
    for (const id of ids) expect(await findRow(id)).toMatchObject({ deleted_user_id: cleaner.id })
    expect(await creditOf(owner)).toBe(before)
  })

  test('at the same moment several times is penalised once', async () => {
    const before = await creditOf(owner)
    const id = await shelved()
    await Promise.all([1, 2, 3, 4].map(() => owner.call(documents.delete, { id: [id] })))
    expect(await creditOf(owner)).toBe(before - 2)
  })
})

describe('the recycle bin', () => {
  test('lists what was deleted last first, with who did it, for who may see it', async () => {
    const library = await openLibrary()
    library.holdClock()
    const ids = await library.shelve({ title: '一' }, { title: '二' }, { title: '三' }, { title: '留着' })
    for (const index of [1, 2, 0]) {
      library.pass(1000)
      await library.root.call(documents.delete, { id: [ids[index] ?? 0] })
    }
    const { document, total } = await library.root.call(documentRecycle.list, { page: 1, size: 10 })
    expect(document.map(({ title }) => title)).toEqual(['一', '三', '二'])
    expect(document[0]).toMatchObject({ deleted_username: 'admin', deleted_at: expect.any(Number) })
    expect(total).toBe(3)
    const found = await library.root.call(documentRecycle.list, { wd: '三' })
    expect(found.document.map(({ title }) => title)).toEqual(['三'])
    await library.close()
    expect(await refusal(owner.call(documentRecycle.list))).toMatchObject({ status: 403 })
  })

  test('gives back what it holds, and the counts if everybody may see it', async () => {
    const category = await site.category('回收')
    const person = await site.member()
    const open = await shelved({ category: [category], owner: person })
    const hidden = await shelved({ category: [category], owner: person, status: 7 })
    await person.call(documents.delete, { id: [open, hidden] })
    expect(await countsOf(category, person)).toEqual([0, 0])
    await keeper.call(documentRecycle.recover, { id: [open, hidden] })
    await keeper.call(documentRecycle.recover, { id: [open, hidden] })
    expect(await countsOf(category, person)).toEqual([1, 1])
    expect(await findRow(open)).toMatchObject({ deleted_at: null, deleted_user_id: 0, status: 2 })
    expect((await findRow(hidden))?.status).toBe(7)
    expect((await site.call(documents.get, { id: open })).category_id).toEqual([category])
  })

  test('lets go for good of what is in it, and of nothing else', async () => {
    const category = await site.category('清除')
    const file = await site.upload(owner)
    const { document } = await owner.call(documents.create, {
      category_id: [category],
      document: [{ attachment_id: file.id }],
    })
    const id = document[0]?.id ?? 0
    await stranger.call(documents.addScore, { document_id: id, score: 500 })
    const kept = await shelved({ category: [category] })
    await keeper.call(documentRecycle.delete, { id: [id, kept] })
    expect(await findRow(id)).toBeDefined()
    await owner.call(documents.delete, { id: [id] })
    await keeper.call(documentRecycle.delete, { id: [id, kept] })
    expect(await findRow(id)).toBeUndefined()
    expect(await findRow(kept)).toBeDefined()
    for (const table of ['document_category', 'document_score', 'document_relate'] as const)
      expect(await site.db.selectFrom(table).selectAll().where('document_id', '=', id).execute()).toEqual([])
    const attachment = await site.db
      .selectFrom('attachment')
      .select('deleted_at')
      .where('id', '=', file.id)
      .executeTakeFirstOrThrow()
    expect(attachment.deleted_at).toEqual(expect.any(Number))
  })

  test('that is very full is emptied in the background, and nothing is waited for', async () => {
    const trash = Array.from({ length: 1300 }, (_, n) => ({
      uuid: `trash${n}`,
      user_id: owner.id,
      attachment_id: 0,
      hash: 'f'.repeat(64),
      ext: '.pdf',
      size: 1,
      title: '旧',
      status: 2,
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
    const left = async () => (await keeper.call(documentRecycle.list)).total
    const full = await left()
    await keeper.call(documentRecycle.clear)
    expect(await left()).toBe(full - 1000)
    await site.settle()
    expect(await left()).toBe(0)
  })

  test('is emptied at once, and files nobody has published are not touched', async () => {
    const loose = await site.upload(owner)
    const kept = await shelved()
    await site.shelve(...Array.from({ length: 205 }, () => ({ deleted_at: 1 })))
    await keeper.call(documentRecycle.clear)
    expect((await keeper.call(documentRecycle.list)).total).toBe(0)
    expect(await findRow(kept)).toBeDefined()
    const attachment = await site.db
      .selectFrom('attachment')
      .select('deleted_at')
      .where('id', '=', loose.id)
      .executeTakeFirstOrThrow()
    expect(attachment.deleted_at).toBeNull()
  })
})
