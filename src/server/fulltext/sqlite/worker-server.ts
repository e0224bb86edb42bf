import { getPriority, setPriority } from 'node:os'
import type { Message } from './worker-client.ts'

/** Runs one of the callbacks that the caller passed with a request. */
export type RunCallback = (name: string, ids: number[]) => Promise<number[]>

interface RequestHandler {
  handle(method: string, argument: unknown, runCallback: RunCallback): unknown
  close(): void
}

interface Options<WorkerData> {
  start: (workerData: WorkerData) => RequestHandler
  isCorruption: (error: unknown) => boolean
  /** By how much the process is niced, so that web requests come first. */
  niceness: number
}

interface PendingCallback {
  resolve(ids: number[]): void
  reject(error: Error): void
}

/** Handles requests inside a worker process until the server disconnects. */
export function serveRequests<WorkerData>({ start, isCorruption, niceness }: Options<WorkerData>): void {
  const callbacks = new Map<number, PendingCallback>()
  let lastCallbackId = 0
  const send = (message: Message, then?: () => void) => void process.send?.(message, () => then?.())

  const handle = async (
    handler: RequestHandler,
    { id: requestId, method, argument }: Extract<Message, { type: 'request' }>,
  ): Promise<void> => {
    const runCallback: RunCallback = (name, ids) =>
      new Promise((resolve, reject) => {
        const id = ++lastCallbackId
        callbacks.set(id, { resolve, reject })
        send({ type: 'callback', id, requestId, name, ids })
      })
    try {
      send({ type: 'response', id: requestId, value: await handler.handle(method, argument, runCallback) })
    } catch (error) {
      send({ type: 'error', id: requestId, message: messageOf(error), isCorruption: isCorruption(error) })
    }
  }

  // A signal to the process group is for the server, which may still need the worker while it shuts down.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  lowerPriority(niceness)
  let handler: RequestHandler | undefined
  process.on('disconnect', () => {
    handler?.close()
    process.exit()
  })
  try {
    const started = (handler = start(JSON.parse(process.argv[2] ?? 'null') as WorkerData))
    process.on('message', (message: Message) => {
      if (message.type === 'request') void handle(started, message)
      if (message.type !== 'callback-result') return
      const callback = callbacks.get(message.id)
      callbacks.delete(message.id)
      if (message.error === undefined) callback?.resolve(message.ids)
      else callback?.reject(new Error(message.error))
    })
  } catch (error) {
    send({ type: 'start-error', message: messageOf(error), isCorruption: isCorruption(error) }, () => process.exit(1))
  }
}

function lowerPriority(niceness: number): void {
  try {
    setPriority(Math.min(19, getPriority() + niceness))
  } catch {
    // Not permitted everywhere, and not required.
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
