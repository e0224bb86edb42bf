import { expect, test } from 'vitest'
import { blockText, type Block } from '#shared/reflow.ts'
import { placeBlocks } from './place-blocks.ts'

const paragraph = (...content: (Block & { kind: 'paragraph' })['content']): Block => ({ kind: 'paragraph', content })
const place = (blocks: Block[], texts: string[]) =>
  placeBlocks(blocks, texts)?.map(({ blocks }) => blocks.map((block) => blockText(block)))

test('blocks are on the pages that show their text', () => {
  const blocks: Block[] = [
    { kind: 'heading', level: 1, content: ['第一章'] },
    paragraph('山谷里的春天'),
    paragraph('第二段'),
  ]
  expect(place(blocks, ['第一章\n山谷里的\n春天', '第二段'])).toEqual([['第一章', '山谷里的春天'], ['第二段']])
})

test('a paragraph is divided where its page ends, and keeps its emphasis', () => {
  const blocks = [paragraph('前半句在这一页，', { mark: 'bold', content: ['后半句 is here'] }, '。')]
  expect(placeBlocks(blocks, ['前半句在这一\n页，后半', '句 is\nhere。'])).toEqual([
    { page: 1, blocks: [paragraph('前半句在这一页，', { mark: 'bold', content: ['后半'] })] },
    {
      page: 2,
      blocks: [{ kind: 'paragraph', content: [{ mark: 'bold', content: ['句 is here'] }, '。'], joined: '' }],
    },
  ])
})

test('what cannot be divided is on the page where it ends', () => {
  const table: Block = { kind: 'table', hasHead: false, rows: [[['甲乙丙丁戊']], [['己庚辛']]] }
  expect(place([table], ['甲乙丙丁', '戊己庚辛'])).toEqual([[], ['甲乙丙丁戊\n己庚辛']])
  const differing = paragraph('这一段里有一个注释的标记，所以与页面上的文字并不完全一样，要看它在哪里结束')
  expect(
    place([differing], ['这一段里有一个注释的标记，所以与页面上的文字并不完全[1]', '一样，要看它在哪里结束'])?.[0],
  ).toEqual([])
})

test('text that no page shows comes no earlier than what follows it', () => {
  const [one, two] = ['第一页上有这样的一段文字', '第二页上是另外的一段文字']
  expect(place([paragraph(one), paragraph('看不见的'), paragraph(two), paragraph('也看不见')], [one, two, ''])).toEqual(
    [[one], ['看不见的', two], ['也看不见']],
  )
})

/** Paragraphs that are all different, with some of a single letter among them. */
const bookParagraphs = (count: number, length = 60) =>
  Array.from({ length: count }, (_, index) =>
    index % 3 === 2
      ? '啊'
      : `第${index}段${Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + index * 97 + at * 7)).join('')}啊`,
  )
/** Five paragraphs are a page. */
const pagesOf = (paragraphs: readonly string[]) =>
  Array.from({ length: paragraphs.length / 5 }, (_, page) => paragraphs.slice(page * 5, page * 5 + 5).join('\n'))
/** Of each page, the paragraphs that it or a page before it does not show. */
const leaked = (placed: string[][], paragraphs: readonly string[]) =>
  placed.flatMap((texts, page) => {
    const shown = paragraphs.slice(0, (page + 1) * 5)
    return texts.filter((text) => !shown.some((whole) => whole.includes(text)))
  })

test('text with ruby is on no earlier page than its own', () => {
  const paragraphs = bookParagraphs(60)
  const withRuby = paragraphs.map((text, index) => (index < 15 ? text : text.replace(/(.)/gu, '$1よ')))
  // The page text has a reading behind each letter, and the last page has none.
  const shown = pagesOf([...withRuby.slice(0, 55), ...paragraphs.slice(55)])
  const placed = place(
    paragraphs.map((text) => paragraph(text)),
    shown,
  )
  expect(placed?.slice(0, 3).flat()).toEqual(paragraphs.slice(0, 15))
  expect(leaked(placed ?? [], paragraphs)).toEqual([])
})

test('a sentence that is repeated in text with ruby is not taken for its later place', () => {
  const refrain = '他说：“我们明天再来看看吧。”'
  const ruby = (text: string) => text.replace(/(.)/gu, '$1よ')
  const [first, one, two, three] = [
    '开头的一段，有十个字以上。',
    '一段有注音的文字，很长很长。',
    '第二段有注音的文字。',
    '末段',
  ]
  const placed = place(
    [first, one + refrain, two, refrain, three].map((text) => paragraph(text)),
    [`${first}${ruby(one)}${refrain}`, ruby(two), ruby(refrain) + three],
  )
  expect(placed?.slice(0, 2)).toEqual([[first], []])
})

test('blocks behind a long drawing with text do not come before it', () => {
  const paragraphs = bookParagraphs(60)
  const drawing = `${'图'.repeat(3500)}啊${'表'.repeat(3500)}`
  const placed = place(
    paragraphs.map((text) => paragraph(text)),
    pagesOf(paragraphs).toSpliced(3, 0, drawing),
  )
  expect(placed?.slice(0, 4)).toEqual([paragraphs.slice(0, 5), paragraphs.slice(5, 10), paragraphs.slice(10, 15), []])
  expect(leaked(placed?.toSpliced(3, 1) ?? [], paragraphs)).toEqual([])
})

test('a book whose text is mostly not found has no blocks', () => {
  const paragraphs = bookParagraphs(300)
  const shown = pagesOf(paragraphs).map((text, page) => (page < 3 ? text : text.replace(/(.)/gu, '$1よ')))
  expect(
    place(
      paragraphs.map((text) => paragraph(text)),
      shown,
    ),
  ).toBeUndefined()
})

test('a text that is repeated is found in its order', () => {
  expect(
    place([paragraph('题'), paragraph('文一'), paragraph('题'), paragraph('文二')], ['题\n文一', '题\n文二']),
  ).toEqual([
    ['题', '文一'],
    ['题', '文二'],
  ])
})
