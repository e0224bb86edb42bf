import { expect, test } from 'vitest'
import { splitMarkdown } from '#web/features/editor/pasting/split-markdown.ts'

const filler = `${'一段文字。'.repeat(700)}\n\n`

test('a short text is one part', () => {
  expect(splitMarkdown('# 标题\n\n正文')).toEqual(['# 标题\n\n正文'])
})

test('a long text is split before headings and paragraphs, and nothing is lost', () => {
  const text = `${filler}## 第二节\n\n${filler}又一段`
  const parts = splitMarkdown(text)
  expect(parts).toHaveLength(3)
  expect(parts.join('\n')).toBe(text)
  expect(parts[1]).toMatch(/^## 第二节/)
})

test.each([
  ['code', '```md\n# 不是标题\n\n正文\n```'],
  ['a formula', '$$\na\n\nb\n$$'],
  ['a list', '- 一\n\n  续\n\n- 二'],
  ['a numbered list', '1. 一\n\n2. 二'],
  ['a quote', '> 一\n\n> 二'],
])('%s is not split', (_name, block) => {
  const parts = splitMarkdown(`${filler}${block}`)
  expect(parts).toHaveLength(1)
})

test('a text can be split after code', () => {
  expect(splitMarkdown(`${'```\n一\n```\n\n'.repeat(400)}正文`)).toHaveLength(2)
  expect(splitMarkdown(`$$ a $$\n\n${filler}正文`)).toHaveLength(2)
})
