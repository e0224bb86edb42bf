import { expect, test } from 'vitest'
import { wrap } from '#web/features/social/share/picture-card.ts'

const fits = (line: string) => line.length <= 4

test.each([
  ['短题', ['短题']],
  ['一二三四五六', ['一二三四', '五六']],
  ['一二三四 五六', ['一二三四', '五六']],
  ['一二三四五六七八九十甲乙丙', ['一二三四', '五六七…']],
  ['', []],
])('the title "%s" on at most two lines', (title, lines) => {
  expect(wrap(title, fits, 2)).toEqual(lines)
})
