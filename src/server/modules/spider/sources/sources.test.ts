import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { spiderDocuments, spiderSources, spiderUrls } from '#shared/contract/spider.ts'
import { users } from '#shared/contract/users.ts'
import { AttachmentType, ContentType } from '#shared/enums.ts'
import {
  SpiderDocumentStatus,
  SpiderEntry,
  SpiderPublish,
  SpiderSchedule,
  SpiderSourceState,
  SpiderUrlStatus,
} from '#shared/spider.ts'
import { explainQueries } from '#server/testing/databases/query-plans.ts'
import { refusal } from '#server/testing/site.ts'
import { type CrawledSite, openCrawledSite } from '#server/testing/spider/crawled-site.ts'
import { countBySource, countByStatus } from '../spider.status-counts.ts'

let site: CrawledSite
beforeAll(async () => {
  site = await openCrawledSite()
})
afterAll(() => site.close())

const get = (id: number) => site.root.call(spiderSources.get, { id })
const form = { name: '国家图书馆', start: ['https://library.example/'] }
const problemsOf = async (change: Partial<Parameters<CrawledSite['source']>[0]>) => {
  const { status, details } = await refusal(site.root.call(spiderSources.create, { ...form, ...change }))
  expect(status).toBe(400)
  return Object.fromEntries(details.map(({ field, message }) => [field, message]))
}

describe('a source', () => {
  test('is returned as it was saved, with the defaults of its rule', async () => {
    const category = await site.category('馆藏')
    const rule = {
      entry: SpiderEntry.Sitemap,
      start: ['https://library.example/sitemap.xml'],
      depth: 3,
      follow: ['/list/**', '/\\/page\\/\\d+/'],
      exclude: ['/login*'],
      item: ['/files/*'],
      ext: ['PDF', '.docx'],
      category_id: [category],
      category_rule: [{ pattern: '/maths/**', category_id: [category] }],
      selector_title: 'h1.title',
      price: 5,
      source_name: '馆藏网',
      schedule: SpiderSchedule.Daily,
    }
    const id = await site.source({ name: '馆藏', ...rule })
    expect(await get(id)).toMatchObject({
      ...rule,
      name: '馆藏',
      ext: ['.pdf', '.docx'],
      target: ContentType.Document,
      enable: true,
      user_id: site.root.id,
      username: 'admin',
      max_pages: 1000,
      auto_download: true,
      publish: SpiderPublish.Manual,
      state: SpiderSourceState.Idle,
      run: 0,
      started_at: null,
      url_count: { pending: 0, crawling: 0, done: 0, failed: 0 },
      found: 0,
    })
  })

  test('is published as its owner', async () => {
    const author = await site.author()
    expect(await get(await site.source({ user_id: author.id }))).toMatchObject({
      user_id: author.id,
      username: author.username,
    })
  })

  test('keeps its time when it is changed, unless the schedule is another one', async () => {
    const id = await site.source({ ...form, schedule: SpiderSchedule.Weekly })
    const next_run_at = Date.UTC(2030, 0, 1)
    await site.db.updateTable('spider_source').set({ next_run_at }).where('id', '=', id).execute()
    await site.root.call(spiderSources.update, { id, ...form, name: '新名', schedule: SpiderSchedule.Weekly })
    expect(await get(id)).toMatchObject({ name: '新名', next_run_at })
    await site.root.call(spiderSources.update, { id, ...form, schedule: SpiderSchedule.Once })
    expect(await get(id)).toMatchObject({ name: form.name, next_run_at: null })
    await site.root.call(spiderSources.update, { id, ...form, schedule: SpiderSchedule.Hourly })
    expect((await get(id)).next_run_at).toBeLessThanOrEqual((await site.app.context()).now())
  })

  test('is read anew only when its rule is another one', async () => {
    const id = await site.source(form)
    const changedAt = async () => {
      const row = await site.db.selectFrom('spider_source').select('updated_at').where('id', '=', id).executeTakeFirst()
      return row?.updated_at
    }
    const created = await changedAt()
    site.advanceClock(60_000)
    await site.root.call(spiderSources.update, { id, ...form, name: '只改名' })
    expect(await changedAt()).toBe(created)
    await site.root.call(spiderSources.update, { id, ...form, follow: ['/list/**'] })
    expect(await changedAt()).toBeGreaterThan(created ?? 0)
  })

  test('is not found once it was deleted', async () => {
    const id = await site.source()
    await site.root.call(spiderSources.delete, { id: [id] })
    expect(await refusal(get(id))).toMatchObject({ status: 404, reason: 'spider.sourceNotFound' })
    const update = site.root.call(spiderSources.update, { id, ...form })
    expect(await refusal(update)).toMatchObject({ reason: 'spider.sourceNotFound' })
  })
})

describe('a rule that cannot work is refused beside its field', () => {
  test.each([
    ['start', { start: [] }, '请填写起始网址'],
    [
      'start',
      { start: ['https://a.example/', 'www.b.example/'] },
      '第 2 个网址不对，请填写 http:// 或 https:// 开头的网址',
    ],
    ['start', { start: ['ftp://a.example/'] }, '第 1 个网址不对'],
    ['start', { start: ['https://user:pass@a.example/'] }, '第 1 个网址不对'],
    ['follow', { follow: ['/ok/**', '/(/'] }, '第 2 条：正则表达式有语法错误'],
    ['exclude', { exclude: ['ftp://a.example/**'] }, '第 1 条：地址只能以'],
    ['item', { item: ['a b'] }, '第 1 条：地址规则不能含有空格'],
    ['item', { target: ContentType.Article }, '请填写文章页的网址规则'],
    ['selector_date', { selector_date: 'div[' }, '选择器无法识别'],
    ['ext', { ext: ['pdf', 'exe'] }, '网站不支持 .exe 格式的文档'],
    ['language', { language: 'xx-YY' }, '语言'],
    ['user_id', { user_id: 999_999 }, '用户不存在或已注销'],
    ['category_id', { category_id: [999_999] }, '所选分类不存在'],
    ['category_rule', { category_rule: [{ pattern: '/a/*', category_id: [999_999] }] }, '第 1 条：所选分类不存在'],
    ['category_rule', { category_rule: [{ pattern: 'nowhere', category_id: [1] }] }, '第 1 条：地址规则要以 / 开头'],
  ])('%s: %j', async (field, change, message) => {
    const problems = await problemsOf(change)
    expect(Object.entries(problems).find(([name]) => name.startsWith(field))?.[1]).toContain(message)
  })

  test('all problems at once', async () => {
    const problems = await problemsOf({ start: ['nothing'], selector_next: '>>', ext: ['exe'], user_id: 999_999 })
    expect(Object.keys(problems).toSorted()).toEqual(['ext', 'selector_next', 'start', 'user_id'])
  })

  test('categories have to be of the right kind and in use', async () => {
    const article = await site.category('新闻', { type: ContentType.Article })
    const disabled = await site.category('停用', { enable: 0 })
    expect(await problemsOf({ category_id: [article] })).toEqual({ category_id: '请选择文档的分类' })
    expect(await problemsOf({ category_id: [disabled] })).toEqual({ category_id: '所选分类已停用，请重新选择' })
    const rule = { target: ContentType.Article, item: ['/news/*'] }
    expect(await get(await site.source({ ...rule, category_id: [article] }))).toMatchObject({ category_id: [article] })
  })

  test('to publish by itself needs the right to publish', async () => {
    const staff = await site.staff('SpiderSourceAPI/CreateSpiderSource', 'SpiderSourceAPI/UpdateSpiderSource')
    const create = (publish: SpiderPublish) => staff.call(spiderSources.create, { ...form, publish })
    expect(await refusal(create(SpiderPublish.Now))).toMatchObject({ details: [{ field: 'publish' }] })
    expect(await create(SpiderPublish.Manual)).toMatchObject({ id: expect.any(Number) as number })
  })

  test('what is published by itself is changed only by those who may publish', async () => {
    const staff = await site.staff('SpiderSourceAPI/UpdateSpiderSource')
    const category = await site.category('年报')
    const automatic = { ...form, user_id: site.root.id, ext: ['.pdf'], publish: SpiderPublish.Now }
    const id = await site.source(automatic)
    const update = (change: object) => staff.call(spiderSources.update, { id, ...automatic, ...change })
    for (const change of [
      { start: ['https://other.example/'] },
      { entry: SpiderEntry.Sitemap },
      { follow: ['/list/**'] },
      { exclude: ['/list/**'] },
      { item: ['/files/*'] },
      { ext: ['docx'] },
      { target: ContentType.Article, item: ['/news/*'] },
      { user_id: staff.id },
      { user_id: 0 },
      { price: 9 },
      { category_id: [category] },
      { category_rule: [{ pattern: '/maths/**', category_id: [category] }] },
      { selector_title: 'h1' },
      { source_name: '别人' },
      { publish: SpiderPublish.Review },
    ])
      expect(await refusal(update(change)), JSON.stringify(change)).toMatchObject({ details: [{ field: 'publish' }] })
    await update({ name: '改名', ext: ['PDF'], schedule: SpiderSchedule.Daily, quiet_from: 8, quiet_to: 18, delay: 5 })
    expect(await get(id)).toMatchObject({ name: '改名', publish: SpiderPublish.Now, delay: 5 })
    await update({ enable: false })
    await update({ start: ['https://other.example/'], publish: SpiderPublish.Manual })
    expect(await get(id)).toMatchObject({ start: ['https://other.example/'], publish: SpiderPublish.Manual })
  })
})

describe('the list of sources', () => {
  test('shows how far each one is', async () => {
    const id = await site.source()
    const { Pending, Crawling, Done, Failed } = SpiderUrlStatus
    await site.addUrls(
      ...[Pending, Pending, Crawling, Done, Done, Done, Failed].map((status) => ({ source_id: id, status })),
    )
    const { PendingDownload, Downloaded, DownloadFailed, PublishQueue, Published, PublishFailed } = SpiderDocumentStatus
    const statuses = [PendingDownload, Downloaded, DownloadFailed, PublishQueue, Published, Published, PublishFailed]
    await site.addFound(...statuses.map((status) => ({ source_id: id, status })))
    const { source } = await site.root.call(spiderSources.list)
    expect(source.find((row) => row.id === id)).toMatchObject({
      url_count: { pending: 2, crawling: 1, done: 3, failed: 1 },
      found: 7,
      downloaded: 5,
      published: 2,
      failed: 2,
    })
  })

  test.runIf(inject('database').engine === 'sqlite')('counts in indexes alone', async () => {
    const watched = explainQueries(site.db)
    await countBySource(watched, 'spider_url', [1, 2])
    await countBySource(watched, 'spider_document', [1, 2])
    await countByStatus(watched, 'spider_url', [])
    await countByStatus(watched, 'spider_document', [])
    const steps = (await watched.plans()).flat()
    expect(steps.filter((step) => !/ USING COVERING INDEX /.test(step))).toEqual([])
  })

  test('is given as a whole to those who choose among more than a hundred', async () => {
    const id = await site.source({ name: '很多' })
    const { id: _, ...row } = await site.db
      .selectFrom('spider_source')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await site.db
      .insertInto('spider_source')
      .values(Array.from({ length: 100 }, () => row))
      .execute()
    const { source } = await site.root.call(spiderSources.list, { wd: '很多', size: 1000 })
    expect(source).toHaveLength(101)
    await site.root.call(spiderSources.delete, { id: source.map((each) => each.id) })
  })

  test('is searched by name and by start address, and filtered', async () => {
    const papers = await site.source({ name: '论文', start: ['https://papers.example/new'] })
    const news = await site.source({ name: '新闻', target: ContentType.Article, item: ['/n/*'] })
    const idsOf = async (input: object) =>
      (await site.root.call(spiderSources.list, { size: 100, ...input })).source.map(({ id }) => id)
    expect(await idsOf({ wd: '论文' })).toEqual([papers])
    expect(await idsOf({ wd: 'PAPERS.example' })).toEqual([papers])
    expect(await idsOf({ wd: 'selector' })).toEqual([])
    const articles = await idsOf({ target: [ContentType.Article] })
    expect([articles.includes(news), articles.includes(papers)]).toEqual([true, false])
    expect(await idsOf({ state: [SpiderSourceState.Paused] })).toEqual([])
  })

  test('still shows a source whose owner is gone, and asks for another one when it is changed', async () => {
    const owner = await site.member()
    const id = await site.source({ ...form, user_id: owner.id })
    await site.addFound({ source_id: id, user_id: owner.id })
    await site.root.call(users.delete, { id: [owner.id], password: site.root.password })
    expect(await get(id)).toMatchObject({ user_id: owner.id, username: '' })
    const { document } = await site.root.call(spiderDocuments.list, { source_id: [id] })
    expect(document).toMatchObject([{ username: '', user_id: owner.id }])
    const update = (user_id: number) => site.root.call(spiderSources.update, { id, ...form, user_id })
    expect(await refusal(update(owner.id))).toMatchObject({ details: [{ field: 'user_id' }] })
    await update(0)
    expect(await get(id)).toMatchObject({ username: 'admin' })
    // What was found for the former owner can be published now.
    const { document: found } = await site.root.call(spiderDocuments.list, { source_id: [id] })
    expect(found).toMatchObject([{ username: 'admin' }])
  })
})

test('an account that was deleted owns no source any more', async () => {
  const owner = await site.member()
  const id = await site.source({ ...form, user_id: owner.id })
  await site.db
    .updateTable('user')
    .set({ deleted_at: Date.now(), username: '已注销' })
    .where('id', '=', owner.id)
    .execute()
  expect(await get(id)).toMatchObject({ username: '已注销' })
  expect(await problemsOf({ user_id: owner.id })).toEqual({ user_id: '用户不存在或已注销，请重新选择' })
})

describe('running', () => {
  test('a source is started, paused and goes on', async () => {
    const id = await site.source()
    const off = await site.source({ enable: false })
    expect(await site.root.call(spiderSources.start, { id: [id, off, 999_999] })).toEqual({ changed: 1, skipped: 2 })
    expect(await get(id)).toMatchObject({ state: SpiderSourceState.Running, run: 1, url_count: { pending: 1 } })
    expect(await site.root.call(spiderSources.start, { id: [id] })).toEqual({ changed: 0, skipped: 1 })
    expect(await site.root.call(spiderSources.pause, { id: [id, off] })).toEqual({ changed: 1, skipped: 1 })
    expect(await get(id)).toMatchObject({ state: SpiderSourceState.Paused })
    expect(await site.root.call(spiderSources.start, { id: [id] })).toEqual({ changed: 1, skipped: 0 })
    expect(await get(id)).toMatchObject({ state: SpiderSourceState.Running, run: 1 })
  })

  test('one that is switched off pauses, and goes on when it is switched on again', async () => {
    const id = await site.source(form)
    await site.root.call(spiderSources.start, { id: [id] })
    await site.root.call(spiderSources.update, { id, ...form, enable: false })
    expect(await get(id)).toMatchObject({ enable: false, state: SpiderSourceState.Paused })
    await site.root.call(spiderSources.update, { id, ...form, enable: true })
    expect(await get(id)).toMatchObject({ enable: true, state: SpiderSourceState.Running })
  })

  test('nothing starts while the crawler is off', async () => {
    const id = await site.source()
    await site.configure({ 'spider.enable': 'false' })
    try {
      const calls = [
        site.root.call(spiderSources.start, { id: [id] }),
        site.root.call(spiderSources.try, { ...form, url: 'https://library.example/' }),
        site.root.call(spiderUrls.create, { url: 'https://library.example/' }),
        site.root.call(spiderUrls.retry, { id: [1] }),
        site.root.call(spiderDocuments.download, { id: [1] }),
      ]
      for (const { reason } of await Promise.all(calls.map(refusal))) expect(reason).toBe('spider.off')
      for (const list of [spiderSources.list, spiderUrls.list, spiderDocuments.list])
        expect(await site.root.call(list, {})).toMatchObject({ block: 'off' })
    } finally {
      await site.configure({ 'spider.enable': 'true' })
    }
  })
})

test('a deleted source takes its links, its logs and what was not published along', async () => {
  const id = await site.source()
  const other = await site.source()
  const [link = 0] = await site.addUrls({ source_id: id }, { source_id: other })
  const author = await site.author()
  const files = [await site.upload(author), await site.upload(author, { type: AttachmentType.CrawledDocument })]
  const [published = 0, downloaded = 0, kept = 0] = await site.addFound(
    { source_id: id, url_id: link, status: SpiderDocumentStatus.Published, source_name: '馆藏网' },
    { source_id: id, status: SpiderDocumentStatus.Downloaded, attachment_id: files[1]?.id ?? 0 },
    { source_id: other, status: SpiderDocumentStatus.Downloaded, attachment_id: files[0]?.id ?? 0 },
  )
  const log = { url_id: 0, spider_document_id: 0, event: 'found' as const, created_at: Date.now() }
  await site.db
    .insertInto('spider_log')
    .values([
      { ...log, url_id: link },
      { ...log, spider_document_id: downloaded },
      { ...log, spider_document_id: kept },
    ])
    .execute()
  await site.root.call(spiderSources.delete, { id: [id] })
  const { document } = await site.root.call(spiderDocuments.list, { size: 1000 })
  expect(document.find((row) => row.id === published)).toMatchObject({
    source_id: 0,
    source_name: '馆藏网',
    found_at: '',
  })
  expect(document.some((row) => row.id === downloaded)).toBe(false)
  const { url } = await site.root.call(spiderUrls.list, { source_id: [id, other] })
  expect(url.map(({ source_id }) => source_id)).toEqual([other])
  const logs = await site.db.selectFrom('spider_log').selectAll().where('event', '=', 'found').execute()
  expect(logs.filter(({ url_id }) => url_id === link)).toEqual([])
  expect(logs.map(({ spider_document_id }) => spider_document_id)).toContain(kept)
  expect(logs.map(({ spider_document_id }) => spider_document_id)).not.toContain(downloaded)
  const attachments = await site.db
    .selectFrom('attachment')
    .select(['id', 'deleted_at'])
    .where(
      'id',
      'in',
      files.map((file) => file.id),
    )
    .orderBy('id')
    .execute()
  expect(attachments.map(({ deleted_at }) => deleted_at === null)).toEqual([true, false])
})

test('the audit log tells in words what was changed', async () => {
  const category = await site.category('年鉴')
  const id = await site.source({ ...form, name: '年鉴网' })
  const change = { id, ...form, name: '年鉴网', category_id: [category], publish: SpiderPublish.Review, depth: 4 }
  await site.root.call(spiderSources.update, change)
  await site.root.call(spiderSources.start, { id: [id] })
  const { audit } = await site.root.call(audits.list, { area: ['spiderSources'], size: 3 })
  expect(audit.map((row) => [row.target_id, row.change])).toEqual([
    [[String(id)], '年鉴网'],
    [[String(id)], '最多几层: 2 → 4; 分类: （空） → 年鉴; 采集之后: 人工发布 → 自动提交审核'],
    [[String(id)], expect.stringContaining('名称: 年鉴网; 采集什么: 文档; 启用: 是; 用户: admin; ')],
  ])
})

test('each action needs its own permission', async () => {
  const id = await site.source()
  const reader = await site.staff('SpiderSourceAPI/ListSpiderSource')
  expect((await reader.call(spiderSources.get, { id })).id).toBe(id)
  const calls = [
    reader.call(spiderSources.create, form),
    reader.call(spiderSources.update, { id, ...form }),
    reader.call(spiderSources.delete, { id: [id] }),
    reader.call(spiderSources.start, { id: [id] }),
    reader.call(spiderSources.try, { ...form, url: 'https://library.example/' }),
    reader.call(spiderUrls.list),
    reader.call(spiderDocuments.list),
  ]
  for (const { status } of await Promise.all(calls.map(refusal))) expect(status).toBe(403)
})
