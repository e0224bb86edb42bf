import { expect, test } from 'vitest'
import { readMatrix } from '../matrix.ts'
import { shortPath } from './path.ts'

function short(data: string, units: number, scale = units): string {
  return Buffer.from(shortPath(Buffer.from(data), 0, data.length, units, scale)).toString()
}

test('a path is written with relative coordinates and as few characters as possible', () => {
  expect(short('M10 20L30 20L30 40L10 40Z', 1)).toBe('m10 20h20v20h-20z')
  expect(short('M.5.25H1.5V-2.75', 100, 1)).toBe('m.5.25h1v-3')
  expect(short('m1 1 2 3 4 5', 1)).toBe('m1 1 2 3 4 5')
})

test('rounding errors do not add up along a path', () => {
  const steps = Array.from({ length: 1000 }, (_, n) => `L${(n + 1) * 0.4} 0`).join('')
  const path = short(`M0 0${steps}`, 1)
  const sum = [...path.slice(4).matchAll(/h?(-?\d+)/g)].reduce((x, [, step]) => x + Number(step), 0)
  expect(sum).toBe(400)
})

test('a curve that was quadratic becomes quadratic again, and one that mirrors the last is shorter still', () => {
  // From (0,0) over (300,600) to (600,600), then on over (900,600) to (1200,0).
  expect(short('M0 0C200 400 400 600 600 600C800 600 1000 400 1200 0', 1)).toBe('m0 0q300 600 600 600t600-600')
  expect(short('M0 0C0 500 500 500 500 0', 1)).toBe('m0 0c0 500 500 500 500 0')
})

test('the start of a closed subpath is the origin of the next one', () => {
  expect(short('M10 10H20V20ZM30 30H40', 1)).toBe('m10 10h10v10zm20 20h10')
})

test('data that are no path become nothing', () => {
  for (const data of ['M1 2 A 3 3 0 0 1 5 5', 'javascript:alert(1)', 'M1', 'M1 2L"', '5 5'])
    expect(short(data, 1)).toBe('')
})

test('only a complete matrix is parsed', () => {
  const read = (text: string) => readMatrix(Buffer.from(text), 0, text.length)
  expect(read('matrix(1,0,0,-1.5,2e1,.5)')).toEqual([1, 0, 0, -1.5, 20, 0.5])
  expect(read('matrix(1,0,0,1,2)')).toBeUndefined()
  expect(read('matrix(1,0,0,1,2,3,4)')).toBeUndefined()
})
