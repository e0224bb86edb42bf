import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import type { Ask } from '#shared/endpoint.ts'
import { type Library, openLibrary } from '#server/testing/document-site.ts'
import type { Person } from '#server/testing/site.ts'

let site: Library
let owner: Person
let stranger: Person
let staff: Person
beforeAll(async () => {
  site = await openLibrary()
  owner = await site.member()
  stranger = await site.member()
  staff = await site.staff('DocumentAPI/ListDocument')
})
afterAll(() => site.close())

type Filter = Ask<typeof documents.list>

async function titles(person: Pick<Person, 'call'>, filter: Filter): Promise<string[]> {
  const { document } = await person.call(documents.list, filter)
  return document.map(({ title }) => title)
}

describe('who sees what', () => {
  const byOwner = (): Filter => ({ user_id: [owner.id], order: 'id asc' })
  beforeAll(async () => {
    const every = [0, 1, 2, 3, 4, 5, 6, 7].map((status) => ({ title: `状态 ${status}`, status, owner }))
    await site.shelve(...every, { title: '已删除', owner, deleted_at: 1 })
  })

  test('visitors and strangers see what is public, and no more when they ask for more', async () => {
    const open = ['状态 0', '状态 1', '状态 2', '状态 3', '状态 5']
    expect(await titles(site, byOwner())).toEqual(open)
    expect(await titles(stranger, byOwner())).toEqual(open)
    expect(await titles(stranger, { ...byOwner(), status: [2] })).toEqual(['状态 2'])
    expect(await titles(stranger, { ...byOwner(), status: [6, 7, 4] })).toEqual([])
    expect(await titles(stranger, { ...byOwner(), status: [6, 2] })).toEqual(['状态 2'])
    expect((await stranger.call(documents.list, byOwner())).total).toBe(5)
  })

  test('owners see all of their own but what is in the recycle bin, and of others what is public', async () => {
    expect(await titles(owner, byOwner())).toHaveLength(8)
    expect(await titles(owner, { ...byOwner(), status: [6, 7] })).toEqual(['状态 6', '状态 7'])
    expect(await titles(owner, { order: 'id asc' })).toEqual(['状态 0', '状态 1', '状态 2', '状态 3', '状态 5'])
    expect(await titles(owner, { user_id: [stranger.id, owner.id] })).toEqual([])
  })

  test('staff see everything', async () => {
    expect(await titles(staff, byOwner())).toHaveLength(8)
    expect(await titles(staff, { status: [4] })).toEqual(['状态 4'])
  })

  test('words are looked for by staff and by owners in their own, and not by anybody else', async () => {
    expect(await titles(staff, { wd: '状态 6' })).toEqual(['状态 6'])
    expect(await titles(owner, { wd: '状态 6', user_id: [owner.id] })).toEqual(['状态 6'])
    expect(await titles(stranger, { ...byOwner(), wd: '状态 2' })).toHaveLength(5)
  })

  test('a site that asks for login shows visitors nothing', async () => {
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
    await site.shelve(
      { title: '诗', owner: author, category: [root, leaf], language: 'zh-CN', created_at: Date.UTC(2024, 0, 10) },
      { title: '散文', owner: author, category: [root], ext: '.docx', price: 5, created_at: Date.UTC(2024, 5, 10) },
      { title: 'Poem', owner: author, ext: '.epub', language: 'en', recommend_at: 1, created_at: Date.UTC(2025, 0, 1) },
    )
  })

  test.each<[string, () => Filter, string[]]>([
    ['a category', () => ({ category_id: [leaf] }), ['诗']],
    ['a category above', () => ({ category_id: [root] }), ['诗', '散文']],
    ['several categories', () => ({ category_id: [root, leaf] }), ['诗', '散文']],
    ['a kind', () => ({ ext: 'doc' }), ['散文']],
    ['other kinds', () => ({ ext: 'other' }), ['Poem']],
    ['a kind that nobody knows', () => ({ ext: 'exe' }), ['诗', '散文', 'Poem']],
    ['what is free', () => ({ fee_type: 'free' }), ['诗', 'Poem']],
    ['what costs', () => ({ fee_type: 'charge' }), ['散文']],
    ['languages', () => ({ language: ['en', 'zh-CN'] }), ['诗', 'Poem']],
    ['what is recommended', () => ({ is_recommend: [true] }), ['Poem']],
    ['what is not', () => ({ is_recommend: [false] }), ['诗', '散文']],
    ['both', () => ({ is_recommend: [true, false] }), ['诗', '散文', 'Poem']],
    ['a time on', () => ({ created_at: ['2024-03-01 00:00:00'] }), ['散文', 'Poem']],
    ['a time between', () => ({ created_at: ['2024-03-01', '2024-12-01 12:00:00'] }), ['散文']],
    ['no time at all', () => ({ created_at: ['soon'] }), ['诗', '散文', 'Poem']],
  ])('%s', async (_name, filter, found) => {
    expect(await mine(filter())).toEqual(found)
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
    await site.shelve(...volumes)
  })

  test('others leaf through at most 24 at a time, owners through as many as they like', async () => {
    const filter = { user_id: [author.id] }
    const seen = await site.call(documents.list, { ...filter, size: 1000 })
    expect(seen.document).toHaveLength(24)
    expect(seen.total).toBe(30)
    expect((await site.call(documents.list, { ...filter, page: 2, size: 24 })).document).toHaveLength(6)
    expect((await site.call(documents.list, { ...filter, size: -3 })).document).toHaveLength(24)
    expect((await author.call(documents.list, filter)).document).toHaveLength(30)
  })

  test('a limit takes so many from the beginning and counts nothing', async () => {
    const { json } = await site.send('GET', `/api/v1/document/list?user_id=${author.id}&limit=2&page=9`)
    expect(json.total).toBeUndefined()
    expect(json.document).toMatchObject([{ title: '第 30 卷' }, { title: '第 29 卷' }])
    const greedy = await site.call(documents.list, { user_id: [author.id], limit: 5000 })
    expect(greedy.document).toHaveLength(24)
  })

  test('newest first, or by a column that may be asked for', async () => {
    const filter = { user_id: [author.id], limit: 1 }
    expect(await titles(site, filter)).toEqual(['第 30 卷'])
    expect(await titles(site, { ...filter, order: 'pages desc' })).toEqual(['第 1 卷'])
    expect(await titles(site, { ...filter, order: 'recommend_at desc' })).toEqual(['第 8 卷'])
    expect(await titles(site, { ...filter, order: 'hash desc' })).toEqual(['第 30 卷'])
  })

  test('visitors sort by what has an index, one column at a time', async () => {
    const filter = { user_id: [author.id], limit: 1 }
    expect(await titles(site, { ...filter, order: 'title asc' })).toEqual(['第 30 卷'])
    expect(await titles(author, { ...filter, order: 'title asc' })).toEqual(['第 1 卷'])
    expect(await titles(site, { ...filter, order: 'view_count asc, pages asc' })).toEqual(['第 1 卷'])
    expect(await titles(site, { ...filter, order: 'score' })).toEqual(['第 30 卷'])
  })

  test('further than they may leaf visitors find nothing, though they are told how many there are', async () => {
    const asked = { user_id: [author.id], size: 10 }
    expect(await site.call(documents.list, { ...asked, page: 1002 })).toEqual({ total: 30, document: [] })
    expect((await site.call(documents.list, { ...asked, page: 3 })).document).toHaveLength(10)
  })

  test('only the columns that were asked for', async () => {
    const { json } = await site.send('GET', `/api/v1/document/list?user_id=${author.id}&limit=1&field=title&field=hash`)
    expect(json.document).toEqual([{ id: expect.any(Number), title: '第 30 卷' }])
  })
})

describe('a row', () => {
  test('names its owner and its categories from the root down', async () => {
    const leafFirst = await site.category('临时')
    const root = await site.category('科学')
    const middle = await site.category('物理', { parent: root })
    await site.db
      .updateTable('category')
      .set({ parent_id: middle, title: '量子' })
      .where('id', '=', leafFirst)
      .execute()
    const [id] = await site.shelve({ owner, category: [leafFirst, root, middle], title: '量子力学' })
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

  test('without a description shows how its text begins, if no page is withheld', async () => {
    const [id] = await site.shelve({ owner, title: '自述', texts: ['开头', '结尾的秘密'] })
    const described = async (person: Pick<Person, 'call'>) => {
      const { document } = await person.call(documents.list, { user_id: [owner.id], limit: 24 })
      return document.find((row) => row.id === id)?.description
    }
    expect(await described(stranger)).toBe('开头\n结尾的秘密')
    await site.configure({ 'converter.max_preview': '1' })
    expect(await described(stranger)).toBe('')
    expect(await described(owner)).toBe('开头\n结尾的秘密')
    await site.configure({ 'converter.max_preview': '12' })
  })

  test('hides counts when the owner of the site wants that, but not from staff and owner', async () => {
    const [id] = await site.shelve({ owner, title: '热门', view_count: 9, download_count: 8, favorite_count: 7 })
    await site.configure({
      'display.show_document_view_count': 'false',
      'display.show_document_download_count': 'false',
      'display.show_document_favorite_count': 'false',
    })
    const counts = async (person: Pick<Person, 'call'>) => {
      const { document } = await person.call(documents.list, { user_id: [owner.id], limit: 24 })
      const found = document.find((row) => row.id === id)
      return [found?.view_count, found?.download_count, found?.favorite_count]
    }
    expect(await counts(stranger)).toEqual([0, 0, 0])
    expect(await counts(owner)).toEqual([9, 8, 7])
    expect(await counts(staff)).toEqual([9, 8, 7])
    await site.configure({
      'display.show_document_view_count': 'true',
      'display.show_document_download_count': 'true',
      'display.show_document_favorite_count': 'true',
    })
  })

  test('says why it cannot be shown to those whom it concerns', async () => {
    const failure = { reason: 'damaged', detail: '/srv/converter: cannot open' }
    const [broken, odd] = await site.shelve(
      { owner, status: 3, title: '坏的', failure },
      { owner, status: 3, title: '不支持', failure: { reason: 'unsupported', detail: 'chm' } },
    )
    const told = async (person: Pick<Person, 'call'>) => {
      const { document } = await person.call(documents.list, { user_id: [owner.id], limit: 24 })
      return [broken, odd].map((id) => {
        const row = document.find((each) => each.id === id)
        return [row?.convert_error, row?.convert_detail]
      })
    }
    const unsupported = '暂不支持在线预览，可以下载后查看'
    expect(await told(stranger)).toEqual([
      ['', ''],
      [unsupported, ''],
    ])
    expect(await told(owner)).toEqual([
      ['文件已损坏，无法打开', ''],
      [unsupported, ''],
    ])
    expect(await told(staff)).toEqual([
      ['文件已损坏，无法打开', failure.detail],
      [unsupported, 'chm'],
    ])
  })
})

describe('the home page', () => {
  test('shows the newest readable documents of each root category, in one order', async () => {
    const library = await openLibrary()
    const [low, high] = [await library.category('乙'), await library.category('甲', { sort: 5 })]
    const child = await library.category('子', { parent: low })
    const shut = await library.category('关', { enable: 0 })
    await library.category('文章', { type: 1 })
    await library.shelve(
      ...[1, 2, 3].map((each) => ({ title: `乙 ${each}`, category: [low, child] })),
      { title: '未转换', category: [low], status: 0 },
      { title: '待审', category: [low], status: 6 },
      { title: '删除', category: [low], deleted_at: 5 },
      { title: '关闭', category: [shut] },
    )
    const { document } = await library.call(documents.home, { limit: 2 })
    expect(document.map(({ category_id, category_name }) => [category_id, category_name])).toEqual([
      [high, '甲'],
      [low, '乙'],
    ])
    expect(document.map((block) => block.document.map(({ title }) => title))).toEqual([[], ['乙 3', '乙 2']])
    const { json } = await library.send('GET', '/api/v1/document/home?limit=1&field=size')
    const blocks = json.document as { document: object[] }[]
    expect(Object.keys(blocks[1]?.document[0] ?? {}).toSorted()).toEqual(
      ['attachment', 'cover', 'ext', 'id', 'pages', 'size', 'title', 'uuid'].toSorted(),
    )
    expect(blocks[0]).toMatchObject({ category_id: high, category_name: '甲' })
    await library.close()
  })

  test('without categories it is empty', async () => {
    const library = await openLibrary()
    expect(await library.call(documents.home)).toEqual({ document: [] })
    await library.close()
  })
})
