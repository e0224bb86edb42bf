import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** Between the server and its search processes, both ways. */
export type Message =
  | { type: 'call'; call: number; method: string; argument: unknown }
  | { type: 'value'; call: number; value: unknown }
  | { type: 'failed'; call: number; message: string; isDamage: boolean }
  /** The process asks back while it works on a call. */
  | { type: 'ask'; call: number; ask: number; name: string; ids: number[] }
  | { type: 'told'; ask: number; ids: number[]; failed?: string }
  /** It cannot begin, and ends. */
  | { type: 'broken'; message: string; isDamage: boolean }

export type Asked = Record<string, ((ids: number[]) => Promise<number[]>) | undefined>

export class Damaged extends Error {}

/** It was stopped from here, with calls under way. */
export class Stopped extends Error {}

/** It broke, or somebody killed it, with calls under way. */
export class Ended extends Error {}

export interface Helper {
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
  /** What it needs to begin. */
  given: unknown
  /** It goes after so long without a call, and its memory with it. */
  restMs: number
}

/** V8 would collect its garbage with more threads, for which the server's own would have to wait. */
const flags = ['--single-threaded', '--disable-warning=ExperimentalWarning']
/** What is being written when it is told to stop is finished. */
const patienceMs = 3000

/** A process that works for us. When it breaks, its calls fail and the next one starts another. */
export function startProcess({ script, given, restMs }: Script): Helper {
  const pending = new Map<number, Pending>()
  let calls = 0
  let child: ChildProcess | undefined
  let resting: NodeJS.Timeout | undefined

  const rest = (idle: ChildProcess) => {
    unref(idle)
    clearTimeout(resting)
    resting = setTimeout(() => {
      if (pending.size > 0 || child !== idle) return
      child = undefined
      idle.disconnect()
    }, restMs).unref()
  }
  const fail = (error: Error) => {
    child = undefined
    const failed = [...pending.values()]
    pending.clear()
    for (const { reject } of failed) reject(error)
  }
  const start = (): ChildProcess => {
    const started = fork(script, [JSON.stringify(given)], { execArgv: flags, serialization: 'advanced' })
    started.on('message', (message: Message) => void receive(started, message))
    const failOnce = (error: Error) => child === started && fail(error)
    started.on('error', failOnce).on('exit', () => failOnce(new Ended('the search process has ended')))
    return started
  }
  const receive = async (from: ChildProcess, message: Message): Promise<void> => {
    if (message.type === 'ask') return send(from, await tell(message))
    if (message.type === 'broken' && child === from) fail(errorOf(message))
    if (message.type !== 'value' && message.type !== 'failed') return
    const call = pending.get(message.call)
    pending.delete(message.call)
    if (pending.size === 0 && child === from) rest(from)
    if (message.type === 'value') call?.resolve(message.value)
    else call?.reject(errorOf(message))
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
        child ??= start()
        const call = ++calls
        pending.set(call, { resolve, reject, asked })
        ref(child)
        send(child, { type: 'call', call, method, argument })
      })
    },
    busy: () => pending.size,
    async stop() {
      const stopped = child
      fail(new Stopped('the search has been closed'))
      if (stopped?.pid === undefined || stopped.exitCode !== null || stopped.signalCode !== null) return
      ref(stopped)
      const ended = new Promise<void>((resolve) => stopped.once('exit', () => resolve()))
      if (stopped.connected) stopped.disconnect()
      const isLate = await Promise.race([ended, sleep(patienceMs, 'late', { ref: false })])
      if (isLate === 'late') stopped.kill('SIGKILL')
      await ended
    },
  }
}

/** One that has just ended fails its calls by that. */
function send(child: ChildProcess, message: Message): void {
  child.send(message, () => undefined)
}

function errorOf({ message, isDamage }: Extract<Message, { type: 'failed' | 'broken' }>): Error {
  return isDamage ? new Damaged(message) : new Error(message)
}

/** The index must not keep the server alive; a call that is under way does. */
function ref(child: ChildProcess): void {
  child.ref()
  child.channel?.ref()
}

function unref(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}
