import { DocumentStatus } from '#shared/document-status.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { type DocumentSite, openDocumentSite, type DocumentFixture } from '#server/testing/document-site.ts'
import { refusal } from '#server/testing/site.ts'
import { pickChapters, type TopicName } from '#server/cli/demo/prose.ts'
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

/** Indexed, with words in common. */
async function addSimilar(...titles: string[]): Promise<number[]> {
  const ids = await site.addDocuments(...titles.map((title) => ({ title, texts: ['榫卯结构'] })))
  await indexEntries(await site.app.context(), documentIndexer, ids)
  return ids
}

test('one common word is chance: texts about different things are not related, whatever else they have', async () => {
  const pages = (subject: string) => Array.from({ length: 4 }, (_, n) => `${subject}。第 ${n} 段说明工作安排。`)
  const ids = await site.addDocuments(
    { title: '水稻育秧', texts: pages('水稻育秧要先浸种催芽，秧田保持浅水') },
    { title: '法院判决', texts: pages('被告应当赔偿原告的损失并承担诉讼费用') },
    { title: '天文观测', texts: pages('望远镜口径决定集光能力，赤道仪跟踪恒星') },
    { title: '水稻管理', texts: pages('水稻育秧之后移栽，秧田排水晒田') },
  )
  await indexEntries(await site.app.context(), documentIndexer, ids)
  expect(await related(ids[0] ?? 0)).toEqual(['水稻管理'])
  expect(await related(ids[2] ?? 0)).toEqual([])
})

test('of the demo texts only those about the same thing are related, and most find some', async () => {
  const subjects: TopicName[] = ['walking', 'cooking', 'garden', 'software', 'lesson', 'report']
  const halves = subjects.flatMap((subject) => {
    const texts = pickChapters([subject]).map(({ title, paragraphs }) => [title, ...paragraphs].join('。'))
    return [0, 1].map((half) => ({ title: `${subject} ${half}`, texts: texts.filter((_, n) => n % 2 === half) }))
  })
  const ids = await site.addDocuments(...halves)
  await indexEntries(await site.app.context(), documentIndexer, ids)
  const found = await Promise.all(ids.map((id) => related(id)))
  const others = subjects.flatMap((subject) => [`${subject} 1`, `${subject} 0`])
  for (const [n, titles] of found.entries()) expect([[], [others[n]]]).toContainEqual(titles)
  expect(found.flat().length).toBeGreaterThan(subjects.length)
})

test('documents with similar words are related; the same category, owner or day is nothing in common', async () => {
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
  expect(titles.toSorted()).toEqual(['四川风味', '川菜家常做法图解'])
  expect(await related(others[1] ?? 0)).toEqual([])
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
  const [id = 0] = await addSimilar('榫卯结构图谱')
  await addSimilar(...Array.from({ length: 15 }, (_, index) => `榫卯结构图解 ${index}`))
  const { document } = await site.call(documents.related, { id })
  expect(document).toHaveLength(10)
  expect(document.map(({ title }) => title)).not.toContain('榫卯结构图谱')
  expect(document[0]).toMatchObject({ username: 'admin', attachment: { hash: expect.stringMatching(/^[\w-]{32}$/) } })
})

test('hidden documents are not related, from the moment they are hidden', async () => {
  const [id = 0, companion = 0] = await addSimilar('榫卯结构图谱', '榫卯结构图解')
  const hidden = await site.addDocuments(
    { title: '榫卯结构待审', status: DocumentStatus.InReview },
    { title: '榫卯结构禁用', status: DocumentStatus.Disabled },
    { title: '榫卯结构删除', deleted_at: 1 },
  )
  await indexEntries(await site.app.context(), documentIndexer, hidden)
  expect(await related(id)).toEqual(['榫卯结构图解'])
  await site.root.call(documents.review, { id: [companion], status: DocumentStatus.Disabled })
  expect(await related(id)).toEqual([])
})

test('related documents are cached for a while, a short list for an hour', async () => {
  const [id = 0] = await addSimilar('榫卯结构图谱', '榫卯结构旧作')
  expect(await related(id)).toEqual(['榫卯结构旧作'])
  await addSimilar(...Array.from({ length: 9 }, (_, index) => `榫卯结构新作 ${index}`))
  expect(await related(id)).toEqual(['榫卯结构旧作'])
  site.advanceClock(3_600_001)
  expect(await related(id)).toHaveLength(10)
  await addSimilar('榫卯结构图谱续篇')
  site.advanceClock(3_600_001)
  expect(await related(id)).not.toContain('榫卯结构图谱续篇')
  site.advanceClock(7 * 24 * 3_600_000)
  expect(await related(id)).toContain('榫卯结构图谱续篇')
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
