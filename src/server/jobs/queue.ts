import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../context.ts'
import { isTaken } from '../db/conflicts.ts'
import { getEngine } from '../db/engine.ts'
import type { Db } from '../db/open.ts'

/**
 * The job queue: one table, any number of workers in any number of processes. A worker holds a job by a lease; the job of
 * a worker that died becomes due again when its lease ends. What kinds of jobs there are is declared in `server/jobs.ts`.
 */

export interface Job {
  id: number
  kind: string
  payload: unknown
  attempts: number
  priority: number
  /** 0 for the site itself. */
  owner: number
}

export interface NewJob {
  kind: string
  payload?: unknown
  /** At most one waiting job of a key, held by a unique index; enqueued again, it runs at the earlier of both times. */
  key?: string
  runAt?: number
  /** `Normal` by default. */
  priority?: number
  /** The member that it is done for, 0 for the site itself: jobs of a kind and priority are taken from the owners in turn. */
  owner?: number
}

/** The higher runs first; values between them are allowed. */
export const JobPriority = {
  /** A conversion that its uploader waits for. */
  Upload: 10,
  Index: 5,
  Normal: 0,
  Idle: -1,
  /** See `RetryLast`. */
  Retry: -10,
  /** A conversion that nobody has asked for: behind all that people wait for. */
  Crawled: -20,
} as const

/** Thrown by a job that can never succeed: it is not retried, and its payload is erased. */
export class PermanentJobError extends Error {}

/** Thrown by a job that is to be retried behind all jobs of its kind that wait for their first attempt. */
export class RetryLast extends Error {}

export const leaseMs = 60_000
export const maxAttempts = 5

/** Written with the caller's database handle: inside a transaction the job exists only if the transaction commits. */
export async function insertJob(ctx: Pick<Ctx, 'db' | 'now' | 'emit'>, job: NewJob): Promise<void> {
  const { kind, payload = {}, key = '', runAt, priority = JobPriority.Normal, owner } = job
  const { db } = ctx
  const now = ctx.now()
  const earlier = getEngine(db) === 'postgres' ? sql.raw('least') : sql.raw('min')
  await db
    .insertInto('job')
    .values({
      kind,
      payload: JSON.stringify(payload),
      key,
      state: 'waiting',
      priority,
      ...(owner !== undefined && { owner, round: nextRound(db, kind, owner) }),
      run_at: runAt ?? now,
      created_at: now,
      updated_at: now,
    })
    // The predicate of the unique index, in literals: databases infer a partial index from nothing else.
    .onConflict((conflict) =>
      conflict
        .column('key')
        .where('key', '<>', sql.lit(''))
        .where('state', '=', sql.lit('waiting'))
        .doUpdateSet({ run_at: sql<number>`${earlier}(job.run_at, excluded.run_at)` }),
    )
    .execute()
  // Not earlier: a worker that is woken and finds nothing goes back to sleep.
  ctx.emit('job.waiting', { kind })
}

/**
 * Start-time fair queuing: a job joins the round that is being served, or the one after its owner's last job. So each owner
 * has one job in a round, and a new owner waits for one job of each of the others, however many they have.
 */
function nextRound(db: Db, kind: string, owner: number): RawBuilder<number> {
  const jobs = (state: 'waiting' | 'running') =>
    db.selectFrom('job').where('state', '=', state).where('kind', '=', kind)
  const last = (state: 'waiting' | 'running') =>
    jobs(state)
      .where('owner', '=', owner)
      .select((eb) => eb.fn.max('round').as('round'))
  const running = jobs('running').select((eb) => eb.fn.max('round').as('round'))
  const next = jobs('waiting').select('round').orderBy('priority', 'desc').orderBy('round').limit(1)
  const latest = sql.raw(getEngine(db) === 'postgres' ? 'greatest' : 'max')
  return sql<number>`${latest}(coalesce((${running}), (${next}), 0), coalesce((${last('waiting')}) + 1, 0),
    coalesce((${last('running')}) + 1, 0))`
}

interface Takeover {
  kind: string
  key: string
  priority: number
  owner: number
}

/**
 * A member now waits for a job of the crawler, or one that waits among the jobs of another member: it takes its place
 * among the member's own jobs if it is done earlier there.
 */
export async function takeOver(
  { db, emit }: Pick<Ctx, 'db' | 'emit'>,
  { kind, key, priority, owner }: Takeover,
): Promise<void> {
  const round = nextRound(db, kind, owner)
  await db
    .updateTable('job')
    .set({ priority, owner, round })
    .where('key', '=', key)
    .where('state', '=', 'waiting')
    .where(({ eb, or, and }) =>
      or([eb('priority', '=', JobPriority.Crawled), and([eb('priority', '=', priority), eb('round', '>', round)])]),
    )
    .execute()
  emit('job.waiting', { kind })
}

export async function extendLease(db: Db, worker: string, now: number): Promise<void> {
  await db
    .updateTable('job')
    .set({ lease_until: now + leaseMs })
    .where('worker', '=', worker)
    .where('state', '=', 'running')
    .execute()
}

/** Only the worker that holds the lease may finish a job: after a long silence another may have claimed it. */
export async function finish(db: Db, worker: string, id: number): Promise<void> {
  await db.deleteFrom('job').where('id', '=', id).where('worker', '=', worker).where('state', '=', 'running').execute()
}

/** Retried with exponential back-off; after the last attempt it stays as failed, for people to see. */
export async function fail(db: Db, worker: string, job: Job, cause: unknown, now: number): Promise<void> {
  const isPermanent = cause instanceof PermanentJobError
  const isLast = isPermanent || job.attempts >= maxAttempts
  const message = cause instanceof Error ? cause.message : String(cause)
  await orDropDuplicate(db, job.id, () =>
    db
      .updateTable('job')
      .set((eb) => ({
        ...(isPermanent && { payload: '{}' }),
        ...(cause instanceof RetryLast && {
          priority: eb.fn<number>(getEngine(db) === 'postgres' ? 'least' : 'min', [
            'priority',
            sql.lit(JobPriority.Retry),
          ]),
        }),
        state: isLast ? 'failed' : 'waiting',
        run_at: now + 1000 * 4 ** job.attempts,
        lease_until: 0,
        worker: '',
        error: message.slice(0, 2000),
        updated_at: now,
      }))
      .where('id', '=', job.id)
      .where('worker', '=', worker)
      .where('state', '=', 'running')
      .execute(),
  )
}

/** What a stopping worker has not finished becomes due at once, and the attempt does not count. */
export async function releaseJobs(db: Db, worker: string): Promise<void> {
  const running = db.selectFrom('job').select('id').where('worker', '=', worker).where('state', '=', 'running')
  for (const { id } of await running.execute())
    await orDropDuplicate(db, id, () =>
      db
        .updateTable('job')
        .set((eb) => ({ state: 'waiting', lease_until: 0, worker: '', attempts: eb('attempts', '-', 1) }))
        .where('id', '=', id)
        .where('worker', '=', worker)
        .where('state', '=', 'running')
        .execute(),
    )
}

/** A job that was enqueued again while it ran need not wait a second time: the newer one does its work. */
async function orDropDuplicate(db: Db, id: number, putBack: () => Promise<unknown>): Promise<void> {
  try {
    await putBack()
  } catch (error) {
    if (!isTaken(error)) throw error
    await db.deleteFrom('job').where('id', '=', id).where('state', '=', 'running').execute()
  }
}

/** A job that kills its worker each time reports nothing: it fails when its last lease ends. */
export async function failExpired(db: Db, now: number): Promise<void> {
  await db
    .updateTable('job')
    .set({ state: 'failed', worker: '', error: '处理它的进程一再中断', updated_at: now })
    .where('state', '=', 'running')
    .where('lease_until', '<', now)
    .where('attempts', '>=', maxAttempts)
    .execute()
}
