import { afterAll, beforeAll, expect, test } from 'vitest'
import { extractKeywords } from '#server/modules/catalog/keywords.ts'
import { openDocumentSite, type DocumentSite } from '#server/testing/document-site.ts'
import { addArticles } from '#server/testing/add-articles.ts'
import { articleIndexer } from './index-articles.ts'
import { documentIndexer } from './index-documents.ts'
import { indexEntries } from './indexing.ts'
import { generateLibrary } from './questions/library.ts'
import { renewKeywords } from './text-keywords.ts'

let site: DocumentSite
beforeAll(async () => {
  site = await openDocumentSite()
})
afterAll(() => site.close())

const hardening = '淬火工艺决定刀具的硬度。淬火以后要回火，淬火介质有水和油，回火温度由硬度决定。'
const ledger = '区块链由区块组成，区块链的节点共同记账。区块链不能篡改，记账的节点得到奖励。'

async function add(title: string, text: string, keywords = extractKeywords(title)): Promise<number> {
  const [id = 0] = await site.addDocuments({ title, keywords, texts: [text] })
  await indexEntries(await site.app.context(), documentIndexer, [id])
  return id
}

/** All batches. */
async function renew({ from = 0 } = {}): Promise<void> {
  await renewKeywords(await site.app.context(), 'document', { from, total: 0 })
  await site.runDueJobs()
}

async function keywordsOf(id: number): Promise<string[]> {
  const { keywords } = await site.db
    .selectFrom('document')
    .select('keywords')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return keywords.split(',').filter(Boolean)
}

test('keywords are frequent in the text, rare elsewhere, and in at least one other document', async () => {
  for (const { title, pages } of generateLibrary().slice(0, 40)) await add(title, pages.join('\n'))
  const first = await add('刀具的热处理', hardening)
  // Nothing else has these words yet, and junk is worse than nothing.
  expect(await keywordsOf(first)).toEqual([])
  const second = await add('刀具热处理习题', `${hardening}请说明淬火与回火的区别。`)
  expect(await keywordsOf(second)).toEqual(expect.arrayContaining(['淬火', '回火', '刀具']))
  for (const word of ['决定', '以后', '说明']) expect(await keywordsOf(second)).not.toContain(word)
})

test('a compound stands for its parts', async () => {
  await add('记账入门', ledger)
  const id = await add('节点与记账', ledger)
  expect(await keywordsOf(id)).toContain('区块链')
  expect(await keywordsOf(id)).not.toContain('链')
})

test('what the owner has chosen, or removed, stays', async () => {
  expect(await keywordsOf(await add('淬火记录', hardening, '车间,记录'))).toEqual(['车间', '记录'])
  expect(await keywordsOf(await add('淬火日志', hardening, ''))).toEqual([])
})

test('documents are found by them', async () => {
  const id = await add('热处理手记', hardening)
  const [indexed] = await (await site.app.context()).search.list('document', { after: id - 1, limit: 1 })
  const source = (await documentIndexer.readSources(await site.app.context(), [id])).get(id)
  expect(indexed?.metadataVersion).toBe(source?.metadataVersion)
})

test('they are renewed when the library has doubled, and not before', async () => {
  const id = await add('陶瓷烧成', '釉料在窑炉里熔融，釉料的配方决定颜色，釉料要过筛。')
  expect(await keywordsOf(id)).toEqual([])
  await add('陶瓷釉料', '釉料的种类很多，釉料需要试片，釉料要过筛。')
  await renew()
  expect(await keywordsOf(id)).toEqual([])
  for (const { title, pages } of generateLibrary().slice(40, 100)) await add(title, pages.join('\n'))
  await renew({ from: id - 1 })
  expect(await keywordsOf(id)).toContain('釉料')
})

test('a renewal is over with for every document, also where nothing is to be renewed', async () => {
  const chosen = await add('铸造记录', hardening, '车间')
  const removed = await add('铸造日志', hardening, '')
  const [textless = 0] = await site.addDocuments({
    title: '扫描的铸造图纸',
    keywords: extractKeywords('扫描的铸造图纸'),
  })
  const before = await keywordsOf(textless)
  await renew()
  const due = site.db.selectFrom('document').select('id').where('keywords_compared', '<=', 1)
  expect(await due.execute()).toEqual([])
  // Whose they are is known after it as before.
  await site.db.updateTable('document').set({ keywords_compared: 1 }).execute()
  await renew()
  expect(await keywordsOf(chosen)).toEqual(['车间'])
  expect(await keywordsOf(removed)).toEqual([])
  expect(await keywordsOf(textless)).toEqual(before)
})

test('articles get theirs in the same way, and authors keep what they have chosen', async () => {
  const about = ['刀具的采购', '刀具的管理', '刀具的保养'].map((title) => ({
    title,
    keywords: extractKeywords(title),
    content: `<p>${hardening}</p>`,
  }))
  const chosen = { title: '刀具手记', keywords: '车间', content: `<p>${hardening}</p>` }
  const others = generateLibrary()
    .slice(0, 20)
    .map(({ title, pages }) => ({ title, content: `<p>${pages.join('\n')}</p>` }))
  const ids = await addArticles(site, ...others, ...about, chosen)
  await indexEntries(await site.app.context(), articleIndexer, ids)
  const read = async (id: number) => {
    const row = await site.db.selectFrom('article').select('keywords').where('id', '=', id).executeTakeFirstOrThrow()
    return row.keywords.split(',').filter(Boolean)
  }
  const [id = 0, author = 0] = ids.slice(-2)
  expect(await read(id)).toContain('淬火')
  expect(await read(author)).toEqual(['车间'])
  await site.db.updateTable('article').set({ keywords: '', text_keywords: '', keywords_compared: 1 }).execute()
  await renewKeywords(await site.app.context(), 'article', { from: 0, total: 0 })
  expect(await read(id)).toContain('淬火')
})
