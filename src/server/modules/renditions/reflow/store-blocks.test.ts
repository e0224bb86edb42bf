import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import type { Ctx } from '#server/context.ts'
import { Unconvertible } from '#server/convert/converter.ts'
import { hasFinalBlocks, readBlockSlice, storeBlocks } from './store-blocks.ts'

type Extracted = Parameters<typeof storeBlocks>[1]

function setUp(error: Error) {
  const files = new Map<string, Uint8Array>()
  const warn = vi.fn()
  const extractBlocks = vi.fn().mockRejectedValue(error)
  const storage = {
    find: async (key: string) => files.get(key),
    put: async (key: string, content: Uint8Array) => void files.set(key, content),
    read: async (key: string) => files.has(key) && Readable.from([files.get(key)]),
  }
  const ctx = { converter: { extractBlocks }, log: { warn }, storage } as unknown as Ctx
  const rendition = { hash: 'abcdef', revision: 1, pages: 3, source_type: 'epub' } as Extracted['rendition']
  const store = (signal: AbortSignal, pages = 3) =>
    storeBlocks(ctx, { rendition: { ...rendition, pages }, source: { path: '', type: 'epub' }, signal })
  return { ctx, warn, extractBlocks, rendition, store }
}

const { signal } = new AbortController()

test('a job that is stopped runs again, and a book without structure is done', async () => {
  const { ctx, warn, extractBlocks, rendition, store } = setUp(new Error('no blocks'))
  await expect(store(AbortSignal.abort())).rejects.toThrow('no blocks')
  expect(warn).not.toHaveBeenCalled()
  expect(await hasFinalBlocks(ctx, rendition)).toBe(false)
  await store(signal)
  expect(warn).toHaveBeenCalledOnce()
  expect(await hasFinalBlocks(ctx, rendition)).toBe(true)
  expect(await readBlockSlice(ctx, rendition, 3)).toBeUndefined()
  await store(signal)
  expect(extractBlocks).toHaveBeenCalledTimes(2)
})

test('a book with too many pages is done without being read', async () => {
  const { ctx, extractBlocks, rendition, store } = setUp(new Error('no blocks'))
  await store(signal, 20_000)
  expect(extractBlocks).not.toHaveBeenCalled()
  expect(await hasFinalBlocks(ctx, { ...rendition, pages: 20_000 })).toBe(true)
})

test('a book that the server cannot read now is read later', async () => {
  const { ctx, rendition, store } = setUp(new Unconvertible('diskFull', ''))
  await store(signal)
  expect(await hasFinalBlocks(ctx, rendition)).toBe(false)
})
