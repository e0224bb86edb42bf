import { expect, test } from 'vitest'
import {
  ownUnfinished,
  findUnfinished,
  reusableState,
  withUnfinished,
  type UnfinishedUpload,
} from '#web/features/documents/upload/transfer/unfinished-uploads.ts'

const hour = 60 * 60_000

function unfinished(change: Partial<UnfinishedUpload> = {}): UnfinishedUpload {
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
    ...change,
  }
}

test('the same file resumes when it is chosen again; another version of it does not', () => {
  const list = [unfinished(), unfinished({ name: '季报.pdf' })]
  expect(findUnfinished(list, { name: '年报.pdf', size: 1000, lastModified: 5 })?.sent).toBe(400)
  expect(findUnfinished(list, { name: '年报.pdf', size: 1000, lastModified: 6 })).toBeUndefined()
  expect(findUnfinished(list, { name: '年报.pdf', size: 1001, lastModified: 5 })).toBeUndefined()
})

test('a user sees the own uploads, as long as the server keeps them', () => {
  const list = [unfinished(), unfinished({ user: 8 }), unfinished({ name: '旧.pdf', at: 70 * hour })]
  expect(ownUnfinished(list, { user: 7, now: 101 * hour }).map(({ name }) => name)).toEqual(['年报.pdf'])
  expect(ownUnfinished(list, { user: 7, now: 125 * hour })).toEqual([])
})

test('a file with the same name and date but another content starts from the beginning', () => {
  const old = unfinished({ attachment: 3 })
  expect(reusableState(old, 'b'.repeat(64))).toEqual({ hash: 'b'.repeat(64), url: '', attachment: 0 })
  expect(reusableState(old, old.hash)).toEqual({ hash: old.hash, url: old.url, attachment: 3 })
})

test('without a hash to compare, the upload resumes and the server verifies the content', () => {
  expect(reusableState(unfinished({ hash: '' }), 'b'.repeat(64)).url).not.toBe('')
  expect(reusableState(unfinished(), '')).toMatchObject({ hash: 'a'.repeat(64), url: '/api/v1/upload/tus/one' })
})

test('a file has one entry, and old entries are removed', () => {
  const list = withUnfinished([unfinished(), unfinished({ user: 8 })], unfinished({ sent: 800 }))
  expect(list.map(({ user, sent }) => [user, sent])).toEqual([
    [8, 400],
    [7, 800],
  ])
  expect(withUnfinished(list, unfinished({ name: '新.pdf', at: 200 * hour }))).toHaveLength(1)
})
