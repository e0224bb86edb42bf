import { sql } from 'kysely'
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
}

export interface NewJob {
  kind: string
  payload?: unknown
  /** At most one waiting job of a key, held by a unique index; enqueued again, it runs at the earlier of both times. */
  key?: string
  runAt?: number
  /** `Normal` by default. */
  priority?: number
}

/** The higher runs first; values between them are allowed. */
export const JobPriority = {
  /** A conversion that its uploader waits for. */
  Upload: 10,
  Index: 5,
  Normal: 0,
  Idle: -1,
} as const

/** Thrown by a job that can never succeed: it is not retried, and its payload is erased. */
export class PermanentJobError extends Error {}

const leaseMs = 60_000
const maxClaimTries = 3
export const maxAttempts = 5

/** Written with the caller's database handle: inside a transaction the job exists only if the transaction commits. */
export async function insertJob(ctx: Pick<Ctx, 'db' | 'now' | 'emit'>, job: NewJob): Promise<void> {
  const { kind, payload = {}, key = '', runAt, priority = JobPriority.Normal } = job
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
  ctx.emit('job.waiting', {})
}

/** Leases one due job to a worker. */
export async function claim(db: Db, worker: string, kinds: readonly string[], now: number): Promise<Job | undefined> {
  for (let tries = 0; tries < maxClaimTries; tries++) {
    const next = await findMostUrgent(db, kinds, now)
    if (!next) return undefined
    const job = await lease(db, worker, next, now)
    // Another worker was quicker: there may be jobs of another kind.
    if (job) return job
  }
  return undefined
}

interface KindAndState {
  kind: string
  state: 'waiting' | 'running'
}

/** Reads only the first job of each kind, however many wait. */
async function findMostUrgent(db: Db, kinds: readonly string[], now: number): Promise<KindAndState | undefined> {
  const sources = kinds.flatMap((kind) => [{ kind, state: 'waiting' } as const, { kind, state: 'running' } as const])
  const [first, ...others] = sources.map((source) =>
    db
      .selectFrom(selectDue(db, source, now).select(['kind', 'state', 'priority', 'run_at', 'id']).as('due'))
      .selectAll(),
  )
  const rows = first && (await others.reduce((query, other) => query.unionAll(other), first).execute())
  const [next] = rows?.toSorted((a, b) => b.priority - a.priority || a.run_at - b.run_at || a.id - b.id) ?? []
  return next as KindAndState | undefined
}

/** Undefined when there is no such job any more. */
async function lease(db: Db, worker: string, source: KindAndState, now: number): Promise<Job | undefined> {
  const next = selectDue(db, source, now).select('id')
  const row = await db
    .updateTable('job')
    .set((eb) => ({
      state: 'running',
      worker,
      lease_until: now + leaseMs,
      attempts: eb('attempts', '+', 1),
      updated_at: now,
    }))
    .where('id', '=', getEngine(db) === 'postgres' ? next.forUpdate().skipLocked() : next)
    .where('state', '=', source.state)
    .where('lease_until', '<', now)
    .returning(['id', 'kind', 'payload', 'attempts'])
    .executeTakeFirst()
  return row && { ...row, payload: JSON.parse(row.payload) as unknown }
}

/** The first waiting job of a kind, or the first running one whose lease has ended. */
function selectDue(db: Db, { kind, state }: KindAndState, now: number) {
  return db
    .selectFrom('job')
    .where('state', '=', state)
    .where('kind', '=', kind)
    .where('run_at', '<=', now)
    .where('lease_until', '<', now)
    .where('attempts', '<', maxAttempts)
    .orderBy('priority', 'desc')
    .orderBy('run_at')
    .orderBy('id')
    .limit(1)
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
      .set({
        ...(isPermanent && { payload: '{}' }),
        state: isLast ? 'failed' : 'waiting',
        run_at: now + 1000 * 4 ** job.attempts,
        lease_until: 0,
        worker: '',
        error: message.slice(0, 2000),
        updated_at: now,
      })
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
