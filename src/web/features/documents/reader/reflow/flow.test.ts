import { expect, test } from 'vitest'
import type { Block, ReflowedPage } from '#shared/reflow.ts'
import { settingOf, toFlow } from '#web/features/documents/reader/reflow/flow.ts'

const paragraph = (text: string, joined?: '' | ' '): Block => ({
  kind: 'paragraph',
  content: [text],
  ...(joined !== undefined && { joined }),
})
const pages = (...blocks: Block[][]): ReflowedPage[] => blocks.map((blocks, index) => ({ page: index + 1, blocks }))

test('a paragraph over two pages is one, with the start of the second page in it', () => {
  const flow = toFlow(pages([paragraph('一开始')], [paragraph('接着', ''), paragraph('下一段')]))
  expect(flow[0]?.blocks.map(({ content }) => content)).toEqual([['一开始', '', { startOf: 2 }, '接着']])
  expect(flow[1]).toMatchObject({ page: 2, isJoined: true })
  expect(flow[1]?.blocks.map(({ key }) => key)).toEqual(['2-1'])
})

test('a paragraph over three pages is one too', () => {
  const flow = toFlow(pages([paragraph('a')], [paragraph('b', ' ')], [paragraph('c', ' ')]))
  expect(flow[0]?.blocks[0]?.content).toEqual(['a', ' ', { startOf: 2 }, 'b', ' ', { startOf: 3 }, 'c'])
  expect(flow.map(({ blocks }) => blocks.length)).toEqual([1, 0, 0])
})

test('nothing is joined to a heading, nor to a page that is not loaded', () => {
  const heading: Block = { kind: 'heading', level: 1, content: ['章'] }
  expect(toFlow(pages([heading], [paragraph('文', '')]))[1]).toMatchObject({
    isJoined: false,
    blocks: [{ key: '2-0' }],
  })
  const [first] = toFlow([{ page: 11, blocks: [paragraph('文', '')] }])
  expect(first).toMatchObject({ isJoined: false, blocks: [{ key: '11-0' }] })
})

test('a page without text is told from one whose text is in the page before', () => {
  expect(toFlow(pages([], [paragraph('文')])).map(({ isEmpty }) => isEmpty)).toEqual([true, false])
})

test('Chinese is indented and justified, unless a long word would stretch a line', () => {
  expect(settingOf(['读书破万卷，下笔如有神。用 PDF 也行。'])).toEqual({ isChinese: true, isJustified: true })
  expect(settingOf(['运行 dpkg-buildpackage 命令来构建软件包，再看它的输出。'])).toEqual({
    isChinese: true,
    isJustified: false,
  })
  expect(settingOf(['Only English here'])).toEqual({ isChinese: false, isJustified: false })
})
