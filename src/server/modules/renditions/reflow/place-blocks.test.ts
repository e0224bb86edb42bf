import { expect, test } from 'vitest'
import { blockText, type Block } from '#shared/reflow.ts'
import { placeBlocks } from './place-blocks.ts'

const paragraph = (...content: (Block & { kind: 'paragraph' })['content']): Block => ({ kind: 'paragraph', content })
const place = (blocks: Block[], texts: string[]) =>
  placeBlocks(blocks, texts).map(({ blocks }) => blocks.map((block) => blockText(block)))

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
    place([differing], ['这一段里有一个注释的标记，所以与页面上的文字并不完全[1]', '一样，要看它在哪里结束'])[0],
  ).toEqual([])
})

test('text that no page shows comes no earlier than what follows it', () => {
  expect(
    place([paragraph('页一'), paragraph('看不见的'), paragraph('页二'), paragraph('也看不见')], ['页一', '页二', '']),
  ).toEqual([['页一'], ['看不见的', '页二'], ['也看不见']])
})

test('a text that is repeated is found in its order', () => {
  expect(
    place([paragraph('题'), paragraph('文一'), paragraph('题'), paragraph('文二')], ['题\n文一', '题\n文二']),
  ).toEqual([
    ['题', '文一'],
    ['题', '文二'],
  ])
})
