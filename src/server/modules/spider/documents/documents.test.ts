import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { spiderDocuments, spiderSources } from '#shared/contract/spider.ts'
import { AttachmentType, ContentType } from '#shared/enums.ts'
import { allCodes } from '#shared/codes.ts'
import { SpiderDocumentStatus } from '#shared/spider.ts'
import { addArticles } from '#server/testing/add-articles.ts'
import { refusal } from '#server/testing/site.ts'
import { type CrawledSite, openCrawledSite } from '#server/testing/spider/crawled-site.ts'
import { addToday } from '../spider.counts.ts'

const { PendingDownload, DownloadQueue, Downloading, Downloaded, DownloadFailed } = SpiderDocumentStatus
const { PublishQueue, Publishing, Published, PublishFailed } = SpiderDocumentStatus

let site: CrawledSite
beforeAll(async () => {
  site = await openCrawledSite()
})
afterAll(() => site.close())

const rowsOf = (ids: readonly number[]) =>
  site.db.selectFrom('spider_document').selectAll().where('id', 'in', ids).orderBy('id').execute()
const addOneOfEach = (row: Parameters<CrawledSite['addFound']>[0] = {}) =>
  site.addFound(...allCodes(SpiderDocumentStatus).map((status) => ({ ...row, status })))
const statusesOf = async (ids: readonly number[]) => (await rowsOf(ids)).map(({ status }) => status)
const jobsOf = (key: string) => site.db.selectFrom('job').select('kind').where('key', '=', key).execute()

describe('the list', () => {
  test('shows where each was found, whose it is, and what it has become', async () => {
    const source = await site.source({ name: '学报' })
    const [page = 0] = await site.addUrls({ source_id: source, url: 'https://journal.example/list' })
    const [document = 0] = await site.addDocuments({ title: '发布的' })
    await addArticles(site, { identifier: 'crawled news' })
    const { id: article } = await site.db
      .selectFrom('article')
      .select('id')
      .where('identifier', '=', 'crawled news')
      .executeTakeFirstOrThrow()
    const { uuid } = await site.db
      .selectFrom('document')
      .select('uuid')
      .where('id', '=', document)
      .executeTakeFirstOrThrow()
    const author = await site.author()
    const common = { source_id: source, url_id: page, user_id: author.id }
    await site.addFound(
      {
        ...common,
        url: 'https://journal.example/1.pdf',
        title: '第一期',
        status: Published,
        document_id: document,
        size: 5e9,
      },
      { ...common, target: ContentType.Article, status: Published, article_id: article, content: '<p>长文</p>' },
      {
        ...common,
        name: 'report.docx',
        ext: '.docx',
        status: DownloadFailed,
        reason: 'too_large',
        category_ids: '[3,4]',
      },
    )
    const list = (input: object = {}) => site.root.call(spiderDocuments.list, { source_id: [source], ...input })
    const { total, document: rows, count } = await list()
    expect([total, count]).toEqual([3, { [DownloadFailed]: 1, [Published]: 2 }])
    const shared = { source_name: '学报', found_at: 'https://journal.example/list', username: author.username }
    expect(rows).toMatchObject([
      { ...shared, name: 'report.docx', reason: 'too_large', category_id: [3, 4], href: '' },
      { ...shared, target: ContentType.Article, href: '/article/crawled%20news' },
      { ...shared, title: '第一期', href: `/document/${uuid}`, reason: '', size: 5e9 },
    ])
    expect(await list({ status: [DownloadFailed] })).toMatchObject({ total: 1, count: { [Published]: 2 } })
    expect((await list({ wd: '第一期' })).document).toMatchObject([{ title: '第一期' }])
    expect((await list({ wd: 'report' })).document).toMatchObject([{ name: 'report.docx' }])
    expect((await list({ wd: 'journal.example/1.pdf' })).total).toBe(1)
    expect((await list({ target: [ContentType.Article] })).total).toBe(1)
    expect((await list({ order: 'size desc', size: 1 })).document).toMatchObject([{ title: '第一期' }])
  })

  test('has the log of each', async () => {
    const [id = 0] = await site.addFound({})
    await site.db
      .insertInto('spider_log')
      .values({ spider_document_id: id, event: 'downloaded', bytes: 99, created_at: Date.now() })
      .execute()
    expect((await site.root.call(spiderDocuments.log, { id })).log).toMatchObject([{ event: 'downloaded', bytes: 99 }])
    const missing = refusal(site.root.call(spiderDocuments.log, { id: 999_999 }))
    expect(await missing).toMatchObject({ status: 404, reason: 'spider.documentNotFound' })
  })
})

describe('before it is published', () => {
  const form = { title: '新标题', description: '简介', keywords: '图书，馆藏', language: 'en', price: 3 }

  test('everything about it can be changed, and its log and that of the staff tell so', async () => {
    const category = await site.category('期刊')
    const [id = 0] = await site.addFound({ title: '旧标题', status: Downloaded })
    await site.root.call(spiderDocuments.update, { id, ...form, category_id: [category] })
    expect(await rowsOf([id])).toMatchObject([
      { ...form, keywords: '图书,馆藏', category_ids: `[${category}]`, status: Downloaded },
    ])
    const change = '名称: 旧标题 → 新标题; 说明: （空） → 简介; 关键字: （空） → 图书,馆藏; '
    const { log } = await site.root.call(spiderDocuments.log, { id })
    expect(log).toMatchObject([{ event: 'edited', detail: expect.stringContaining(change) as string }])
    const { audit } = await site.root.call(audits.list, { area: ['spiderDocuments'], size: 1 })
    expect(audit).toMatchObject([
      { target_id: [String(id)], change: expect.stringContaining('分类: （空） → 期刊') as string },
    ])
  })

  test('and not afterwards', async () => {
    const ids = await addOneOfEach({ title: '旧标题' })
    for (const [index, status] of allCodes(SpiderDocumentStatus).entries()) {
      const update = site.root.call(spiderDocuments.update, { id: ids[index] ?? 0, ...form })
      if (status === Publishing || status === Published)
        expect(await refusal(update)).toMatchObject({ status: 409, reason: 'spider.documentPublished' })
      else expect(await update).toEqual({})
    }
    const unknown = site.root.call(spiderDocuments.update, { id: 999_999, ...form })
    expect(await refusal(unknown)).toMatchObject({ reason: 'spider.documentNotFound' })
  })

  test('its categories and its language have to exist', async () => {
    const article = await site.category('新闻', { type: ContentType.Article })
    const [id = 0] = await site.addFound({})
    const update = (change: object) => refusal(site.root.call(spiderDocuments.update, { id, ...form, ...change }))
    expect(await update({ category_id: [999_999] })).toMatchObject({ details: [{ field: 'category_id' }] })
    expect(await update({ category_id: [article] })).toMatchObject({
      details: [{ field: 'category_id', message: '请选择文档的分类' }],
    })
    expect(await update({ language: 'xx-YY' })).toMatchObject({ details: [{ field: 'language' }] })
  })

  test('many get a category or a price at once; those it does not suit are skipped', async () => {
    const category = await site.category('论文集')
    const ids = await addOneOfEach()
    const [article = 0] = await site.addFound({ target: ContentType.Article })
    const set = { id: [...ids, article], category_id: [category] }
    expect(await site.root.call(spiderDocuments.setCategory, set)).toEqual({ changed: 7, skipped: 3 })
    expect((await rowsOf(ids)).filter((row) => row.category_ids === `[${category}]`)).toHaveLength(7)
    expect(await rowsOf([article])).toMatchObject([{ category_ids: '[]' }])
    const { audit } = await site.root.call(audits.list, { area: ['spiderDocuments'], size: 1 })
    expect(audit).toMatchObject([{ change: '分类: 论文集' }])
    const cleared = site.root.call(spiderDocuments.setCategory, { id: [...ids, article], category_id: [] })
    expect(await cleared).toEqual({ changed: 8, skipped: 2 })
    const priced = site.root.call(spiderDocuments.setPrice, { id: [...ids, article], price: 9 })
    expect(await priced).toEqual({ changed: 7, skipped: 3 })
    expect((await rowsOf(ids)).filter(({ price }) => price === 9)).toHaveLength(7)
    const mixed = site.root.call(spiderDocuments.setCategory, {
      id: ids,
      category_id: [category, await site.category('新闻二', { type: ContentType.Article })],
    })
    expect(await refusal(mixed)).toMatchObject({ details: [{ field: 'category_id' }] })
  })
})

describe('work for the crawler', () => {
  const failed = { reason: 'timeout', detail: 'slow', tries: 4, due_at: Date.UTC(2030, 0, 1) } as const

  test('a download is queued from wherever it makes sense, and its host is asked', async () => {
    const ids = await addOneOfEach(failed)
    await site.db
      .updateTable('spider_document')
      .set({ origin: 'https://files.example' })
      .where('id', 'in', ids)
      .execute()
    expect(await site.root.call(spiderDocuments.download, { id: [...ids, 999_999] })).toEqual({
      changed: 4,
      skipped: 6,
    })
    expect(await statusesOf(ids)).toEqual([
      DownloadQueue,
      DownloadQueue,
      Downloading,
      DownloadQueue,
      DownloadQueue,
      PublishQueue,
      Publishing,
      Published,
      DownloadQueue,
    ])
    const [first] = await rowsOf(ids)
    expect(first).toMatchObject({ reason: '', detail: '', tries: 0 })
    expect(first?.due_at).toBeLessThanOrEqual(Date.now())
    expect(await jobsOf('crawl-host:https://files.example')).toEqual([{ kind: 'spider.crawl-host' }])
  })

  test('nothing is queued of a source that is paused or switched off: it would wait for ever', async () => {
    const [paused, off] = [await site.source(), await site.source({ enable: false })]
    await site.root.call(spiderSources.start, { id: [paused] })
    await site.root.call(spiderSources.pause, { id: [paused] })
    const ids = await site.addFound({ source_id: paused }, { source_id: off }, { source_id: 0 })
    expect(await site.root.call(spiderDocuments.download, { id: ids })).toEqual({ changed: 1, skipped: 2 })
  })

  test('what was downloaded is published, each by a job of its own', async () => {
    const ids = await addOneOfEach(failed)
    expect(await site.root.call(spiderDocuments.publish, { id: ids })).toEqual({ changed: 2, skipped: 7 })
    expect(await statusesOf(ids)).toEqual([
      PendingDownload,
      DownloadQueue,
      Downloading,
      PublishQueue,
      DownloadFailed,
      PublishQueue,
      Publishing,
      Published,
      PublishQueue,
    ])
    for (const id of [ids[Downloaded], ids[PublishFailed]])
      expect(await jobsOf(`publish-crawled:${id}`)).toEqual([{ kind: 'spider.publish' }])
    expect(await jobsOf(`publish-crawled:${ids[Published]}`)).toEqual([])
  })

  test('what has failed is tried again from the step that failed', async () => {
    const ids = await addOneOfEach(failed)
    expect(await site.root.call(spiderDocuments.retry, { id: ids })).toEqual({ changed: 2, skipped: 7 })
    const statuses = await statusesOf(ids)
    expect([statuses[DownloadFailed], statuses[PublishFailed]]).toEqual([DownloadQueue, PublishQueue])
    expect(statuses.filter((status, index) => status === index)).toHaveLength(7)
  })

  test('while the crawler is off, publications are tried again and downloads are not', async () => {
    const [download = 0, publication = 0] = await site.addFound({ status: DownloadFailed }, { status: PublishFailed })
    await site.configure({ 'spider.enable': 'false' })
    try {
      const retry = (id: number) => site.root.call(spiderDocuments.retry, { id: [id] })
      expect(await refusal(retry(download))).toMatchObject({ reason: 'spider.off' })
      expect(await retry(publication)).toEqual({ changed: 1, skipped: 0 })
    } finally {
      await site.configure({ 'spider.enable': 'true' })
    }
  })

  test('what a user who is gone has entered belongs to the user who publishes it', async () => {
    const source_id = await site.source()
    const present = await site.author()
    const [gone = 0, kept = 0, ofSource = 0] = await site.addFound(
      { status: Downloaded, user_id: 999_999 },
      { status: Downloaded, user_id: present.id },
      { status: Downloaded, user_id: 999_999, source_id },
    )
    await site.root.call(spiderDocuments.publish, { id: [gone, kept, ofSource] })
    expect((await rowsOf([gone, kept, ofSource])).map((row) => row.user_id)).toEqual([
      site.root.id,
      present.id,
      999_999,
    ])
  })

  test('publishing needs a permission of its own', async () => {
    const [id = 0] = await site.addFound({ status: Downloaded })
    const staff = await site.staff('SpiderDocumentAPI/ListSpiderDocument', 'SpiderDocumentAPI/UpdateSpiderDocument')
    expect(await refusal(staff.call(spiderDocuments.publish, { id: [id] }))).toMatchObject({ status: 403 })
    expect(await refusal(staff.call(spiderDocuments.delete, { id: [id] }))).toMatchObject({ status: 403 })
    expect(await staff.call(spiderDocuments.setPrice, { id: [id], price: 1 })).toEqual({ changed: 1, skipped: 0 })
    const failures = await site.addFound({ status: DownloadFailed }, { status: PublishFailed })
    expect(await staff.call(spiderDocuments.retry, { id: failures })).toEqual({ changed: 1, skipped: 1 })
    expect((await rowsOf(failures)).map(({ status }) => status)).toEqual([DownloadQueue, PublishFailed])
  })
})

test('a deleted one frees its file, unless the file is that of a published document', async () => {
  const author = await site.author()
  const crawled = await site.upload(author, { type: AttachmentType.CrawledDocument })
  const owned = await site.upload(author)
  const ids = await site.addFound(
    { status: Downloaded, attachment_id: crawled.id },
    { status: Published, attachment_id: owned.id },
  )
  await site.root.call(spiderDocuments.delete, { id: ids })
  expect(await rowsOf(ids)).toEqual([])
  const files = await site.db
    .selectFrom('attachment')
    .select(['id', 'deleted_at'])
    .where('id', 'in', [crawled.id, owned.id])
    .orderBy('id')
    .execute()
  expect(files.map(({ deleted_at }) => deleted_at !== null)).toEqual([true, false])
})

test('the dashboard shows what today has brought, and what comes next', async () => {
  const ctx = await site.app.context()
  await addToday(ctx, { found: 7, downloaded: 5, published: 3, failed: 2, bytes: 5e9 })
  const id = await site.source()
  const off = await site.source({ enable: false })
  await site.root.call(spiderSources.start, { id: [id] })
  const next_run_at = Date.now() + 3_600_000
  await site.db.updateTable('spider_source').set({ next_run_at: null }).execute()
  await site.db.updateTable('spider_source').set({ next_run_at }).where('id', '=', id).execute()
  await site.db.updateTable('spider_source').set({ next_run_at: 1 }).where('id', '=', off).execute()
  expect(await site.root.call(spiderDocuments.today)).toEqual({
    found: 7,
    downloaded: 5,
    published: 3,
    failed: 2,
    bytes: 5e9,
    running: 1,
    is_used: true,
    next_run_at,
  })
})
