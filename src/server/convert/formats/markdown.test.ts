import { expect, test } from 'vitest'
import { markdownToChapters } from './markdown.ts'
import { htmlToBlocks } from './blocks/html-blocks.ts'

const chapters = (text: string) => [...markdownToChapters(text)]
const blocks = (text: string) => chapters(text).flatMap(({ body }) => htmlToBlocks(body))

test('headings, paragraphs, lists, quotes, code and tables keep their structure', () => {
  const text = `---
title: 不是正文
---
# 山谷 &amp; 河流

一段**粗体**、*强调*、~~删去~~和 \`a < b\`，见[附录](https://example.com)。

3. 三
4. 四
   - [x] 完成

> 引文

\`\`\`js
if (a < b) c()
\`\`\`

| 品名 | 数量 |
| ---- | ---- |
| 铅笔 | 120  |
`
  expect(blocks(text)).toEqual([
    { kind: 'heading', level: 1, content: ['山谷 & 河流'] },
    {
      kind: 'paragraph',
      content: [
        '一段',
        { mark: 'bold', content: ['粗体'] },
        '、',
        { mark: 'italic', content: ['强调'] },
        '、',
        { mark: 'strike', content: ['删去'] },
        '和 ',
        { mark: 'code', content: ['a < b'] },
        '，见附录。',
      ],
    },
    { kind: 'item', marker: '3.', depth: 0, content: ['三'] },
    { kind: 'item', marker: '4.', depth: 0, content: ['四'] },
    { kind: 'item', marker: '•', depth: 1, content: ['[x] 完成'] },
    { kind: 'quote', content: ['引文'] },
    { kind: 'code', text: 'if (a < b) c()' },
    {
      kind: 'table',
      hasHead: true,
      rows: [
        [['品名'], ['数量']],
        [['铅笔'], ['120']],
      ],
    },
  ])
})

test('chapters begin at headings of two levels, and nothing is lost', () => {
  const text = `开头\n\n# 一\n\n## 甲\n\n### 小节\n\n${'长长的一段。\n\n'.repeat(6000)}# 二\n\n末尾`
  const titles = chapters(text).map(({ title, level }) => [title, level])
  expect(titles.filter(([title]) => title)).toEqual([
    ['一', 0],
    ['甲', 1],
    ['二', 0],
  ])
  expect(blocks(text).filter(({ kind }) => kind === 'paragraph')).toHaveLength(6002)
})

test('markup, scripts and pictures from elsewhere leave nothing but text', () => {
  const text =
    '<div onclick="x()">甲<script>alert(1)</script></div>\n\n乙<b>丙</b>![丁](https://example.com/a.png)&#60;i&#62;'
  const [chapter] = chapters(text)
  expect(chapter?.files).toEqual([])
  expect(chapter?.body).toBe('<p>甲</p>\n<p>乙丙丁&lt;i&gt;</p>\n')
})

test('tasks say whether they are done, also with blank lines between them', () => {
  for (const text of ['- [x] 完成\n- [ ] 未完成', '- [x] 完成\n\n- [ ] 未完成'])
    expect(blocks(text)).toEqual([
      { kind: 'item', marker: '•', depth: 0, content: ['[x] 完成'] },
      { kind: 'item', marker: '•', depth: 0, content: ['[ ] 未完成'] },
    ])
})

test.each(['---\ntitle: 只有标题\n---\n', '[a]: https://example.com\n'])('a file without text is empty: %j', (text) => {
  expect(() => chapters(text)).toThrow(expect.objectContaining({ reason: 'empty' }) as Error)
})

test('a picture that is in the text itself becomes a file of the book', () => {
  const [chapter] = chapters('![图一](data:image/png;base64,iVBORw0KGgo=)')
  expect(chapter?.files).toEqual([{ name: 'p1.png', content: Buffer.from('iVBORw0KGgo=', 'base64') }])
  expect(chapter?.body).toContain('<img src="p1.png" alt="图一"/>')
})

test('markup that is nested without end is shown as text', () => {
  expect(
    chapters(`${'>'.repeat(50_000)} 深`)
      .map(({ body }) => body)
      .join(''),
  ).toContain('深')
})

const columns = (count: number) => `${'a|'.repeat(count)}\n${'-|'.repeat(count)}\n${'a\n'.repeat(count)}`

test.each([
  ['emphasis', '*a '.repeat(100_000)],
  ['emphasis in many paragraphs', `${'*a '.repeat(1000)}\n\n`.repeat(300)],
  ['strong emphasis', '**a _b '.repeat(50_000)],
  ['brackets', '['.repeat(300_000)],
  ['pictures', '!['.repeat(150_000)],
  ['links', '[a]('.repeat(80_000)],
  ['code', '`a``b```c '.repeat(30_000)],
  ['deletions', '~~a '.repeat(80_000)],
  ['comments', '<!--'.repeat(80_000)],
  ['escapes', String.raw`\*`.repeat(150_000)],
  ['quotes', '> '.repeat(150_000)],
  ['quotes that go on', `${'> '.repeat(40)}a\nb\n`.repeat(50)],
  ['lists', `${'- '.repeat(150_000)}a`],
  ['lists in lists', Array.from({ length: 700 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
  ['tables', columns(100_000)],
])('%s without end are read', (_, text) => {
  const bodies = chapters(`开头\n\n${text}\n\n结尾`).map(({ body }) => body)
  expect(bodies.join('')).toContain('<p>开头</p>')
})

test('a paragraph with too much markup is shown as it is written, and others are not', () => {
  const [chapter] = chapters(`*甲*\n\n${'*a '.repeat(4000)}\n\n*乙*`)
  expect(chapter?.body).toMatch(/^<p><i>甲<\/i><\/p>\n<p>\*a \*a .*<\/p>\n<p><i>乙<\/i><\/p>\n$/)
})

test('a long paragraph with a large picture keeps its markup', () => {
  const picture = `data:image/png;base64,${'A'.repeat(3_000_000)}`
  const [chapter] = chapters(`**图** ![一](${picture}) *见下* ![二](${picture})`)
  expect(chapter?.files).toHaveLength(2)
  expect(chapter?.body).toContain('<b>图</b>')
})
