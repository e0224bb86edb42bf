import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { paced } from './body-timeout.ts'

function dripping(chunks: number, bytes: number, everyMs: number) {
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

const pace = { withinMs: 100, bytes: 100 }

test('who sends a byte now and then is ended', async () => {
  await expect(new Response(paced(dripping(1000, 1, 20), pace)).bytes()).rejects.toMatchObject({
    reason: 'request.timeout',
  })
})

test('who sends nothing at all is ended', async () => {
  const silent = new ReadableStream<Uint8Array>({})
  await expect(new Response(paced(silent, pace)).bytes()).rejects.toMatchObject({ reason: 'request.timeout' })
})

test('a slow line that keeps going gets through', async () => {
  const bytes = await new Response(paced(dripping(12, 100, 25), pace)).bytes()
  expect(bytes).toHaveLength(1200)
})

test('how long we take to read does not count', async () => {
  const reader = paced(dripping(3, 10, 1), pace).getReader()
  await reader.read()
  await sleep(150)
  await expect(reader.read()).resolves.toMatchObject({ done: false })
})
