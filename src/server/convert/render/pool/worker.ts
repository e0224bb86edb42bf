import type { ChildProcess } from 'node:child_process'
import { residentBytes } from '../../sandbox/usage.ts'
import { type RendererIsolation, startRenderer } from '../isolation.ts'
import { maxOpenDocuments, ready, type Reply, type Request } from '../messages.ts'

/** A renderer process. */
export interface Worker {
  /** Settles when it can take requests; fails when it exits before that. */
  ready: Promise<void>
  exited: Promise<void>
  pagesServed: number
  lastUsedAt: number
  /** Whether the document is probably still open in the process. */
  hasOpen(document: string): boolean
  /** Fails with `WorkerExited` when the process exits. */
  run(request: Request): Promise<Reply>
  memoryBytes(): number
  /** Kills the process and everything it started; settles when it has exited. */
  stop(): Promise<void>
}

export class WorkerExited extends Error {}

export function startWorker(isolation: RendererIsolation, folders: readonly string[] | undefined): Worker {
  const child = startRenderer(isolation, folders)
  const documents: string[] = []
  let currentReply: PromiseWithResolvers<Reply> | undefined
  let alive = true
  const started = Promise.withResolvers<void>()
  const exited = Promise.withResolvers<void>()
  started.promise.catch(() => {})

  const onExit = (detail: string) => {
    if (!alive) return
    alive = false
    started.reject(new WorkerExited(detail))
    currentReply?.reject(new WorkerExited(detail))
    exited.resolve()
  }
  child.on('error', (error) => onExit(String(error)))
  child.on('exit', (code, signal) => {
    // pdftocairo may still be running.
    killGroup(child)
    onExit(`the renderer exited: ${signal ?? code}`)
  })
  child.on('message', (message: Reply | typeof ready) => {
    if (message === ready) return started.resolve()
    currentReply?.resolve(message)
  })
  // An idle worker does not keep the server running.
  child.unref()
  child.channel?.unref()

  const worker: Worker = {
    ready: started.promise,
    exited: exited.promise,
    pagesServed: 0,
    lastUsedAt: Date.now(),
    hasOpen: (document) => documents.includes(document),
    async run(request) {
      if (!alive) throw new WorkerExited('the renderer has exited')
      worker.pagesServed += request.kind === 'lines' ? request.to - request.from + 1 : 1
      rememberDocument(documents, request.source.path)
      currentReply = Promise.withResolvers<Reply>()
      child.channel?.ref()
      try {
        child.send(request, (error) => error && onExit(String(error)))
        return await currentReply.promise
      } finally {
        currentReply = undefined
        worker.lastUsedAt = Date.now()
        child.channel?.unref()
      }
    },
    memoryBytes: () => (alive && child.pid ? residentBytes(child.pid) : 0),
    stop() {
      child.ref()
      killGroup(child)
      if (!child.pid) onExit('the renderer did not start')
      return exited.promise
    },
  }
  return worker
}

/** Mirrors the LRU cache of open documents in the process. */
function rememberDocument(documents: string[], document: string): void {
  const at = documents.indexOf(document)
  if (at >= 0) documents.splice(at, 1)
  documents.push(document)
  if (documents.length > maxOpenDocuments) documents.shift()
}

function killGroup(child: ChildProcess): void {
  if (!child.pid) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The process group has exited already.
  }
}
