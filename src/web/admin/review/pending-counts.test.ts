import { afterEach, expect, test, vi } from 'vitest'
import { loadWaiting, queueSources } from '#web/admin/review/pending-counts.ts'

afterEach(() => void vi.restoreAllMocks())

/** The server's answer: the first two hundred after `after`, and how many there are after it. */
function letWait(count: number) {
  const waiting = Array.from({ length: count }, (_, index) => index + 1)
  vi.spyOn(queueSources.document, 'load').mockImplementation((after) => {
    const rest = waiting.filter((id) => id > after)
    return Promise.resolve({ total: rest.length, id: rest.slice(0, 200) })
  })
  return waiting
}

test.each([0, 1, 200, 400, 450])('all of %i documents of an author are decided together', async (count) => {
  const waiting = letWait(count)
  expect((await loadWaiting('document', 7)).flat()).toEqual(waiting)
})

test('more than one request can name are decided in batches, the oldest first', async () => {
  const waiting = letWait(2300)
  const batches = await loadWaiting('document', 7)
  expect(batches.map(({ length }) => length)).toEqual([1000, 1000, 300])
  expect(batches.flat()).toEqual(waiting)
})
