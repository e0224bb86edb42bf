import { expect, test } from 'vitest'
import { ranked } from '#shared/rank.ts'

const rows = [1, 2, 3, 4, 5].map((id) => ({ id }))

test.each([
  ['neighbours change places', [3, 2], [1, 3, 2, 4, 5]],
  ['one goes over several', [5, 1, 2, 3, 4], [5, 1, 2, 3, 4]],
  ['who is not named keeps its place', [5, 3, 1], [5, 2, 3, 4, 1]],
  ['who is not there changes nothing', [9, 2], [1, 2, 3, 4, 5]],
])('%s', (_name, ids, order) => {
  expect(ranked(rows, ids).map(({ id }) => id)).toEqual(order)
})
