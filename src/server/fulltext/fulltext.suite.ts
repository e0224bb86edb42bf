import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { paragraphs } from '#server/samples/prose.ts'
import { chaptersOf } from '#server/cli/demo/prose.ts'
import { fold } from './text/fold.ts'
import type { Kind, Question, Search } from './fulltext.ts'

/** How every search behaves. */
export function searchSuite(name: string, open: () => Promise<Search>): void {
  describe(name, () => {
    let search: Search

    beforeAll(async () => {
      search = await open()
    })

    afterAll(async () => {
      await search.close()
    })

    const put = async (id: number, title: string, pages: string[] = [], more: Partial<More> = {}) => {
      const { kind = 'document', keywords = '', description = '', quality = 0 } = more
      await search.putHead({ kind, id, title, keywords, description, quality, mark: 'h1' })
      if (pages.length > 0)
        await search.putPages({ kind, id, mark: 'p1', pages: pages.map((text, index) => ({ page: index + 1, text })) })
    }
    const ask = (words: string, more: Partial<Question> = {}) =>
      search.search({ kind: 'document', words, accept: async (ids) => ids, offset: 0, limit: 10, most: 1000, ...more })
    const ids = async (words: string, more: Partial<Question> = {}) =>
      (await ask(words, more)).found.map(({ id }) => id)

    describe('a small collection', () => {
      beforeEach(() => search.empty())

      test('any two characters are found, in the title and in the text, with their page', async () => {
        await put(1, '人工智能导论', ['第一页没有什么', '这里讲神经网络的训练方法'])
        await put(2, '菜谱', ['西红柿炒鸡蛋'])
        expect(await ids('智能')).toEqual([1])
        expect(await ids('经网')).toEqual([1])
        const { total, found } = await ask('训练方')
        expect(total).toBe(1)
        expect(found[0]).toMatchObject({ id: 1, best: { page: 2, hits: 1 }, pages: 1, title: [] })
        expect(marked(found[0]?.excerpt)).toEqual(['训练方'])
        expect(await ids('智导论人')).toEqual([])
        expect(await ids('炒')).toEqual([2])
      })

      test('characters that only look alike as bytes are told apart, in titles and in texts', async () => {
        // From the second byte of these four on, in two bytes each, lie the bytes of 乐安全.
        const across = '假襎桛兑'
        await put(1, `乐安，安全，${across}`, [`乐安，安全，${across}`])
        await put(2, `乐安，${across}，乐安全`)
        await put(3, '另一份', [`安全，${across}，乐安全`])
        expect(await ids('乐安全')).toEqual([2, 3])
        expect(await ids(`${across} 乐安全`)).toEqual([2, 3])
        // However many words are looked for, and however far behind.
        const words = ['天地玄', '宇宙洪', '日月盈', '辰宿列', '寒来暑', '秋收冬', '闰余成', '律吕调']
        await put(4, '千字', [`乐安，安全，${'水'.repeat(3000)}，${words.join('，')}，${across}`])
        expect(await ids(words.join(' '))).toEqual([4])
        expect(await ids(`${words.join(' ')} 乐安全`)).toEqual([])
      })

      test('a title and a page that are only a number are texts like others', async () => {
        await put(1, '2024', ['年度报告', '2024', '007'])
        expect((await ask('2024')).found[0]).toMatchObject({ id: 1, title: [[0, 4]], pages: 1, best: { page: 2 } })
        expect(await ids('报告 007')).toEqual([1])
        expect((await ask('007')).found[0]?.excerpt?.text).toBe('007')
      })

      test('words of one title are found together, whichever of its fields they stand in', async () => {
        await put(1, '山谷里的春天', ['溪水'])
        await put(2, '山谷', ['夏天'], { keywords: '春天' })
        await put(3, '山', ['谷', '山谷，春天'])
        expect(await ids('春天 山谷')).toEqual([1, 2, 3])
        expect(await ids('春天 山谷', { within: 'head' })).toEqual([1, 2])
        expect(await ids('春天 山谷', { within: 'title' })).toEqual([1])
        expect(await ids('谷 春', { within: 'title' })).toEqual([1])
        expect(await ids('溪水 夏天')).toEqual([])
      })

      test('a question that was asked before knows what has changed since, and who may see it', async () => {
        await put(1, '山谷里的春天', ['溪水'])
        await put(2, '山谷', ['春天'])
        expect(await ids('春天')).toEqual([1, 2])
        expect(await ids('春天')).toEqual([1, 2])
        expect(await ids('春天', { accept: async (some) => some.filter((id) => id === 2) })).toEqual([2])
        await put(2, '山谷里的夏天', ['夏天'])
        await put(3, '春天来了')
        expect(await ids('春天')).toEqual([3, 1])
        expect(await ids('春天', { offset: 1 })).toEqual([1])
        const excerptsOf = async (lastPage: number) =>
          (await ask('溪水', { lastPages: async (some) => some.map(() => lastPage) })).found.map(
            ({ excerpt }) => excerpt,
          )
        expect(await excerptsOf(1)).toMatchObject([{ text: '溪水' }])
        expect(await excerptsOf(0)).toEqual([undefined])
        expect(await excerptsOf(1)).toMatchObject([{ text: '溪水' }])
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
        const { found } = await ask('资料库系统')
        expect(marked(found[0]?.excerpt)).toEqual(['資料庫系統'])
        const [title] = (await ask('入门')).found
        expect(title?.title).toEqual([[10, 12]])
      })

      test('symbols that belong to names count', async () => {
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

      test('words are found by any part, whole ones and beginnings first', async () => {
        await put(1, 'restart')
        await put(2, 'artist')
        await put(3, 'the art of it')
        expect(await ids('art')).toEqual([3, 2, 1])
        expect(await ids('tis')).toEqual([2])
        expect(await ids('e art o')).toEqual([3])
        expect(await ids('artistry')).toEqual([])
      })

      test('all words must be there, each anywhere in the document; together they come first', async () => {
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
        const { found } = await ask('春天 积雪')
        expect(found.find(({ id }) => id === 1)).toMatchObject({ best: { page: 2 }, title: [[0, 2]] })
      })

      test('the title counts more than keywords, those more than the description, that more than the text', async () => {
        await put(4, '档案', [], {})
        await put(3, '无题', [], { keywords: '档案,目录' })
        await put(2, '无题', [], { description: '关于档案的说明' })
        await put(5, '无题', ['档案室里的旧档案'])
        expect(await ids('档案')).toEqual([4, 3, 2, 5])
      })

      test('quality decides between equals, then what is newer', async () => {
        await put(1, '年度报告 一', [], { quality: 50 })
        await put(2, '年度报告 二', [])
        await put(3, '年度报告 三', [])
        expect(await ids('年度报告')).toEqual([1, 3, 2])
      })

      test('the asker decides what may be seen, in which order, and up to how many', async () => {
        for (let id = 1; id <= 30; id++) await put(id, `会议纪要第${id}号`, ['讨论预算'])
        const even = async (list: number[]) => list.filter((id) => id % 2 === 0)
        // A busy machine may not count all of them.
        await expect
          .poll(() => ask('预算', { accept: even, limit: 3 }))
          .toMatchObject({ total: 15, found: [{ id: 30 }, { id: 28 }, { id: 26 }] })
        expect(
          await ids('会议', { arrange: async (list) => list.toSorted((a, b) => a - b), offset: 2, limit: 2 }),
        ).toEqual([3, 4])
        expect(await ask('纪要', { most: 20, offset: 18 })).toMatchObject({ total: 20, found: { length: 2 } })
        expect(await ids('会议', { offset: 100 })).toEqual([])
      })

      test('beyond the limit pages are counted and never quoted', async () => {
        await put(1, '合同', ['前言', '违约责任在此', '违约责任与违约金'])
        const limited = async (last: number) =>
          (await ask('违约', { lastPages: async (list) => list.map(() => last) })).found[0]
        expect(await limited(Infinity)).toMatchObject({ best: { page: 3, hits: 2 }, pages: 2 })
        expect(await limited(2)).toMatchObject({ best: { page: 2, hits: 1 }, pages: 2 })
        const none = await limited(1)
        expect(none).toMatchObject({ id: 1, pages: 2 })
        expect(none?.best).toBeUndefined()
        expect(JSON.stringify(none)).not.toContain('违约')
      })

      test('find in a document gives every page with its hits', async () => {
        const pages = Array.from({ length: 2000 }, (_, index) =>
          index % 3 === 0 ? '水位升高，水位下降' : `第${index}页 the Level`,
        )
        await put(1, '水文', pages)
        const begun = performance.now()
        const found = await search.find({ kind: 'document', id: 1, words: '水位' })
        expect(performance.now() - begun).toBeLessThan(1500)
        expect(found).toHaveLength(667)
        expect(found[1]).toEqual({ page: 4, hits: 2 })
        expect(await search.find({ kind: 'document', id: 1, words: 'eve' })).toHaveLength(1333)
        expect(await search.find({ kind: 'document', id: 1, words: '页 the lev' })).toHaveLength(1333)
        expect(await search.find({ kind: 'document', id: 1, words: '下降 水位升' })).toHaveLength(667)
        expect(await search.find({ kind: 'document', id: 2, words: '水位' })).toEqual([])
      })

      test('edits, shorter documents and removals are followed at once', async () => {
        await put(1, '旧标题', ['旧的内容', '要去掉的页'])
        await put(1, '新标题', ['新的内容'])
        await search.cutPages({ kind: 'document', id: 1, after: 1 })
        for (const words of ['旧标题', '旧的', '去掉']) expect(await ids(words), words).toEqual([])
        for (const words of ['新标题', '新的内容']) expect(await ids(words), words).toEqual([1])
        await search.remove('document', [1, 99])
        expect(await ids('新标题')).toEqual([])
        expect(await search.list('document', { after: 0, limit: 10 })).toEqual([])
      })

      test('what is known is listed with its marks', async () => {
        await put(7, '甲', ['一', '二'])
        await put(9, '乙')
        await put(9, '丙', [], { kind: 'article' })
        expect(await search.list('document', { after: 0, limit: 10 })).toEqual([
          { id: 7, headMark: 'h1', pagesMark: 'p1' },
          { id: 9, headMark: 'h1', pagesMark: '' },
        ])
        expect(await search.list('document', { after: 7, limit: 10 })).toHaveLength(1)
        expect(await search.list('article', { after: 0, limit: 1 })).toMatchObject([{ id: 9 }])
      })

      test('articles and documents with the same id are two things', async () => {
        await put(1, '文档标题', ['正文之一'])
        await put(1, '文章标题', ['正文之二'], { kind: 'article' })
        expect(await ids('标题')).toEqual([1])
        expect(await ids('文章标题')).toEqual([])
        expect(await ids('正文之二', { kind: 'article' })).toEqual([1])
        await search.remove('article', [1])
        expect(await ids('文档标题')).toEqual([1])
      })

      test('similar entries share what is characteristic', async () => {
        await put(1, '番茄的育苗', ['番茄育苗要控制温度，番茄苗怕涝', '移栽番茄之前先炼苗'])
        await put(2, '番茄的病害', ['番茄叶片发黄，多半是浇水太多', '番茄裂果与温度有关'])
        await put(3, '单元测试的写法', ['单元测试先要失败一次', '测试的名字是一句话'])
        await put(4, '评审与单元测试', ['评审时先读单元测试', '删除功能就删除测试'])
        const similar = (id: number) => search.similar({ kind: 'document', id, accept: async (ids) => ids, limit: 1 })
        expect(await similar(1)).toEqual([2])
        expect(await similar(4)).toEqual([3])
        expect(await search.similar({ kind: 'document', id: 1, accept: async () => [], limit: 5 })).toEqual([])
      })

      test('odd questions are answered quickly and without an error', async () => {
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
          const begun = performance.now()
          await ask(words)
          await search.find({ kind: 'document', id: 1, words })
          expect(performance.now() - begun, words.slice(0, 20)).toBeLessThan(2000)
        }
        for (const words of ['near', 'a_b', '100%', '𠮷野', 'byte', '野家'])
          expect(await ids(words), words).toEqual([1])
      })
    })

    test('a thousand random parts of titles and pages are all found, with their page', async () => {
      await search.empty()
      const collection = mixedCollection()
      await Promise.all(collection.map(({ id, title, pages }) => put(id, title, pages)))
      const missing: string[] = []
      const parts = randomParts(collection, 1000)
      const check = async ({ id, page, part }: Part) => {
        const found = await ids(part, { limit: 1000 })
        const pages = page > 0 ? await search.find({ kind: 'document', id, words: part }) : []
        const isThere = found.includes(id) && (page === 0 || pages.some((one) => one.page === page))
        if (!isThere) missing.push(`${id}/${page} ${JSON.stringify(part)}`)
      }
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          for (let part = parts.pop(); part; part = parts.pop()) await check(part)
        }),
      )
      expect(missing).toEqual([])
    }, 300_000)
  })
}

interface More {
  kind: Kind
  keywords: string
  description: string
  quality: number
}

interface Sample {
  id: number
  title: string
  pages: string[]
}

/** Chinese and English, from all that we have written ourselves, shuffled into 200 documents. */
function mixedCollection(): Sample[] {
  const next = numbers(7)
  const chapters = chaptersOf(['walking', 'garden', 'software', 'report', 'lesson', 'cooking', 'club'])
  const texts = [...chapters.flatMap(({ paragraphs }) => paragraphs), ...paragraphs(8), ...latin]
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
  const page = () => {
    const text = Array.from({ length: 2 + Math.floor(next() * 3) }, () => pick(texts)).join('\n')
    // Lines as in a PDF, broken anywhere.
    return text.replace(/.{28}/gu, (line) => (next() < 0.5 ? `${line}\n` : line))
  }
  return Array.from({ length: 200 }, (_, index) => ({
    id: index + 1,
    title: `${pick(chapters).title} ${pick(['C++ 笔记', 'Vol.', '（修訂版）', '2024—2025', '.NET'])}${index}`,
    pages: Array.from({ length: 1 + Math.floor(next() * 6) }, page),
  }))
}

const latin = [
  'Node.js v24.1 與 C++20：Object.freeze() 不會複製物件；see https://example.org/a_b?x=1&y=２',
  'The quick-brown FOX jumped—over 3.14159 “lazy” dogs; naïve café, e-mail: reader@example.com (tel. 010-12345678).',
  '型号 AB-1200X/3，额定电压２２０Ｖ±10%，面积 35㎡，详见 GB/T 1.1-2020 第4.2.1条。',
]

interface Part {
  id: number
  page: number
  part: string
}

function randomParts(collection: Sample[], count: number): Part[] {
  const next = numbers(11)
  const parts: Part[] = []
  while (parts.length < count) {
    const sample = collection[Math.floor(next() * collection.length)]
    const page = next() < 0.2 ? 0 : 1 + Math.floor(next() * (sample?.pages.length ?? 0))
    const text = Array.from((page === 0 ? sample?.title : sample?.pages[page - 1]) ?? '')
    const length = 2 + Math.floor(next() * 11)
    const from = Math.floor(next() * Math.max(1, text.length - length))
    const part = text.slice(from, from + length).join('')
    // Two characters that count: of punctuation alone there is nothing to find.
    if (sample && fold(part).replaceAll(' ', '').length >= 2) parts.push({ id: sample.id, page, part })
  }
  return parts
}

function numbers(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff
}

function marked(excerpt: { text: string; ranges: [number, number][] } | undefined): string[] {
  return excerpt?.ranges.map(([from, to]) => excerpt.text.slice(from, to)) ?? []
}
