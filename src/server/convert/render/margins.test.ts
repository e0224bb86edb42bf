import { expect, test } from 'vitest'
import { emptyEdges } from './margins.ts'

function picture(...rows: string[]): [number[], number, number] {
  return [Array.from(rows.join('')).map((pixel) => (pixel === '.' ? 255 : 200)), rows[0]?.length ?? 0, rows.length]
}

test('margins are the empty edges of a picture', () => {
  expect(emptyEdges(...picture('.....', '..#..', '.....', '.#...', '.....'))).toEqual([0.2, 0.2, 0.4, 0.2])
  expect(emptyEdges(...picture('#...', '....'))).toEqual([0, 0, 0.75, 0.5])
})

test('a blank picture is all margin, a full one has none', () => {
  expect(emptyEdges(...picture('..', '..'))).toEqual([1, 1, 1, 1])
  expect(emptyEdges(...picture('#.', '.#'))).toEqual([0, 0, 0, 0])
})
