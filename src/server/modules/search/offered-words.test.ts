import { searches } from '#shared/contract/search.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { ContentType, Visibility } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addArticles } from '#server/testing/add-articles.ts'
import { openDocumentSite, type DocumentSite } from '#server/testing/document-site.ts'
import { articleIndexer } from './index-articles.ts'
import { documentIndexer } from './index-documents.ts'
import { indexEntries } from './indexing.ts'
import { openPopularWords } from './popular-words.ts'
import { openHotWords } from './suggest.ts'

/** Every word that a search offers finds something for the reader it is offered to. */

let site: DocumentSite

/** Its title, and a word that only its text has. */
const unseen = [
  { title: '硫磺温泉勘测', text: '热泉涌出量', fields: { status: DocumentStatus.Disabled } },
  { title: '琥珀雕刻图谱', text: '蜜蜡打磨机', fields: { visibility: Visibility.Private } },
  { title: '骆驼商队账册', text: '驼铃登记簿', fields: { deleted_at: 1 } },
]
const seen = { title: '青铜铸造工艺', text: '失蜡浇铸法' }

beforeAll(async () => {
  site = await openDocumentSite()
  const ids = await site.addDocuments(
    { title: seen.title, texts: [seen.text], keywords: '青铜,铸造' },
    ...unseen.map(({ title, text, fields }) => ({ title, texts: [text], keywords: title.slice(0, 4), ...fields })),
  )
  // Those in the recycle bin are deleted after they were indexed: the index may be late.
  await site.db.updateTable('document').set({ deleted_at: null }).execute()
  await indexEntries(await site.app.context(), documentIndexer, ids)
  await site.db.updateTable('document').set({ deleted_at: 1 }).where('title', '=', '骆驼商队账册').execute()
  const words = [seen, ...unseen].flatMap(({ title, text }) => [title.slice(0, 4), text])
  await record(ContentType.Document, words)
})
afterAll(() => site.close())

/** Two networks have found something by each of these words. */
async function record(type: ContentType, words: readonly string[]): Promise<void> {
  const { now } = await site.app.context()
  const times = { created_at: now(), updated_at: now() }
  const common = { user_id: 0, type, total: 1, page: 1, spend_ms: 1, user_agent: '', ...times }
  const rows = words.flatMap((keywords) =>
    ['10.1.0.0', '10.2.0.0'].map((network) => ({ ...common, keywords, ip: network, network })),
  )
  await site.db.insertInto('search_record').values(rows).execute()
  site.advanceClock(60_000)
}

async function search(wd: string) {
  const { document, suggestion, related, facet } = await site.call(searches.documents, { wd, extras: true })
  return { titles: document.map(({ title }) => title), suggestion, related, facet }
}

const nothing = { titles: [], suggestion: '', related: [], facet: [] }

describe('no word is offered that only a document has which the visitor may not see', () => {
  test('in the list of popular words', async () => {
    expect((await site.call(searches.hot)).word.toSorted()).toEqual(['失蜡浇铸法', '青铜铸造'])
  })

  test.each(unseen)('while typing: $title', async ({ title, text }) => {
    for (const typed of [title.slice(0, 2), text.slice(0, 2)])
      expect((await site.call(searches.suggest, { wd: typed })).suggestion).toEqual([])
  })

  test.each(unseen)('as what was meant, or beside results: $title', async ({ title, text }) => {
    const misspelt = `${title.slice(0, 2)}错${title.charAt(3)}`
    for (const typed of [misspelt, `怎么写${title}`, `${title.slice(0, 4)} ${text}`, `${text.slice(0, 4)}错`])
      expect(await search(typed), typed).toEqual(nothing)
  })
})

test('where the site does not search texts, words that only a text has are not offered', async () => {
  expect((await search('失蜡 浇铸')).titles).toEqual([seen.title])
  await site.configure({ 'search.enable_content': 'false' })
  expect((await site.call(searches.hot)).word).toEqual(['青铜铸造'])
  expect((await site.call(searches.suggest, { wd: '失蜡' })).suggestion).toEqual([])
  expect(await search('失蜡 浇铸')).toEqual(nothing)
  expect((await search('青铜 琉璃窑')).titles).toEqual([seen.title])
  await site.configure({ 'search.enable_content': 'true' })
})

test('popular words of articles are their own, and find articles', async () => {
  const ids = await addArticles(site, { title: '漆器修复日记' })
  await indexEntries(await site.app.context(), articleIndexer, ids)
  await record(ContentType.Article, ['漆器', '青铜铸造'])
  expect((await site.call(searches.hot, { type: ContentType.Article })).word).toEqual(['漆器'])
  expect((await site.call(searches.hot)).word).not.toContain('漆器')
  await site.configure({ 'system.recommend_words': '青铜,漆器,琉璃' })
  expect((await site.call(searches.hot, { type: ContentType.Article })).word).toEqual(['漆器'])
  expect((await site.call(searches.hot)).word).toEqual(['青铜'])
  await site.configure({ 'system.recommend_words': '' })
})

test('visitors are offered hot words that are tried one by one, once for all of them in a short while', async () => {
  const chosen = Array.from({ length: 14 }, (_, index) => `青铜${index + 1}`)
  await site.configure({
    'system.recommend_words': chosen.join(','),
  })
  const ctx = await site.app.context()
  const tried: string[] = []
  let [running, mostRunning] = [0, 0]
  const search: typeof ctx.search.search = async (query) => {
    tried.push(query.words)
    mostRunning = Math.max(mostRunning, ++running)
    await Promise.resolve()
    running--
    return { total: query.words === '青铜3' ? 0 : 1, hits: [] } as never
  }
  const hotWords = openHotWords(openPopularWords())
  const visit = (viewer = ctx.viewer) =>
    hotWords({ ...ctx, viewer, search: { ...ctx.search, search } }, ContentType.Document)
  const [first, second] = await Promise.all([visit(), visit()])
  expect(first.word).toEqual(chosen.filter((word) => word !== '青铜3').slice(0, 10))
  expect(second).toEqual(first)
  expect(tried).toHaveLength(11)
  expect(mostRunning).toBe(1)
  // A member may find more.
  await visit({ ...ctx.viewer, id: 1 })
  expect(tried).toHaveLength(22)
  site.advanceClock(60_000)
  await visit()
  expect(tried).toHaveLength(33)
  await site.configure({ 'system.recommend_words': '' })
})
