import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { measureCpuMs } from '#server/testing/cpu-time.ts'
import type { TestFilters } from './filters.suite.ts'
import type { EntryKind, FulltextIndex, SearchQuery } from './fulltext.ts'

/** How every index behaves with a small collection. */
export function fulltextSuite(name: string, open: () => Promise<FulltextIndex>, filters: TestFilters): void {
  describe(name, () => {
    let index: FulltextIndex

    beforeAll(async () => {
      index = await open()
    })

    afterAll(async () => {
      await index.close()
    })

    beforeEach(() => index.empty())

    const put = async (id: number, title: string, pages: string[] = [], fields: Partial<Fields> = {}) => {
      const { kind = 'document', keywords = '', description = '', quality = 0 } = fields
      await index.putMetadata({ kind, id, title, keywords, description, quality, version: 'm1' })
      if (pages.length > 0)
        await index.putPages({
          kind,
          id,
          version: 'p1',
          pages: pages.map((text, index) => ({ page: index + 1, text })),
        })
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
    const ids = async (words: string, options: Partial<SearchQuery> = {}) =>
      (await search(words, options)).hits.map(({ id }) => id)

    test('any two characters are found in titles and texts, with their page', async () => {
      await put(1, '人工智能导论', ['第一页没有什么', '这里讲神经网络的训练方法'])
      await put(2, '菜谱', ['西红柿炒鸡蛋'])
      expect(await ids('智能')).toEqual([1])
      expect(await ids('经网')).toEqual([1])
      const { total, hits } = await search('训练方')
      expect(total).toBe(1)
      expect(hits[0]).toMatchObject({ id: 1, bestPage: { page: 2, hits: 1 }, matchingPages: 1, titleRanges: [] })
      expect(marked(hits[0]?.excerpt)).toEqual(['训练方'])
      expect(await ids('智导论人')).toEqual([])
      expect(await ids('炒')).toEqual([2])
    })

    test('a byte-misaligned match in UTF-16 is no match, in titles and in texts', async () => {
      // From its second byte on, the UTF-16 of these four characters is that of 乐安全.
      const misaligned = '假襎桛兑'
      await put(1, `乐安，安全，${misaligned}`, [`乐安，安全，${misaligned}`])
      await put(2, `乐安，${misaligned}，乐安全`)
      await put(3, '另一份', [`安全，${misaligned}，乐安全`])
      expect(await ids('乐安全')).toEqual([2, 3])
      expect(await ids(`${misaligned} 乐安全`)).toEqual([2, 3])
      // Also with many words, and late in the text.
      const words = ['天地玄', '宇宙洪', '日月盈', '辰宿列', '寒来暑', '秋收冬', '闰余成', '律吕调']
      await put(4, '千字', [`乐安，安全，${'水'.repeat(3000)}，${words.join('，')}，${misaligned}`])
      expect(await ids(words.join(' '))).toEqual([4])
      expect(await ids(`${words.join(' ')} 乐安全`)).toEqual([])
    })

    test('a title or page that is only a number is text', async () => {
      await put(1, '2024', ['年度报告', '2024', '007'])
      expect((await search('2024')).hits[0]).toMatchObject({
        id: 1,
        titleRanges: [[0, 4]],
        matchingPages: 1,
        bestPage: { page: 2 },
      })
      expect(await ids('报告 007')).toEqual([1])
      expect((await search('007')).hits[0]?.excerpt?.text).toBe('007')
    })

    test('several words are found across title and keywords, or within the requested scope only', async () => {
      await put(1, '山谷里的春天', ['溪水'])
      await put(2, '山谷', ['夏天'], { keywords: '春天' })
      await put(3, '山', ['谷', '山谷，春天'])
      expect(await ids('春天 山谷')).toEqual([1, 2, 3])
      expect(await ids('春天 山谷', { within: 'metadata' })).toEqual([1, 2])
      expect(await ids('春天 山谷', { within: 'title' })).toEqual([1])
      expect(await ids('谷 春', { within: 'title' })).toEqual([1])
      expect(await ids('溪水 夏天')).toEqual([])
    })

    test('a cached query follows changes of the index, the visibility filter and the preview pages', async () => {
      await put(1, '山谷里的春天', ['溪水'])
      await put(2, '山谷', ['春天'])
      expect(await ids('春天')).toEqual([1, 2])
      expect(await ids('春天')).toEqual([1, 2])
      expect(await ids('春天', { visibility: filters.only(2) })).toEqual([2])
      await put(2, '山谷里的夏天', ['夏天'])
      await put(3, '春天来了')
      expect(await ids('春天')).toEqual([3, 1])
      expect(await ids('春天', { offset: 1 })).toEqual([1])
      const excerpts = async (lastPage: number) =>
        (await search('溪水', { previewPages: async (list) => list.map(() => lastPage) })).hits.map(
          ({ excerpt }) => excerpt,
        )
      expect(await excerpts(1)).toMatchObject([{ text: '溪水' }])
      expect(await excerpts(0)).toEqual([undefined])
      expect(await excerpts(1)).toMatchObject([{ text: '溪水' }])
    })

    test('case, width, traditional characters and line breaks make no difference', async () => {
      await put(1, 'ＴｙｐｅＳｃｒｉｐｔ入門', ['資料\n庫系統的\r\n設計 與 Implementation'])
      for (const words of [
        'typescript入门',
        'TYPESCRIPT',
        '数据库'.replace('数据', '资料'),
        '设计与impl',
        '系统的设计',
      ])
        expect(await ids(words), words).toEqual([1])
      const { hits } = await search('资料库系统')
      expect(marked(hits[0]?.excerpt)).toEqual(['資料庫系統'])
      const [title] = (await search('入门')).hits
      expect(title?.titleRanges).toEqual([[10, 12]])
    })

    test('symbols in names count', async () => {
      await put(1, 'C++ 程序设计')
      await put(2, 'C# 与 .NET 入门')
      await put(3, 'C 语言')
      await put(4, 'Node.js 3.5')
      await put(5, 'F# in action')
      expect(await ids('c++')).toEqual([1])
      expect(await ids('C#')).toEqual([2])
      expect(await ids('.net')).toEqual([2])
      expect(await ids('node.js')).toEqual([4])
      expect(await ids('3.5')).toEqual([4])
      expect(await ids('F#')).toEqual([5])
      expect((await ids('c'))[0]).toBe(3)
    })

    test('a Latin word is found by any part; whole words and prefixes come first', async () => {
      await put(1, 'restart')
      await put(2, 'artist')
      await put(3, 'the art of it')
      expect(await ids('art')).toEqual([3, 2, 1])
      expect(await ids('tis')).toEqual([2])
      expect(await ids('e art o')).toEqual([3])
      expect(await ids('artistry')).toEqual([])
    })

    test('every word must be somewhere in the document; all on one page come first', async () => {
      await put(1, '春天的故事', ['山谷', '积雪'])
      await put(2, '无题', ['山谷里的积雪', '春天'])
      await put(3, '无题', ['山谷积雪的春天'])
      await put(4, '无题', ['山谷'])
      expect(await ids('山谷 积雪')).toEqual([3, 2, 1])
      expect(new Set(await ids('春天 山谷'))).toEqual(new Set([1, 2, 3]))
      expect(await ids('春天 大海')).toEqual([])
      await put(5, '无题', ['档案馆', '图书馆', '档案与图书'])
      await put(6, '无题', ['档案与图书', '图书馆'])
      expect(await ids('图书馆 档案馆')).toEqual([5])
      expect(await ids('春天的 积雪')).toEqual([1])
      const { hits } = await search('春天 积雪')
      expect(hits.find(({ id }) => id === 1)).toMatchObject({ bestPage: { page: 2 }, titleRanges: [[0, 2]] })
    })

    test('a match in the title ranks above keywords, description and text, in this order', async () => {
      await put(4, '档案', [], {})
      await put(3, '无题', [], { keywords: '档案,目录' })
      await put(2, '无题', [], { description: '关于档案的说明' })
      await put(5, '无题', ['档案室里的旧档案'])
      expect(await ids('档案')).toEqual([4, 3, 2, 5])
    })

    test('equal matches are ordered by quality, then newest first', async () => {
      await put(1, '年度报告 一', [], { quality: 50 })
      await put(2, '年度报告 二', [])
      await put(3, '年度报告 三', [])
      expect(await ids('年度报告')).toEqual([1, 3, 2])
    })

    test('the caller decides which entries are visible, their order and the maximum total', async () => {
      for (let id = 1; id <= 30; id++) await put(id, `会议纪要第${id}号`, ['讨论预算'])
      // On a busy machine counting may stop early.
      await expect
        .poll(() => search('预算', { visibility: filters.even, limit: 3 }))
        .toMatchObject({ total: 15, hits: [{ id: 30 }, { id: 28 }, { id: 26 }] })
      expect(
        await ids('会议', { sortBy: async (list) => list.toSorted((a, b) => a - b), offset: 2, limit: 2 }),
      ).toEqual([3, 4])
      expect(await search('纪要', { maxTotal: 20, offset: 18 })).toMatchObject({ total: 20, hits: { length: 2 } })
      expect(await ids('会议', { offset: 100 })).toEqual([])
    })

    test('pages beyond the preview are neither counted nor quoted', async () => {
      await put(1, '合同', ['前言', '违约责任在此', '违约责任与违约金'])
      const hitWithPreview = async (last: number) =>
        (await search('违约', { previewPages: async (list) => list.map(() => last) })).hits[0]
      expect(await hitWithPreview(Infinity)).toMatchObject({ bestPage: { page: 3, hits: 2 }, matchingPages: 2 })
      expect(await hitWithPreview(2)).toMatchObject({ bestPage: { page: 2, hits: 1 }, matchingPages: 1 })
      const none = await hitWithPreview(1)
      expect(none).toMatchObject({ id: 1, matchingPages: 0 })
      expect(none?.bestPage).toBeUndefined()
      expect(JSON.stringify(none)).not.toContain('违约')
    })

    test('find counts beyond the preview only what stands in it', async () => {
      await put(1, '合同', ['甲方与乙方', '违约责任', '甲方违约金 甲方乙方'])
      const found = async (words: string) =>
        (await index.find({ kind: 'document', id: 1, words, previewPages: 2 })).map(({ page, hits }) => [page, hits])
      expect(await found('甲方')).toEqual([
        [1, 1],
        [3, 2],
      ])
      expect(await found('违约金')).toEqual([])
      expect(await found('甲方 违约金')).toEqual([
        [1, 1],
        [3, 2],
      ])
      // The phrase stands only beyond the preview, which must not change what is found in it.
      expect(await found('甲方 乙方')).toEqual([
        [1, 2],
        [3, 3],
      ])
    })

    test('find returns every page of a document with its hits', async () => {
      const pages = Array.from({ length: 2000 }, (_, index) =>
        index % 3 === 0 ? '水位升高，水位下降' : `第${index}页 the Level`,
      )
      await put(1, '水文', pages)
      const pagesWithHits = await index.find({ kind: 'document', id: 1, words: '水位' })
      expect(pagesWithHits).toHaveLength(667)
      expect(pagesWithHits[1]).toEqual({ page: 4, hits: 2 })
      expect(await index.find({ kind: 'document', id: 1, words: 'eve' })).toHaveLength(1333)
      expect(await index.find({ kind: 'document', id: 1, words: '页 the lev' })).toHaveLength(1333)
      expect(await index.find({ kind: 'document', id: 1, words: '下降 水位升' })).toHaveLength(667)
      expect(await index.find({ kind: 'document', id: 2, words: '水位' })).toEqual([])
    })

    test('edits, cut pages and removals take effect at once', async () => {
      await put(1, '旧标题', ['旧的内容', '要去掉的页'])
      await put(1, '新标题', ['新的内容'])
      await index.cutPages({ kind: 'document', id: 1, after: 1 })
      for (const words of ['旧标题', '旧的', '去掉']) expect(await ids(words), words).toEqual([])
      for (const words of ['新标题', '新的内容']) expect(await ids(words), words).toEqual([1])
      await index.remove('document', [1, 99])
      expect(await ids('新标题')).toEqual([])
      expect(await index.list('document', { after: 0, limit: 10 })).toEqual([])
    })

    test('indexed entries are listed with their versions', async () => {
      await put(7, '甲', ['一', '二'])
      await put(9, '乙')
      await put(9, '丙', [], { kind: 'article' })
      expect(await index.list('document', { after: 0, limit: 10 })).toEqual([
        { id: 7, metadataVersion: 'm1', pagesVersion: 'p1' },
        { id: 9, metadataVersion: 'm1', pagesVersion: '' },
      ])
      expect(await index.list('document', { after: 7, limit: 10 })).toHaveLength(1)
      expect(await index.list('article', { after: 0, limit: 1 })).toMatchObject([{ id: 9 }])
    })

    test('an article and a document may have the same id', async () => {
      await put(1, '文档标题', ['正文之一'])
      await put(1, '文章标题', ['正文之二'], { kind: 'article' })
      expect(await ids('标题')).toEqual([1])
      expect(await ids('文章标题')).toEqual([])
      expect(await ids('正文之二', { kind: 'article' })).toEqual([1])
      await index.remove('article', [1])
      expect(await ids('文档标题')).toEqual([1])
    })

    test('similar entries share characteristic terms', async () => {
      await put(1, '番茄的育苗', ['番茄育苗要控制温度，番茄苗怕涝', '移栽番茄之前先炼苗'])
      await put(2, '番茄的病害', ['番茄叶片发黄，多半是浇水太多', '番茄裂果与温度有关'])
      await put(3, '单元测试的写法', ['单元测试先要失败一次', '测试的名字是一句话'])
      await put(4, '评审与单元测试', ['评审时先读单元测试', '删除功能就删除测试'])
      const similar = (id: number) => index.similar({ kind: 'document', id, visibility: filters.all, limit: 1 })
      expect(await similar(1)).toEqual([2])
      expect(await similar(4)).toEqual([3])
      expect(await index.similar({ kind: 'document', id: 1, visibility: filters.none, limit: 5 })).toEqual([])
    })

    test('unusual queries are answered quickly and without an error', async () => {
      await put(1, '100% 的 "NEAR" 与 a_b* (x)', ['null\0byte \ud800 lone', '𠮷野家'])
      const odd = [
        '%',
        '_',
        '"',
        "'",
        'NEAR(a b)',
        'a AND',
        'OR',
        'NOT x',
        '*',
        'a*',
        '-x',
        '{title}: x',
        '\0',
        '\ud800',
        'a\udc00b',
      ]
      const long = [
        '字'.repeat(10_000),
        'x'.repeat(10_000),
        'word '.repeat(1000),
        '甲 乙 '.repeat(1000),
        'a b c d e '.repeat(200),
      ]
      for (const words of [...odd, ...long]) {
        const cpuMs = await measureCpuMs(async () => {
          await search(words)
          await index.find({ kind: 'document', id: 1, words })
        })
        expect(cpuMs, words.slice(0, 20)).toBeLessThan(2000)
      }
      for (const words of ['near', 'a_b', '100%', '𠮷野', 'byte', '野家']) expect(await ids(words), words).toEqual([1])
    })
  })
}

interface Fields {
  kind: EntryKind
  keywords: string
  description: string
  quality: number
}

function marked(excerpt: { text: string; ranges: [number, number][] } | undefined): string[] {
  return excerpt?.ranges.map(([from, to]) => excerpt.text.slice(from, to)) ?? []
}
