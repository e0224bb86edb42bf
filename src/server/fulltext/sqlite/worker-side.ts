import { getPriority, setPriority } from 'node:os'
import type { Message } from './worker-client.ts'

/** Puts a question to whoever made the call. */
export type Ask = (name: string, ids: number[]) => Promise<number[]>

interface Serving {
  answer(method: string, argument: unknown, ask: Ask): unknown
  /** It is enough. */
  close(): void
}

interface Asked {
  resolve(ids: number[]): void
  reject(error: Error): void
}

interface Side<Given> {
  /** Begins with what the server gave. */
  begin: (given: Given) => Serving
  isDamage: (error: unknown) => boolean
  /** How far it steps back behind the server: requests come first. */
  stepsBack: number
}

/** Answers calls inside a process, until the server is gone or says that it is enough. */
export function serveCalls<Given>({ begin, isDamage, stepsBack }: Side<Given>): void {
  const asked = new Map<number, Asked>()
  let asks = 0
  const send = (message: Message, then?: () => void) => void process.send?.(message, () => then?.())

  const work = async (
    serving: Serving,
    { call, method, argument }: Extract<Message, { type: 'call' }>,
  ): Promise<void> => {
    const ask: Ask = (name, ids) =>
      new Promise((resolve, reject) => {
        asked.set(++asks, { resolve, reject })
        send({ type: 'ask', call, ask: asks, name, ids })
      })
    try {
      send({ type: 'value', call, value: await serving.answer(method, argument, ask) })
    } catch (error) {
      send({ type: 'failed', call, message: messageOf(error), isDamage: isDamage(error) })
    }
  }

  // Signals to all of the site mean the server, which may still have questions while it ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  stepBack(stepsBack)
  let serving: Serving | undefined
  process.on('disconnect', () => {
    serving?.close()
    process.exit()
  })
  try {
    const begun = (serving = begin(JSON.parse(process.argv[2] ?? 'null') as Given))
    process.on('message', (message: Message) => {
      if (message.type === 'call') void work(begun, message)
      if (message.type !== 'told') return
      const waiting = asked.get(message.ask)
      asked.delete(message.ask)
      if (message.failed === undefined) waiting?.resolve(message.ids)
      else waiting?.reject(new Error(message.failed))
    })
  } catch (error) {
    send({ type: 'broken', message: messageOf(error), isDamage: isDamage(error) }, () => process.exit(1))
  }
}

function stepBack(steps: number): void {
  try {
    setPriority(Math.min(19, getPriority() + steps))
  } catch {
    // Where that is not allowed, all are equal.
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
