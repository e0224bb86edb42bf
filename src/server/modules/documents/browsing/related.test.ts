import { DocumentStatus } from '#shared/document-status.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { type DocumentSite, openDocumentSite, type DocumentFixture } from '#server/testing/document-site.ts'
import { refusal } from '#server/testing/site.ts'
import { documentIndexer } from '#server/modules/search/index-documents.ts'
import { indexEntries } from '#server/modules/search/indexing.ts'

let site: DocumentSite
beforeEach(async () => {
  site = await openDocumentSite()
})
afterEach(() => site.close())

async function addDocument(fixture: DocumentFixture = {}): Promise<number> {
  const [id = 0] = await site.addDocuments(fixture)
  return id
}

async function related(id: number): Promise<string[]> {
  const { document } = await site.call(documents.related, { id })
  return document.map(({ title }) => title)
}

test('where no document is given, there is none', async () => {
  await addDocument()
  expect((await site.send('GET', '/api/v1/document/related?id=0')).status).toBe(200)
  expect(await related(0)).toEqual([])
})

test('documents with similar words come first, then those of the same category, then the newest', async () => {
  const [cooking, driving] = [await site.category('烹饪'), await site.category('驾驶')]
  const id = await addDocument({ title: '川菜家常做法大全', keywords: '川菜,家常', category: [cooking] })
  const others = await site.addDocuments(
    { title: '川菜家常做法图解', category: [driving] },
    { title: '面点', category: [cooking] },
    { title: '发动机', category: [driving] },
    { title: '四川风味', keywords: '川菜,家常', category: [driving] },
  )
  await indexEntries(await site.app.context(), documentIndexer, [id, ...others])
  const titles = await related(id)
  expect(titles.slice(0, 2).toSorted()).toEqual(['四川风味', '川菜家常做法图解'])
  expect(titles.slice(2)).toEqual(['面点', '发动机'])
})

test('the text of the pages counts, not only the metadata', async () => {
  const about = (subject: string) =>
    Array.from({ length: 5 }, (_, n) => `第 ${n} 节：${subject}的由来，再谈${subject}。`)
  const ids = await site.addDocuments(
    { title: '甲', texts: about('榫卯结构') },
    { title: '乙', texts: about('潮汐能源') },
    { title: '丙', texts: about('榫卯结构') },
  )
  await indexEntries(await site.app.context(), documentIndexer, ids)
  expect((await related(ids[0] ?? 0))[0]).toBe('丙')
})

test('misleading titles do not mislead: what the pages are about comes first', async () => {
  const passages = {
    神经网络: ['反向传播计算梯度', '隐藏层的权重随训练更新', '过拟合时加入正则化', '卷积核提取图像特征'],
    茶叶种植: ['春茶在清明前采摘', '茶园土壤偏酸性', '杀青之后揉捻烘干', '修剪让茶树多发新梢'],
    劳动合同: ['试用期不得超过六个月', '用人单位应当支付补偿金', '竞业限制以两年为限', '仲裁时效为一年'],
  }
  const pages = (subject: keyof typeof passages, seed: number) =>
    Array.from({ length: 4 }, (_, n) => passages[subject].map((_, k, all) => all[(k + n + seed) % 4]).join('。'))
  const ids = await site.addDocuments(
    { title: '春天的笔记', texts: pages('神经网络', 0) },
    { title: '春天的茶园笔记', texts: pages('茶叶种植', 1) },
    { title: '采购清单', texts: pages('神经网络', 2) },
    { title: '春天签的合同', texts: pages('劳动合同', 0) },
    { title: '会议纪要', texts: pages('神经网络', 1) },
    { title: '旅行', texts: pages('茶叶种植', 3) },
  )
  await indexEntries(await site.app.context(), documentIndexer, ids)
  expect((await related(ids[0] ?? 0)).slice(0, 2).toSorted()).toEqual(['会议纪要', '采购清单'])
  expect((await related(ids[5] ?? 0))[0]).toBe('春天的茶园笔记')
})

test('there are at most ten, never the document itself, with the fields of a list', async () => {
  const id = await addDocument({ title: '自己' })
  await site.addDocuments(...Array.from({ length: 15 }, (_, index) => ({ title: `其他 ${index}` })))
  const { document } = await site.call(documents.related, { id })
  expect(document).toHaveLength(10)
  expect(document.map(({ title }) => title)).not.toContain('自己')
  expect(document[0]).toMatchObject({ username: 'admin', attachment: { hash: expect.stringMatching(/^[\w-]{32}$/) } })
})

test('hidden documents are not related, from the moment they are hidden', async () => {
  const id = await addDocument({ title: '自己' })
  const companion = await addDocument({ title: '同伴' })
  await site.addDocuments(
    { title: '待审', status: DocumentStatus.InReview },
    { title: '禁用', status: DocumentStatus.Disabled },
    { title: '删除', deleted_at: 1 },
  )
  expect(await related(id)).toEqual(['同伴'])
  await site.root.call(documents.review, { id: [companion], status: DocumentStatus.Disabled })
  expect(await related(id)).toEqual([])
})

test('related documents are cached for a while, a short list for an hour', async () => {
  const id = await addDocument({ title: '自己' })
  await site.addDocuments({ title: '旧' })
  expect(await related(id)).toEqual(['旧'])
  await site.addDocuments(...Array.from({ length: 9 }, (_, index) => ({ title: `新 ${index}` })))
  expect(await related(id)).toEqual(['旧'])
  site.advanceClock(3_600_001)
  expect(await related(id)).toHaveLength(10)
  await site.addDocuments({ title: '自己的续篇，自己' })
  site.advanceClock(3_600_001)
  expect(await related(id)).not.toContain('自己的续篇，自己')
  site.advanceClock(7 * 24 * 3_600_000)
  expect(await related(id)).toContain('自己的续篇，自己')
})

test('0 days disable it', async () => {
  const id = await addDocument()
  await addDocument()
  await site.configure({ 'security.document_related_duration': '0' })
  expect(await related(id)).toEqual([])
})

test('a document that the viewer cannot see has none', async () => {
  expect(
    await refusal(site.call(documents.related, { id: await addDocument({ status: DocumentStatus.InReview }) })),
  ).toMatchObject({
    status: 404,
  })
})
