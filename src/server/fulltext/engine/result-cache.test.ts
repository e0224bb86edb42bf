import { expect, test } from 'vitest'
import type { Batch } from './candidates.ts'
import { type Findings, openMemory } from './result-cache.ts'

const batch = (...ids: number[]): Batch => ({ found: ids.map((id) => ({ id, pages: 1 })), place: 'body', worth: 1 })
const idsOf = async (findings: Findings, most = Infinity): Promise<number[]> => {
  const ids: number[] = []
  for await (const { found } of findings.batches()) {
    ids.push(...found.map(({ id }) => id))
    if (ids.length >= most) break
  }
  return ids
}

/** Gives one batch after the other, and counts how many it was asked for. */
function source(...batches: Batch[]) {
  let asked = 0
  const look = async function* () {
    for (const one of batches) {
      asked++
      yield one
    }
  }
  return { look, asked: () => asked }
}

test('what was found before is not looked for again, and it is gone on from there', async () => {
  const memory = openMemory(() => 1)
  const { look, asked } = source(batch(9, 8), batch(7), batch(6))
  expect(await idsOf(memory.findings('春天', look), 2)).toEqual([9, 8])
  expect(asked()).toBe(1)
  expect(await idsOf(memory.findings('春天', look))).toEqual([9, 8, 7, 6])
  expect(await idsOf(memory.findings('春天', look))).toEqual([9, 8, 7, 6])
  expect(asked()).toBe(3)
})

test('two that ask at the same time share the work, and both get all of it in order', async () => {
  const memory = openMemory(() => 1)
  const { look, asked } = source(batch(3), batch(2), batch(1))
  const both = [memory.findings('春天', look), memory.findings('春天', look)].map((findings) => idsOf(findings))
  expect(await Promise.all(both)).toEqual([
    [3, 2, 1],
    [3, 2, 1],
  ])
  expect(asked()).toBe(3)
})

test('all is forgotten when something has been filed, and always where nobody can tell', async () => {
  let version = 1
  const memory = openMemory(() => version)
  expect(await idsOf(memory.findings('春天', source(batch(1)).look))).toEqual([1])
  expect(await idsOf(memory.findings('春天', source(batch(2)).look))).toEqual([1])
  version = 2
  expect(await idsOf(memory.findings('春天', source(batch(2)).look))).toEqual([2])
  version = Number.NaN
  expect(await idsOf(memory.findings('春天', source(batch(3)).look))).toEqual([3])
  expect(await idsOf(memory.findings('春天', source(batch(4)).look))).toEqual([4])
})

test('a failure is not kept', async () => {
  const memory = openMemory(() => 1)
  const failing = async function* (): AsyncGenerator<Batch> {
    yield await Promise.reject<Batch>(new Error('interrupted'))
  }
  await expect(idsOf(memory.findings('春天', failing))).rejects.toThrow('interrupted')
  expect(await idsOf(memory.findings('春天', source(batch(1)).look))).toEqual([1])
})

test('of many questions the last asked are kept, and of large ones fewer', async () => {
  const memory = openMemory(() => 1)
  const large = Array.from({ length: 100_000 }, (_, index) => index)
  const first = source(batch(...large))
  await idsOf(memory.findings('第一', first.look))
  for (let n = 0; n < 8; n++) await idsOf(memory.findings(`其他${n}`, source(batch(...large)).look))
  await idsOf(memory.findings('第一', first.look))
  expect(first.asked()).toBe(1)
  for (let n = 0; n < 12; n++) await idsOf(memory.findings(`更多${n}`, source(batch(...large)).look))
  await idsOf(memory.findings('第一', first.look))
  expect(first.asked()).toBe(2)
})
