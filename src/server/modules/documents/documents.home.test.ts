import { expect, onTestFinished, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { openLibrary } from '#server/testing/library.ts'

test('however much is asked of the home page, it shows some thousand documents at most', async () => {
  const site = await openLibrary()
  onTestFinished(() => site.close())
  const categories: number[] = []
  for (let n = 0; n < 25; n += 1) categories.push(await site.category(`分类 ${n}`))
  await site.shelve(...Array.from({ length: 60 }, () => ({ category: categories })))
  const shown = async (limit: number) => {
    const { document } = await site.call(documents.home, { limit })
    return document.map((category) => category.document.length)
  }
  expect(await shown(100)).toEqual(categories.map(() => 40))
  expect(await shown(5)).toEqual(categories.map(() => 5))
})
