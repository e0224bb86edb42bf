import { expect, test } from 'vitest'
import { findTint } from './tint.ts'

test.each([
  ['a blue slide', [[[30, 80, 140], 100]], '#1e508c'],
  [
    'a white page with black text',
    [
      [[255, 255, 255], 90],
      [[0, 0, 0], 10],
    ],
    '',
  ],
  ['a grey photograph', [[[120, 122, 121], 100]], ''],
  [
    'a few coloured letters',
    [
      [[255, 255, 255], 97],
      [[200, 20, 20], 3],
    ],
    '',
  ],
  [
    'a coloured band on paper',
    [
      [[255, 255, 255], 80],
      [[180, 60, 20], 20],
    ],
    '#b43c14',
  ],
  [
    'two colours',
    [
      [[20, 120, 60], 30],
      [[200, 40, 40], 70],
    ],
    '#c82828',
  ],
] satisfies [string, [number[], number][], string][])('the tint of %s', (_name, areas, tint) => {
  const data = Uint8Array.from(areas.flatMap(([color, count]) => Array.from({ length: count }, () => color).flat()))
  expect(findTint({ width: 10, height: 10, data })).toBe(tint)
})

test('a picture without pixels has none', () => {
  expect(findTint({ width: 0, height: 0, data: new Uint8Array() })).toBe('')
})
