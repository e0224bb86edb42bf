import { expect, test, vi } from 'vitest'
import type { Ctx } from '#server/context.ts'
import { storeBlocks } from './store-blocks.ts'

type Extracted = Parameters<typeof storeBlocks>[1]

test('a job that is stopped runs again, and a book without structure is done', async () => {
  const warn = vi.fn()
  const ctx = {
    converter: { extractBlocks: () => Promise.reject(new Error('no blocks')) },
    log: { warn },
  } as unknown as Ctx
  const extracted = (signal: AbortSignal) =>
    ({ rendition: { hash: 'a', revision: 1, pages: 3 }, source: { type: 'epub' }, signal }) as unknown as Extracted
  await expect(storeBlocks(ctx, extracted(AbortSignal.abort()))).rejects.toThrow('no blocks')
  expect(warn).not.toHaveBeenCalled()
  await storeBlocks(ctx, extracted(new AbortController().signal))
  expect(warn).toHaveBeenCalledOnce()
})
