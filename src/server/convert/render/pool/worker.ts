import type { ChildProcess } from 'node:child_process'
import { residentBytes } from '../../sandbox/usage.ts'
import { startRenderer } from '../isolation.ts'
import { ready, type Reply, type Request } from '../messages.ts'

/** One renderer's process, and what it is doing. */
export interface Worker {
  /** When it can take requests; fails when it ends before that. */
  ready: Promise<void>
  gone: Promise<void>
  busy: boolean
  /** Pages asked of it so far. */
  pages: number
  /** When it last had something to do. */
  usedAt: number
  /** Whether it has opened that document, as far as is known from here. */
  holds(document: string): boolean
  /** Fails with `Ended` when the process does. */
  run(request: Request): Promise<Reply>
  resident(): number
  /** Kills it with all it started; fulfilled when it is gone. */
  stop(): Promise<void>
}

export class Ended extends Error {}

export function startWorker(walls: 'bubblewrap' | 'plain', folders: readonly string[] | undefined): Worker {
  const child = startRenderer(walls, folders)
  const documents: string[] = []
  let waiting: PromiseWithResolvers<Reply> | undefined
  let alive = true
  const started = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  started.promise.catch(() => {})

  const end = (detail: string) => {
    if (!alive) return
    alive = false
    started.reject(new Ended(detail))
    waiting?.reject(new Ended(detail))
    gone.resolve()
  }
  child.on('error', (error) => end(String(error)))
  child.on('exit', (code, signal) => {
    // What it started itself (another program that draws) goes with it.
    killGroup(child)
    end(`the renderer ended: ${signal ?? code}`)
  })
  child.on('message', (message: Reply | typeof ready) => {
    if (message === ready) return started.resolve()
    waiting?.resolve(message)
  })
  // It alone must not keep the server from ending.
  child.unref()
  child.channel?.unref()

  const worker: Worker = {
    ready: started.promise,
    gone: gone.promise,
    busy: false,
    pages: 0,
    usedAt: Date.now(),
    holds: (document) => documents.includes(document),
    async run(request) {
      if (!alive) throw new Ended('the renderer is gone')
      worker.busy = true
      worker.pages += request.kind === 'lines' ? request.to - request.from + 1 : 1
      remember(documents, request.book.path)
      waiting = Promise.withResolvers<Reply>()
      child.channel?.ref()
      try {
        child.send(request, (error) => error && end(String(error)))
        return await waiting.promise
      } finally {
        waiting = undefined
        worker.busy = false
        worker.usedAt = Date.now()
        child.channel?.unref()
      }
    },
    resident: () => (alive && child.pid ? residentBytes(child.pid) : 0),
    stop() {
      child.ref()
      killGroup(child)
      if (!child.pid) end('the renderer did not start')
      return gone.promise
    },
  }
  return worker
}

function remember(documents: string[], document: string): void {
  const at = documents.indexOf(document)
  if (at >= 0) documents.splice(at, 1)
  documents.push(document)
  if (documents.length > 4) documents.shift()
}

function killGroup(child: ChildProcess): void {
  if (!child.pid) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // All of them are gone already.
  }
}
