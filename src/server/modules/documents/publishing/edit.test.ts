import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import type { Ask } from '#shared/endpoint.ts'
import { type Library, openLibrary, type Volume } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: Library
let owner: Person
let stranger: Person
let editor: Person
beforeAll(async () => {
  site = await openLibrary()
  owner = await site.author()
  stranger = await site.member()
  editor = await site.staff('DocumentAPI/UpdateDocument')
})
afterAll(() => site.close())

async function shelved(volume: Volume = {}): Promise<number> {
  const [id = 0] = await site.shelve({ owner, title: '原题', ...volume })
  return id
}

function edit(person: Person, form: Ask<typeof documents.update>) {
  return person.call(documents.update, form)
}

function rowOf(id: number) {
  return site.db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

async function countOf(id: number) {
  const row = await site.db.selectFrom('category').select('doc_count').where('id', '=', id).executeTakeFirst()
  return row?.doc_count
}

describe('editing', () => {
  test('is for the owner and for who may edit documents', async () => {
    const id = await shelved()
    await edit(owner, { id, title: '新题', keywords: '一，二', description: '说明', price: 3, language: 'en' })
    expect(await rowOf(id)).toMatchObject({
      title: '新题',
      keywords: '一,二',
      description: '说明',
      price: 3,
      language: 'en',
    })
    await edit(editor, { id, title: '再改' })
    expect((await rowOf(id)).title).toBe('再改')
    expect(await refusal(edit(stranger, { id, title: '偷改' }))).toMatchObject({ status: 403 })
    expect((await rowOf(id)).title).toBe('再改')
  })

  test('does not tell a stranger about what they cannot see', async () => {
    const hidden = await shelved({ status: 6 })
    const gone = await shelved({ deleted_at: 1 })
    for (const id of [hidden, gone, 999_999])
      expect(await refusal(edit(stranger, { id, title: '偷改' }))).toMatchObject({ status: 404 })
    expect(await refusal(edit(owner, { id: gone, title: '改' }))).toMatchObject({ status: 404 })
    await edit(editor, { id: hidden, title: '可以' })
  })

  test('takes a whole document back as a client sends it', async () => {
    const id = await shelved({ texts: ['正文'] })
    const { json } = await site.send('GET', `/api/v1/document?id=${id}&with_author=1&with_all_content=1`, {
      token: owner.token,
    })
    const language = await site.db
      .selectFrom('language')
      .select('language')
      .where('code', '=', 'fr')
      .executeTakeFirstOrThrow()
    const body = { ...json, title: '改题', score: 4.33, language: language.language, status: 4, user_id: 1, uuid: 'x' }
    expect((await site.send('PUT', '/api/v1/document', { token: owner.token, body })).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({
      title: '改题',
      language: 'fr',
      status: 2,
      user_id: owner.id,
      score: 300,
      content: '',
      description: '',
    })
  })

  test('of a very long document is saved by a client that sends its whole text back', async () => {
    const id = await shelved({ texts: Array.from({ length: 150 }, (_, n) => `${n}页\n`.repeat(2500)) })
    const { json } = await site.send('GET', `/api/v1/document?id=${id}&with_all_content=1`, { token: owner.token })
    expect(String(json.content).length).toBeGreaterThan(900_000)
    const { status, text } = await site.send('PUT', '/api/v1/document', {
      token: owner.token,
      body: { ...json, title: '长文' },
    })
    expect([status, text]).toEqual([200, expect.any(String)])
    expect(await rowOf(id)).toMatchObject({ title: '长文', content: '' })
    const { status: tooLarge } = await site.send('PUT', '/api/v1/document', {
      token: owner.token,
      body: { id, title: '题', content: 'x'.repeat(9_000_000) },
    })
    expect(tooLarge).toBe(413)
  })

  test('leaves a language that the site no longer knows', async () => {
    const id = await shelved({ language: 'tlh' })
    await edit(owner, { id, title: '题', language: 'tlh' })
    expect((await rowOf(id)).language).toBe('tlh')
    expect(await refusal(edit(owner, { id, title: '题', language: 'xx' }))).toMatchObject({ status: 400 })
  })

  test('moves it between categories, and the counts with it', async () => {
    const [from, to] = [await site.category('从前'), await site.category('往后')]
    const leaf = await site.category('往后之下', { parent: to })
    const id = await shelved({ category: [from] })
    const hidden = await shelved({ category: [from], status: 6 })
    await edit(owner, { id, title: '题', category_id: [leaf] })
    await edit(owner, { id: hidden, title: '题', category_id: [to] })
    expect([await countOf(from), await countOf(to), await countOf(leaf)]).toEqual([0, 1, 1])
    expect((await site.call(documents.get, { id })).category_id).toEqual([to, leaf])
    await edit(owner, { id, title: '没有说分类' })
    expect((await site.call(documents.get, { id })).category_id).toEqual([to, leaf])
    expect(await refusal(edit(owner, { id, title: '题', category_id: [999_999] }))).toMatchObject({ status: 400 })
    await site.db.updateTable('category').set({ enable: 0 }).where('id', '=', leaf).execute()
    await edit(owner, { id, title: '留在停用的分类', category_id: [to, leaf] })
  })

  test('keeps a text that says something else than the pages', async () => {
    const id = await shelved({ texts: ['甲'.repeat(6000), '乙'.repeat(6000)] })
    const whole = (await owner.call(documents.get, { id, with_all_content: true })).content
    const shown = (await owner.call(documents.get, { id })).content
    for (const content of ['', whole, `${whole}\n`, shown, shown.slice(0, -2)]) {
      await edit(owner, { id, title: '题', content })
      expect((await rowOf(id)).content).toBe('')
    }
    await edit(owner, { id, title: '题', content: '另一段' })
    expect((await owner.call(documents.get, { id })).content).toBe('另一段')
    await edit(owner, { id, title: '题', content: '' })
    expect((await rowOf(id)).content).toBe('另一段')
    await edit(owner, { id, title: '题', content: whole })
    expect((await rowOf(id)).content).toBe('')
  })
})

describe('what its owner rewrites', () => {
  let reviewed: Person
  const listed = async (id: number) => (await rowOf(id)).status
  beforeAll(async () => {
    reviewed = await site.author({ reviewed: true })
  })

  test.each([{ title: '换了' }, { keywords: '换了' }, { description: '换了' }, { content: '换了' }])(
    '%j is reviewed again and leaves the lists until then',
    async (change) => {
      const category = await site.category(`分类 ${JSON.stringify(change)}`)
      const id = await shelved({ owner: reviewed, category: [category] })
      await edit(reviewed, { id, title: '原题', category_id: [category], ...change })
      expect(await listed(id)).toBe(6)
      expect(await countOf(category)).toBe(0)
      expect(await refusal(site.call(documents.get, { id }))).toMatchObject({ status: 404 })
    },
  )

  test('price, language and category need no review', async () => {
    const id = await shelved({ owner: reviewed, texts: ['字'] })
    const seen = await reviewed.call(documents.get, { id })
    await edit(reviewed, { ...seen, price: 9, language: 'en', category_id: [await site.category('别处')] })
    expect(await listed(id)).toBe(2)
  })

  test('is not reviewed when the staff did it, or the owner is trusted', async () => {
    const id = await shelved({ owner: reviewed })
    await edit(editor, { id, title: '编辑改的' })
    expect(await listed(id)).toBe(2)
    const trusted = await shelved()
    await edit(owner, { id: trusted, title: '自己改的' })
    expect(await listed(trusted)).toBe(2)
  })

  test('after a rejection is looked at again', async () => {
    const id = await shelved({ owner: reviewed, status: 7 })
    await edit(reviewed, { id, title: '改好了' })
    expect(await listed(id)).toBe(6)
  })

  test('a disabled document stays disabled', async () => {
    const id = await shelved({ owner: reviewed, status: 4 })
    await edit(reviewed, { id, title: '改' })
    expect(await listed(id)).toBe(4)
  })
})

describe('the status in a form', () => {
  test('is the staff’s to set, by the ways there are', async () => {
    const id = await shelved()
    await edit(editor, { id, title: '题', status: 4 })
    expect((await rowOf(id)).status).toBe(4)
    expect(await refusal(edit(editor, { id, title: '没有保存', status: 0 }))).toMatchObject({
      reason: 'documents.statusDenied',
    })
    expect((await rowOf(id)).title).toBe('题')
    await edit(editor, { id, title: '题', status: 2 })
    expect((await rowOf(id)).status).toBe(2)
    await edit(editor, { id, title: '题', status: 5 })
    expect((await rowOf(id)).status).toBe(5)
  })

  test('brought back as it was, or as it was a moment ago, changes nothing', async () => {
    const id = await shelved()
    for (const status of [3, 2, 1, 0]) await edit(editor, { id, title: '题', status })
    expect((await rowOf(id)).status).toBe(2)
  })

  test('from its owner is not heard', async () => {
    const id = await shelved({ status: 6 })
    await edit(owner, { id, title: '题', status: 2 })
    expect((await rowOf(id)).status).toBe(6)
  })
})

describe('many at once', () => {
  test('into a category', async () => {
    const [from, to] = [await site.category('甲地'), await site.category('乙地')]
    const ids = await site.shelve({ category: [from] }, { category: [from] }, { category: [from], status: 7 })
    const staff = await site.staff('DocumentAPI/SetDocumentsCategory')
    await staff.call(documents.setCategory, { document_id: ids, category_id: [to] })
    expect([await countOf(from), await countOf(to)]).toEqual([0, 2])
    await staff.call(documents.setCategory, { document_id: ids, category_id: [to] })
    expect([await countOf(from), await countOf(to)]).toEqual([0, 2])
    expect(await refusal(staff.call(documents.setCategory, { document_id: ids, category_id: [] }))).toMatchObject({
      status: 400,
    })
  })

  test('into a language, by its code or name', async () => {
    const ids = await site.shelve({}, {})
    const staff = await site.staff('DocumentAPI/SetDocumentsLanguage')
    await staff.call(documents.setLanguage, { document_id: ids, language: 'de' })
    for (const id of ids) expect((await rowOf(id)).language).toBe('de')
    const wrong = staff.call(documents.setLanguage, { document_id: ids, language: 'nowhere' })
    expect(await refusal(wrong)).toMatchObject({ status: 400 })
  })
})
