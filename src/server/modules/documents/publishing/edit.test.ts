import { DocumentStatus } from '#shared/document-status.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { documents } from '#shared/contract/documents.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { type DocumentSite, openDocumentSite, type DocumentFixture } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: DocumentSite
let owner: Person
let otherMember: Person
let editor: Person
beforeAll(async () => {
  site = await openDocumentSite()
  owner = await site.author()
  otherMember = await site.member()
  editor = await site.staff('DocumentAPI/UpdateDocument')
})
afterAll(() => site.close())

async function addDocument(fixture: DocumentFixture = {}): Promise<number> {
  const [id = 0] = await site.addDocuments({ owner, title: '原题', ...fixture })
  return id
}

function edit(person: Person, form: CallInput<typeof documents.update>) {
  return person.call(documents.update, form)
}

function findRow(id: number) {
  return site.db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

async function findCount(id: number) {
  const row = await site.db.selectFrom('category').select('doc_count').where('id', '=', id).executeTakeFirst()
  return row?.doc_count
}

describe('editing', () => {
  test('is for the owner and for staff who may edit documents', async () => {
    const id = await addDocument()
    await edit(owner, { id, title: '新题', keywords: '一，二', description: '说明', price: 3, language: 'en' })
    expect(await findRow(id)).toMatchObject({
      title: '新题',
      keywords: '一,二',
      description: '说明',
      price: 3,
      language: 'en',
    })
    await edit(editor, { id, title: '再改' })
    expect((await findRow(id)).title).toBe('再改')
    expect(await refusal(edit(otherMember, { id, title: '偷改' }))).toMatchObject({ status: 403 })
    expect((await findRow(id)).title).toBe('再改')
  })

  test('of the source is for staff; without it in the form it stays', async () => {
    const id = await addDocument()
    const source = { source_name: '统计局', source_url: 'https://stats.example.com/' }
    await edit(owner, { id, title: '新题', ...source })
    expect(await findRow(id)).toMatchObject({ source_name: '', source_url: '' })
    await edit(editor, { id, title: '新题', ...source })
    await edit(editor, { id, title: '又一题' })
    await edit(owner, { id, title: '再一题', source_name: '', source_url: '' })
    expect(await site.call(documents.get, { id })).toMatchObject({ title: '再一题', ...source })
    for (const source_url of ['javascript:alert(1)', '/document/1', 'ftp://example.com', 'www.example.com'])
      expect(await refusal(edit(editor, { id, title: '题', source_url }))).toMatchObject({ status: 400 })
    await edit(editor, { id, title: '题', source_name: '', source_url: '' })
    expect(await findRow(id)).toMatchObject({ source_name: '', source_url: '' })
  })

  test('of a hidden document is answered as not found', async () => {
    const hidden = await addDocument({ status: DocumentStatus.InReview })
    const gone = await addDocument({ deleted_at: 1 })
    for (const id of [hidden, gone, 999_999])
      expect(await refusal(edit(otherMember, { id, title: '偷改' }))).toMatchObject({ status: 404 })
    expect(await refusal(edit(owner, { id: gone, title: '改' }))).toMatchObject({ status: 404 })
    await edit(editor, { id: hidden, title: '可以' })
  })

  test('accepts a whole document as a client sends it back', async () => {
    const id = await addDocument({ texts: ['正文'] })
    const { json } = await site.send('GET', `/api/v1/document?id=${id}&with_author=1&with_all_content=1`, {
      token: owner.token,
    })
    const language = await site.db
      .selectFrom('language')
      .select('language')
      .where('code', '=', 'fr')
      .executeTakeFirstOrThrow()
    const ignored = { score: 4.33, status: DocumentStatus.Disabled, user_id: 1, uuid: 'x' }
    const body = { ...json, ...ignored, title: '改题', language: language.language }
    expect((await site.send('PUT', '/api/v1/document', { token: owner.token, body })).status).toBe(200)
    expect(await findRow(id)).toMatchObject({
      title: '改题',
      language: 'fr',
      status: DocumentStatus.Converted,
      user_id: owner.id,
      score: 300,
      content: '',
      description: '',
    })
  })

  test('accepts the whole text of a very long document', async () => {
    const id = await addDocument({ texts: Array.from({ length: 150 }, (_, n) => `${n}页\n`.repeat(2500)) })
    const { json } = await site.send('GET', `/api/v1/document?id=${id}&with_all_content=1`, { token: owner.token })
    expect(String(json.content).length).toBeGreaterThan(900_000)
    const { status, text } = await site.send('PUT', '/api/v1/document', {
      token: owner.token,
      body: { ...json, title: '长文' },
    })
    expect([status, text]).toEqual([200, expect.any(String)])
    expect(await findRow(id)).toMatchObject({ title: '长文', content: '' })
    const { status: tooLarge } = await site.send('PUT', '/api/v1/document', {
      token: owner.token,
      body: { id, title: '题', content: 'x'.repeat(9_000_000) },
    })
    expect(tooLarge).toBe(413)
  })

  test('keeps a language that the site has deleted', async () => {
    const id = await addDocument({ language: 'tlh' })
    await edit(owner, { id, title: '题', language: 'tlh' })
    expect((await findRow(id)).language).toBe('tlh')
    expect(await refusal(edit(owner, { id, title: '题', language: 'xx' }))).toMatchObject({ status: 400 })
  })

  test('moves the document between categories, with the counts', async () => {
    const [from, to] = [await site.category('从前'), await site.category('往后')]
    const leaf = await site.category('往后之下', { parent: to })
    const id = await addDocument({ category: [from] })
    const hidden = await addDocument({ category: [from], status: DocumentStatus.InReview })
    await edit(owner, { id, title: '题', category_id: [leaf] })
    await edit(owner, { id: hidden, title: '题', category_id: [to] })
    expect([await findCount(from), await findCount(to), await findCount(leaf)]).toEqual([0, 1, 1])
    expect((await site.call(documents.get, { id })).category_id).toEqual([to, leaf])
    await edit(owner, { id, title: '没有说分类' })
    expect((await site.call(documents.get, { id })).category_id).toEqual([to, leaf])
    expect(await refusal(edit(owner, { id, title: '题', category_id: [999_999] }))).toMatchObject({ status: 400 })
    await site.db.updateTable('category').set({ enable: 0 }).where('id', '=', leaf).execute()
    await edit(owner, { id, title: '留在停用的分类', category_id: [to, leaf] })
  })

  test('stores a text only if it differs from the extracted one', async () => {
    const id = await addDocument({ texts: ['甲'.repeat(6000), '乙'.repeat(6000)] })
    const fullText = (await owner.call(documents.get, { id, with_all_content: true })).content
    const beginning = (await owner.call(documents.get, { id })).content
    for (const content of ['', fullText, `${fullText}\n`, beginning, beginning.slice(0, -2)]) {
      await edit(owner, { id, title: '题', content })
      expect((await findRow(id)).content).toBe('')
    }
    await edit(owner, { id, title: '题', content: '另一段' })
    expect((await owner.call(documents.get, { id })).content).toBe('另一段')
    await edit(owner, { id, title: '题', content: '' })
    expect((await findRow(id)).content).toBe('另一段')
    await edit(owner, { id, title: '题', content: fullText })
    expect((await findRow(id)).content).toBe('')
  })
})

describe('a document that its owner rewrites', () => {
  let reviewed: Person
  const findStatus = async (id: number) => (await findRow(id)).status
  beforeAll(async () => {
    reviewed = await site.author({ reviewed: true })
  })

  test.each([{ title: '换了' }, { keywords: '换了' }, { description: '换了' }, { content: '换了' }])(
    'with %j is reviewed again and hidden until then',
    async (change) => {
      const category = await site.category(`分类 ${JSON.stringify(change)}`)
      const id = await addDocument({ owner: reviewed, category: [category] })
      await edit(reviewed, { id, title: '原题', category_id: [category], ...change })
      expect(await findStatus(id)).toBe(DocumentStatus.InReview)
      expect(await findCount(category)).toBe(0)
      expect(await refusal(site.call(documents.get, { id }))).toMatchObject({ status: 404 })
    },
  )

  test('in price, language or category only is not reviewed', async () => {
    const id = await addDocument({ owner: reviewed, texts: ['字'] })
    const document = await reviewed.call(documents.get, { id })
    await edit(reviewed, { ...document, price: 9, language: 'en', category_id: [await site.category('别处')] })
    expect(await findStatus(id)).toBe(DocumentStatus.Converted)
  })

  test('is not reviewed if staff edit it, or its owner is trusted', async () => {
    const id = await addDocument({ owner: reviewed })
    await edit(editor, { id, title: '编辑改的' })
    expect(await findStatus(id)).toBe(DocumentStatus.Converted)
    const trusted = await addDocument()
    await edit(owner, { id: trusted, title: '自己改的' })
    expect(await findStatus(trusted)).toBe(DocumentStatus.Converted)
  })

  test('after a rejection is reviewed again', async () => {
    const id = await addDocument({ owner: reviewed, status: DocumentStatus.Rejected })
    await edit(reviewed, { id, title: '改好了' })
    expect(await findStatus(id)).toBe(DocumentStatus.InReview)
  })

  test('stays disabled if it was', async () => {
    const id = await addDocument({ owner: reviewed, status: DocumentStatus.Disabled })
    await edit(reviewed, { id, title: '改' })
    expect(await findStatus(id)).toBe(DocumentStatus.Disabled)
  })
})

describe('the status in a form', () => {
  test('can be set by staff, by allowed transitions', async () => {
    const id = await addDocument()
    await edit(editor, { id, title: '题', status: DocumentStatus.Disabled })
    expect((await findRow(id)).status).toBe(DocumentStatus.Disabled)
    expect(await refusal(edit(editor, { id, title: '没有保存', status: DocumentStatus.Pending }))).toMatchObject({
      reason: 'documents.statusDenied',
    })
    expect((await findRow(id)).title).toBe('题')
    await edit(editor, { id, title: '题', status: DocumentStatus.Converted })
    expect((await findRow(id)).status).toBe(DocumentStatus.Converted)
    await edit(editor, { id, title: '题', status: DocumentStatus.PendingReconversion })
    expect((await findRow(id)).status).toBe(DocumentStatus.PendingReconversion)
  })

  test('of the converter changes nothing, even if it is out of date', async () => {
    const { Pending, Converting, Converted, Failed } = DocumentStatus
    const id = await addDocument()
    for (const status of [Failed, Converted, Converting, Pending]) await edit(editor, { id, title: '题', status })
    expect((await findRow(id)).status).toBe(DocumentStatus.Converted)
    const { audit } = await site.root.call(audits.list, { area: ['documents'], size: 4 })
    expect(audit.map(({ change }) => change)).toEqual(['', '', '', '名称: 原题 → 题'])
  })

  test('from its owner is ignored', async () => {
    const id = await addDocument({ status: DocumentStatus.InReview })
    await edit(owner, { id, title: '题', status: DocumentStatus.Converted })
    expect((await findRow(id)).status).toBe(DocumentStatus.InReview)
  })
})

describe('staff can move many documents at once', () => {
  test('into a category', async () => {
    const [from, to] = [await site.category('甲地'), await site.category('乙地')]
    const ids = await site.addDocuments(
      { category: [from] },
      { category: [from] },
      { category: [from], status: DocumentStatus.Rejected },
    )
    const staff = await site.staff('DocumentAPI/SetDocumentsCategory')
    await staff.call(documents.setCategory, { document_id: ids, category_id: [to] })
    expect([await findCount(from), await findCount(to)]).toEqual([0, 2])
    await staff.call(documents.setCategory, { document_id: ids, category_id: [to] })
    expect([await findCount(from), await findCount(to)]).toEqual([0, 2])
    expect(await refusal(staff.call(documents.setCategory, { document_id: ids, category_id: [] }))).toMatchObject({
      status: 400,
    })
  })

  test('into a language, by its code or name', async () => {
    const ids = await site.addDocuments({}, {})
    const staff = await site.staff('DocumentAPI/SetDocumentsLanguage')
    await staff.call(documents.setLanguage, { document_id: ids, language: 'de' })
    for (const id of ids) expect((await findRow(id)).language).toBe('de')
    const unknown = staff.call(documents.setLanguage, { document_id: ids, language: 'nowhere' })
    expect(await refusal(unknown)).toMatchObject({ status: 400 })
  })
})
