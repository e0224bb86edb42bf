import { DocumentStatus } from '#shared/document-status.ts'
import { searches } from '#shared/contract/search.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { enqueue } from '#server/jobs.ts'
import { enqueueIndexCheck } from './indexing.ts'
import { openDocumentSite, type DocumentSite } from '#server/testing/document-site.ts'
import { textSliceKey } from '#server/modules/renditions/storage-keys.ts'

let site: DocumentSite
beforeAll(async () => {
  site = await openDocumentSite()
})
afterAll(() => site.close())

/** The index has followed. */
async function indexed(): Promise<void> {
  await site.root.call(searches.reindex, {})
  await site.runDueJobs()
}

async function titles(wd: string, asked: object = {}): Promise<string[]> {
  const { document } = await site.call(searches.documents, { wd, ...asked })
  return document.map(({ title }) => title)
}

async function waitingJobs(): Promise<string[]> {
  const rows = await site.db
    .selectFrom('job')
    .select('kind')
    .where('state', 'in', ['waiting', 'running'])
    .where('kind', 'like', 'documents.%index')
    .where('run_at', '<=', Date.now())
    .execute()
  return rows.map(({ kind }) => kind)
}

describe('a search', () => {
  test('finds what stands in titles, keywords, descriptions and on pages, the better places first', async () => {
    await site.addDocuments(
      { title: '甲', texts: ['第一页', '这里讲的是量子纠缠现象'] },
      { title: '乙', description: '关于量子纠缠的简介' },
      { title: '丙', keywords: '物理,量子纠缠' },
      { title: '量子纠缠入门' },
    )
    await indexed()
    expect(await titles('量子纠缠')).toEqual(['量子纠缠入门', '丙', '乙', '甲'])
    const { total, spend, document } = await site.call(searches.documents, { wd: '量子纠缠' })
    expect(total).toBe(4)
    expect(spend).toMatch(/^\d+\.\d{3}$/)
    const [first, , , last] = document
    expect(first?.title_ranges).toEqual([[0, 4]])
    expect(last).toMatchObject({ hit_page: 2, hit_pages: 1 })
    const { text, ranges } = last?.excerpt ?? { text: '', ranges: [] }
    expect(ranges.map(([from, to]) => text.slice(from, to))).toEqual(['量子纠缠'])
  })

  test('of nothing finds nothing', async () => {
    expect(await site.call(searches.documents, { wd: '  ' })).toMatchObject({ total: 0, document: [] })
    expect((await site.request('/api/v1/document/search')).status).toBe(200)
  })

  test('is narrowed and ordered as lists are', async () => {
    const shelf = await site.category('琴谱')
    const author = await site.author()
    await site.addDocuments(
      { title: '琴谱一', ext: '.pdf', pages: 3, size: 900, category: [shelf], language: 'zh-CN', price: 5 },
      { title: '琴谱二', ext: '.docx', pages: 9, size: 100, owner: author, language: 'en', is_vip: 1, price: 5 },
    )
    await indexed()
    expect(await titles('琴谱', { ext: 'pdf' })).toEqual(['琴谱一'])
    expect(await titles('琴谱', { category_id: [shelf] })).toEqual(['琴谱一'])
    expect(await titles('琴谱', { user_id: [author.id] })).toEqual(['琴谱二'])
    expect(await titles('琴谱', { language: ['en'] })).toEqual(['琴谱二'])
    expect(await titles('琴谱', { fee_type: 'vip' })).toEqual(['琴谱二'])
    expect(await titles('琴谱', { fee_type: 'charge' })).toHaveLength(2)
    expect(await titles('琴谱', { fee_type: 'free' })).toEqual([])
    expect(await titles('琴谱', { created_at: ['2001-01-01', '2001-02-01'] })).toEqual([])
    expect(await titles('琴谱', { sort: 'latest' })).toEqual(['琴谱二', '琴谱一'])
    expect(await titles('琴谱', { sort: 'pages' })).toEqual(['琴谱二', '琴谱一'])
    expect(await titles('琴谱', { sort: 'size' })).toEqual(['琴谱一', '琴谱二'])
    expect(await titles('琴谱', { sort: 'nonsense; --' })).toHaveLength(2)
  })

  test('comes ten at a time, and no further than the site allows', async () => {
    await site.addDocuments(...Array.from({ length: 25 }, (_, n) => ({ title: `风筝图样 ${n}` })))
    await indexed()
    const page = async (n: number) => (await titles('风筝', { page: n })).length
    expect([await page(1), await page(2), await page(3), await page(4)]).toEqual([10, 10, 5, 0])
    await site.configure({ 'display.max_search_pages': '2' })
    expect((await site.call(searches.documents, { wd: '风筝' })).total).toBe(20)
    expect(await titles('风筝', { page: 3 })).toEqual(await titles('风筝', { page: 2 }))
    await site.configure({ 'display.max_search_pages': '100' })
  })

  test('shows no counts, and only titles and descriptions where the site searches no texts', async () => {
    await site.addDocuments({ title: '丁', texts: ['孤悬的塔楼'], view_count: 7 }, { title: '塔楼图册' })
    await indexed()
    expect(await titles('塔楼')).toEqual(['塔楼图册', '丁'])
    const { document } = await site.call(searches.documents, { wd: '孤悬' })
    expect(document[0]?.view_count).toBe(0)
    await site.configure({ 'search.enable_content': 'false' })
    expect(await titles('塔楼')).toEqual(['塔楼图册'])
    await site.configure({ 'search.enable_content': 'true' })
  })
})

describe('what is not public', () => {
  test('is out of results at once, and back when it may be seen again', async () => {
    const [id = 0] = await site.addDocuments({ title: '隐士的信', texts: ['山居'] })
    await indexed()
    expect(await titles('隐士')).toEqual(['隐士的信'])
    await site.root.call(documents.review, { id: [id], status: DocumentStatus.Disabled })
    expect(await site.call(searches.documents, { wd: '隐士' })).toMatchObject({ total: 0, document: [] })
    await site.root.call(documents.review, { id: [id], status: DocumentStatus.Converted })
    expect(await titles('隐士')).toEqual(['隐士的信'])
    await site.root.call(documents.delete, { id: [id] })
    expect(await titles('隐士')).toEqual([])
    const worker = site.app.work()
    onTestFinished(() => worker.stop())
    const { search } = await site.app.context()
    const known = async () => (await search.list('document', { after: id - 1, limit: 1 })).length
    await expect.poll(known).toBe(0)
    await site.root.call(documentRecycle.restore, { id: [id] })
    await expect.poll(() => titles('隐士')).toEqual(['隐士的信'])
    await expect.poll(() => titles('山居')).toEqual(['隐士的信'])
    await site.root.call(documents.delete, { id: [id] })
    await site.root.call(documentRecycle.delete, { id: [id] })
    expect(await titles('山居')).toEqual([])
    await expect.poll(known).toBe(0)
  })

  test('is never quoted: a page beyond the preview is neither counted nor shown nor opened', async () => {
    const texts = ['封面', '目录', '秘密在最后一页']
    const [id = 0] = await site.addDocuments({ title: '戊', texts })
    await indexed()
    await site.configure({ 'converter.max_preview_free': '2' })
    const seen = async (call = site.call) => (await call(searches.documents, { wd: '秘密' })).document[0]
    expect(await seen()).toMatchObject({ id, hit_page: 0, hit_pages: 0, excerpt: { text: '' } })
    expect(await seen(site.root.call)).toMatchObject({ hit_page: 3 })
    expect(await site.call(documents.find, { id, wd: '秘密' })).toMatchObject({ page: [], beyond: 0 })
    expect(await site.call(documents.find, { id, wd: '秘密', page: 3 })).toMatchObject({ mark: [] })
    await site.configure({ 'converter.max_preview_free': '0' })
    expect(await seen()).toMatchObject({ hit_page: 3 })
  })

  test('is asked of members only where the site is for members', async () => {
    await site.configure({ 'security.login_required': 'true' })
    expect((await site.request('/api/v1/document/search?wd=风筝')).status).toBe(401)
    expect((await site.request('/api/v1/search/suggest?wd=风筝')).status).toBe(401)
    await site.configure({ 'security.login_required': 'false' })
  })
})

describe('the index', () => {
  test('follows edits', async () => {
    const title = '新题目'
    const [id = 0] = await site.addDocuments({ title: '旧名字' })
    await indexed()
    const worker = site.app.work()
    onTestFinished(() => worker.stop())
    // The check at a worker's start is over: from here on only the edit itself is followed.
    await expect.poll(() => waitingJobs()).toEqual([])
    await site.root.call(documents.update, { id, title, category_id: [] })
    await expect.poll(() => titles(title)).toEqual([title])
    expect(await titles('旧名')).toEqual([])
  })

  test('goes on behind a document whose text cannot be read', async () => {
    const [broken = 0] = await site.addDocuments({ title: '坏的', texts: ['不可读'] })
    await site.addDocuments({ title: '好的', texts: ['可读之书'] })
    const { hash } = await site.db
      .selectFrom('document')
      .select('hash')
      .where('id', '=', broken)
      .executeTakeFirstOrThrow()
    const { storage } = await site.app.context()
    await storage.remove([textSliceKey(hash, 1, 1)])
    await storage.put(textSliceKey(hash, 1, 1), Buffer.from('no archive'))
    await indexed()
    expect(await titles('可读之书')).toEqual(['好的'])
  })

  test('forgets what is no longer there, and is checked from the beginning however far another check has come', async () => {
    const ctx = await site.app.context()
    await ctx.search.putMetadata({
      kind: 'document',
      id: 999_999,
      title: '幽灵',
      keywords: '',
      description: '',
      quality: 0,
      version: '',
    })
    await enqueue(ctx, 'search.check-documents', { from: 5_000_000 })
    await enqueueIndexCheck(ctx)
    await site.runDueJobs()
    const known = await ctx.search.list('document', { after: 999_998, limit: 1 })
    expect(known).toEqual([])
  })

  test('that was lost is made again by itself', async () => {
    await site.addDocuments({ title: '失而复得', texts: ['寻物启事'] })
    await indexed()
    const { search } = await site.app.context()
    await search.empty()
    expect(await titles('寻物')).toEqual([])
    const worker = site.app.work()
    await expect.poll(() => titles('寻物'), { timeout: 10_000 }).toEqual(['失而复得'])
    await worker.stop()
  })
})

describe('in one document', () => {
  test('every page with hits is told, and where on a page they stand', async () => {
    const [id = 0] = await site.addDocuments({ title: '己', texts: ['春风 又绿', '无', '春风\n十里，春风'] })
    await indexed()
    expect(await site.call(documents.find, { id, wd: '春风' })).toMatchObject({
      page: [
        { page: 1, hits: 1 },
        { page: 3, hits: 2 },
      ],
      beyond: 0,
    })
    const { mark } = await site.call(documents.find, { id, wd: '春风', page: 3 })
    expect(mark).toEqual([
      [0, 0, 2, 0],
      [1, 3, 5, 1],
    ])
    expect(await site.call(documents.find, { id, wd: '', page: 3 })).toMatchObject({ page: [], mark: [] })
  })

  test('what stands across a line break is marked on both lines', async () => {
    const [id = 0] = await site.addDocuments({ title: '庚', texts: ['一衣带\n水'] })
    await indexed()
    const { mark } = await site.call(documents.find, { id, wd: '带水', page: 1 })
    expect(mark).toEqual([
      [0, 2, 3, 0],
      [1, 0, 1, 0],
    ])
  })
})
