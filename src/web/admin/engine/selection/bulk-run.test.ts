import { expect, test } from 'vitest'
import { ApiError } from '#shared/errors.ts'
import { runInBatches } from '#web/admin/engine/selection/bulk-run.ts'
import type { Row } from '#web/admin/resource.ts'

const rows: Row[] = Array.from({ length: 1234 }, (_, index) => ({ id: index + 1 }))
const { signal } = new AbortController()

test('1,234 rows are changed in batches, with progress', async () => {
  const sizes: number[] = []
  const seen: number[] = []
  const { done, failed, untried } = await runInBatches(rows, {
    send: async (batch) => {
      sizes.push(batch.length)
      return 0
    },
    signal,
    onProgress: (progress) => seen.push(progress.done),
  })
  expect([done, failed, untried]).toEqual([1234, [], []])
  expect(sizes).toEqual([...Array.from({ length: 12 }, () => 100), 34])
  expect(seen).toEqual([...Array.from({ length: 13 }, (_, index) => index * 100), 1234])
})

test('rows that the server skipped are counted apart', async () => {
  const { done, skipped } = await runInBatches(rows.slice(0, 150), {
    send: async (batch) => batch.length - 40,
    signal,
    onProgress: () => {},
  })
  expect([done, skipped]).toEqual([80, 70])
})

test('a batch that fails is named, and the others go on', async () => {
  const refused = new ApiError({ status: 400, message: '文档当前状态为“已禁用”' })
  const result = await runInBatches(rows.slice(0, 350), {
    send: async (batch) => {
      if (batch.some(({ id }) => id === 150)) throw refused
      return 0
    },
    signal,
    onProgress: () => {},
  })
  expect(result).toMatchObject({ done: 250, untried: [], error: refused })
  expect(result.failed.map(({ id }) => id)).toEqual(rows.slice(100, 200).map(({ id }) => id))
})

test.each([
  ['the permission is gone', new ApiError({ status: 403, message: '没有权限' }), 1],
  ['nothing succeeds', new ApiError({ status: 400, message: '不行' }), 3],
])('it stops when %s', async (_name, error, attempts) => {
  let sent = 0
  const result = await runInBatches(rows, {
    send: async () => {
      sent += 1
      throw error
    },
    signal,
    onProgress: () => {},
  })
  expect([sent, result.done, result.failed.length, result.untried.length]).toEqual([
    attempts,
    0,
    attempts * 100,
    1234 - attempts * 100,
  ])
})

test('the user stops it after the batch under way', async () => {
  const controller = new AbortController()
  const result = await runInBatches(rows, {
    send: async (batch) => {
      if (batch[0]?.id === 201) controller.abort()
      return 0
    },
    signal: controller.signal,
    onProgress: () => {},
  })
  expect([result.done, result.untried.length]).toEqual([300, 934])
})
