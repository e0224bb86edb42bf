import { expect, test } from 'vitest'
import { parseTopUpBonus, topUpBonus } from './top-up-bonus.ts'

test('steps are read in any order and any way of writing', () => {
  expect(parseTopUpBonus(['1000+150', ' 500 ＋ 50 '])).toEqual({
    steps: [
      { from: 500, bonus: 50 },
      { from: 1000, bonus: 150 },
    ],
  })
  expect(parseTopUpBonus([])).toEqual({ steps: [] })
})

test.each(['500', '500-50', '500+', '+50', '0+50', '500+0', '5e2+50', '500+50.5', '500+50+5', '-500+50', '五百+50'])(
  '%j is refused with a sentence that names it',
  (entry) => {
    expect(parseTopUpBonus(['100+5', entry])).toEqual({ problem: expect.stringContaining(`“${entry}”`) })
    expect(topUpBonus(1000, ['100+5', entry])).toBe(0)
  },
)

test('a step that stands twice is refused', () => {
  expect(parseTopUpBonus(['500+50', '500+60'])).toEqual({ problem: '满 500 写了两次' })
})

test.each([
  [0, 0],
  [499, 0],
  [500, 50],
  [999, 50],
  [1000, 150],
  [100_000, 150],
])('a top-up of %i credits brings %i more', (credits, bonus) => {
  expect(topUpBonus(credits, ['1000+150', '500+50'])).toBe(bonus)
})
