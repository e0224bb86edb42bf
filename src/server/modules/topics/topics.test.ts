import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { audits } from '#shared/contract/audit.ts'
import { articleRecycle, articles } from '#shared/contract/articles.ts'
import { documentRecycle, documents } from '#shared/contract/documents.ts'
import { topics } from '#shared/contract/topics.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { ContentType, Visibility } from '#shared/enums.ts'
import { addArticles } from '#server/testing/add-articles.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'

const { Document, Article } = ContentType

let site: DocumentSite
let editor: Person
let member: Person
let open: number
let forMembers: number
let hidden: number
let article: number
beforeAll(async () => {
  site = await openDocumentSite()
  editor = await site.staff(
    'TopicAPI/ListTopic',
    'TopicAPI/CreateTopic',
    'TopicAPI/UpdateTopic',
    'TopicAPI/DeleteTopic',
  )
  member = await site.member()
  ;[open = 0, forMembers = 0, hidden = 0] = await site.addDocuments(
    { title: '三体阅读笔记' },
    { title: '科幻年选', visibility: Visibility.Members },
    { title: '科幻手稿', visibility: Visibility.Private },
  )
  ;[article = 0] = await addArticles(site, { title: '科幻小史', identifier: 'sf-history' })
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('topic').execute()
})

test('staff make a topic, and publish it; its entries are in their order with the notes', async () => {
  const { id } = await create({ title: '科幻小说入门', summary: '从这里读起。', enable: false })
  expect(await titles(site.call)).toEqual([])
  expect(await refusal(site.call(topics.read, { id }))).toMatchObject({ status: 404, reason: 'topics.notFound' })
  expect(await editor.call(topics.read, { id })).toMatchObject({ title: '科幻小说入门' })
  await editor.call(topics.update, {
    id,
    title: '科幻小说入门',
    summary: '从这里读起。',
    enable: true,
    entries: [
      { type: Article, id: article, note: '先了解来历' },
      { type: Document, id: open, note: '' },
      { type: Article, id: article, note: '重复的' },
    ],
  })
  const topic = await site.call(topics.read, { id })
  expect(topic).toMatchObject({ title: '科幻小说入门', summary: '从这里读起。', count: 2 })
  expect(topic.entries).toMatchObject([
    { note: '先了解来历', article: { title: '科幻小史' }, document: null },
    { note: '', document: { title: '三体阅读笔记' }, article: null },
  ])
  const { audit } = await site.root.call(audits.list, { area: ['topics'] })
  expect(audit[0]?.change).toContain('收录: 0 → 2')
})

test('each viewer sees the entries for them, also in the number', async () => {
  const entries = [forMembers, hidden, open].map((id) => ({ type: Document, id, note: `第 ${id} 份` }))
  const { id } = await create({ entries })
  const seen = async (call: Person['call']) => {
    const { count, entries } = await call(topics.read, { id })
    const [listed] = (await call(topics.published)).topic
    expect(listed?.count).toBe(count)
    return entries.map(({ document }) => document?.title)
  }
  expect(await seen(site.call)).toEqual(['三体阅读笔记'])
  expect(await seen(member.call)).toEqual(['科幻年选', '三体阅读笔记'])
  expect(JSON.stringify(await member.call(topics.published))).not.toContain('科幻手稿')
})

test('a topic without a cover lists its first documents in place of it', async () => {
  const entries = [
    { type: Article, id: article },
    { type: Document, id: hidden },
    { type: Document, id: open },
  ]
  await create({ title: '无图', entries })
  await create({ title: '有图', cover: '/uploads/a.webp', entries })
  const { topic } = await site.call(topics.published)
  expect(topic.map(({ title, document }) => [title, document.map(({ id }) => id)])).toEqual([
    ['有图', []],
    ['无图', [open]],
  ])
})

test('the order is that of the editor, new topics first', async () => {
  const [first, second, third] = [
    await create({ title: '甲' }),
    await create({ title: '乙' }),
    await create({ title: '丙' }),
  ]
  expect(await titles(site.call)).toEqual(['丙', '乙', '甲'])
  await editor.call(topics.sort, { id: [first.id, third.id, second.id] })
  expect(await titles(site.call)).toEqual(['甲', '丙', '乙'])
  await create({ title: '丁' })
  expect(await titles(site.call)).toEqual(['丁', '甲', '丙', '乙'])
  await editor.call(topics.patch, { id: third.id, enable: false })
  expect(await titles(site.call)).toEqual(['丁', '甲', '乙'])
})

test('documents and articles that are deleted leave the topic, and for good when they are purged', async () => {
  const [document = 0] = await site.addDocuments({ title: '会删的文档' })
  const [text = 0] = await addArticles(site, { title: '会删的文章' })
  const entries = [
    { type: Document, id: document },
    { type: Article, id: text },
    { type: Document, id: open },
  ]
  const { id } = await create({ entries })
  await site.root.call(documents.delete, { id: [document] })
  await site.root.call(articles.delete, { id: [text] })
  expect(await site.call(topics.read, { id })).toMatchObject({ count: 1 })
  await site.root.call(documentRecycle.delete, { id: [document] })
  await site.root.call(articleRecycle.delete, { id: [text] })
  await site.runDueJobs()
  expect((await editor.call(topics.get, { id })).entries).toEqual([{ type: Document, id: open, note: '' }])
  const gone = editor.call(topics.create, { title: '旧的', entries: [{ type: Document, id: document }] })
  expect(await refusal(gone)).toMatchObject({ status: 400, reason: 'topics.entryGone' })
})

test('editors find what a topic can take by title, by address, or by number', async () => {
  const find = async (input: CallInput<typeof topics.candidates>) =>
    (await editor.call(topics.candidates, input)).candidate.map(({ title, is_public }) => [title, is_public])
  expect(await find({ wd: '科幻' })).toEqual([
    ['科幻手稿', false],
    ['科幻年选', false],
    ['科幻小史', true],
  ])
  expect(await find({ wd: 'https://example.com/article/sf-history?from=x' })).toEqual([['科幻小史', true]])
  const { uuid } = await site.call(documents.get, { id: open })
  expect(await find({ wd: `/document/${uuid}` })).toEqual([['三体阅读笔记', true]])
  expect(await find({ document_id: [open], article_id: [article] })).toEqual([
    ['三体阅读笔记', true],
    ['科幻小史', true],
  ])
  expect(await find({})).toEqual([])
})

test('a topic is deleted with its entries; members do not write', async () => {
  const { id } = await create({ entries: [{ type: Document, id: open }] })
  expect(await refusal(member.call(topics.create, { title: '我的' }))).toMatchObject({ status: 403 })
  expect(await refusal(member.call(topics.candidates, { wd: '科幻' }))).toMatchObject({ status: 403 })
  await editor.call(topics.delete, { id: [id] })
  expect(await site.db.selectFrom('topic_entry').selectAll().where('topic_id', '=', id).execute()).toEqual([])
})

function create(form: Partial<CallInput<typeof topics.create>> = {}) {
  return editor.call(topics.create, { title: '专题', enable: true, ...form })
}

async function titles(call: Person['call']): Promise<string[]> {
  return (await call(topics.published)).topic.map(({ title }) => title)
}
