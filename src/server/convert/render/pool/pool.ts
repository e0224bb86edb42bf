import { availableParallelism } from 'node:os'
import { type Ask, type Converter, type PageLines, type Prepared, Unconvertible } from '../../converter.ts'
import { hasBubblewrap } from '../isolation.ts'
import type { Answers, Kind, Questions, Reply, Request } from '../messages.ts'
import { fairQueue } from './queue.ts'
import { Ended, startWorker, type Worker } from './worker.ts'

/** Pages count from 1; a page that the document does not have is a `RangeError`. */
export interface Renderers extends Pick<Converter, 'open' | 'page' | 'lines' | 'picture' | 'close'> {
  /** Starts one process ahead of the first request. */
  warm(): Promise<void>
}

export interface RendererOptions {
  /** How many draw at the same time. */
  processes?: number
  /** Where the documents lie; behind the walls nothing outside it can be opened. */
  folders?: readonly string[]
  /** What stands between a process and the system; the best that works here unless told. */
  walls?: 'bubblewrap' | 'plain'
  limits?: Partial<RenderLimits>
}

export interface RenderLimits {
  /** For a page, a picture, a few pages of text. */
  pageMs: number
  /** For opening a document, and for the first page of a book, which has to be laid out. */
  openMs: number
  /** Above this a process is killed at once. */
  memory: number
  /** Above these a process is replaced when it has finished its work. */
  restMemory: number
  pages: number
  /** The last process goes after so long without work, the others after a fifth of it. */
  idleMs: number
}

const usual: RenderLimits = {
  pageMs: 15_000,
  openMs: 60_000,
  memory: 700e6,
  restMemory: 450e6,
  pages: 3000,
  idleMs: 300_000,
}
const watchMs = 200
/** So many pages of text are read in one go; urgent pages come between. */
const linesAtOnce = 16
const failedPages = 3

interface Job {
  key: string
  document: string
  urgency: 0 | 1 | 2
  request: Request
  waiters: Set<PromiseWithResolvers<Answers[Kind]>>
  running: boolean
  crashes: number
}

/** Child processes that draw pages: started when needed, watched, replaced when they break, ended when idle. */
export function startRenderers(options: RendererOptions = {}): Renderers {
  const { processes = availableParallelism(), folders } = options
  const limits = { ...usual, ...options.limits }
  const queue = fairQueue<Job>()
  const underWay = new Map<string, Job>()
  const idle = new Set<Worker>()
  const workers = new Set<Worker>()
  let walls = options.walls ?? (hasBubblewrap() ? 'bubblewrap' : 'plain')
  let starting = 0
  let failedStarts = 0
  let closed = false

  function ask<K extends Kind>(
    kind: K,
    question: Questions[K],
    { urgency = 1, signal }: Ask = {},
  ): Promise<Answers[K]> {
    if (closed) return Promise.reject(new Error('the renderers are closed'))
    if (signal?.aborted) return Promise.reject(signal.reason)
    const key = JSON.stringify([kind, question])
    let job = underWay.get(key)
    if (!job) {
      const request = { kind, ...question } as Request
      const document = question.book.path
      job = { key, document, urgency, request, waiters: new Set(), running: false, crashes: 0 }
      underWay.set(key, job)
      queue.add(job)
    } else if (urgency < job.urgency && !job.running) {
      queue.remove(job)
      job.urgency = urgency
      queue.add(job)
    }
    const waiter = join(job, signal)
    pump()
    // The key holds the kind: what answers it has the kind's type.
    return waiter as Promise<Answers[K]>
  }

  function join(job: Job, signal: AbortSignal | undefined): Promise<Answers[Kind]> {
    const waiter = Promise.withResolvers<Answers[Kind]>()
    job.waiters.add(waiter)
    const leave = () => {
      job.waiters.delete(waiter)
      waiter.reject(signal?.reason)
      if (job.waiters.size > 0 || job.running) return
      queue.remove(job)
      underWay.delete(job.key)
    }
    signal?.addEventListener('abort', leave)
    return waiter.promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  function pump(): void {
    if (closed) return
    for (;;) {
      const [only] = idle
      if (!only) break
      // With several processes each keeps to its documents: a book is laid out anew in every one that opens it.
      const keeps = idle.size === 1 && workers.size > 1
      const job = queue.take(keeps ? (document) => only.holds(document) : undefined)
      if (!job) break
      const worker = idle.values().find((candidate) => candidate.holds(job.document)) ?? only
      idle.delete(worker)
      void run(worker, job)
    }
    if (queue.size > starting && workers.size < processes) void startOne().catch(() => {})
  }

  async function startOne(): Promise<void> {
    const worker = startWorker(walls, folders)
    workers.add(worker)
    starting++
    void worker.gone.then(() => forget(worker))
    let late = false
    const clock = setTimeout(() => {
      late = true
      void worker.stop()
    }, 30_000)
    try {
      // A second one is started without waiting for the first.
      queueMicrotask(pump)
      await worker.ready
      failedStarts = 0
      idle.add(worker)
      if (closed) await worker.stop()
    } catch (error) {
      workers.delete(worker)
      failedStarts++
      // bubblewrap is installed but not allowed here, for example inside a container.
      if (walls === 'bubblewrap' && failedStarts >= 2 && !late) {
        walls = 'plain'
        failedStarts = 0
      } else if (failedStarts >= 3) {
        failedStarts = 0
        for (let job = queue.take(); job; job = queue.take()) settle(job, new Unconvertible('crashed', String(error)))
        throw error
      }
    } finally {
      clearTimeout(clock)
      starting--
      pump()
    }
  }

  async function run(worker: Worker, job: Job): Promise<void> {
    job.running = true
    let killed: 'timeout' | 'memory' | undefined
    const kill = (reason: typeof killed) => {
      killed ??= reason
      void worker.stop()
    }
    const clock = setTimeout(() => kill('timeout'), timeFor(job.request, worker))
    const watch = setInterval(() => worker.resident() > limits.memory && kill('memory'), watchMs)
    try {
      settle(job, await worker.run(job.request))
      const worn = worker.pages >= limits.pages || worker.resident() > limits.restMemory
      if (worn) await discard(worker)
      else idle.add(worker)
    } catch (error) {
      await discard(worker)
      if (killed) settle(job, new Unconvertible(killed, `${job.request.kind} of ${job.document}`))
      else if (closed || !(error instanceof Ended)) settle(job, new Error('the renderers are closed', { cause: error }))
      else if (++job.crashes > 1) settle(job, new Unconvertible('crashed', error.message))
      else {
        job.running = false
        queue.add(job)
      }
    } finally {
      clearTimeout(clock)
      clearInterval(watch)
      rest()
      pump()
    }
  }

  function settle(job: Job, outcome: Reply | Error): void {
    underWay.delete(job.key)
    for (const waiter of job.waiters) {
      if (outcome instanceof Error) waiter.reject(outcome)
      else if ('value' in outcome) waiter.resolve(outcome.value)
      else if (outcome.failed === 'noPage') waiter.reject(new RangeError(`${job.document} has no ${outcome.detail}`))
      else waiter.reject(new Unconvertible(outcome.failed, outcome.detail))
    }
  }

  function timeFor(request: Request, worker: Worker): number {
    if (request.kind === 'open') return limits.openMs
    const laysOut = request.book.type !== 'pdf' && !worker.holds(request.book.path)
    return laysOut ? limits.openMs : limits.pageMs
  }

  function forget(worker: Worker): boolean {
    idle.delete(worker)
    return workers.delete(worker)
  }

  async function discard(worker: Worker): Promise<void> {
    forget(worker)
    await worker.stop()
  }

  let resting: NodeJS.Timeout | undefined
  /** Ends processes that nobody needs any more: all but one soon, the last one later. */
  function rest(): void {
    clearTimeout(resting)
    if (closed || workers.size === 0) return
    resting = setTimeout(
      () => {
        const byUse = [...idle].toSorted((one, other) => other.usedAt - one.usedAt)
        for (const [n, worker] of byUse.entries()) {
          const allowed = n === 0 ? limits.idleMs : limits.idleMs / 5
          if (Date.now() - worker.usedAt >= allowed) void discard(worker)
        }
        rest()
      },
      limits.idleMs / 5 + 5,
    )
    resting.unref()
  }

  /** One bad page must not cost a document its text: it is read alone then, and has no lines if it fails again. */
  async function readLines(book: Prepared, from: number, to: number, options: Ask | undefined): Promise<PageLines[]> {
    const parts: Promise<PageLines[]>[] = []
    let failures = 0
    const alone = async (page: number): Promise<PageLines[]> => {
      try {
        return await ask('lines', { book, from: page, to: page }, options)
      } catch (error) {
        if (!(error instanceof Unconvertible) || ++failures > failedPages) throw error
        return [{ page, width: 595, height: 842, lines: [] }]
      }
    }
    const together = async (first: number, last: number): Promise<PageLines[]> => {
      try {
        return await ask('lines', { book, from: first, to: last }, options)
      } catch (error) {
        const broken = error instanceof Unconvertible && ['timeout', 'memory', 'crashed'].includes(error.reason)
        if (!broken) throw error
        const pages: PageLines[] = []
        for (let page = first; page <= last; page++) pages.push(...(await alone(page)))
        return pages
      }
    }
    for (let first = from; first <= to; first += linesAtOnce)
      parts.push(together(first, Math.min(to, first + linesAtOnce - 1)))
    return (await Promise.all(parts)).flat()
  }

  return {
    open: (book, asked) => ask('open', { book }, asked),
    page: (book, page, asked) => ask('page', { book, page }, asked),
    lines: readLines,
    picture: (book, page, width, asked) => ask('picture', { book, page, width }, asked),
    warm: async () => {
      if (workers.size === 0) await startOne()
    },
    async close() {
      closed = true
      clearTimeout(resting)
      for (let job = queue.take(); job; job = queue.take()) settle(job, new Error('the renderers are closed'))
      await Promise.all([...workers].map((worker) => worker.stop()))
      workers.clear()
    },
  }
}
