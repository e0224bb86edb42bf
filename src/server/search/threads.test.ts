import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startThread } from './threads.ts'

/** Tells which thread it is. */
const script = new URL(`data:text/javascript,
  import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', ({ call }) => parentPort.postMessage({ type: 'value', call, value: threadId }))`)

function threadResting(restMs: number) {
  const thread = startThread({ script, workerData: {}, isDamage: () => false, restMs })
  onTestFinished(() => thread.stop())
  return () => thread.call('who', undefined)
}

test('a thread without work goes after a while, and the next call has another', async () => {
  const who = threadResting(20)
  const first = await who()
  await setTimeout(200)
  expect(await who()).not.toBe(first)
})

test('until then it stays', async () => {
  const who = threadResting(60_000)
  const first = await who()
  await setTimeout(200)
  expect(await who()).toBe(first)
})
