import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PageText, Pages, Question, Search } from './fulltext.ts'

export interface Opened {
  search: Search
  /** Takes away what texts are filed under, and leaves the texts. */
  spoil: () => Promise<void>
}

/** How every search deals with many pages, with nothing to tell, and with filing again. */
export function longDocumentsSuite(name: string, open: () => Promise<Opened>): void {
  describe(name, () => {
    let search: Search
    let spoil: () => Promise<void>

    beforeAll(async () => {
      ;({ search, spoil } = await open())
    })

    afterAll(async () => {
      await search.close()
    })

    beforeEach(() => search.empty())

    const putHead = (id: number, title: string) =>
      search.putHead({ kind: 'document', id, title, keywords: '', description: '', quality: 0, mark: 'h' })
    /** As a job does it: the mark comes with the last of them. */
    const putSlices = async (id: number, texts: readonly string[], more: Partial<Pages> = {}) => {
      for (let from = 0; from < texts.length; from += 20) {
        const pages: PageText[] = texts.slice(from, from + 20).map((text, at) => ({ page: from + at + 1, text }))
        const mark = from + 20 < texts.length ? '' : 'p'
        await search.putPages({ kind: 'document', id, pages, mark, ...more })
      }
      await search.cutPages({ kind: 'document', id, after: texts.length })
    }
    const ask = (words: string, more: Partial<Question> = {}) =>
      search.search({ kind: 'document', words, accept: async (ids) => ids, offset: 0, limit: 10, most: 1000, ...more })
    const ids = async (words: string) => (await ask(words)).found.map(({ id }) => id)

    test('nobody is asked about nothing', async () => {
      await putHead(1, '番茄的育苗')
      await putSlices(1, ['番茄育苗要控制温度'])
      const some = async (list: number[]) => {
        if (list.length === 0) throw new Error('asked about nothing')
        return list
      }
      const none = async (list: number[]) => (await some(list)).slice(0, 0)
      const all = { accept: some, arrange: some, lastPages: some }
      const nothing = { total: 0, more: false, found: [] }
      expect(await ask('没有的词', all)).toEqual(nothing)
      expect(await ask('番茄', { ...all, accept: none })).toEqual(nothing)
      expect(await ask('番茄', { ...all, offset: 10 })).toEqual({ ...nothing, total: 1 })
      expect(await ask('番茄 没有', all)).toEqual(nothing)
      for (const id of [1, 2])
        expect(await search.similar({ kind: 'document', id, accept: some, limit: 5 })).toEqual([])
      for (const words of ['meiyou', '没有'])
        expect(await search.suggest({ kind: 'document', words, accept: some, limit: 5 })).toEqual([])
    })

    test('who has a page of results does not wait until all are counted, and is told so', async () => {
      await Promise.all(Array.from({ length: 120 }, (_, index) => putHead(index + 1, `番茄的育苗 ${index}`)))
      await putSlices(121, ['番茄育苗要控制温度'])
      const slow = async (list: number[]) => {
        await sleep(150)
        return list
      }
      expect(await ask('番茄', { accept: slow, limit: 5 })).toMatchObject({ total: 120, more: true })
      expect(await ask('番茄', { accept: slow, limit: 121 })).toMatchObject({ total: 121 })
      // A busy machine may give up counting as well.
      await expect.poll(() => ask('番茄', { limit: 5 })).toMatchObject({ total: 121, more: false })
    })

    test('a phrase on one page is found where hundreds of pages have its parts', async () => {
      const lengths = [700, 100, 105, 110, 115, 120, 125, 130]
      for (const [index, length] of lengths.entries())
        await putSlices(index + 1, ['天地玄黄', ...Array.from({ length: length - 1 }, () => '天地，地玄，玄黄')])
      expect(await ids('天地玄黄')).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
      // Hundreds of pages of some, and the others as a whole.
      expect(new Set(await ids('天地'))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]))
    })

    test('far behind, too, a page is found to open, and what only looks like it is not counted', async () => {
      const texts = Array.from({ length: 200 }, (_, index) => (index === 149 ? '天地玄黄' : '天地，地玄，玄黄'))
      await putSlices(1, texts)
      const [late] = (await ask('天地玄黄')).found
      expect(late).toMatchObject({ best: { page: 150, hits: 1 }, pages: 1 })
      await putSlices(1, texts.with(9, '天地玄黄'))
      const [early] = (await ask('天地玄黄')).found
      expect(early).toMatchObject({ best: { page: 10, hits: 1 } })
      // A busy machine may not get round to the second hundred.
      expect([1, 2]).toContain(early?.pages)
    })

    test('a document is filed in a time that grows with its pages, and in next to none a second time', async () => {
      const took = async (work: () => Promise<void>) => {
        const begun = performance.now()
        await work()
        return performance.now() - begun
      }
      // The first pages of an empty index cost less than any later ones, in PostgreSQL a good deal less.
      await putSlices(1, prose(400))
      const texts = prose(800)
      const short: number[] = []
      const long: number[] = []
      // In turns, and the quickest counts: others may be using the machine.
      for (const id of [2, 4]) {
        short.push(await took(() => putSlices(id, prose(100))))
        long.push(await took(() => putSlices(id + 1, texts)))
      }
      // Eight times the pages; were each slice to file all of them again, it would be sixty-four times as long.
      expect(Math.min(...long) / Math.min(...short)).toBeLessThan(30)
      expect(await took(() => putSlices(3, texts))).toBeLessThan(Math.max(...long) / 3)
      const [first = '', last = ''] = [texts[0]?.slice(5, 8), texts[799]?.slice(5, 8)]
      expect(await ids(`${first} ${last}`)).toEqual([5, 3])
    }, 120_000)

    test('an interrupted filing is made good by the next one, though nothing is new in it', async () => {
      const pages = [
        { page: 1, text: '山谷' },
        { page: 2, text: '积雪' },
      ]
      await search.putPages({ kind: 'document', id: 1, pages, mark: '' })
      await search.putPages({ kind: 'document', id: 1, pages, mark: 'p' })
      expect(await ids('积雪 山谷')).toEqual([1])
      expect(await search.list('document', { after: 0, limit: 1 })).toEqual([{ id: 1, headMark: '', pagesMark: 'p' }])
    })

    test('what is no longer filed is filed again when asked for', async () => {
      const texts = ['山谷里的 Spring', '积雪']
      const putAll = async (more: { anew?: true }) => {
        const head = { title: '春天 Almanac', keywords: '', description: '', quality: 0, mark: 'h' }
        await search.putHead({ kind: 'document', id: 1, ...head, ...more })
        await putSlices(1, texts, more)
      }
      await putAll({})
      await spoil()
      await putAll({})
      expect(await ids('谷里')).toEqual([])
      await putAll({ anew: true })
      for (const words of ['谷里', '春天', 'pring', '积雪 山谷', 'almanac'])
        expect(await ids(words), words).toEqual([1])
    })
  })
}

/** Pages of four hundred hanzi, hardly two of them the same. */
function prose(pages: number): string[] {
  let state = 17
  const next = () => (state = (state * 48_271) % 0x7fffffff)
  return Array.from({ length: pages }, () =>
    Array.from({ length: 400 }, () => String.fromCharCode(0x4e00 + (next() % 3000))).join(''),
  )
}
