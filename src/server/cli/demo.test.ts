import { ContentType } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { articles } from '#shared/contract/articles.ts'
import { collections } from '#shared/contract/collections.ts'
import { documents } from '#shared/contract/documents.ts'
import { topics } from '#shared/contract/topics.ts'
import { categories } from '#shared/contract/catalog.ts'
import { users } from '#shared/contract/users.ts'
import { failureReasons } from '#shared/conversion.ts'
import { Unconvertible } from '../convert/converter.ts'
import { openSite, type Site } from '../testing/site.ts'
import { publishDocument } from '#server/testing/publish-document.ts'
import { UsageError } from './command.ts'
import { demoCommand } from './demo.ts'
import { demoArticles } from './demo/articles.ts'
import { fillSite } from './demo/fill.ts'
import { signInAsRoot } from './person.ts'
import { type DemoDocument, demoDocuments } from './demo/documents.ts'

let site: Site
beforeEach(async () => {
  site = await openSite()
})
afterEach(() => site.close())

const quick = demoDocuments.filter(({ title }) =>
  ['阳台种菜入门', '种菜笔记', '面点笔记', '测试指南（阅读器版）'].includes(title),
)

async function fill(list: readonly DemoDocument[]) {
  const lines: string[] = []
  const ctx = await site.app.context()
  const outcomes = await fillSite({ ctx, app: site.app, documents: list, say: (line) => lines.push(line) })
  return { outcomes, lines: lines.toSorted() }
}

test('an empty site has members, categories and documents that can be read afterwards', async () => {
  const { outcomes, lines } = await fill(quick)

  expect(outcomes.map(({ state }) => state).toSorted()).toEqual(['kept', 'shown', 'shown', 'shown'])
  expect(lines.map((line) => line.replace(/[\d.]+ 秒$/, 'n 秒'))).toEqual([
    '✓ 1 个专题，1 个文集',
    `✓ ${demoArticles.length} 篇文章`,
    `✓ 测试指南（阅读器版）.azw3（其他）  ${failureReasons.unsupported.message}`,
    expect.stringMatching(/^✓ 种菜笔记\.umd（UMD） {2}\d+ 页 {2}n 秒$/),
    expect.stringMatching(/^✓ 阳台种菜入门\.pdf（PDF） {2}\d+ 页 {2}n 秒$/),
    expect.stringMatching(/^✓ 面点笔记\.txt（TXT） {2}\d+ 页 {2}n 秒$/),
  ])
  const { document } = await site.call(documents.list, {})
  const pdf = document.find(({ ext }) => ext === '.pdf')
  expect(pdf).toMatchObject({
    username: '何青禾',
    status: DocumentStatus.Converted,
    language: 'zh-CN',
    description: '从配土到留种，五章讲完',
  })
  expect(pdf?.category.map(({ title }) => title).toSorted()).toEqual(['园艺', '生活'])
  expect(pdf?.cover).not.toBe('')
  expect(pdf?.score_count).toBeGreaterThan(0)
  expect(pdf?.recommend_at).not.toBeNull()
  const { outline } = await site.call(documents.layout, { id: pdf?.id ?? 0 })
  expect(outline.map(({ title }) => title)).toContain('浇水的分寸')

  const { category } = await site.call(categories.list, {})
  expect(category.find(({ title }) => title === '生活')).toMatchObject({
    doc_count: 3,
    description: '种植、烹饪和旅行',
  })
  const { user } = await site.root.call(users.list, { wd: '何青禾' })
  expect(user[0]).toMatchObject({ doc_count: 3, signature: '阳台上有六个花箱' })
})

test('its members have articles with everything that the editor supports', async () => {
  await fill([])
  await fill([])
  const { article } = await site.call(articles.list, { size: 50 })
  const demoRows = article.filter(({ user_id }) => user_id !== site.root.id)
  expect(demoRows.map(({ title }) => title).toSorted()).toEqual(demoArticles.map(({ title }) => title).toSorted())
  for (const { title, content, category } of demoArticles) {
    const { identifier = '' } = demoRows.find((each) => each.title === title) ?? {}
    const read = await site.call(articles.get, { identifier })
    expect(read.content).toBe(content)
    expect(read.category.map((each) => each.title)).toEqual(category)
  }
  const html = demoArticles.map(({ content }) => content).join('')
  for (const part of ['<table>', 'class="language-', 'inline-math', 'block-math', 'taskList'])
    expect(html).toContain(part)
  const { category } = await site.call(categories.list, { type: [ContentType.Article] })
  expect(category.find(({ title }) => title === '随笔')).toMatchObject({ doc_count: 3, description: '做事时想到的' })
})

test('no room is empty: topics, collections, a ranking and what is being read, once however often it runs', async () => {
  await fill(quick)
  await fill(quick)
  const { topic } = await site.call(topics.published)
  expect(topic).toMatchObject([{ title: '从阳台到餐桌', count: 1, document: [{ title: '阳台种菜入门' }] }])
  const { collection } = await site.call(collections.list)
  expect(collection).toMatchObject([{ title: '厨房里的书架', item_count: 1, user: { username: '何青禾' } }])
  for (const by of ['read', 'favorite'] as const) {
    const { document } = await site.call(documents.ranking, { by })
    expect(document.map(({ title }) => title)).toContain('阳台种菜入门')
  }
  const { document } = await site.call(documents.beingRead)
  expect(document).toMatchObject([{ title: '种菜笔记', reader_count: 2 }])
})

test('it leaves no session open', async () => {
  const before = await site.db.selectFrom('session').select('id').execute()
  await fill(quick.slice(0, 1))
  expect(await site.db.selectFrom('session').select('id').execute()).toEqual(before)
})

test('an interrupted run can be repeated before the first document', async () => {
  await fill([])
  const { outcomes } = await fill(quick.filter(({ ext }) => ext === '.umd'))
  expect(outcomes).toMatchObject([{ state: 'shown' }])
})

test('an interrupted run goes on where it stopped, with changed passwords too', async () => {
  const [first, ...rest] = quick
  await fill(first ? [first] : [])
  const { user } = await site.root.call(users.list, { wd: first?.author ?? '' })
  await site.root.call(users.set, {
    id: user[0]?.id ?? 0,
    group_id: user[0]?.group_id ?? [],
    password: 'another password',
  })
  const { outcomes } = await fill(quick)
  expect(outcomes.filter(({ state }) => state === 'failed')).toEqual([])
  const titles = await site.db.selectFrom('document').select('title').execute()
  expect(titles.map(({ title }) => title).toSorted()).toEqual(quick.map(({ title }) => title).toSorted())
  expect(rest).not.toEqual([])
  const ctx = await site.app.context()
  await expect(demoCommand.run(ctx, ['--again'], site.app, site.config)).rejects.toThrow(UsageError)
})

test('a password that changes while it runs ends a session, not the demo', async () => {
  const ctx = await site.app.context()
  const root = await signInAsRoot(ctx, site.app)
  await site.db.deleteFrom('session').execute()
  expect((await root.call(users.get)).username).toBe('admin')
})

test('a running server takes part, and nothing is done twice', async () => {
  const worker = (await site.openSecondProcess()).work()
  const { outcomes } = await fill(quick)
  await worker.stop()
  expect(outcomes.filter(({ state }) => state === 'shown')).toHaveLength(3)
  expect(await site.db.selectFrom('document').select('id').execute()).toHaveLength(quick.length)
})

test('documents whose converter is not installed are reported as waiting', async () => {
  const { converter } = await site.app.context()
  converter.prepare = () => Promise.reject(new Unconvertible('noTool', 'soffice'))
  const { outcomes } = await fill(demoDocuments.filter(({ ext }) => ext === '.wps'))
  expect(outcomes).toEqual([{ state: 'waiting', reason: failureReasons.noTool.message }])
})

test('a document that fails is reported with its reason', async () => {
  await site.configure({ 'security.document_allowed_ext': '.pdf' })
  const { outcomes, lines } = await fill(quick.filter(({ ext }) => ext === '.umd'))
  expect(outcomes).toMatchObject([{ state: 'failed' }])
  expect(lines.find((line) => line.startsWith('✗'))).toMatch(/^✗ 种菜笔记\.umd（UMD） {2}不支持上传 \.umd 文件$/)
})

test('nothing is published in the name of an existing member', async () => {
  await site.member('林晚舟')
  await expect(fill(quick)).rejects.toThrow('用户名 林晚舟 已经有人使用')
  expect(await site.db.selectFrom('document').select('id').execute()).toEqual([])
})

test('a site that has documents is left as it is', async () => {
  await publishDocument(site, { name: '旧.txt', content: '已经有的文档' })
  const ctx = await site.app.context()
  await expect(demoCommand.run(ctx, [], site.app, site.config)).rejects.toThrow('网站已经有文档')
  await expect(demoCommand.run(ctx, ['--force'], site.app, site.config)).rejects.toThrow(UsageError)
  expect(await site.db.selectFrom('user').select('id').execute()).toHaveLength(1)
})
