import { expect, test } from 'vitest'
import { splitByRanges } from '#web/ui/marked-text.tsx'

/** Marked words in brackets. */
function shown(text: string, ranges: number[][]): string {
  return splitByRanges(text, ranges)
    .map(({ words, isMarked }) => (isMarked ? `[${words}]` : words))
    .join('')
}

test.each([
  ['高等数学讲义', [[2, 4]], '高等[数学]讲义'],
  ['高等数学讲义', [], '高等数学讲义'],
  [
    '数学与数学家',
    [
      [3, 5],
      [0, 2],
    ],
    '[数学]与[数学]家',
  ],
  [
    '高等数学',
    [
      [0, 3],
      [1, 4],
    ],
    '[高等数][学]',
  ],
  [
    '高等数学',
    [
      [2, 99],
      [50, 60],
    ],
    '高等[数学]',
  ],
  ['高等数学', [[2], [3, 1], []], '高等数学'],
  ['<b>数学</b>', [[3, 5]], '<b>[数学]</b>'],
  ['', [[0, 2]], ''],
])('of “%s” the ranges %j are marked', (text, ranges, expected) => {
  expect(shown(text, ranges)).toBe(expected)
})
