import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { searches } from '#shared/contract/search.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { Visibility } from '#shared/enums.ts'
import { documentIndexer } from '#server/modules/search/index-documents.ts'
import { indexEntries } from '#server/modules/search/indexing.ts'
import { type DocumentFixture, type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { tinyPdf, uploadForm } from '#server/testing/upload.ts'

let site: DocumentSite
beforeAll(async () => {
  site = await openDocumentSite()
})
afterAll(() => site.close())

const hashOf = (digit: string) => digit.repeat(64)

async function listed(asked: object = {}) {
  const { total, document } = await site.call(documents.list, { size: 24, ...asked })
  return { total, titles: document.map(({ title }) => title), copies: document.map(({ copies }) => copies) }
}

describe('equal content of several members', () => {
  test('is one entry in lists and in the search, and says how many are the same', async () => {
    const [a, b] = [await site.member(), await site.member()]
    const category = await site.category('折叠')
    const elsewhere = await site.category('别处')
    const same = { hash: hashOf('a'), texts: ['燧石工具制作'] }
    const ids = await site.addDocuments(
      { ...same, owner: a, title: '燧石工具甲', category: [category] },
      { ...same, owner: b, title: '燧石工具乙', category: [category] },
      { ...same, owner: b, title: '燧石工具丙', category: [elsewhere] },
      { owner: b, title: '燧石打火', category: [category] },
      { ...same, owner: b, title: '燧石工具私有', visibility: Visibility.Private },
    )
    await indexEntries(await site.app.context(), documentIndexer, ids)
    expect(await listed()).toEqual({ total: 2, titles: ['燧石打火', '燧石工具甲'], copies: [0, 2] })
    expect(await listed({ category_id: [category] })).toMatchObject({ total: 2 })
    // Another copy stands for the first where that one is not listed.
    expect(await listed({ category_id: [elsewhere] })).toMatchObject({ total: 1, titles: ['燧石工具丙'] })
    // Everybody's own page is complete.
    expect(await listed({ user_id: [b.id] })).toMatchObject({ total: 3 })
    const { total, document } = await site.call(searches.documents, { wd: '燧石' })
    expect([total, document.map(({ title }) => title).toSorted()]).toEqual([2, ['燧石工具甲', '燧石打火'].toSorted()])

    const related = async (id = 0) => (await site.call(documents.related, { id })).document.map(({ title }) => title)
    expect(await related(ids[0])).not.toContain('燧石工具乙')
    expect((await related(ids[3])).filter((title) => title.startsWith('燧石工具')).length).toBeLessThan(2)

    // The first is gone: the next one stands for them.
    await site.root.call(documents.review, { id: [ids[0] ?? 0], status: DocumentStatus.Disabled })
    expect(await listed()).toMatchObject({ total: 2, titles: ['燧石打火', '燧石工具乙'], copies: [0, 1] })
    await site.root.call(documents.delete, { id: [ids[1] ?? 0, ids[2] ?? 0] })
    expect(await listed()).toMatchObject({ titles: ['燧石打火'] })
    await site.root.call(documents.review, { id: [ids[0] ?? 0], status: DocumentStatus.Converted })
    expect(await listed()).toMatchObject({ titles: ['燧石打火', '燧石工具甲'], copies: [0, 0] })
  })

  const may = (day: number) => Date.UTC(2024, 4, day)
  const filtered: [string, DocumentFixture, DocumentFixture, CallInput<typeof documents.list>][] = [
    ['free', { price: 5 }, { price: 0 }, { fee_type: 'free' }],
    ['with a price', { price: 0 }, { price: 5 }, { fee_type: 'charge' }],
    ['for VIP members', {}, { is_vip: 1 }, { fee_type: 'vip' }],
    ['in a language', { language: 'zh-CN' }, { language: 'fr' }, { language: ['fr'] }],
    ['of a kind', { ext: '.docx' }, { ext: '.pdf' }, { ext: 'pdf' }],
    ['of a period', { created_at: may(1) }, { created_at: may(20) }, { created_at: ['2024-05-10', '2024-05-30'] }],
    ['recommended', {}, { recommend_at: 1 }, { is_recommend: [true] }],
    ['not recommended', { recommend_at: 1 }, {}, { is_recommend: [false] }],
    [
      'with a status',
      { status: DocumentStatus.Failed },
      { status: DocumentStatus.Converted },
      { status: [DocumentStatus.Converted] },
    ],
  ]

  test.each(filtered)('%s: the first of those that match is in lists and found', async (name, first, later, filter) => {
    const category = await site.category(name)
    const word = `蜃景${name}`
    const same = { hash: createHash('sha256').update(name).digest('hex'), texts: [word], category: [category] }
    const ids = await site.addDocuments(
      { ...same, ...first, title: `${word}甲` },
      { ...same, ...later, title: `${word}乙` },
      { ...same, ...later, title: `${word}丙` },
      { ...later, title: `${word}丁`, category: [category] },
    )
    await indexEntries(await site.app.context(), documentIndexer, ids)
    const asked = { ...filter, category_id: [category] }
    expect(await listed(asked)).toMatchObject({ total: 2, titles: [`${word}丁`, `${word}乙`] })
    expect((await listed({ ...filter, size: 24 })).titles).toContain(`${word}乙`)
    expect((await listed({ category_id: [category] })).titles).toEqual([`${word}丁`, `${word}甲`])
    if (filter.is_recommend || filter.status) return
    const { document } = await site.call(searches.documents, { wd: word, ...asked })
    expect(document.map(({ title }) => title).toSorted()).toEqual([`${word}丁`, `${word}乙`])
  })

  test('that cannot be shown at home leaves its place there to one that can', async () => {
    const category = await site.category('首页的分类')
    const same = { hash: hashOf('b'), category: [category] }
    await site.addDocuments(
      { ...same, title: '转换失败的', status: DocumentStatus.Failed },
      { ...same, title: '能看的' },
      { ...same, title: '能看的，再一份' },
    )
    const home = await site.call(documents.home, {})
    const { document = [] } = home.document.find(({ category_id }) => category_id === category) ?? {}
    expect(document.map(({ title }) => title)).toEqual(['能看的'])
  })

  test('that is not read leaves its place in the ranking to one that is', async () => {
    const same = { hash: hashOf('c') }
    await site.addDocuments(
      { ...same, title: '没有人看的' },
      { ...same, title: '很多人看的', view_count: 900 },
      { ...same, title: '也有人看的', view_count: 800 },
    )
    const { document } = await site.call(documents.ranking, { by: 'read', period: 'all' })
    expect(document.map(({ title }) => title)).toEqual(['很多人看的'])
  })

  test('is published by another member without a question', async () => {
    const [first, second] = [await site.author(), await site.author()]
    const category_id = [await site.category('投稿')]
    const publish = async (person: typeof first, again?: boolean) => {
      const { id } = await uploadForm(site, person, { name: '同样.pdf', bytes: tinyPdf('fold') })
      const item = { title: '同样的内容', attachment_id: id }
      return person.call(documents.create, { category_id, document: [item], ...(again !== undefined && { again }) })
    }
    expect(await publish(first, false)).toMatchObject({ document: [{}], duplicate: [] })
    expect(await publish(second, false)).toMatchObject({ document: [{}], duplicate: [] })
    // One's own is asked about, and published all the same if that is wanted; clients that do not know it are not asked.
    const asked = await publish(first, false)
    expect(asked).toMatchObject({ document: [], duplicate: [{ title: '同样的内容' }] })
    expect((await site.call(documents.list, { user_id: [first.id] })).total).toBe(1)
    expect(await publish(first, true)).toMatchObject({ document: [{}], duplicate: [] })
    expect(await publish(first)).toMatchObject({ document: [{}], duplicate: [] })
  })
})
