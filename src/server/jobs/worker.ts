import { randomUUID } from 'node:crypto'
import type { Ctx } from '../context.ts'
import type { Logger } from '../log.ts'
import { claim } from './claim.ts'
import { extendLease, fail, failExpired, finish, type Job, maxAttempts, releaseJobs } from './queue.ts'
import { enqueueDue, type Schedule } from './schedule.ts'

export type JobHandler = (ctx: Ctx, payload: unknown, run: JobRun) => Promise<void>

export interface JobRun {
  attempt: number
  /** It will not be retried. */
  last: boolean
  /** With which it was taken. */
  priority: number
  /** The member that the job is done for; 0 for the site itself. */
  owner: number
  /** Aborted when the worker stops: a job that does not finish soon is released. */
  signal: AbortSignal
}

export interface WorkerOptions {
  handlers: Record<string, JobHandler>
  schedules: readonly Schedule[]
  context: () => Promise<Ctx>
  concurrency: number
  /** How many jobs of one owner run at a time; without it, any number. */
  maxPerOwner?: number
  /** How long to sleep when no job is due. */
  idleMs: number
}

/** Kinds of jobs that share a number of slots, so that one kind cannot take those of another. */
export interface Queue {
  handlers: Record<string, JobHandler>
  schedules?: readonly Schedule[]
  concurrency: number
  maxPerOwner?: number
}

export interface Worker {
  /** A job of this kind, or of any, is waiting: ends the sleep. */
  wake(waiting?: { kind?: string }): void
  stop(): Promise<void>
}

const heartbeatMs = 20_000
const stopGraceMs = 5000

/** One worker for each queue, woken and stopped together. */
export function startWorkers(queues: readonly Queue[], options: Pick<WorkerOptions, 'context' | 'idleMs'>): Worker {
  const workers = queues.map((queue) => startWorker({ schedules: [], ...queue, ...options }))
  return {
    wake(waiting) {
      for (const worker of workers) worker.wake(waiting)
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

/** Claims jobs until it is stopped, as many at once as it has slots. Several processes may do so at once. */
export function startWorker(options: WorkerOptions): Worker {
  const { handlers, schedules, context, concurrency, maxPerOwner = Infinity, idleMs } = options
  const name = randomUUID()
  const kinds = Object.keys(handlers)
  const stopping = new AbortController()
  /** With their owners. */
  const running = new Map<Promise<void>, number>()
  let awake = new AbortController()

  const wake = ({ kind }: { kind?: string } = {}) => {
    if (kind && !handlers[kind]) return
    const sleeping = awake
    awake = new AbortController()
    sleeping.abort()
  }

  /** The log of jobs: a stop makes it quiet. */
  let jobLog: Logger | undefined

  const run = async ({ log, ...rest }: Ctx, job: Job) => {
    jobLog ??= log.child({})
    const ctx: Ctx = { ...rest, log: jobLog }
    const startedAt = performance.now()
    ctx.log.debug({ job: job.kind, id: job.id, attempt: job.attempts }, 'job started')
    try {
      await handlers[job.kind]?.(ctx, job.payload, {
        attempt: job.attempts,
        last: job.attempts >= maxAttempts,
        priority: job.priority,
        owner: job.owner,
        signal: stopping.signal,
      })
      await finish(ctx.db, name, job.id)
      const ms = Math.round(performance.now() - startedAt)
      ctx.log.debug({ job: job.kind, id: job.id, attempt: job.attempts, ms }, 'job done')
    } catch (error) {
      // Interrupted by the stop, not failed: it is released, and the attempt does not count.
      if (stopping.signal.aborted) return
      ctx.log.warn({ job: job.kind, id: job.id, attempt: job.attempts, error }, 'job failed')
      await fail(ctx.db, name, job, error, ctx.now())
    }
  }

  /** The database may be away for a moment. */
  const report = async (error: unknown) => {
    try {
      const { log } = await context()
      log.error({ error }, 'worker loop failed')
    } catch {
      // No context without the database: the next turn of the loop tries again.
    }
  }

  const ownersAtLimit = () => {
    const byOwner = Map.groupBy(running.values(), (owner) => owner)
    return [...byOwner].filter(([, jobs]) => jobs.length >= maxPerOwner).map(([owner]) => owner)
  }

  /** One loop claims for all slots: idle slots cost nothing. */
  const loop = async () => {
    while (!stopping.signal.aborted) {
      // Taken before looking, so that a job that arrives after nothing was found is not slept over.
      const interrupted = AbortSignal.any([stopping.signal, awake.signal])
      try {
        const ctx = await context()
        if (schedules.length > 0) await enqueueDue(ctx, schedules)
        const job = await claim(ctx.db, name, { kinds, now: ctx.now(), exceptOwners: ownersAtLimit() })
        if (stopping.signal.aborted) return
        if (!job) {
          await sleep(idleMs, interrupted)
          continue
        }
        const started: Promise<void> = run(ctx, job)
          .catch(report)
          .finally(() => {
            running.delete(started)
            if (maxPerOwner < Infinity) wake()
          })
        running.set(started, job.owner)
        if (running.size >= concurrency) await Promise.race(running.keys())
      } catch (error) {
        await report(error)
        await sleep(idleMs, stopping.signal)
      }
    }
  }

  const beat = async () => {
    const ctx = await context()
    if (running.size > 0) await extendLease(ctx.db, name, ctx.now())
    await failExpired(ctx.db, ctx.now())
  }
  const heartbeat = setInterval(() => void beat().catch(() => {}), heartbeatMs)
  const looping = loop()

  return {
    wake,
    async stop() {
      // A job interrupted now is done again, so it is no failure that the owner has to know of.
      if (jobLog?.isLevelEnabled('warn')) jobLog.level = 'error'
      stopping.abort()
      clearInterval(heartbeat)
      await Promise.race([looping.then(() => Promise.all(running.keys())), sleep(stopGraceMs)])
      const ctx = await context()
      await releaseJobs(ctx.db, name)
    },
  }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
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
