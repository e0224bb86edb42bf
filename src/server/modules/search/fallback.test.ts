import { searches } from '#shared/contract/search.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { ContentType } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addArticles } from '#server/testing/add-articles.ts'
import { documentIndexer } from './index-documents.ts'
import { indexEntries } from './indexing.ts'
import { openDocumentSite, type DocumentSite } from '#server/testing/document-site.ts'

let site: DocumentSite
let law = 0
let school = 0

beforeAll(async () => {
  site = await openDocumentSite()
  law = await site.category('法律')
  school = await site.category('教育')
  const hidden = { status: DocumentStatus.Disabled }
  const ids = await site.addDocuments(
    { title: '房屋租赁合同范本', ext: '.docx', category: [law], language: 'zh-CN', keywords: '租赁,合同' },
    { title: '商铺租赁合同', ext: '.pdf', category: [law], language: 'zh-CN', price: 3, keywords: '租赁,商铺' },
    { title: '辞职报告范文', ext: '.docx', category: [law], texts: ['尊敬的领导', '本人因家庭原因提出离职申请'] },
    { title: '光合作用实验设计', ext: '.pptx', category: [school], texts: ['准备碘液和酒精灯'] },
    { title: '数据库设计', ext: '.pdf', category: [school] },
    { title: 'Kubernetes 部署手册', ext: '.pdf', category: [school] },
    { title: '薛定谔方程求解', ...hidden, texts: ['波函数与 hamiltonian'] },
    { title: '内部租赁台账', ext: '.xlsx', category: [law], ...hidden },
  )
  await indexEntries(await site.app.context(), documentIndexer, ids)
})
afterAll(() => site.close())

async function search(wd: string, asked: object = {}) {
  const { document, ...reply } = await site.call(searches.documents, { wd, extras: true, ...asked })
  return { ...reply, titles: document.map(({ title }) => title), hits: document }
}

describe('a search that finds too little', () => {
  test('says nothing where all words are found', async () => {
    expect(await search('租赁合同')).toMatchObject({ step: 'all', exact: 2, total: 2, suggestion: '' })
  })

  test('answers a question without its words of asking', async () => {
    const { titles, step, exact } = await search('请问辞职报告怎么写')
    expect({ titles, step, exact }).toEqual({ titles: ['辞职报告范文'], step: 'most', exact: 0 })
  })

  test('answers with most of the words, and says on which page they are', async () => {
    const { hits, step } = await search('家庭 原因 离职 补偿金')
    expect(step).toBe('most')
    expect(hits[0]).toMatchObject({ title: '辞职报告范文', hit_page: 2, hit_words: '家庭 原因 离职' })
  })

  test('puts titles before texts, and names the words that the results have', async () => {
    const ids = await site.addDocuments(
      { title: '陶艺笔记', texts: ['釉料、窑炉、拉坯和素烧'] },
      { title: '随笔', texts: ['陶艺、釉料、窑炉、拉坯、素烧和彩绘'] },
      ...Array.from({ length: 4 }, () => ({ texts: ['陶艺'] })),
    )
    await indexEntries(await site.app.context(), documentIndexer, ids)
    const { titles, used } = await search('陶艺 釉料 窑炉 拉坯 素烧 彩绘 飞船')
    expect(titles).toEqual(['陶艺笔记', '随笔'])
    expect(used).toEqual(['陶艺', '釉料', '窑炉', '拉坯', '素烧', '彩绘'])
    expect(await search('飞船报告')).toMatchObject({ step: 'most', used: ['报告'] })
    expect((await search('请问辞职报告怎么写')).used).toEqual(['辞职报告'])
    expect((await search('租赁合同')).used).toEqual([])
    await site.db.updateTable('document').set({ status: DocumentStatus.Disabled }).where('id', 'in', ids).execute()
  })

  test('reads letters as pinyin and initials of titles', async () => {
    expect(await search('guanghezuoyong')).toMatchObject({ step: 'pinyin', titles: ['光合作用实验设计'] })
    expect(await search('ghzy')).toMatchObject({ suggestion: '光合作用', titles: ['光合作用实验设计'] })
    expect(await search('房屋 hetong')).toMatchObject({ step: 'pinyin', titles: ['房屋租赁合同范本'] })
  })

  test('corrects one character, and offers the words', async () => {
    const found = { step: 'similar', suggestion: '房屋租赁合同', titles: ['房屋租赁合同范本'] }
    expect(await search('房屋租凭合同')).toMatchObject(found)
    expect(await search('kubernets')).toMatchObject({ suggestion: 'kubernetes', titles: ['Kubernetes 部署手册'] })
  })

  test('finds the words of another region, without a fallback', async () => {
    expect(await search('資料庫')).toMatchObject({ step: 'all', titles: ['数据库设计'] })
    expect((await search('資料庫')).hits[0]?.title_ranges).toEqual([[0, 3]])
  })

  test('never tells of what the visitor may not see', async () => {
    const unfound = { total: 0, titles: [], suggestion: '', related: [], facet: [] }
    for (const words of [
      '薛定谔方成',
      'xuedingefangcheng',
      'xdefc',
      '怎么求解薛定谔方程',
      'hamiltonain',
      '波函数 与 hamiltonian',
    ])
      expect(await search(words), words).toMatchObject(unfound)
    expect((await search('台账 租赁 内部')).titles).not.toContain('内部租赁台账')
  })

  test('offers only those of its words that find something', async () => {
    const { total, related } = await search('薛定谔 光合 量子 磁场')
    expect({ total, related }).toEqual({ total: 0, related: ['光合'] })
  })

  test('is recorded as one that found nothing', async () => {
    await search('房屋租凭合同')
    const recorded = () =>
      site.db.selectFrom('search_record').select('total').where('keywords', '=', '房屋租凭合同').execute()
    await expect.poll(recorded).not.toEqual([])
    expect((await recorded()).every(({ total }) => total === 0)).toBe(true)
  })

  test('does not fall back where only the filter leaves nothing', async () => {
    expect(await search('租赁合同', { category_id: [school] })).toMatchObject({ total: 0, step: 'all' })
    expect(await search('房屋租凭合同', { category_id: [law] })).toMatchObject({ total: 1, step: 'similar' })
  })

  test('does so among articles too', async () => {
    await addArticles(site, { title: '春天的茶园' })
    await site.root.call(searches.reindex, {})
    await site.runDueJobs()
    const { article, step } = await site.call(searches.articles, { wd: '春天的查园' })
    expect(step).toBe('similar')
    expect(article.map(({ title }) => title)).toEqual(['春天的茶园'])
  })
})

describe('the page of results', () => {
  const counts = async (wd: string, asked: object = {}) => {
    const { facet, facet_more } = await search(wd, asked)
    expect(facet_more).toBe(false)
    return Object.fromEntries(facet.map(({ field, value, count }) => [`${field} ${value}`, count]))
  }

  test('counts what each choice would leave', async () => {
    expect(await counts('租赁')).toEqual({
      [`category ${law}`]: 2,
      'ext doc': 1,
      'ext pdf': 1,
      'fee free': 1,
      'fee charge': 1,
      'language zh-CN': 2,
    })
    expect(await counts('租赁', { ext: 'pdf' })).toEqual({
      [`category ${law}`]: 1,
      'ext doc': 1,
      'ext pdf': 1,
      'fee charge': 1,
      'language zh-CN': 1,
    })
  })

  test('costs other callers nothing', async () => {
    const { facet, related } = await site.call(searches.documents, { wd: '租赁' })
    expect({ facet, related }).toEqual({ facet: [], related: [] })
  })

  test('offers popular words and the keywords of the results', async () => {
    const now = Date.now()
    const record = (keywords: string, network: string) => ({
      user_id: 0,
      ip: network,
      network,
      type: ContentType.Document,
      total: 1,
      page: 1,
      spend_ms: 1,
      user_agent: '',
      keywords,
      created_at: now,
      updated_at: now,
    })
    const popular = ['租赁合同', '租赁台账'].flatMap((word) => [record(word, '10.2.0.0'), record(word, '10.3.0.0')])
    await site.db.insertInto('search_record').values(popular).execute()
    site.advanceClock(60_000)
    expect((await search('租赁')).related).toEqual(['租赁合同', '商铺', '合同'])
  })
})

test('documents that the searcher may not see take no places among those with most of the words', async () => {
  const [seen = 0] = await site.addDocuments({ title: '蚕桑养殖图解' })
  const hidden = await site.addDocuments(
    ...Array.from({ length: 230 }, (_, index) => ({
      title: `蚕桑养殖内部资料 ${index}`,
      status: DocumentStatus.Disabled,
    })),
  )
  await indexEntries(await site.app.context(), documentIndexer, [seen, ...hidden])
  expect(await search('蚕桑 养殖 琉璃瓦')).toMatchObject({ step: 'most', titles: ['蚕桑养殖图解'] })
})
