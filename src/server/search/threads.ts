import { Worker } from 'node:worker_threads'

/** Between the server and its search threads, both ways. */
export type Message =
  | { type: 'call'; call: number; method: string; argument: unknown }
  | { type: 'value'; call: number; value: unknown }
  | { type: 'failed'; call: number; message: string; isDamage: boolean }
  /** The thread asks back while it works on a call. */
  | { type: 'ask'; call: number; ask: number; name: string; ids: number[] }
  | { type: 'told'; ask: number; ids: number[]; failed?: string }

export type Asked = Record<string, ((ids: number[]) => Promise<number[]>) | undefined>

export class Damaged extends Error {}

/** It was stopped from here, with calls under way. */
export class Stopped extends Error {}

export interface Thread {
  call(method: string, argument: unknown, asked?: Asked): Promise<unknown>
  /** How many calls it has not answered yet. */
  busy(): number
  stop(): Promise<void>
}

interface Pending {
  resolve(value: unknown): void
  reject(error: Error): void
  asked: Asked
}

interface Script {
  script: URL
  workerData: unknown
  /** It may end by such an error before it can answer. */
  isDamage: (error: unknown) => boolean
  /** It goes after so long without a call, and its memory with it. */
  restMs: number
}

/** A thread that works for us. When it breaks, its calls fail and the next one starts another. */
export function startThread({ script, workerData, isDamage, restMs }: Script): Thread {
  const pending = new Map<number, Pending>()
  let calls = 0
  let worker: Worker | undefined
  let resting: NodeJS.Timeout | undefined

  const rest = (idle: Worker) => {
    idle.unref()
    clearTimeout(resting)
    resting = setTimeout(() => {
      if (pending.size > 0 || worker !== idle) return
      worker = undefined
      void idle.terminate()
    }, restMs).unref()
  }
  const fail = (error: Error) => {
    worker = undefined
    const failed = [...pending.values()]
    pending.clear()
    for (const { reject } of failed) reject(error)
  }
  const start = (): Worker => {
    const started = new Worker(script, { workerData })
    started.on('message', (message: Message) => void receive(started, message))
    started.on('error', (error: Error) => {
      if (worker === started) fail(isDamage(error) ? new Damaged(error.message) : error)
    })
    started.on('exit', () => worker === started && fail(new Error('the search thread has ended')))
    // The index must not keep the process alive; a call that is under way does.
    started.unref()
    return started
  }
  const receive = async (from: Worker, message: Message): Promise<void> => {
    if (message.type === 'ask') return from.postMessage(await tell(message), [])
    if (message.type !== 'value' && message.type !== 'failed') return
    const call = pending.get(message.call)
    pending.delete(message.call)
    if (pending.size === 0) rest(from)
    if (message.type === 'value') call?.resolve(message.value)
    else call?.reject(message.isDamage ? new Damaged(message.message) : new Error(message.message))
  }
  const tell = async ({ call, ask, name, ids }: Extract<Message, { type: 'ask' }>): Promise<Message> => {
    try {
      return { type: 'told', ask, ids: (await pending.get(call)?.asked[name]?.(ids)) ?? [] }
    } catch (error) {
      return { type: 'told', ask, ids: [], failed: String(error) }
    }
  }

  return {
    call(method, argument, asked = {}) {
      return new Promise((resolve, reject) => {
        worker ??= start()
        const call = ++calls
        pending.set(call, { resolve, reject, asked })
        worker.ref()
        worker.postMessage({ type: 'call', call, method, argument } satisfies Message, [])
      })
    },
    busy: () => pending.size,
    async stop() {
      const stopped = worker
      fail(new Stopped('the search has been closed'))
      await stopped?.terminate()
    },
  }
}
