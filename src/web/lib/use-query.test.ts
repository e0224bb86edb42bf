import { expect, test } from 'vitest'
import { withFailure } from '#web/lib/use-query.ts'

const error = new Error('offline')

test('a failed request keeps the data of the same key', () => {
  const loaded = { request: '0 7', key: 7, data: 'rows' }
  const failed = withFailure(loaded, { request: '1 7', key: 7, error })
  expect(failed).toEqual({ request: '1 7', key: 7, data: 'rows', error })
  expect(withFailure(failed, { request: '2 7', key: 7, error })).toMatchObject({ data: 'rows' })
})

test('a failed request of another key shows nothing of the key before', () => {
  const loaded = { request: '0 7', key: 7, data: 'rows' }
  expect(withFailure(loaded, { request: '0 8', key: 8, error })).toEqual({
    request: '0 8',
    key: 8,
    data: undefined,
    error,
  })
})
