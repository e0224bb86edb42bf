import { allCodes } from '#shared/codes.ts'
import { ContentType } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

let site: DocumentSite
let owner: Person
let otherMember: Person
let staff: Person
beforeAll(async () => {
  site = await openDocumentSite()
  owner = await site.member()
  otherMember = await site.member()
  staff = await site.staff('DocumentAPI/ListDocument')
})
afterAll(() => site.close())

type Filter = CallInput<typeof documents.list>

async function titles(person: Pick<Person, 'call'>, filter: Filter): Promise<string[]> {
  const { document } = await person.call(documents.list, filter)
  return document.map(({ title }) => title)
}

describe('visibility', () => {
  const byOwner = (): Filter => ({ user_id: [owner.id], order: 'id asc' })
  beforeAll(async () => {
    const every = allCodes(DocumentStatus).map((status) => ({ title: `状态 ${status}`, status, owner }))
    await site.addDocuments(...every, { title: '已删除', owner, deleted_at: 1 })
  })

  test('visitors and other members see public documents only, whatever status they ask for', async () => {
    const published = ['状态 0', '状态 1', '状态 2', '状态 3', '状态 5']
    expect(await titles(site, byOwner())).toEqual(published)
    expect(await titles(otherMember, byOwner())).toEqual(published)
    expect(await titles(otherMember, { ...byOwner(), status: [DocumentStatus.Converted] })).toEqual(['状态 2'])
    expect(
      await titles(otherMember, {
        ...byOwner(),
        status: [DocumentStatus.InReview, DocumentStatus.Rejected, DocumentStatus.Disabled],
      }),
    ).toEqual([])
    expect(
      await titles(otherMember, { ...byOwner(), status: [DocumentStatus.InReview, DocumentStatus.Converted] }),
    ).toEqual(['状态 2'])
    expect((await otherMember.call(documents.list, byOwner())).total).toBe(5)
  })

  test('owners see all of their own documents outside the recycle bin, and public ones of others', async () => {
    expect(await titles(owner, byOwner())).toHaveLength(9)
    expect(await titles(owner, { ...byOwner(), status: [DocumentStatus.InReview, DocumentStatus.Rejected] })).toEqual([
      '状态 6',
      '状态 7',
    ])
    expect(await titles(owner, { order: 'id asc' })).toEqual(['状态 0', '状态 1', '状态 2', '状态 3', '状态 5'])
    expect(await titles(owner, { user_id: [otherMember.id, owner.id] })).toEqual([])
  })

  test('staff see everything', async () => {
    expect(await titles(staff, byOwner())).toHaveLength(9)
    expect(await titles(staff, { status: [DocumentStatus.Disabled] })).toEqual(['状态 4'])
  })

  test('staff search all documents, owners their own; others cannot search by words', async () => {
    expect(await titles(staff, { wd: '状态 6' })).toEqual(['状态 6'])
    expect(await titles(owner, { wd: '状态 6', user_id: [owner.id] })).toEqual(['状态 6'])
    expect(await titles(otherMember, { ...byOwner(), wd: '状态 2' })).toHaveLength(5)
  })

  test('a site for members shows visitors nothing', async () => {
    await site.configure({ 'security.login_required': 'true' })
    expect((await site.request('/api/v1/document/list')).status).toBe(401)
    expect((await site.request('/api/v1/document/home')).status).toBe(401)
    await site.configure({ 'security.login_required': 'false' })
  })
})

describe('filters', () => {
  let root: number
  let leaf: number
  let author: Person
  const mine = (filter: Filter): Promise<string[]> => titles(site, { user_id: [author.id], order: 'id asc', ...filter })
  beforeAll(async () => {
    author = await site.member()
    root = await site.category('文学')
    leaf = await site.category('诗歌', { parent: root })
    await site.addDocuments(
      { title: '诗', owner: author, category: [root, leaf], language: 'zh-CN', created_at: Date.UTC(2024, 0, 10) },
      {
        title: '散文',
        owner: author,
        category: [root],
        ext: '.docx',
        price: 5,
        is_vip: 1,
        created_at: Date.UTC(2024, 5, 10),
      },
      { title: 'Poem', owner: author, ext: '.epub', language: 'en', recommend_at: 1, created_at: Date.UTC(2025, 0, 1) },
    )
  })

  test.each<[string, () => Filter, string[]]>([
    ['a category', () => ({ category_id: [leaf] }), ['诗']],
    ['a parent category', () => ({ category_id: [root] }), ['诗', '散文']],
    ['several categories', () => ({ category_id: [root, leaf] }), ['诗', '散文']],
    ['a kind', () => ({ ext: 'doc' }), ['散文']],
    ['other kinds', () => ({ ext: 'other' }), ['Poem']],
    ['an unknown kind', () => ({ ext: 'exe' }), ['诗', '散文', 'Poem']],
    ['free documents', () => ({ fee_type: 'free' }), ['诗', 'Poem']],
    ['documents with a price', () => ({ fee_type: 'charge' }), ['散文']],
    ['documents for VIP members', () => ({ fee_type: 'vip' }), ['散文']],
    ['all languages, if one is named but empty', () => ({ language: ['', ''] }), ['诗', '散文', 'Poem']],
    ['languages', () => ({ language: ['en', 'zh-CN'] }), ['诗', 'Poem']],
    ['recommended documents', () => ({ is_recommend: [true] }), ['Poem']],
    ['not recommended documents', () => ({ is_recommend: [false] }), ['诗', '散文']],
    ['both', () => ({ is_recommend: [true, false] }), ['诗', '散文', 'Poem']],
    ['a start time', () => ({ created_at: ['2024-03-01 00:00:00'] }), ['散文', 'Poem']],
    ['a period', () => ({ created_at: ['2024-03-01', '2024-12-01 12:00:00'] }), ['散文']],
    ['an invalid time', () => ({ created_at: ['soon'] }), ['诗', '散文', 'Poem']],
  ])('%s', async (_name, filter, expected) => {
    expect(await mine(filter())).toEqual(expected)
  })
})

describe('pages', () => {
  let author: Person
  beforeAll(async () => {
    author = await site.member()
    const volumes = Array.from({ length: 30 }, (_, index) => ({
      title: `第 ${index + 1} 卷`,
      owner: author,
      pages: 30 - index,
      recommend_at: index === 7 ? 500 : undefined,
    }))
    await site.addDocuments(...volumes)
  })

  test('pages have at most 24 documents for others, and no limit for owners', async () => {
    const filter = { user_id: [author.id] }
    const largest = await site.call(documents.list, { ...filter, size: 1000 })
    expect(largest.document).toHaveLength(24)
    expect(largest.total).toBe(30)
    expect((await site.call(documents.list, { ...filter, page: 2, size: 24 })).document).toHaveLength(6)
    expect((await site.call(documents.list, { ...filter, size: -3 })).document).toHaveLength(24)
    expect((await author.call(documents.list, filter)).document).toHaveLength(30)
  })

  test('a limit returns the first documents without a total', async () => {
    const { json } = await site.send('GET', `/api/v1/document/list?user_id=${author.id}&limit=2&page=9`)
    expect(json.total).toBeUndefined()
    expect(json.document).toMatchObject([{ title: '第 30 卷' }, { title: '第 29 卷' }])
    const greedy = await site.call(documents.list, { user_id: [author.id], limit: 5000 })
    expect(greedy.document).toHaveLength(24)
  })

  test('the order is newest first, or by an allowed column', async () => {
    const filter = { user_id: [author.id], limit: 1 }
    expect(await titles(site, filter)).toEqual(['第 30 卷'])
    expect(await titles(site, { ...filter, order: 'pages desc' })).toEqual(['第 1 卷'])
    expect(await titles(site, { ...filter, order: 'recommend_at desc' })).toEqual(['第 8 卷'])
    expect(await titles(site, { ...filter, order: 'hash desc' })).toEqual(['第 30 卷'])
  })

  test('visitors can order by indexed columns, one at a time', async () => {
    const filter = { user_id: [author.id], limit: 1 }
    expect(await titles(site, { ...filter, order: 'title asc' })).toEqual(['第 30 卷'])
    expect(await titles(author, { ...filter, order: 'title asc' })).toEqual(['第 1 卷'])
    expect(await titles(site, { ...filter, order: 'view_count asc, pages asc' })).toEqual(['第 1 卷'])
    expect(await titles(site, { ...filter, order: 'score' })).toEqual(['第 30 卷'])
  })

  test('beyond the maximum depth visitors get no documents, but the total', async () => {
    const params = { user_id: [author.id], size: 10 }
    expect(await site.call(documents.list, { ...params, page: 1002 })).toEqual({ total: 30, document: [] })
    expect((await site.call(documents.list, { ...params, page: 3 })).document).toHaveLength(10)
  })

  test('only the requested fields are returned, and what addresses of pictures are made of', async () => {
    const { json } = await site.send('GET', `/api/v1/document/list?user_id=${author.id}&limit=1&field=title&field=hash`)
    const pictures = {
      attachment: { hash: expect.stringMatching(/./) },
      cover: expect.stringContaining('/view/cover/'),
    }
    expect(json.document).toEqual([{ id: expect.any(Number), title: '第 30 卷', ...pictures }])
  })
})

describe('a row', () => {
  test('has its owner and its categories from the root down', async () => {
    const leafFirst = await site.category('临时')
    const root = await site.category('科学')
    const middle = await site.category('物理', { parent: root })
    await site.db
      .updateTable('category')
      .set({ parent_id: middle, title: '量子' })
      .where('id', '=', leafFirst)
      .execute()
    const [id] = await site.addDocuments({ owner, category: [leafFirst, root, middle], title: '量子力学' })
    const { document } = await site.call(documents.list, { category_id: [leafFirst] })
    expect(document).toMatchObject([
      {
        id,
        username: owner.username,
        category_id: [root, middle, leafFirst],
        category: [{ title: '科学' }, { title: '物理', parent_id: root }, { title: '量子', parent_id: middle }],
        attachment: { hash: expect.stringMatching(/^[\w-]{32}$/) },
        cover: expect.stringMatching(/^\/view\/cover\/[\w-]{32}$/),
      },
    ])
  })

  test('without a description has the beginning of its text, if no page is withheld', async () => {
    const [id] = await site.addDocuments({ owner, title: '自述', texts: ['开头', '结尾的秘密'] })
    const findDescription = async (person: Pick<Person, 'call'>) => {
      const { document } = await person.call(documents.list, { user_id: [owner.id], limit: 24 })
      return document.find((row) => row.id === id)?.description
    }
    expect(await findDescription(otherMember)).toBe('开头\n结尾的秘密')
    await site.configure({ 'converter.max_preview_free': '1' })
    expect(await findDescription(otherMember)).toBe('')
    expect(await findDescription(owner)).toBe('开头\n结尾的秘密')
    await site.configure({ 'converter.max_preview_free': '0' })
  })

  test('hides counts if the site is configured so, except from staff and its owner', async () => {
    const [id] = await site.addDocuments({ owner, title: '热门', view_count: 9, download_count: 8, favorite_count: 7 })
    await site.configure({
      'display.show_document_view_count': 'false',
      'display.show_document_download_count': 'false',
      'display.show_document_favorite_count': 'false',
    })
    const counts = async (person: Pick<Person, 'call'>) => {
      const { document } = await person.call(documents.list, { user_id: [owner.id], limit: 24 })
      const row = document.find((candidate) => candidate.id === id)
      return [row?.view_count, row?.download_count, row?.favorite_count]
    }
    expect(await counts(otherMember)).toEqual([0, 0, 0])
    expect(await counts(owner)).toEqual([9, 8, 7])
    expect(await counts(staff)).toEqual([9, 8, 7])
    await site.configure({
      'display.show_document_view_count': 'true',
      'display.show_document_download_count': 'true',
      'display.show_document_favorite_count': 'true',
    })
  })

  test('shows owners why a conversion failed, and staff the output of the converter', async () => {
    const failure = { reason: 'damaged', detail: '/srv/converter: cannot open' }
    const [broken, odd] = await site.addDocuments(
      { owner, status: DocumentStatus.Failed, title: '坏的', failure },
      { owner, status: DocumentStatus.Failed, title: '不支持', failure: { reason: 'unsupported', detail: 'chm' } },
    )
    const findErrors = async (person: Pick<Person, 'call'>) => {
      const { document } = await person.call(documents.list, { user_id: [owner.id], limit: 24 })
      return [broken, odd].map((id) => {
        const row = document.find((candidate) => candidate.id === id)
        return [row?.convert_error, row?.convert_detail]
      })
    }
    const unsupported = '暂不支持在线预览，可以下载后查看'
    expect(await findErrors(otherMember)).toEqual([
      ['', ''],
      [unsupported, ''],
    ])
    expect(await findErrors(owner)).toEqual([
      ['文件已损坏，无法打开', ''],
      [unsupported, ''],
    ])
    expect(await findErrors(staff)).toEqual([
      ['文件已损坏，无法打开', failure.detail],
      [unsupported, 'chm'],
    ])
    const findFailed = async (is_unpreviewable: boolean[]) => {
      const filters = { user_id: [owner.id], status: [DocumentStatus.Failed], is_unpreviewable }
      return (await staff.call(documents.list, filters)).document.map(({ id }) => id)
    }
    expect(await findFailed([true])).toEqual([odd])
    expect(await findFailed([false])).not.toContain(odd)
    expect(await findFailed([])).toEqual(expect.arrayContaining([broken, odd]))
  })
})

describe('the home page', () => {
  test('has the newest converted documents of each root category, in the order of the categories', async () => {
    const otherSite = await openDocumentSite()
    const [low, high] = [await otherSite.category('乙'), await otherSite.category('甲', { sort: 5 })]
    const child = await otherSite.category('子', { parent: low })
    const disabled = await otherSite.category('关', { enable: 0 })
    await otherSite.category('文章', { type: ContentType.Article })
    await otherSite.addDocuments(
      ...[1, 2, 3].map((n) => ({ title: `乙 ${n}`, category: [low, child] })),
      { title: '未转换', category: [low], status: DocumentStatus.Pending },
      { title: '待审', category: [low], status: DocumentStatus.InReview },
      { title: '删除', category: [low], deleted_at: 5 },
      { title: '关闭', category: [disabled] },
    )
    const { document } = await otherSite.call(documents.home, { limit: 2 })
    expect(document.map(({ category_id, category_name }) => [category_id, category_name])).toEqual([
      [high, '甲'],
      [low, '乙'],
    ])
    expect(document.map((block) => block.document.map(({ title }) => title))).toEqual([[], ['乙 3', '乙 2']])
    const { json } = await otherSite.send('GET', '/api/v1/document/home?limit=1&field=size')
    const blocks = json.document as { document: object[] }[]
    expect(Object.keys(blocks[1]?.document[0] ?? {}).toSorted()).toEqual(
      ['attachment', 'cover', 'ext', 'id', 'pages', 'size', 'title', 'uuid'].toSorted(),
    )
    expect(blocks[0]).toMatchObject({ category_id: high, category_name: '甲' })
    await otherSite.close()
  })

  test('without categories it is empty', async () => {
    const otherSite = await openDocumentSite()
    expect(await otherSite.call(documents.home)).toEqual({ document: [] })
    await otherSite.close()
  })
})

test('a filter takes twenty values at most', async () => {
  const list = (count: number) =>
    site.call(documents.list, { category_id: Array.from({ length: count }, (_, n) => n + 1) })
  await list(20)
  expect(await refusal(list(21))).toMatchObject({
    status: 400,
    message: expect.stringContaining('一次最多给出 20 个值'),
  })
})
