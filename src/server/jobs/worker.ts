import { randomUUID } from 'node:crypto'
import type { Ctx } from '../context.ts'
import { claim, extendLease, fail, finish, giveUp, handBack, type Job, mostAttempts } from './queue.ts'
import { enqueueDue, type Schedule } from './schedule.ts'

export type JobHandler = (ctx: Ctx, payload: unknown, run: JobRun) => Promise<void>

export interface JobRun {
  attempt: number
  /** It will not be tried again. */
  last: boolean
  /** Aborted when the worker stops: what is not finished soon is handed back. */
  signal: AbortSignal
}

export interface WorkerOptions {
  handlers: Record<string, JobHandler>
  schedules: readonly Schedule[]
  context: () => Promise<Ctx>
  concurrency: number
  /** How long to rest when there is nothing to do. */
  restMs: number
}

/** Kinds of jobs that share so many hands, so that one kind cannot take those of another. */
export interface Lane {
  handlers: Record<string, JobHandler>
  schedules?: readonly Schedule[]
  concurrency: number
}

export interface Worker {
  /** There is something to do: the rest ends. */
  wake(): void
  stop(): Promise<void>
}

const heartbeatMs = 20_000
const patienceMs = 5000

/** One worker for each lane, woken and stopped together. */
export function startWorkers(lanes: readonly Lane[], given: Pick<WorkerOptions, 'context' | 'restMs'>): Worker {
  const workers = lanes.map((lane) => startWorker({ schedules: [], ...lane, ...given }))
  return {
    wake() {
      for (const worker of workers) worker.wake()
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

/** Takes jobs from the table until stopped, as many at once as it has hands. Several processes may do so at once. */
export function startWorker({ handlers, schedules, context, concurrency, restMs }: WorkerOptions): Worker {
  const name = randomUUID()
  const kinds = Object.keys(handlers)
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let woken = new AbortController()

  const wake = () => {
    const before = woken
    woken = new AbortController()
    before.abort()
  }

  const run = async (ctx: Ctx, job: Job) => {
    const begun = performance.now()
    ctx.log.debug({ job: job.kind, id: job.id, attempt: job.attempts }, 'job started')
    try {
      await handlers[job.kind]?.(ctx, job.payload, {
        attempt: job.attempts,
        last: job.attempts >= mostAttempts,
        signal: stopping.signal,
      })
      await finish(ctx.db, name, job.id)
      const ms = Math.round(performance.now() - begun)
      ctx.log.debug({ job: job.kind, id: job.id, attempt: job.attempts, ms }, 'job done')
    } catch (error) {
      // Cut short by the stop, not by a fault of its own: it is handed back, and the attempt does not count.
      if (stopping.signal.aborted) return
      ctx.log.warn({ job: job.kind, id: job.id, attempt: job.attempts, error }, 'job failed')
      await fail(ctx.db, name, job, error, ctx.now())
    }
  }

  /** The database may be away for a moment. */
  const report = async (fault: unknown) => {
    const { log } = await context().catch(() => ({ log: undefined }))
    log?.error({ error: fault }, 'worker round failed')
  }

  /** One looks for all hands: with nothing to do, many hands cost no more than one. */
  const look = async () => {
    while (!stopping.signal.aborted) {
      // Taken before looking, so that what arrives while nothing was found is not slept over.
      const stirred = AbortSignal.any([stopping.signal, woken.signal])
      try {
        const ctx = await context()
        if (schedules.length > 0) await enqueueDue(ctx, schedules)
        const job = await claim(ctx.db, name, kinds, ctx.now())
        if (stopping.signal.aborted) return
        if (!job) {
          await rest(restMs, stirred)
          continue
        }
        const begun: Promise<void> = run(ctx, job)
          .catch(report)
          .finally(() => running.delete(begun))
        running.add(begun)
        if (running.size >= concurrency) await Promise.race(running)
      } catch (error) {
        await report(error)
        await rest(restMs, stopping.signal)
      }
    }
  }

  const beat = async () => {
    const ctx = await context()
    if (running.size > 0) await extendLease(ctx.db, name, ctx.now())
    await giveUp(ctx.db, ctx.now())
  }
  const heartbeat = setInterval(() => void beat().catch(() => {}), heartbeatMs)
  const looking = look()

  return {
    wake,
    async stop() {
      stopping.abort()
      clearInterval(heartbeat)
      await Promise.race([looking.then(() => Promise.all(running)), rest(patienceMs)])
      const ctx = await context()
      await handBack(ctx.db, name)
    },
  }
}

function rest(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
