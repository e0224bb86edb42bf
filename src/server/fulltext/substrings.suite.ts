import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pickChapters } from '#server/cli/demo/prose.ts'
import { paragraphs } from '#server/samples/prose.ts'
import type { TestFilters } from './filters.suite.ts'
import type { FulltextIndex } from './fulltext.ts'
import { fold } from './text/fold.ts'

/** Whatever substring is searched for, it is found. */
export function substringSuite(name: string, open: () => Promise<FulltextIndex>, filters: TestFilters): void {
  describe(name, () => {
    let index: FulltextIndex

    beforeAll(async () => {
      index = await open()
    })

    afterAll(async () => {
      await index.close()
    })

    const put = async ({ id, title, texts }: Sample) => {
      const entry = { kind: 'document', id, version: '1' } as const
      await index.putMetadata({ ...entry, title, keywords: '', description: '', quality: 0 })
      await index.putPages({ ...entry, pages: texts.map((text, at) => ({ page: at + 1, text })) })
    }
    const search = async (words: string) => {
      const query = {
        kind: 'document',
        words,
        visibility: filters.all,
        offset: 0,
        limit: 1000,
        maxTotal: 1000,
      } as const
      return (await index.search(query)).hits.map(({ id }) => id)
    }
    const isFound = async ({ id, page, text }: Substring): Promise<boolean> => {
      if (!(await search(text)).includes(id)) return false
      const pages = page > 0 ? await index.find({ kind: 'document', id, words: text }) : []
      return page === 0 || pages.some((hit) => hit.page === page)
    }

    test('a thousand random substrings of titles and pages are all found, with their page', async () => {
      const samples = mixedSamples()
      await Promise.all(samples.map(put))
      const missing: Substring[] = []
      const queue = randomSubstrings(samples, 1000)
      const work = async () => {
        for (let next = queue.pop(); next; next = queue.pop()) if (!(await isFound(next))) missing.push(next)
      }
      await Promise.all(Array.from({ length: 4 }, work))
      expect(missing).toEqual([])
    }, 300_000)
  })
}

interface Sample {
  id: number
  title: string
  texts: string[]
}

/** 200 documents of random paragraphs, Chinese and English. */
function mixedSamples(): Sample[] {
  const next = numbers(7)
  const chapters = pickChapters(['walking', 'garden', 'software', 'report', 'lesson', 'cooking', 'club'])
  const texts = [...chapters.flatMap(({ paragraphs }) => paragraphs), ...paragraphs(8), ...latin]
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
  const page = () => {
    const text = Array.from({ length: 2 + Math.floor(next() * 3) }, () => pick(texts)).join('\n')
    // Line breaks anywhere, as in the text of a PDF.
    return text.replace(/.{28}/gu, (line) => (next() < 0.5 ? `${line}\n` : line))
  }
  return Array.from({ length: 200 }, (_, index) => ({
    id: index + 1,
    title: `${pick(chapters).title} ${pick(['C++ 笔记', 'Vol.', '（修訂版）', '2024—2025', '.NET'])}${index}`,
    texts: Array.from({ length: 1 + Math.floor(next() * 6) }, page),
  }))
}

const latin = [
  'Node.js v24.1 與 C++20：Object.freeze() 不會複製物件；see https://example.org/a_b?x=1&y=２',
  'The quick-brown FOX jumped—over 3.14159 “lazy” dogs; naïve café, e-mail: reader@example.com (tel. 010-12345678).',
  '型号 AB-1200X/3，额定电压２２０Ｖ±10%，面积 35㎡，详见 GB/T 1.1-2020 第4.2.1条。',
]

interface Substring {
  id: number
  /** 0 for the title. */
  page: number
  text: string
}

function randomSubstrings(samples: Sample[], count: number): Substring[] {
  const next = numbers(11)
  const substrings: Substring[] = []
  while (substrings.length < count) {
    const sample = samples[Math.floor(next() * samples.length)]
    const page = next() < 0.2 ? 0 : 1 + Math.floor(next() * (sample?.texts.length ?? 0))
    const characters = Array.from((page === 0 ? sample?.title : sample?.texts[page - 1]) ?? '')
    const length = 2 + Math.floor(next() * 11)
    const from = Math.floor(next() * Math.max(1, characters.length - length))
    const text = characters.slice(from, from + length).join('')
    // Punctuation alone cannot be searched for.
    if (sample && fold(text).replaceAll(' ', '').length >= 2) substrings.push({ id: sample.id, page, text })
  }
  return substrings
}

function numbers(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff
}
