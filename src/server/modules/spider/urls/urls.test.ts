import { afterAll, beforeAll, expect, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { spiderUrls } from '#shared/contract/spider.ts'
import { SpiderUrlStatus } from '#shared/spider.ts'
import { refusal } from '#server/testing/site.ts'
import { type CrawledSite, openCrawledSite } from '#server/testing/spider/crawled-site.ts'

const { Pending, Crawling, Done, Failed } = SpiderUrlStatus

let site: CrawledSite
beforeAll(async () => {
  site = await openCrawledSite()
})
afterAll(() => site.close())

const rowsOf = (ids: readonly number[]) =>
  site.db.selectFrom('spider_url').selectAll().where('id', 'in', ids).orderBy('id').execute()
const jobsOf = (origin: string) =>
  site.db.selectFrom('job').select('kind').where('key', '=', `crawl-host:${origin}`).execute()

test('the list shows where each link belongs, what has become of it, and the counts of its sources', async () => {
  const source = await site.source({ name: '学报' })
  const fetched_at = Date.UTC(2026, 5, 1)
  const due_at = Date.UTC(2030, 0, 1)
  await site.addUrls(
    {
      source_id: source,
      url: 'https://journal.example/1',
      title: '第一期',
      status: Done,
      fetched_at,
      depth: 1,
      due_at,
    },
    {
      source_id: source,
      url: 'https://journal.example/2',
      status: Failed,
      reason: 'not_found',
      http_status: 404,
      tries: 1,
    },
    { source_id: source, url: 'https://journal.example/3', status: Pending, due_at },
    { source_id: source, url: 'https://journal.example/4', status: Pending },
  )
  const list = (input: object) => site.root.call(spiderUrls.list, { source_id: [source], ...input })
  const { total, url, count } = await list({})
  expect([total, count]).toEqual([4, { pending: 2, crawling: 0, done: 1, failed: 1 }])
  expect(url).toMatchObject([
    { status: Pending, due_at: null, reason: '', source_name: '学报' },
    { status: Pending, due_at },
    { status: Failed, reason: 'not_found', http_status: 404, tries: 1 },
    { status: Done, title: '第一期', fetched_at, due_at: null, depth: 1 },
  ])
  // The counts are those of the tabs, of which one is open.
  expect(await list({ status: [Failed] })).toMatchObject({ total: 1, count: { pending: 2, done: 1 } })
  expect(await list({ wd: '第一期' })).toMatchObject({ total: 1, count: { pending: 2, done: 1 } })
  expect((await list({ wd: 'journal.example/3' })).url).toMatchObject([{ url: 'https://journal.example/3' }])
  expect((await list({ order: 'depth desc', size: 1 })).url).toMatchObject([{ depth: 1 }])
  expect((await list({ created_at: ['2020-01-01', '2020-12-31'] })).total).toBe(0)
  expect((await site.root.call(spiderUrls.list)).count.pending).toBeGreaterThanOrEqual(2)
})

test('pasted addresses are taken one a line, and wrong ones are named', async () => {
  const url = [
    '# 来自邮件',
    '',
    'https://pasted.example/a#part',
    '  https://pasted.example/b  ',
    'https://pasted.example/a',
    'www.pasted.example/c',
    'ftp://pasted.example/d',
    'javascript:alert(1)',
    'ftp://pasted.example/d',
  ].join('\r\n')
  const wrong = ['www.pasted.example/c', 'ftp://pasted.example/d', 'javascript:alert(1)']
  expect(await site.root.call(spiderUrls.create, { url })).toEqual({ created: 2, known: 0, wrong, wrong_count: 3 })
  const { url: rows } = await site.root.call(spiderUrls.list, { wd: 'pasted.example' })
  expect(new Set(rows.map((row) => row.url))).toEqual(new Set(['https://pasted.example/a', 'https://pasted.example/b']))
  expect(rows.map((row) => [row.source_id, row.source_name])).toEqual([
    [0, ''],
    [0, ''],
  ])
  expect(await jobsOf('https://pasted.example')).toHaveLength(1)
  expect(
    await site.root.call(spiderUrls.create, { url: 'https://pasted.example/a\nhttps://pasted.example/z' }),
  ).toEqual({ created: 1, known: 1, wrong: [], wrong_count: 0 })
  const { audit } = await site.root.call(audits.list, { area: ['spiderUrls'], size: 1 })
  expect(audit[0]?.change).toBe('新增 1 个网址，1 个已有: https://pasted.example/a https://pasted.example/z')
})

test('of many wrong addresses the first hundred are named, and all are counted', async () => {
  const lines = Array.from({ length: 101 }, (_, index) => `ftp://wrong.example/${index}`)
  const url = ['https://pasted.example/right', ...lines].join('\n')
  const reply = await site.root.call(spiderUrls.create, { url })
  expect(reply).toEqual({ created: 1, known: 0, wrong: lines.slice(0, 100), wrong_count: 101 })
})

test('ten thousand addresses are taken at once', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `https://many.example/documents/list/page-${index}.html`)
  expect(await site.root.call(spiderUrls.create, { url: many.join('\n') })).toMatchObject({ created: 10_000, known: 0 })
  expect((await site.root.call(spiderUrls.list, { wd: 'many.example', size: 1 })).total).toBe(10_000)
  const files = many.map((url) => url.replace('.html', '.pdf'))
  expect(await site.root.call(spiderUrls.create, { url: files.join('\n') })).toMatchObject({ created: 10_000 })
})

test('without an address that can be asked for, nothing is added', async () => {
  const create = (url: string) => refusal(site.root.call(spiderUrls.create, { url }))
  expect(await create('# 只有说明')).toMatchObject({
    reason: 'spider.noAddresses',
    details: [{ field: 'url', message: '没有可以采集的网址，请检查后重新填写' }],
  })
  expect(await create('例子\nexample')).toMatchObject({
    reason: 'spider.noAddresses',
    details: [{ field: 'url', message: '请填写 http:// 或 https:// 开头的网址：例子，example' }],
  })
  const many = Array.from({ length: 10_001 }, (_, index) => `https://many.example/documents/list/page-${index}.html`)
  expect(await create(many.join('\n'))).toMatchObject({
    reason: 'spider.tooManyAddresses',
    details: [{ field: 'url' }],
  })
})

test('links are read again as if they were new; those that are under way are skipped', async () => {
  const before = { reason: 'timeout', detail: 'slow', tries: 4, etag: '"1"', content_hash: 'x' } as const
  const ids = await site.addUrls(
    { url: 'https://again.example/1', status: Failed, ...before },
    { url: 'https://again.example/2', status: Done, ...before },
    { url: 'https://again.example/3', status: Crawling, ...before },
  )
  expect(await site.root.call(spiderUrls.retry, { id: [...ids, 999_999] })).toEqual({ changed: 2, skipped: 2 })
  const fresh = { status: Pending, reason: '', detail: '', tries: 0, etag: '', content_hash: '' }
  expect(await rowsOf(ids)).toMatchObject([fresh, fresh, { status: Crawling, ...before }])
  expect(await jobsOf('https://again.example')).toHaveLength(1)
})

test('a deleted link is gone with its log; what was found on it stays', async () => {
  const [id = 0] = await site.addUrls({ status: Done })
  const [found = 0] = await site.addFound({ url_id: id })
  const entry = { url_id: id, event: 'fetched' as const, http_status: 200, bytes: 1234, duration_ms: 56 }
  await site.db
    .insertInto('spider_log')
    .values({ ...entry, created_at: Date.now() })
    .execute()
  const failed = { url_id: id, event: 'failed' as const, reason: 'timeout' as const, created_at: Date.now() }
  await site.db.insertInto('spider_log').values(failed).execute()
  const { log } = await site.root.call(spiderUrls.log, { id })
  expect(log).toMatchObject([
    { event: 'failed', reason: 'timeout', bytes: 0 },
    { event: 'fetched', reason: '', http_status: 200, bytes: 1234, duration_ms: 56 },
  ])
  await site.root.call(spiderUrls.delete, { id: [id] })
  expect(await rowsOf([id])).toEqual([])
  expect(await refusal(site.root.call(spiderUrls.log, { id }))).toMatchObject({ reason: 'spider.urlNotFound' })
  expect(await site.db.selectFrom('spider_log').select('id').where('url_id', '=', id).execute()).toEqual([])
  const kept = await site.db.selectFrom('spider_document').select('id').where('id', '=', found).execute()
  expect(kept).toHaveLength(1)
})
