import { expect, test } from 'vitest'
import { shorterWords } from '#web/features/search/shorter-words.ts'

test.each([
  ['高等数学 第三版', ['高等数学', '第三版']],
  ['高等数学', ['高等', '数学']],
  ['高等数学讲', ['高等数', '学讲']],
  ['线性代数，习题；习题', ['线性代数', '习题']],
  ['数学', []],
  ['kubernetes', []],
  ['', []],
  ['a b c d e f', ['a', 'b', 'c', 'd']],
])('for “%s” try %j', (words, shorter) => {
  expect(shorterWords(words)).toEqual(shorter)
})
