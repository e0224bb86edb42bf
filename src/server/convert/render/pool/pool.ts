import { availableParallelism } from 'node:os'
import { type Converter, type RenderOptions, RenderPriority, Unconvertible } from '../../converter.ts'
import { hasBubblewrap, type RendererIsolation } from '../isolation.ts'
import type { Request, RequestKind, RequestParams, Results } from '../messages.ts'
import { extractLinesInBatches } from './extract-lines.ts'
import { type Job, jobQueue } from './jobs.ts'
import { defaultLimits, type PoolLimits } from './limits.ts'
import { startWorker, type Worker, WorkerExited } from './worker.ts'

/** Pages count from 1; a page that the document does not have is a `RangeError`. */
export interface RendererPool extends Pick<
  Converter,
  'open' | 'renderPage' | 'extractLines' | 'renderImage' | 'renderCover' | 'close'
> {
  /** Starts a process before the first request. */
  warmUp(): Promise<void>
}

export interface PoolOptions {
  /** The maximum number of processes, but for those whose request takes very long. */
  processes?: number
  /** Where the documents lie; with bubblewrap nothing outside can be opened. */
  folders?: readonly string[]
  /** The best that works on this machine by default. */
  isolation?: RendererIsolation
  limits?: Partial<PoolLimits>
}

/** A request that takes longer holds its process, but no longer keeps another from being started. */
const slowMs = 1000
const startTimeoutMs = 30_000
const memoryCheckMs = 200

/** Child processes that render pages: started on demand, monitored, replaced when they crash, stopped when idle. */
export function createRendererPool(options: PoolOptions = {}): RendererPool {
  const { processes = availableParallelism(), folders } = options
  const limits = { ...defaultLimits, ...options.limits }
  const jobs = jobQueue()
  const idle = new Set<Worker>()
  const workers = new Set<Worker>()
  /** Whose request has taken longer than `slowMs`. */
  const slow = new Set<Worker>()
  const maxBackground = Math.max(1, processes - 1)
  let backgroundRuns = 0
  let isolation = options.isolation ?? (hasBubblewrap() ? 'bubblewrap' : 'permissions')
  let starting = 0
  let failedStarts = 0
  let closed = false

  function request<K extends RequestKind>(
    kind: K,
    params: RequestParams[K],
    options: RenderOptions = {},
  ): Promise<Results[K]> {
    if (closed) return Promise.reject(new Error('the renderers are closed'))
    if (options.signal?.aborted) return Promise.reject(options.signal.reason)
    const result = jobs.add(kind, params, options)
    dispatch()
    return result
  }

  /** Documents made to run into the time limit must not stop all others for as long. */
  function maxWorkers(): number {
    return processes + Math.min(slow.size, Math.max(2, processes))
  }

  function lowestPriority(): RenderPriority {
    return backgroundRuns < maxBackground ? RenderPriority.Background : RenderPriority.FirstPages
  }

  function dispatch(): void {
    if (closed) return
    for (;;) {
      const [first] = idle
      if (!first) break
      // Sticky workers: every process that opens a reflowable document has to lay it out again.
      const isLastOfSeveral = idle.size === 1 && workers.size > 1
      const prefers = isLastOfSeveral ? (document: string) => first.hasOpen(document) : undefined
      const job = jobs.take({ lowest: lowestPriority(), prefers })
      if (!job) break
      const worker = idle.values().find((candidate) => candidate.hasOpen(job.document)) ?? first
      idle.delete(worker)
      void run(worker, job)
    }
    if (jobs.size(lowestPriority()) > starting && workers.size < maxWorkers()) void addWorker().catch(() => {})
  }

  async function addWorker(): Promise<void> {
    const worker = startWorker(isolation, folders)
    workers.add(worker)
    starting++
    void worker.exited.then(() => removeWorker(worker))
    let timedOut = false
    const timeout = setTimeout(() => {
      timedOut = true
      void worker.stop()
    }, startTimeoutMs)
    try {
      // Further workers start at the same time.
      queueMicrotask(dispatch)
      await worker.ready
      failedStarts = 0
      idle.add(worker)
      if (closed) await worker.stop()
    } catch (error) {
      workers.delete(worker)
      failedStarts++
      // bubblewrap is installed but not permitted, for example inside a container.
      if (isolation === 'bubblewrap' && failedStarts >= 2 && !timedOut) {
        isolation = 'permissions'
        failedStarts = 0
      } else if (failedStarts >= 3) {
        failedStarts = 0
        jobs.failAll(new Unconvertible('crashed', String(error)))
        throw error
      }
    } finally {
      clearTimeout(timeout)
      starting--
      dispatch()
    }
  }

  async function run(worker: Worker, job: Job): Promise<void> {
    let exceeded: 'timeout' | 'memory' | undefined
    const stopFor = (limit: 'timeout' | 'memory') => {
      exceeded ??= limit
      void worker.stop()
    }
    const timeout = setTimeout(() => stopFor('timeout'), timeoutFor(job.request, worker))
    const memoryCheck = setInterval(
      () => worker.memoryBytes() > limits.maxMemoryBytes && stopFor('memory'),
      memoryCheckMs,
    )
    const slowness = setTimeout(() => {
      slow.add(worker)
      dispatch()
    }, slowMs)
    const isBackground = job.priority === RenderPriority.Background
    if (isBackground) backgroundRuns++
    try {
      jobs.settle(job, await worker.run(job.request))
      slow.delete(worker)
      const isWorn = worker.pagesServed >= limits.recyclePages || worker.memoryBytes() > limits.recycleMemoryBytes
      if (isWorn || workers.size > maxWorkers()) await discard(worker)
      else idle.add(worker)
    } catch (error) {
      await discard(worker)
      if (exceeded) jobs.settle(job, new Unconvertible(exceeded, `${job.request.kind} of ${job.document}`))
      else if (closed || !(error instanceof WorkerExited))
        jobs.settle(job, new Error('the renderers are closed', { cause: error }))
      else if (++job.crashes > 1) jobs.settle(job, new Unconvertible('crashed', error.message))
      else jobs.retry(job)
    } finally {
      clearTimeout(timeout)
      clearTimeout(slowness)
      clearInterval(memoryCheck)
      slow.delete(worker)
      if (isBackground) backgroundRuns--
      scheduleIdleCheck()
      dispatch()
    }
  }

  function timeoutFor({ kind, source }: Request, worker: Worker): number {
    const needsLayout = source.type !== 'pdf' && !worker.hasOpen(source.path)
    return kind === 'open' || needsLayout ? limits.openTimeoutMs : limits.pageTimeoutMs
  }

  function removeWorker(worker: Worker): void {
    idle.delete(worker)
    workers.delete(worker)
  }

  async function discard(worker: Worker): Promise<void> {
    removeWorker(worker)
    await worker.stop()
  }

  let idleCheck: NodeJS.Timeout | undefined
  /** Stops idle processes: the one used last stays five times as long as the others. */
  function scheduleIdleCheck(): void {
    clearTimeout(idleCheck)
    if (closed || workers.size === 0) return
    const intervalMs = limits.idleMs / 5 + 5
    idleCheck = setTimeout(() => {
      const byLastUse = [...idle].toSorted((a, b) => b.lastUsedAt - a.lastUsedAt)
      for (const [n, worker] of byLastUse.entries()) {
        const maxIdleMs = n === 0 ? limits.idleMs : limits.idleMs / 5
        if (Date.now() - worker.lastUsedAt >= maxIdleMs) void discard(worker)
      }
      scheduleIdleCheck()
    }, intervalMs)
    idleCheck.unref()
  }

  return {
    open: (source, options) => request('open', { source }, options),
    renderPage: (source, page, options) => request('page', { source, page }, options),
    extractLines: (source, from, to, { withMargins = false, ...options } = {}) =>
      extractLinesInBatches(from, to, (first, last) =>
        request('lines', { source, from: first, to: last, withMargins }, options),
      ),
    renderImage: (source, page, width, options) => request('image', { source, page, width }, options),
    renderCover: (source, width, options) => request('cover', { source, width }, options),
    warmUp: async () => {
      if (workers.size === 0) await addWorker()
    },
    async close() {
      closed = true
      clearTimeout(idleCheck)
      jobs.failAll(new Error('the renderers are closed'))
      await Promise.all([...workers].map((worker) => worker.stop()))
      workers.clear()
    },
  }
}
