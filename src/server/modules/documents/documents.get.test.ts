import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { type Library, openLibrary } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: Library
let owner: Person
let stranger: Person
let reader: Person
beforeAll(async () => {
  site = await openLibrary()
  owner = await site.member()
  stranger = await site.member()
  reader = await site.staff('DocumentAPI/ListDocument')
})
afterAll(() => site.close())

async function shelved(volume: Parameters<Library['shelve']>[0] = {}): Promise<number> {
  const [id = 0] = await site.shelve({ owner, ...volume })
  return id
}

describe('a document', () => {
  test('is found by its id or its uuid, and the id wins', async () => {
    const [one, two] = [await shelved({ title: '一' }), await shelved({ title: '二' })]
    const { uuid } = await site.call(documents.get, { id: two })
    expect(uuid).toMatch(/^[0-9a-f]{16}$/)
    expect((await site.call(documents.get, { id: 0, uuid })).title).toBe('二')
    expect((await site.call(documents.get, { id: one, uuid })).title).toBe('一')
    for (const named of [{}, { id: -1 }, { id: 999_999 }, { uuid: '0123456789abcdef' }, { uuid: String(one) }])
      expect(await refusal(site.call(documents.get, named))).toMatchObject({ status: 404 })
  })

  test.each([4, 6, 7])('in status %d exists for its owner and the staff only', async (status) => {
    const id = await shelved({ status })
    expect(await refusal(site.call(documents.get, { id }))).toMatchObject({ status: 404 })
    expect(await refusal(stranger.call(documents.get, { id }))).toMatchObject({ status: 404 })
    expect((await owner.call(documents.get, { id })).status).toBe(status)
    expect((await reader.call(documents.get, { id })).status).toBe(status)
  })

  test('in the recycle bin exists for nobody', async () => {
    const id = await shelved({ deleted_at: 1 })
    for (const person of [site, owner, reader])
      expect(await refusal(person.call(documents.get, { id }))).toMatchObject({ status: 404 })
  })

  test('that everybody could see is said to be gone, one that nobody knew of is not', async () => {
    const reasonOf = async (status: number) => {
      const id = await shelved({ status, deleted_at: 1 })
      const { status: code, reason } = await refusal(site.call(documents.get, { id }))
      return [code, reason]
    }
    for (const status of [0, 2, 3]) expect(await reasonOf(status)).toEqual([404, 'documents.gone'])
    for (const status of [4, 6, 7]) expect(await reasonOf(status)).toEqual([404, 'documents.notFound'])
  })

  test('can be laid out before it is converted', async () => {
    const id = await shelved({ status: 0 })
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

  test('keeps to itself why it was rejected', async () => {
    const id = await shelved()
    await site.db.updateTable('document').set({ reject_reason: '重复' }).where('id', '=', id).execute()
    expect((await stranger.call(documents.get, { id })).reject_reason).toBe('')
    expect((await owner.call(documents.get, { id })).reject_reason).toBe('重复')
  })

  test('shows scripts in its words as words', async () => {
    const title = '<script>alert(1)</script>"\'&'
    const id = await shelved({ title, description: title, keywords: title })
    const { headers, json } = await site.send('GET', `/api/v1/document?id=${id}`)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(json).toMatchObject({ title, description: title })
  })
})

describe('its text', () => {
  const texts = ['第一页的字', '第二页的字', '第三页的秘密', '第四页的秘密']
  const everything = texts.join('\n')
  afterAll(() => site.configure({ 'converter.max_preview': '12', 'converter.max_preview_percent': '100' }))

  test('goes no further than the pages that may be looked at, from the moment the limit changes', async () => {
    const id = await shelved({ texts })
    await site.configure({ 'converter.max_preview': '0' })
    expect(await site.call(documents.get, { id })).toMatchObject({ content: everything, preview: 4 })
    await site.configure({ 'converter.max_preview': '2' })
    for (const person of [site, stranger]) {
      const seen = await person.call(documents.get, { id, with_all_content: true })
      expect(seen).toMatchObject({ content: '第一页的字\n第二页的字', preview: 2, pages: 4 })
      expect(JSON.stringify(seen)).not.toContain('秘密')
    }
    await site.configure({ 'converter.max_preview': '0', 'converter.max_preview_percent': '25' })
    expect(await site.call(documents.get, { id })).toMatchObject({ content: '第一页的字', preview: 1 })
  })

  test('stays withheld from a document that has no pages of its own yet, though its content was read before', async () => {
    await site.configure({ 'converter.max_preview': '1', 'converter.max_preview_percent': '100' })
    const hash = 'c0'.repeat(32)
    const known = await shelved({ texts, hash })
    await site.root.call(documents.reconvert, { id: [known] })
    const again = await shelved({ hash, status: 0, pages: 0, title: '又一份' })
    await site.db.updateTable('document').set({ content: '改写，含秘密' }).where('id', '=', again).execute()
    for (const id of [known, again]) {
      expect(JSON.stringify(await site.call(documents.get, { id }))).not.toContain('秘密')
      expect(JSON.stringify(await stranger.call(documents.get, { id, with_all_content: true }))).not.toContain('秘密')
    }
    const { document } = await site.call(documents.list, { user_id: [owner.id] })
    expect(document.find(({ id }) => id === again)).toMatchObject({ description: '' })
    expect((await owner.call(documents.get, { id: again })).content).toBe('改写，含秘密')
  })

  test('is whole for its owner and for who judges it', async () => {
    const id = await shelved({ texts })
    await site.configure({ 'converter.max_preview': '1' })
    const judge = await site.staff('DocumentAPI/GetDocument')
    for (const person of [owner, judge])
      expect(await person.call(documents.get, { id, with_all_content: true })).toMatchObject({
        content: everything,
        preview: 4,
      })
  })

  test('that its owner has written instead is shown to those only who may look at all pages', async () => {
    const id = await shelved({ texts })
    await site.db.updateTable('document').set({ content: '改写，含秘密' }).where('id', '=', id).execute()
    await site.configure({ 'converter.max_preview': '1' })
    expect((await site.call(documents.get, { id })).content).toBe('第一页的字')
    expect((await owner.call(documents.get, { id })).content).toBe('改写，含秘密')
    await site.configure({ 'converter.max_preview': '0', 'converter.max_preview_percent': '100' })
    expect((await site.call(documents.get, { id })).content).toBe('改写，含秘密')
  })

  test('is cut after 8192 characters unless all is asked for', async () => {
    const id = await shelved({ texts: ['长'.repeat(5000), '文'.repeat(5000)] })
    expect((await site.call(documents.get, { id })).content).toHaveLength(8192)
    expect((await owner.call(documents.get, { id })).content).toHaveLength(8192)
    expect((await owner.call(documents.get, { id, with_all_content: true })).content).toHaveLength(10_001)
  })

  test('is read over slices of pages as far as it is shown', async () => {
    const pages = Array.from({ length: 50 }, (_, index) => `第${index + 1}页`)
    const id = await shelved({ texts: pages })
    await site.configure({ 'converter.max_preview': '30' })
    expect((await site.call(documents.get, { id })).content).toBe(pages.slice(0, 30).join('\n'))
  })

  test('describes a document that nobody has described, as far as it may be read', async () => {
    await site.configure({ 'converter.max_preview': '1' })
    const described = await shelved({ texts, description: '说明' })
    const silent = await shelved({ texts, title: '题目' })
    const blank = await shelved({ title: '题目' })
    expect((await site.call(documents.get, { id: described })).description).toBe('说明')
    expect((await site.call(documents.get, { id: silent })).description).toBe('第一页的字')
    expect((await site.call(documents.get, { id: blank })).description).toBe('题目')
  })
})

test('an id goes before a uuid, for the document and for its plan alike', async () => {
  const [one, other] = [await shelved({ pages: 3 }), await shelved({ pages: 5 })]
  const { uuid } = await site.call(documents.get, { id: other })
  expect(await site.call(documents.get, { id: one, uuid })).toMatchObject({ id: one })
  expect(await site.call(documents.plan, { id: one, uuid })).toMatchObject({ pages: 3 })
  expect(await site.call(documents.plan, { uuid })).toMatchObject({ pages: 5 })
})

describe('a look at it', () => {
  const browser = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'
  const look = (id: number, given: { ip?: string; agent?: string; token?: string; author?: string } = {}) => {
    const { ip = '203.0.113.5', agent = browser, token, author = '1' } = given
    const headers = { 'user-agent': agent }
    return site.send('GET', `/api/v1/document?id=${id}&with_author=${author}`, { ip, token, headers })
  }
  const viewsOf = async (id: number) => (await site.call(documents.get, { id })).view_count

  test('brings the author and counts once for each person and half an hour', async () => {
    const id = await shelved()
    const { json } = await look(id)
    expect(json.user).toMatchObject({ id: owner.id, username: owner.username })
    expect(json.user).not.toHaveProperty('email')
    const figures = { credit_count: 3, comment_count: 4, follow_count: 5, fans_count: 6, favorite_count: 7 }
    await site.db.updateTable('user').set(figures).where('id', '=', owner.id).execute()
    expect((await look(id, { author: '1' })).json.user).toMatchObject(figures)
    expect(json.view_count).toBe(1)
    await look(id)
    await look(id, { ip: '203.0.113.6' })
    await look(id, { token: stranger.token })
    await look(id, { token: stranger.token, ip: '203.0.113.99' })
    expect(await viewsOf(id)).toBe(3)
    site.pass(31 * 60_000)
    await look(id)
    expect(await viewsOf(id)).toBe(4)
  })

  test('counts for no program, and only when the author is asked for', async () => {
    const id = await shelved()
    for (const agent of ['Googlebot/2.1', 'Baiduspider', 'curl/8.0', '']) await look(id, { agent })
    await look(id, { author: '0' })
    expect(await viewsOf(id)).toBe(0)
  })

  test('counts all who look at the same moment', async () => {
    const id = await shelved()
    await Promise.all(Array.from({ length: 20 }, (_, index) => look(id, { ip: `198.51.100.${index}` })))
    expect(await viewsOf(id)).toBe(20)
  })

  test('of a document whose owner is gone still shows somebody', async () => {
    const id = await shelved()
    await site.db.updateTable('document').set({ user_id: 987_654 }).where('id', '=', id).execute()
    expect((await look(id)).json.user).toMatchObject({ username: '已注销用户' })
  })
})
