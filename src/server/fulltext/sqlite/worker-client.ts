import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** IPC between the server and a worker process, in both directions. */
export type Message =
  | { type: 'request'; id: number; method: string; argument: unknown }
  | { type: 'response'; id: number; value: unknown }
  | { type: 'error'; id: number; message: string; isCorruption: boolean }
  /** The worker needs one of the request's callbacks while it works on it. */
  | { type: 'callback'; id: number; requestId: number; name: string; ids: number[] }
  | { type: 'callback-result'; id: number; ids: number[]; error?: string }
  /** The worker cannot start, and exits. */
  | { type: 'start-error'; message: string; isCorruption: boolean }

export type Callbacks = Record<string, ((ids: number[]) => Promise<number[]>) | undefined>

/** The index file is damaged or has been replaced. */
export class IndexCorrupted extends Error {}

/** The client stopped the worker during a request. */
export class WorkerStopped extends Error {}

/** The worker crashed or was killed during a request. */
export class WorkerExited extends Error {}

export interface WorkerClient {
  request(method: string, argument: unknown, callbacks?: Callbacks): Promise<unknown>
  /** How many requests are in progress. */
  busy(): number
  stop(): Promise<void>
}

interface PendingRequest {
  resolve(value: unknown): void
  reject(error: Error): void
  callbacks: Callbacks
}

interface Options {
  script: URL
  /** Passed to the worker when it starts. */
  workerData: unknown
  /** After so long without a request the worker exits, to free its memory. */
  idleTimeoutMs: number
}

/** Parallel garbage collection would take CPU time from the server. */
const nodeFlags = ['--single-threaded', '--disable-warning=ExperimentalWarning']
/** Time for a stopped worker to finish its current write before it is killed. */
const stopTimeoutMs = 3000

/** The worker starts with the first request. When it exits, its requests fail and the next one starts another. */
export function createWorkerClient({ script, workerData, idleTimeoutMs }: Options): WorkerClient {
  const pending = new Map<number, PendingRequest>()
  let lastId = 0
  let worker: ChildProcess | undefined
  let idleTimer: NodeJS.Timeout | undefined

  const startIdleTimer = (idle: ChildProcess) => {
    unref(idle)
    clearTimeout(idleTimer)
    idleTimer = setTimeout(() => {
      if (pending.size > 0 || worker !== idle) return
      worker = undefined
      idle.disconnect()
    }, idleTimeoutMs).unref()
  }
  const failAll = (error: Error) => {
    worker = undefined
    const requests = [...pending.values()]
    pending.clear()
    for (const { reject } of requests) reject(error)
  }
  const start = (): ChildProcess => {
    const started = fork(script, [JSON.stringify(workerData)], { execArgv: nodeFlags, serialization: 'advanced' })
    started.on('message', (message: Message) => void receive(started, message))
    const onEnd = (error: Error) => worker === started && failAll(error)
    started.on('error', onEnd).on('exit', () => onEnd(new WorkerExited('the search process has exited')))
    return started
  }
  const receive = async (from: ChildProcess, message: Message): Promise<void> => {
    if (message.type === 'callback') return send(from, await runCallback(message))
    if (message.type === 'start-error' && worker === from) failAll(toError(message))
    if (message.type !== 'response' && message.type !== 'error') return
    const request = pending.get(message.id)
    pending.delete(message.id)
    if (pending.size === 0 && worker === from) startIdleTimer(from)
    if (message.type === 'response') request?.resolve(message.value)
    else request?.reject(toError(message))
  }
  const runCallback = async (message: Extract<Message, { type: 'callback' }>): Promise<Message> => {
    const { id, requestId, name, ids } = message
    try {
      return { type: 'callback-result', id, ids: (await pending.get(requestId)?.callbacks[name]?.(ids)) ?? [] }
    } catch (error) {
      return { type: 'callback-result', id, ids: [], error: String(error) }
    }
  }

  return {
    request(method, argument, callbacks = {}) {
      return new Promise((resolve, reject) => {
        worker ??= start()
        const id = ++lastId
        pending.set(id, { resolve, reject, callbacks })
        ref(worker)
        send(worker, { type: 'request', id, method, argument })
      })
    },
    busy: () => pending.size,
    async stop() {
      const stopped = worker
      failAll(new WorkerStopped('the search index has been closed'))
      if (stopped?.pid === undefined || stopped.exitCode !== null || stopped.signalCode !== null) return
      ref(stopped)
      const exited = new Promise<void>((resolve) => stopped.once('exit', () => resolve()))
      if (stopped.connected) stopped.disconnect()
      const isLate = await Promise.race([exited, sleep(stopTimeoutMs, 'late', { ref: false })])
      if (isLate === 'late') stopped.kill('SIGKILL')
      await exited
    },
  }
}

/** Errors are ignored: requests to a worker that has just exited fail by its `exit` event. */
function send(worker: ChildProcess, message: Message): void {
  worker.send(message, () => undefined)
}

function toError({ message, isCorruption }: Extract<Message, { type: 'error' | 'start-error' }>): Error {
  return isCorruption ? new IndexCorrupted(message) : new Error(message)
}

/** An idle worker must not keep the server process alive; a request in progress does. */
function ref(worker: ChildProcess): void {
  worker.ref()
  worker.channel?.ref()
}

function unref(worker: ChildProcess): void {
  worker.unref()
  worker.channel?.unref()
}
