import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { Message } from './threads.ts'

/** Puts a question to whoever made the call. */
export type Ask = (name: string, ids: number[]) => Promise<number[]>

interface Asked {
  resolve(ids: number[]): void
  reject(error: Error): void
}

/** Answers calls inside a thread. */
export function serveCalls(
  answer: (method: string, argument: unknown, ask: Ask) => unknown,
  isDamage: (error: unknown) => boolean,
): void {
  const port = parentPort
  if (!port) throw new Error('not in a thread')
  const asked = new Map<number, Asked>()
  let asks = 0
  const send = (message: Message) => port.postMessage(message, [])

  const work = async ({ call, method, argument }: Extract<Message, { type: 'call' }>): Promise<void> => {
    const ask: Ask = (name, ids) =>
      new Promise((resolve, reject) => {
        asked.set(++asks, { resolve, reject })
        send({ type: 'ask', call, ask: asks, name, ids })
      })
    try {
      const value = await answer(method, argument, ask)
      send({ type: 'value', call, value })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      send({ type: 'failed', call, message, isDamage: isDamage(error) })
    }
  }

  port.on('message', (message: Message) => {
    if (message.type === 'call') void work(message)
    if (message.type !== 'told') return
    const waiting = asked.get(message.ask)
    asked.delete(message.ask)
    if (message.failed === undefined) waiting?.resolve(message.ids)
    else waiting?.reject(new Error(message.failed))
  })
}

/** Requests come first: on Linux a thread can step back behind the others of its process. */
export function stepBack(steps: number): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), steps)
  } catch {
    // Elsewhere all threads are equal.
  }
}
