import { ContentType, ReviewStatus } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { searches, searchRecords } from '#shared/contract/search.ts'
import { openDocumentSite, type DocumentSite } from '#server/testing/document-site.ts'
import { addArticles } from '#server/testing/add-articles.ts'
import { refusal } from '#server/testing/site.ts'
import { documentIndexer } from './index-documents.ts'
import { indexEntries } from './indexing.ts'
import { purgeRecords } from './records.ts'

let site: DocumentSite
beforeAll(async () => {
  site = await openDocumentSite()
  const ids = await site.addDocuments({ title: '水稻种植手册' }, { title: '水利工程概论' }, { title: '登山笔记' })
  await indexEntries(await site.app.context(), documentIndexer, ids)
})
afterAll(() => site.close())

async function search(wd: string, ip = '10.0.0.1') {
  const before = await countRecords()
  const reply = await site.caller({ ip })(searches.documents, { wd })
  if (wd.trim() !== '') await expect.poll(countRecords).toBeGreaterThan(before)
  return reply
}

async function countRecords(): Promise<number> {
  return (await site.db.selectFrom('search_record').select('id').execute()).length
}

beforeEach(async () => {
  await site.db.deleteFrom('search_record').execute()
  // What is popular is counted anew every few seconds.
  site.advanceClock(60_000)
})

describe('what people looked for', () => {
  test('is recorded with what was found, by whom and from where', async () => {
    const member = await site.member()
    await member.call(searches.documents, { wd: ' 水稻 ' })
    await expect.poll(countRecords).toBe(1)
    const { total, search_record } = await site.root.call(searchRecords.list, {})
    expect(total).toBe(1)
    expect(search_record[0]).toMatchObject({
      keywords: '水稻',
      total: 1,
      page: 1,
      user_id: member.id,
      username: member.username,
    })
    expect(search_record[0]?.ip).toMatch(/^172\.16\./)
  })

  test('is not recorded when the box was empty, or the site keeps no records', async () => {
    await search('   ')
    await site.configure({ 'security.search_record_retention_days': '0' })
    await site.call(searches.documents, { wd: '水稻' })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await countRecords()).toBe(0)
    await site.configure({ 'security.search_record_retention_days': '7' })
  })

  test('is kept for so many days', async () => {
    await search('水稻')
    site.advanceClock(6 * 86_400_000)
    await purgeRecords(await site.app.context())
    expect(await countRecords()).toBe(1)
    site.advanceClock(2 * 86_400_000)
    await purgeRecords(await site.app.context())
    expect(await countRecords()).toBe(0)
  })

  test('is listed, narrowed, ordered and deleted by the staff', async () => {
    await search('水稻', '10.0.0.1')
    await search('水', '10.0.0.2')
    const words = async (asked: object) =>
      (await site.root.call(searchRecords.list, asked)).search_record.map(({ keywords }) => keywords)
    expect(await words({})).toEqual(['水', '水稻'])
    expect(await words({ order: 'total asc' })).toEqual(['水稻', '水'])
    expect(await words({ keywords: '稻' })).toEqual(['水稻'])
    expect(await words({ ip: '10.0.0.2' })).toEqual(['水'])
    const { search_record } = await site.root.call(searchRecords.list, { keywords: '稻' })
    await site.root.call(searchRecords.delete, { id: search_record.map(({ id }) => id) })
    expect(await words({})).toEqual(['水'])
  })

  test('and what never found anything is a list of its own, the most wanted first', async () => {
    for (const wd of ['量子', '量子', '潜水艇', '水稻']) await search(wd)
    const { total, word } = await site.root.call(searchRecords.missed, {})
    expect(total).toBe(2)
    expect(word.map(({ keywords, times }) => [keywords, times])).toEqual([
      ['量子', 2],
      ['潜水艇', 1],
    ])
  })

  test('may be anything: the longest question, operators, half a character', async () => {
    for (const wd of ['a'.repeat(10_000), '水\ud800', '"NEAR(水 稻)" * - % _', '\0水稻\0', "'; drop table document"])
      await search(wd)
    const { search_record } = await site.root.call(searchRecords.list, {})
    expect(search_record).toHaveLength(5)
    expect(Math.max(...search_record.map(({ keywords }) => keywords.length))).toBeLessThanOrEqual(64)
  })
})

describe('suggestions', () => {
  const suggest = async (wd: string) => {
    const { suggestion } = await site.call(searches.suggest, { wd })
    return suggestion
  }

  test('are titles with what is typed, and where it stands in them', async () => {
    const found = await suggest('水利')
    expect(found).toMatchObject([{ text: '水利工程概论', ranges: [[0, 2]], ext: '.pdf' }])
    expect(found[0]?.uuid).not.toBe('')
  })

  test('are also spelled: whole syllables, their beginnings, or first letters', async () => {
    for (const typed of ['shuidao', 'sdzz', 'ZZSC', 'zhongzhishouce'])
      expect(
        (await suggest(typed)).map(({ text }) => text),
        typed,
      ).toContain('水稻种植手册')
    expect(await suggest('xyzq')).toEqual([])
  })

  test('are also what several people have looked for and found', async () => {
    await search('水稻种植', '10.1.0.1')
    expect((await suggest('种植')).map(({ text }) => text)).not.toContain('水稻种植')
    site.advanceClock(60_000)
    await search('水稻种植', '10.1.0.2')
    await search('种植园', '10.1.0.1')
    await search('种植园', '10.1.0.2')
    site.advanceClock(60_000)
    expect((await suggest('种植')).map(({ text }) => text)).toEqual(['水稻种植', '水稻种植手册'])
    expect((await suggest('sdzz')).map(({ text }) => text)).toContain('水稻种植')
  })

  test('contain nothing that is not public', async () => {
    const [id = 0] = await site.addDocuments({ title: '水下考古' })
    await site.root.call(searches.reindex, {})
    await site.runDueJobs()
    expect((await suggest('考古')).map(({ text }) => text)).toEqual(['水下考古'])
    await site.root.call(documents.review, { id: [id], status: DocumentStatus.Disabled })
    expect(await suggest('考古')).toEqual([])
    expect(await suggest('sxkg')).toEqual([])
  })

  test('of articles are their titles, which open at once, and what others have found among them', async () => {
    const [id = 0] = await addArticles(site, { title: '水彩画入门', identifier: 'watercolour' })
    await addArticles(site, { title: '水彩待审', status: ReviewStatus.Pending }, { title: '水彩已删', deleted_at: 1 })
    await site.root.call(searches.reindex, {})
    await site.runDueJobs()
    const ofArticles = async (wd: string) =>
      (await site.call(searches.suggest, { wd, type: ContentType.Article })).suggestion
    const title = { text: '水彩画入门', ranges: [[0, 2]], uuid: 'watercolour', ext: '' }
    expect(await ofArticles('水彩')).toEqual([title])
    expect((await ofArticles('shuicai')).map(({ text }) => text)).toEqual(['水彩画入门'])
    expect(await suggest('水彩'), 'documents have titles of their own').toEqual([])
    expect(await ofArticles('水稻')).toEqual([])
    const stamps = { created_at: 0, updated_at: 0 }
    const record = { user_id: 0, type: ContentType.Article, total: 1, page: 1, spend_ms: 1, user_agent: '', ...stamps }
    const records = ['10.1.0.1', '10.1.0.2'].map((ip) => ({ ...record, ip, network: ip, keywords: '水彩画' }))
    await site.db.insertInto('search_record').values(records).execute()
    site.advanceClock(60_000)
    expect((await ofArticles('水彩')).map(({ text, uuid }) => [text, uuid])).toEqual([
      ['水彩画', ''],
      ['水彩画入门', 'watercolour'],
    ])
    await site.db.updateTable('article').set({ status: ReviewStatus.Rejected }).where('id', '=', id).execute()
    expect(await ofArticles('水彩')).toEqual([])
  })

  test('forget words that find nothing any more', async () => {
    const [id = 0] = await site.addDocuments({ title: '深海潜航日志' })
    await indexEntries(await site.app.context(), documentIndexer, [id])
    await search('潜航日志', '10.1.0.1')
    await search('潜航日志', '10.2.0.2')
    site.advanceClock(60_000)
    expect((await suggest('潜航')).map(({ text }) => text)).toEqual(['潜航日志', '深海潜航日志'])
    await site.root.call(documents.review, { id: [id], status: DocumentStatus.Disabled })
    expect(await suggest('潜航')).toEqual([])
    expect((await site.call(searches.hot, {})).word).toEqual([])
  })

  test('can be switched off', async () => {
    await site.configure({ 'search.enable_suggest': 'false' })
    expect(await suggest('水利')).toEqual([])
    await site.configure({ 'search.enable_suggest': 'true' })
  })

  test('before anything is typed: the words of the site’s owner, or what is looked for most', async () => {
    expect((await site.call(searches.hot, {})).word).toEqual([])
    await search('水稻', '10.1.0.1')
    await search('水稻', '10.1.0.2')
    site.advanceClock(60_000)
    expect((await site.call(searches.hot, {})).word).toEqual(['水稻'])
    const [id = 0] = await site.addDocuments({ title: '劳动合同' })
    await indexEntries(await site.app.context(), documentIndexer, [id])
    await site.configure({ 'system.recommend_words': '合同,论文' })
    expect((await site.call(searches.hot, {})).word).toEqual(['合同'])
    await site.root.call(documents.review, { id: [id], status: DocumentStatus.Disabled })
    site.advanceClock(60_000)
    expect((await site.call(searches.hot, {})).word).toEqual(['水稻'])
    await site.configure({ 'system.recommend_words': '' })
  })
})

describe('a page that is rendered for many', () => {
  const words = '瀚海星槎'
  const recorded = () =>
    site.db
      .selectFrom('search_record')
      .select(['user_id', 'ip', 'total', 'page'])
      .where('keywords', '=', words)
      // They are written after the replies, in any order.
      .orderBy('user_id', 'desc')
      .execute()

  test('is recorded when a reader has it, with the member and the address of that reader', async () => {
    const { ticket } = await site.call(searches.documents, { wd: words, deferred: true })
    expect(ticket).not.toBe('')
    const member = await site.member()
    await member.call(searches.shown, { ticket })
    await site.call(searches.shown, { ticket })
    await expect.poll(recorded).toMatchObject([
      { user_id: member.id, total: 0, page: 1 },
      { user_id: 0, total: 0, page: 1 },
    ])
    for (const { ip } of await recorded()) expect(ip).not.toBe('')
    expect(await refusal(site.call(searches.shown, { ticket: `${ticket.slice(0, -4)}AAAA` }))).toMatchObject({
      status: 400,
    })
    site.advanceClock(2 * 3_600_000)
    await site.call(searches.shown, { ticket })
    expect(await recorded()).toHaveLength(2)
  })

  test('counts once for one reader, however often it is said to be shown', async () => {
    const { ticket } = await site.call(searches.documents, { wd: words, deferred: true })
    const member = await site.member()
    const before = (await recorded()).length
    for (let time = 0; time < 3; time += 1) {
      await member.call(searches.shown, { ticket })
      await site.caller({ ip: '203.0.113.5' })(searches.shown, { ticket })
    }
    await site.caller({ ip: '203.0.113.6' })(searches.shown, { ticket })
    // Another search for the same words, whose record is written after those of the first.
    const { ticket: next } = await site.call(searches.documents, { wd: words, page: 2, deferred: true })
    await member.call(searches.shown, { ticket: next })
    await expect.poll(async () => (await recorded()).map(({ page }) => page)).toContain(2)
    await expect.poll(async () => (await recorded()).length).toBeGreaterThanOrEqual(before + 4)
    expect(await recorded()).toHaveLength(before + 4)
  })

  test('other calls are recorded at once, and have no ticket', async () => {
    const before = (await recorded()).length
    const { ticket } = await site.call(searches.documents, { wd: words })
    expect(ticket).toBe('')
    await expect.poll(recorded).toHaveLength(before + 1)
  })
})
