import { parseDocument } from 'htmlparser2'
import { expect, test } from 'vitest'
import { cut, tidy, visibleText } from './text.ts'

test.each([
  ['<p>一</p><p>二<br>三</p>', '一 二 三'],
  ['中<b>文</b>字 <i> 斜 </i>', '中文字 斜'],
  ['<script>x</script><style>y</style><noscript>z</noscript>文<template>t</template>', '文'],
  ['a&nbsp;\n\t b&amp;c', 'a b&c'],
])('%s', (html, text) => {
  expect(visibleText(parseDocument(html))).toBe(text)
})

test('text is cut between characters', () => {
  expect(visibleText(parseDocument('<p>一二三四</p>'), 2)).toBe('一二')
  expect(cut('一🙂', 2)).toBe('一')
  expect(cut('一🙂', 3)).toBe('一🙂')
})

test('what cannot be seen is removed', () => {
  expect(tidy(' a\u0000\u200bb\u202ec \ufeff\r\n')).toBe('a bc')
})
