import { expect, test } from 'vitest'
import { looksLikeMarkdown } from '#web/features/editor/pasting/detect-markdown.ts'

test.each([
  ['a heading and a paragraph', '# 标题\n\n正文一段。'],
  ['headings', '## 一\n文字\n## 二\n文字'],
  ['a fence', '看代码：\n```js\nlet a = 1\n```'],
  ['a table', '| 名称 | 数量 |\n| --- | ---: |\n| 苹果 | 3 |'],
  ['a link', '见[文档](https://example.com/a)。'],
  ['a picture', '![图](https://example.com/a.png)'],
  ['tasks', '- [x] 买菜\n- [ ] 做饭'],
  ['strong words and code', '这是**重点**，用 `npm start` 启动'],
  ['a list with strong words', '- **一**：甲\n- 乙'],
  ['a formula', '$$\nE = mc^2\n$$'],
])('%s is Markdown', (_name, text) => {
  expect(looksLikeMarkdown(text)).toBe(true)
})

test.each([
  ['a sentence', '今天天气不错，3 * 4 = 12，a_b_c 不是斜体。'],
  ['one dash', '- 他说'],
  ['a price', '价格是 $5 和 $6，#1 号店'],
  ['an address', 'https://example.com/a_b?c=[1](2)'],
  ['a numbered line', '1. 第一章'],
  ['a quoted line', '> 回复：好的'],
  ['a dialogue', '—— 你好\n—— 再见'],
  ['nothing', ''],
  ['code that is not fenced', 'const a = b * c\nreturn a ** 2'],
])('%s is not', (_name, text) => {
  expect(looksLikeMarkdown(text)).toBe(false)
})

test('a long text is judged by its beginning', () => {
  const markdown = '# 标题\n\n**粗体**和[链接](/)\n'
  const plain = '一行普通的文字。\n'.repeat(200_000)
  expect(looksLikeMarkdown(markdown + plain)).toBe(true)
  expect(looksLikeMarkdown(plain + markdown)).toBe(false)
})
