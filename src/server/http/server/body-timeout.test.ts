import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withBodyTimeout } from './body-timeout.ts'

function slowBody(chunks: number, bytes: number, everyMs: number) {
  let left = chunks
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await sleep(everyMs)
      if (left === 0) return controller.close()
      left -= 1
      controller.enqueue(new Uint8Array(bytes))
    },
  })
}

/** For bodies that time out. */
const strict = { withinMs: 100, bytes: 100 }
/** For bodies that must not time out, even on a busy machine. */
const lenient = { withinMs: 5000, bytes: 100 }

test('a client that sends only a byte now and then times out', async () => {
  await expect(new Response(withBodyTimeout(slowBody(1000, 1, 20), strict)).bytes()).rejects.toMatchObject({
    reason: 'request.timeout',
  })
})

test('a client that sends nothing times out', async () => {
  const silent = new ReadableStream<Uint8Array>({})
  await expect(new Response(withBodyTimeout(silent, strict)).bytes()).rejects.toMatchObject({
    reason: 'request.timeout',
  })
})

test('a slow but steady connection succeeds', async () => {
  const bytes = await new Response(withBodyTimeout(slowBody(12, 100, 25), lenient)).bytes()
  expect(bytes).toHaveLength(1200)
})

test('the time of the reader does not count', async () => {
  const reader = withBodyTimeout(slowBody(3, 10, 1), { withinMs: 1000, bytes: 100 }).getReader()
  await reader.read()
  await sleep(1100)
  await expect(reader.read()).resolves.toMatchObject({ done: false })
})
