import { type RenderOptions, RenderPriority, Unconvertible } from '../../converter.ts'
import type { Reply, Request, RequestKind, RequestParams, Results } from '../messages.ts'
import { type FairQueue, fairQueue, type QueueItem } from './queue.ts'

export interface Job extends QueueItem {
  key: string
  request: Request
  waiters: Set<PromiseWithResolvers<Results[RequestKind]>>
  running: boolean
  crashes: number
}

/** Requests that wait for a renderer. Callers with the same request share one job (request coalescing). */
export interface JobQueue extends Pick<FairQueue<Job>, 'take' | 'size'> {
  add<K extends RequestKind>(kind: K, params: RequestParams[K], options?: RenderOptions): Promise<Results[K]>
  /** Queues a job again after a crash. */
  retry(job: Job): void
  settle(job: Job, outcome: Reply | Error): void
  /** Fails all jobs that have not been taken. */
  failAll(error: Error): void
}

export function jobQueue(): JobQueue {
  const queue = fairQueue<Job>()
  const pending = new Map<string, Job>()

  function wait(job: Job, signal: AbortSignal | undefined): Promise<Results[RequestKind]> {
    const waiter = Promise.withResolvers<Results[RequestKind]>()
    job.waiters.add(waiter)
    const leave = () => {
      job.waiters.delete(waiter)
      waiter.reject(signal?.reason)
      if (job.waiters.size > 0 || job.running) return
      queue.remove(job)
      pending.delete(job.key)
    }
    signal?.addEventListener('abort', leave)
    return waiter.promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  function settle(job: Job, outcome: Reply | Error): void {
    pending.delete(job.key)
    for (const waiter of job.waiters) {
      if (outcome instanceof Error) waiter.reject(outcome)
      else if ('value' in outcome) waiter.resolve(outcome.value)
      else if (outcome.failed === 'noPage') waiter.reject(new RangeError(`${job.document} has no ${outcome.detail}`))
      else waiter.reject(new Unconvertible(outcome.failed, outcome.detail))
    }
  }

  return {
    add<K extends RequestKind>(
      kind: K,
      params: RequestParams[K],
      { priority = RenderPriority.FirstPages, signal }: RenderOptions = {},
    ) {
      const key = JSON.stringify([kind, params])
      let job = pending.get(key)
      if (!job) {
        const request = { kind, ...params } as Request
        const document = params.source.path
        job = { key, document, priority, request, waiters: new Set(), running: false, crashes: 0 }
        pending.set(key, job)
        queue.add(job)
      } else if (priority < job.priority && !job.running) {
        queue.remove(job)
        job.priority = priority
        queue.add(job)
      }
      // The kind is part of the key: all waiters of a job expect a result of the same type.
      return wait(job, signal) as Promise<Results[K]>
    },
    take(options) {
      const job = queue.take(options)
      if (job) job.running = true
      return job
    },
    retry(job) {
      job.running = false
      queue.add(job)
    },
    settle,
    failAll(error) {
      for (let job = queue.take(); job; job = queue.take()) settle(job, error)
    },
    size: queue.size,
  }
}
