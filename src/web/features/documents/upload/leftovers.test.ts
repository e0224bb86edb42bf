import { expect, test } from 'vitest'
import { current, leftoverOf, usable, withLeftover, type Leftover } from './leftovers.ts'

const hour = 60 * 60_000

function leftover(given: Partial<Leftover> = {}): Leftover {
  return {
    user: 7,
    name: '年报.pdf',
    size: 1000,
    lastModified: 5,
    hash: 'a'.repeat(64),
    url: '/api/v1/upload/tus/one',
    attachment: 0,
    sent: 400,
    title: '年报',
    at: 100 * hour,
    ...given,
  }
}

test('the same file, chosen again, finds where it stopped; another version of it does not', () => {
  const list = [leftover(), leftover({ name: '季报.pdf' })]
  expect(leftoverOf(list, { name: '年报.pdf', size: 1000, lastModified: 5 })?.sent).toBe(400)
  expect(leftoverOf(list, { name: '年报.pdf', size: 1000, lastModified: 6 })).toBeUndefined()
  expect(leftoverOf(list, { name: '年报.pdf', size: 1001, lastModified: 5 })).toBeUndefined()
})

test('only one’s own, and only as long as the server keeps them', () => {
  const list = [leftover(), leftover({ user: 8 }), leftover({ name: '旧.pdf', at: 70 * hour })]
  expect(current(list, { user: 7, now: 101 * hour }).map(({ name }) => name)).toEqual(['年报.pdf'])
  expect(current(list, { user: 7, now: 125 * hour })).toEqual([])
})

test('a file that has kept its name and date but not its content begins from the start', () => {
  const old = leftover({ attachment: 3 })
  expect(usable(old, 'b'.repeat(64))).toEqual({ hash: 'b'.repeat(64), url: '', attachment: 0 })
  expect(usable(old, old.hash)).toEqual({ hash: old.hash, url: old.url, attachment: 3 })
})

test('where nothing could be compared, the server compares the whole', () => {
  expect(usable(leftover({ hash: '' }), 'b'.repeat(64)).url).not.toBe('')
  expect(usable(leftover(), '')).toMatchObject({ hash: 'a'.repeat(64), url: '/api/v1/upload/tus/one' })
})

test('a file has one entry, and old entries make room', () => {
  const list = withLeftover([leftover(), leftover({ user: 8 })], leftover({ sent: 800 }))
  expect(list.map(({ user, sent }) => [user, sent])).toEqual([
    [8, 400],
    [7, 800],
  ])
  expect(withLeftover(list, leftover({ name: '新.pdf', at: 200 * hour }))).toHaveLength(1)
})
