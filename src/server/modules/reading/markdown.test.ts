import { expect, test } from 'vitest'
import { escapeMarkdown } from './markdown.ts'

test.each([
  ['<script>alert(1)</script>', String.raw`\<script\>alert(1)\</script\>`],
  ['1. 第一', String.raw`1\. 第一`],
  ['- 项目', String.raw`\- 项目`],
  ['[链接](javascript:x)', String.raw`\[链接\](javascript:x)`],
  ['a - b，2.5', 'a - b，2.5'],
])('text of documents is no markup: %s', (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped)
})
