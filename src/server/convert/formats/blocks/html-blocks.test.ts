import { expect, test } from 'vitest'
import { htmlToBlocks } from './html-blocks.ts'

test('headings, paragraphs, lists, quotes, code and tables keep their structure', () => {
  const html = `<html><head><title>书名</title><style>p{}</style></head><body>
    <h1>第一章</h1><p>一段 <b>粗</b>体与<em>强调</em>。</p>
    <ul><li>甲<ul><li>乙</li></ul></li></ul><ol><li><p>一</p></li><li>二</li></ol>
    <blockquote><p>引文</p></blockquote><pre>a  b
c</pre><hr/>
    <table><tr><th>品名</th><th>数量</th></tr><tr><td>铅笔</td><td><p>1</p><p>2</p></td></tr></table></body></html>`
  expect(htmlToBlocks(html)).toEqual([
    { kind: 'heading', level: 1, content: ['第一章'] },
    {
      kind: 'paragraph',
      content: ['一段 ', { mark: 'bold', content: ['粗'] }, '体与', { mark: 'italic', content: ['强调'] }, '。'],
    },
    { kind: 'item', marker: '•', depth: 0, content: ['甲'] },
    { kind: 'item', marker: '•', depth: 1, content: ['乙'] },
    { kind: 'item', marker: '1.', depth: 0, content: ['一'] },
    { kind: 'item', marker: '2.', depth: 0, content: ['二'] },
    { kind: 'quote', content: ['引文'] },
    { kind: 'code', text: 'a  b\nc' },
    { kind: 'rule' },
    {
      kind: 'table',
      hasHead: true,
      rows: [
        [['品名'], ['数量']],
        [['铅笔'], ['1', ' ', '2']],
      ],
    },
  ])
})

test('lists go on from their first number, and large bold lines of old books are headings', () => {
  const html = `<ol start="3"><li>三</li><li>四</li></ol><p><font size="7"><b>第一章</b></font></p>
    <p><font size="5"><b>这一行</b>只有一部分是粗体</font></p><p><b>粗体</b></p>`
  expect(htmlToBlocks(html)).toEqual([
    { kind: 'item', marker: '3.', depth: 0, content: ['三'] },
    { kind: 'item', marker: '4.', depth: 0, content: ['四'] },
    { kind: 'heading', level: 1, content: ['第一章'] },
    { kind: 'paragraph', content: [{ mark: 'bold', content: ['这一行'] }, '只有一部分是粗体'] },
    { kind: 'paragraph', content: [{ mark: 'bold', content: ['粗体'] }] },
  ])
})

test('scripts, attributes and unknown elements leave nothing but text', () => {
  const html = `<p onclick="x()">a<script>alert(1)</script><a href="javascript:x">b</a><x-y>c</x-y></p><svg><text>d</text></svg>&lt;b&gt;`
  expect(JSON.stringify(htmlToBlocks(html))).toBe(
    JSON.stringify([
      { kind: 'paragraph', content: ['ab'] },
      { kind: 'paragraph', content: ['c'] },
      { kind: 'paragraph', content: ['<b>'] },
    ]),
  )
})

test.each(['', '<', '<p', '</p></ul></table></b>', '<td>x', '<li>y', '<b>'.repeat(5000) + 'z', '<table>'.repeat(500)])(
  'broken markup %# does no harm',
  (html) => {
    expect(() => htmlToBlocks(html)).not.toThrow()
  },
)
