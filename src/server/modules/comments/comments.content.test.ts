import { expect, test } from 'vitest'
import { cleanComment } from './comments.content.ts'

test.each([
  ['  前后的空白\n\n', '前后的空白'],
  ['一行\r\n二行\r三行\u2028四行', '一行\n二行\n三行\n四行'],
  ['段落一\n\n\n\n\n\n段落二', '段落一\n\n段落二'],
  ['空行里有空格\n   \n   \n   \n就这样', '空行里有空格\n\n就这样'],
  ['制\t表', '制 表'],
  ['控\u0000制\u0007符\u001b[31m', '控制符[31m'],
  ['倒\u202e着\u2066读\u2069的\u202c字', '倒着读的字'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['家 👨‍👩‍👧‍👦 旗 🏴󠁧󠁢󠁥󠁮󠁧󠁿 键 1️⃣', '家 👨‍👩‍👧‍👦 旗 🏴󠁧󠁢󠁥󠁮󠁧󠁿 键 1️⃣'],
  ['tiếng Việt'.normalize('NFD'), 'tiếng Việt'.normalize('NFD')],
])('%j becomes %j', (content, cleaned) => {
  expect(cleanComment(content)).toBe(cleaned)
})

test('stacked combining marks are cut', () => {
  const stacked = `塔${'\u0301'.repeat(999)}`
  expect(cleanComment(stacked)).toBe(`塔${'\u0301'.repeat(8)}`)
  expect(cleanComment(`塔${'\u0301\u200d'.repeat(400)}高`).length).toBe(10)
})

test.each([
  '',
  ' \n\t ',
  '\u200b\u200c\u200d\u2060\ufeff',
  '\u202e\u202e',
  '\u3164\u3164',
  '\u2800',
  '\u00ad',
  '\u0301'.repeat(1000),
  '\u3000\u00a0',
])('%j has no visible text', (content) => {
  expect(cleanComment(content)).toBe('')
})
