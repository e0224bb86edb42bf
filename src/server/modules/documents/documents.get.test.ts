import { DocumentStatus, publicStatuses, reviewableStatuses } from '#shared/document-status.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: DocumentSite
let owner: Person
let otherMember: Person
let reader: Person
beforeAll(async () => {
  site = await openDocumentSite()
  owner = await site.member()
  otherMember = await site.member()
  reader = await site.staff('DocumentAPI/ListDocument')
})
afterAll(() => site.close())

async function addDocument(fixture: Parameters<DocumentSite['addDocuments']>[0] = {}): Promise<number> {
  const [id = 0] = await site.addDocuments({ owner, ...fixture })
  return id
}

describe('a document', () => {
  test('is found by its id or its uuid, and the id wins', async () => {
    const [first, second] = [await addDocument({ title: '一' }), await addDocument({ title: '二' })]
    const { uuid } = await site.call(documents.get, { id: second })
    expect(uuid).toMatch(/^[0-9a-f]{16}$/)
    expect((await site.call(documents.get, { id: 0, uuid })).title).toBe('二')
    expect((await site.call(documents.get, { id: first, uuid })).title).toBe('一')
    for (const ref of [{}, { id: -1 }, { id: 999_999 }, { uuid: '0123456789abcdef' }, { uuid: String(first) }])
      expect(await refusal(site.call(documents.get, ref))).toMatchObject({ status: 404 })
  })

  test.each(reviewableStatuses)('in status %d exists for its owner and staff only', async (status) => {
    const id = await addDocument({ status })
    expect(await refusal(site.call(documents.get, { id }))).toMatchObject({ status: 404 })
    expect(await refusal(otherMember.call(documents.get, { id }))).toMatchObject({ status: 404 })
    // Clients know one status of documents that cannot be converted.
    const shown = status === DocumentStatus.FailedInReview ? DocumentStatus.Failed : status
    expect((await owner.call(documents.get, { id })).status).toBe(shown)
    expect((await reader.call(documents.get, { id })).status).toBe(shown)
  })

  test('is said to exist to those who see it, and never by the checksum of its file', async () => {
    const [shown, hidden] = [await addDocument(), await addDocument({ status: DocumentStatus.InReview })]
    const { uuid } = await site.call(documents.get, { id: shown })
    for (const name of [{ id: shown }, { uuid }])
      expect(await site.call(documents.exists, name)).toEqual({ exist: true, id: shown, uuid })
    expect(await owner.call(documents.exists, { id: hidden })).toMatchObject({ exist: true })
    const nothing = { exist: false, id: 0, uuid: '' }
    for (const name of [{ id: hidden }, { id: 999_999 }, {}])
      expect(await site.call(documents.exists, name)).toEqual(nothing)
    const { hash } = await site.db
      .selectFrom('document')
      .select('hash')
      .where('id', '=', shown)
      .executeTakeFirstOrThrow()
    for (const query of [`hash=${hash}`, `md5=${hash}`]) {
      const { status, json } = await site.send('GET', `/api/v1/document/exist?${query}`, { token: otherMember.token })
      expect({ status, exist: json.exist ?? false }).toEqual({ status: 200, exist: false })
    }
  })

  test('in the recycle bin is not shown, not even to its owner', async () => {
    const id = await addDocument({ deleted_at: 1 })
    for (const person of [site, owner, reader])
      expect(await refusal(person.call(documents.get, { id }))).toMatchObject({ status: 404 })
  })

  test('that was deleted is reported as gone if it was public, else as not found', async () => {
    const findReason = async (status: DocumentStatus) => {
      const id = await addDocument({ status, deleted_at: 1 })
      const { status: code, reason } = await refusal(site.call(documents.get, { id }))
      return [code, reason]
    }
    for (const status of publicStatuses) expect(await findReason(status)).toEqual([404, 'documents.gone'])
    for (const status of reviewableStatuses) expect(await findReason(status)).toEqual([404, 'documents.notFound'])
  })

  test('has a default page size before it is converted', async () => {
    const id = await addDocument({ status: DocumentStatus.Pending })
    const { json } = await site.send('GET', `/api/v1/document?id=${id}`)
    expect(json).toMatchObject({
      width: 595,
      height: 842,
      attachment: { hash: expect.stringMatching(/^[\w-]{32}$/) },
      preview_ext: '.svg',
      enable_gzip: true,
    })
    expect(json).not.toHaveProperty('cover')
  })

  test('shows the reason of a rejection to its owner only', async () => {
    const id = await addDocument()
    await site.db.updateTable('document').set({ reject_reason: '重复' }).where('id', '=', id).execute()
    expect((await otherMember.call(documents.get, { id })).reject_reason).toBe('')
    expect((await owner.call(documents.get, { id })).reject_reason).toBe('重复')
  })

  test('returns markup in its fields as text', async () => {
    const title = '<script>alert(1)</script>"\'&'
    const id = await addDocument({ title, description: title, keywords: title })
    const { headers, json } = await site.send('GET', `/api/v1/document?id=${id}`)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(json).toMatchObject({ title, description: title })
  })
})

describe('its text', () => {
  const texts = ['第一页的字', '第二页的字', '第三页的秘密', '第四页的秘密']
  const fullText = texts.join('\n')
  afterAll(() => site.configure({ 'converter.max_preview_free': '0', 'converter.max_preview_percent': '100' }))

  test('ends with the preview, from the moment the limit changes', async () => {
    const id = await addDocument({ texts })
    await site.configure({ 'converter.max_preview_free': '0' })
    expect(await site.call(documents.get, { id })).toMatchObject({ content: fullText, preview: 4 })
    await site.configure({ 'converter.max_preview_free': '2' })
    for (const person of [site, otherMember]) {
      const reply = await person.call(documents.get, { id, with_all_content: true })
      expect(reply).toMatchObject({ content: '第一页的字\n第二页的字', preview: 2, pages: 4 })
      expect(JSON.stringify(reply)).not.toContain('秘密')
    }
    await site.configure({ 'converter.max_preview_free': '0', 'converter.max_preview_percent': '25' })
    expect(await site.call(documents.get, { id })).toMatchObject({ content: '第一页的字', preview: 1 })
  })

  test('is withheld while a document has no pages, though its content was converted before', async () => {
    await site.configure({ 'converter.max_preview_free': '1', 'converter.max_preview_percent': '100' })
    const hash = 'c0'.repeat(32)
    const converted = await addDocument({ texts, hash })
    await site.root.call(documents.reconvert, { id: [converted] })
    const again = await addDocument({ hash, status: DocumentStatus.Pending, pages: 0, title: '又一份' })
    await site.db.updateTable('document').set({ content: '改写，含秘密' }).where('id', '=', again).execute()
    for (const id of [converted, again]) {
      expect(JSON.stringify(await site.call(documents.get, { id }))).not.toContain('秘密')
      expect(JSON.stringify(await otherMember.call(documents.get, { id, with_all_content: true }))).not.toContain(
        '秘密',
      )
    }
    const { document } = await site.call(documents.list, { user_id: [owner.id] })
    expect(document.find(({ id }) => id === again)).toMatchObject({ description: '' })
    expect((await owner.call(documents.get, { id: again })).content).toBe('改写，含秘密')
  })

  test('is complete for its owner and for reviewers', async () => {
    const id = await addDocument({ texts })
    await site.configure({ 'converter.max_preview_free': '1' })
    const reviewer = await site.staff('DocumentAPI/GetDocument')
    for (const person of [owner, reviewer])
      expect(await person.call(documents.get, { id, with_all_content: true })).toMatchObject({
        content: fullText,
        preview: 4,
      })
  })

  test('written by its owner is shown only to viewers who may see all pages', async () => {
    const id = await addDocument({ texts })
    await site.db.updateTable('document').set({ content: '改写，含秘密' }).where('id', '=', id).execute()
    await site.configure({ 'converter.max_preview_free': '1' })
    expect((await site.call(documents.get, { id })).content).toBe('第一页的字')
    expect((await owner.call(documents.get, { id })).content).toBe('改写，含秘密')
    await site.configure({ 'converter.max_preview_free': '0', 'converter.max_preview_percent': '100' })
    expect((await site.call(documents.get, { id })).content).toBe('改写，含秘密')
  })

  test('is cut after 8192 characters unless all of it is requested', async () => {
    const id = await addDocument({ texts: ['长'.repeat(5000), '文'.repeat(5000)] })
    expect((await site.call(documents.get, { id })).content).toHaveLength(8192)
    expect((await owner.call(documents.get, { id })).content).toHaveLength(8192)
    expect((await owner.call(documents.get, { id, with_all_content: true })).content).toHaveLength(10_001)
  })

  test('is read across slices up to the preview limit', async () => {
    const pages = Array.from({ length: 50 }, (_, index) => `第${index + 1}页`)
    const id = await addDocument({ texts: pages })
    await site.configure({ 'converter.max_preview_free': '30' })
    expect((await site.call(documents.get, { id })).content).toBe(pages.slice(0, 30).join('\n'))
  })

  test('stands in for a missing description, within the preview', async () => {
    await site.configure({ 'converter.max_preview_free': '1' })
    const described = await addDocument({ texts, description: '说明' })
    const silent = await addDocument({ texts, title: '题目' })
    const blank = await addDocument({ title: '题目' })
    expect((await site.call(documents.get, { id: described })).description).toBe('说明')
    expect((await site.call(documents.get, { id: silent })).description).toBe('第一页的字')
    expect((await site.call(documents.get, { id: blank })).description).toBe('题目')
  })
})

test('an id takes precedence over a uuid, for the document and its layout', async () => {
  const [first, second] = [await addDocument({ pages: 3 }), await addDocument({ pages: 5 })]
  const { uuid } = await site.call(documents.get, { id: second })
  expect(await site.call(documents.get, { id: first, uuid })).toMatchObject({ id: first })
  expect(await site.call(documents.layout, { id: first, uuid })).toMatchObject({ pages: 3 })
  expect(await site.call(documents.layout, { uuid })).toMatchObject({ pages: 5 })
})

describe('a view', () => {
  const browser = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'
  const view = (id: number, options: { ip?: string; agent?: string; token?: string; author?: string } = {}) => {
    const { ip = '203.0.113.5', agent = browser, token, author = '1' } = options
    const headers = { 'user-agent': agent }
    return site.send('GET', `/api/v1/document?id=${id}&with_author=${author}`, { ip, token, headers })
  }
  const countViews = async (id: number) => (await site.call(documents.get, { id })).view_count

  test('returns the author and counts once per visitor and half hour', async () => {
    const id = await addDocument()
    const { json } = await view(id)
    expect(json.user).toMatchObject({ id: owner.id, username: owner.username })
    expect(json.user).not.toHaveProperty('email')
    const counters = { comment_count: 4, follow_count: 5, fans_count: 6, favorite_count: 7 }
    await site.db.updateTable('user').set(counters).where('id', '=', owner.id).execute()
    expect((await view(id, { author: '1' })).json.user).toMatchObject(counters)
    expect(json.view_count).toBe(1)
    await view(id)
    await view(id, { ip: '203.0.113.6' })
    await view(id, { token: otherMember.token })
    await view(id, { token: otherMember.token, ip: '203.0.113.99' })
    expect(await countViews(id)).toBe(3)
    site.advanceClock(31 * 60_000)
    await view(id)
    expect(await countViews(id)).toBe(4)
  })

  test('of a bot or without the author does not count', async () => {
    const id = await addDocument()
    for (const agent of ['Googlebot/2.1', 'Baiduspider', 'curl/8.0', '']) await view(id, { agent })
    await view(id, { author: '0' })
    expect(await countViews(id)).toBe(0)
  })

  test('counts for each of many concurrent visitors', async () => {
    const id = await addDocument()
    await Promise.all(Array.from({ length: 20 }, (_, index) => view(id, { ip: `198.51.100.${index}` })))
    expect(await countViews(id)).toBe(20)
  })

  test('of a document whose owner was deleted shows a placeholder', async () => {
    const id = await addDocument()
    await site.db.updateTable('document').set({ user_id: 987_654 }).where('id', '=', id).execute()
    expect((await view(id)).json.user).toMatchObject({ username: '已注销用户' })
  })
})
