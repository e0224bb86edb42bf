import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { measureCpuMs } from '#server/testing/cpu-time.ts'
import type { TestFilters } from './filters.suite.ts'
import type { FulltextIndex, Pages, PageText, SearchQuery } from './fulltext.ts'

export interface TestIndex {
  index: FulltextIndex
  /** Deletes all tokens and words, and leaves the texts. */
  dropTokens: () => Promise<void>
}

/** How every index behaves with long documents, time budgets, empty results and repeated indexing. */
export function longDocumentsSuite(name: string, open: () => Promise<TestIndex>, filters: TestFilters): void {
  describe(name, () => {
    let index: FulltextIndex
    let dropTokens: () => Promise<void>

    beforeAll(async () => {
      ;({ index, dropTokens } = await open())
    })

    afterAll(async () => {
      await index.close()
    })

    beforeEach(() => index.empty())

    const putTitle = (id: number, title: string) =>
      index.putMetadata({ kind: 'document', id, title, keywords: '', description: '', quality: 0, version: 'm' })
    /** As the indexing job does it: only the last batch has the version. */
    const putInBatches = async (id: number, texts: readonly string[], options: Partial<Pages> = {}) => {
      for (let from = 0; from < texts.length; from += 20) {
        const pages: PageText[] = texts.slice(from, from + 20).map((text, at) => ({ page: from + at + 1, text }))
        const version = from + 20 < texts.length ? '' : 'p'
        await index.putPages({ kind: 'document', id, pages, version, ...options })
      }
      await index.cutPages({ kind: 'document', id, after: texts.length })
    }
    const search = (words: string, options: Partial<SearchQuery> = {}) =>
      index.search({
        kind: 'document',
        words,
        visibility: filters.all,
        offset: 0,
        limit: 10,
        maxTotal: 1000,
        ...options,
      })
    const ids = async (words: string) => (await search(words)).hits.map(({ id }) => id)

    test('neither the filter nor a callback is called without ids', async () => {
      await putTitle(1, '番茄的育苗')
      await putInBatches(1, ['番茄育苗要控制温度'])
      const rejectEmpty = async (list: number[]) => {
        if (list.length === 0) throw new Error('called without ids')
        return list
      }
      const visibility = filters.rejectingEmpty
      const options = { visibility, sortBy: rejectEmpty, previewPages: rejectEmpty }
      const noResults = { total: 0, hasMore: false, hits: [] }
      expect(await search('没有的词', options)).toMatchObject(noResults)
      expect(await search('番茄', { ...options, visibility: filters.none })).toMatchObject(noResults)
      expect(await search('番茄', { ...options, offset: 10 })).toMatchObject({ ...noResults, total: 1 })
      expect(await search('番茄 没有', options)).toMatchObject(noResults)
      for (const id of [1, 2]) expect(await index.similar({ kind: 'document', id, visibility, limit: 5 })).toEqual([])
      for (const words of ['meiyou', '没有'])
        expect(await index.suggest({ kind: 'document', words, visibility, limit: 5 })).toEqual([])
    })

    test('an error in the visibility filter fails the query, and nothing else', async () => {
      await putTitle(1, '番茄的育苗')
      await putTitle(2, '番茄的病害')
      const visibility = filters.failing
      await expect(search('番茄', { visibility })).rejects.toThrow('no_such_table')
      await expect(index.suggest({ kind: 'document', words: 'fanqie', visibility, limit: 5 })).rejects.toThrow(
        'no_such_table',
      )
      await expect(index.similar({ kind: 'document', id: 1, visibility, limit: 5 })).rejects.toThrow('no_such_table')
      expect(await ids('番茄')).toEqual([2, 1])
    })

    test('a full page of results does not wait for the rest to be counted, and the total says so', async () => {
      await Promise.all(Array.from({ length: 120 }, (_, at) => putTitle(at + 1, `番茄的育苗 ${at}`)))
      await putInBatches(121, ['番茄育苗要控制温度'])
      const visibility = filters.slow
      expect(await search('番茄', { visibility, limit: 5 })).toMatchObject({ total: 120, hasMore: true })
      expect(await search('番茄', { visibility, limit: 121 })).toMatchObject({ total: 121 })
      // On a busy machine counting may stop early.
      await expect.poll(() => search('番茄', { limit: 5 })).toMatchObject({ total: 121, hasMore: false })
    })

    test('a phrase on one page is found among hundreds of pages that have all its tokens', async () => {
      const lengths = [700, 100, 105, 110, 115, 120, 125, 130]
      for (const [at, length] of lengths.entries())
        await putInBatches(at + 1, ['天地玄黄', ...Array.from({ length: length - 1 }, () => '天地，地玄，玄黄')])
      expect(await ids('天地玄黄')).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
      // The newest by their pages, the rest as whole entries.
      expect(new Set(await ids('天地'))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]))
    })

    test('the best page is found far into a document, and pages that only have the tokens are not counted', async () => {
      const texts = Array.from({ length: 200 }, (_, at) => (at === 149 ? '天地玄黄' : '天地，地玄，玄黄'))
      await putInBatches(1, texts)
      const [late] = (await search('天地玄黄')).hits
      expect(late).toMatchObject({ bestPage: { page: 150, hits: 1 }, matchingPages: 1 })
      await putInBatches(1, texts.with(9, '天地玄黄'))
      const [early] = (await search('天地玄黄')).hits
      expect(early).toMatchObject({ bestPage: { page: 10, hits: 1 } })
      // On a busy machine the second hundred pages may not be counted in time.
      expect([1, 2]).toContain(early?.matchingPages)
    })

    test('the CPU time to index a document is linear in its pages, and indexing it again takes much less', async () => {
      // The first documents also compile the code.
      await putInBatches(1, prose(400))
      const texts = prose(800)
      const short: number[] = []
      const long: number[] = []
      for (const id of [2, 4]) {
        short.push(await measureCpuMs(() => putInBatches(id, prose(100))))
        long.push(await measureCpuMs(() => putInBatches(id + 1, texts)))
      }
      // Eight times the pages; if every batch reindexed all of them, it would take sixty-four times as much.
      expect(Math.min(...long) / Math.min(...short)).toBeLessThan(30)
      const again: number[] = []
      for (const id of [3, 5, 3]) again.push(await measureCpuMs(() => putInBatches(id, texts)))
      expect(Math.min(...again)).toBeLessThan(Math.min(...long) / 3)
      const [first = '', last = ''] = [texts[0]?.slice(5, 8), texts[799]?.slice(5, 8)]
      expect(await ids(`${first} ${last}`)).toEqual([5, 3])
    }, 120_000)

    test('indexing that was interrupted is completed by the next attempt, although no page has changed', async () => {
      const pages = [
        { page: 1, text: '山谷' },
        { page: 2, text: '积雪' },
      ]
      await index.putPages({ kind: 'document', id: 1, pages, version: '' })
      await index.putPages({ kind: 'document', id: 1, pages, version: 'p' })
      expect(await ids('积雪 山谷')).toEqual([1])
      expect(await index.list('document', { after: 0, limit: 1 })).toEqual([
        { id: 1, metadataVersion: '', pagesVersion: 'p' },
      ])
    })

    test('lost tokens are written again only with force', async () => {
      const texts = ['山谷里的 Spring', '积雪']
      const putAll = async (options: { force?: true }) => {
        const metadata = { title: '春天 Almanac', keywords: '', description: '', quality: 0, version: 'm' }
        await index.putMetadata({ kind: 'document', id: 1, ...metadata, ...options })
        await putInBatches(1, texts, options)
      }
      await putAll({})
      await dropTokens()
      await putAll({})
      expect(await ids('谷里')).toEqual([])
      await putAll({ force: true })
      for (const words of ['谷里', '春天', 'pring', '积雪 山谷', 'almanac'])
        expect(await ids(words), words).toEqual([1])
    })
  })
}

/** Pages of four hundred random hanzi. */
function prose(pages: number): string[] {
  let state = 17
  const next = () => (state = (state * 48_271) % 0x7fffffff)
  return Array.from({ length: pages }, () =>
    Array.from({ length: 400 }, () => String.fromCharCode(0x4e00 + (next() % 3000))).join(''),
  )
}
