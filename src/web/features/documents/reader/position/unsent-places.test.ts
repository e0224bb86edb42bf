import { expect, test } from 'vitest'
import {
  addUnsent,
  readUnsent,
  withoutSent,
  type UnsentPlace,
} from '#web/features/documents/reader/position/unsent-places.ts'

const place = (uuid: string, page: number, at: number, user = 7): UnsentPlace => ({
  uuid,
  page,
  furthest: page,
  offset: 0,
  at,
  user,
})

test('the last place in a document replaces the one before, of the same member', () => {
  const places = [place('a', 2, 1), place('b', 2, 1), place('a', 5, 2), place('a', 9, 3, 8)].reduce<UnsentPlace[]>(
    addUnsent,
    [],
  )
  expect(places.map(({ uuid, page }) => [uuid, page])).toEqual([
    ['a', 9],
    ['a', 5],
    ['b', 2],
  ])
})

test('the furthest page of places that were not sent is kept', () => {
  expect(addUnsent([place('a', 40, 1)], place('a', 12, 2))).toMatchObject([{ page: 12, furthest: 40 }])
})

test('a place that was replaced while it was being sent stays unsent', () => {
  const sent = [place('a', 2, 1), place('b', 2, 1)]
  expect(withoutSent([place('a', 5, 2), place('b', 2, 1)], sent)).toEqual([place('a', 5, 2)])
})

test('places survive a reload, and broken ones are ignored', () => {
  expect(readUnsent(JSON.stringify([{ ...place('a', 2, 1), furthest: undefined }, { uuid: 'b' }, 3]))).toEqual([
    place('a', 2, 1),
  ])
  expect(readUnsent('{')).toEqual([])
  expect(readUnsent(null)).toEqual([])
})
