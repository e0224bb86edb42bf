import type { Ctx } from '../context.ts'
import { engineOf } from '../db/engine.ts'
import type { Db } from '../db/open.ts'

export interface Job {
  id: number
  kind: string
  payload: unknown
  attempts: number
}

export interface NewJob {
  kind: string
  payload?: unknown
  /** At most one waiting job of a key; asked for again, it comes no later than the earlier of both times. */
  key?: string
  runAt?: number
  /** Higher goes first; 0 unless told. */
  priority?: number
}

/** Thrown by a job that will never succeed: it is not tried again, and what it was to do is forgotten. */
export class Hopeless extends Error {}

const leaseMs = 60_000
export const mostAttempts = 5

/** Written with the caller's handle: inside a transaction the job exists only if the transaction holds. */
export async function enqueue(ctx: Pick<Ctx, 'db' | 'now' | 'emit'>, job: NewJob): Promise<void> {
  await put(ctx, job)
  // Not before: workers that are woken and find nothing go back to rest.
  ctx.emit('job.waiting', {})
}

async function put(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  { kind, payload = {}, key = '', runAt, priority = 0 }: NewJob,
): Promise<void> {
  const at = now()
  if (key) {
    const waiting = await db
      .selectFrom('job')
      .select(['id', 'run_at'])
      .where('key', '=', key)
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    if (waiting && waiting.run_at <= (runAt ?? at)) return
    if (waiting) {
      await db
        .updateTable('job')
        .set({ run_at: runAt ?? at })
        .where('id', '=', waiting.id)
        .execute()
      return
    }
  }
  await db
    .insertInto('job')
    .values({
      kind,
      payload: JSON.stringify(payload),
      key,
      state: 'waiting',
      priority,
      run_at: runAt ?? at,
      created_at: at,
      updated_at: at,
    })
    .execute()
}

/** Takes one job that is due, for as long as the lease lasts. A job whose worker died comes back when its lease ends. */
export async function claim(db: Db, worker: string, kinds: readonly string[], now: number): Promise<Job | undefined> {
  for (let tries = 0; tries < 3; tries++) {
    const next = await mostUrgent(db, kinds, now)
    if (!next) return undefined
    const job = await take(db, worker, next, now)
    // Somebody else was quicker: there may be jobs of another kind.
    if (job) return job
  }
  return undefined
}

interface Next {
  kind: string
  state: 'waiting' | 'running'
}

/** Where the next job is to be found: only the first of each kind is looked at, however many wait. */
async function mostUrgent(db: Db, kinds: readonly string[], now: number): Promise<Next | undefined> {
  const places = kinds.flatMap((kind) => [{ kind, state: 'waiting' } as const, { kind, state: 'running' } as const])
  const [first, ...others] = places.map((place) =>
    db.selectFrom(due(db, place, now).select(['kind', 'state', 'priority', 'run_at', 'id']).as('due')).selectAll(),
  )
  const found = first && (await others.reduce((query, other) => query.unionAll(other), first).execute())
  return found?.toSorted((a, b) => b.priority - a.priority || a.run_at - b.run_at || a.id - b.id)[0] as Next | undefined
}

/** Undefined when there is no such job any more. */
async function take(db: Db, worker: string, place: Next, now: number): Promise<Job | undefined> {
  const next = due(db, place, now).select('id')
  const row = await db
    .updateTable('job')
    .set((eb) => ({
      state: 'running',
      worker,
      lease_until: now + leaseMs,
      attempts: eb('attempts', '+', 1),
      updated_at: now,
    }))
    // Of those who look at once, each takes another.
    .where('id', '=', engineOf(db) === 'postgres' ? next.forUpdate().skipLocked() : next)
    .where('state', '=', place.state)
    .where('lease_until', '<', now)
    .returning(['id', 'kind', 'payload', 'attempts'])
    .executeTakeFirst()
  return row && { ...row, payload: JSON.parse(row.payload) as unknown }
}

/** The first job of a kind that waits, or whose worker has been silent for too long. */
function due(db: Db, { kind, state }: Next, now: number) {
  return db
    .selectFrom('job')
    .where('state', '=', state)
    .where('kind', '=', kind)
    .where('run_at', '<=', now)
    .where('lease_until', '<', now)
    .where('attempts', '<', mostAttempts)
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

/** Only who still holds the job may say how it ended: after a long silence another may have taken it up. */
export async function finish(db: Db, worker: string, id: number): Promise<void> {
  await db.deleteFrom('job').where('id', '=', id).where('worker', '=', worker).where('state', '=', 'running').execute()
}

/** Tried again after a while, ever longer; after the last attempt it stays as failed, for people to see. */
export async function fail(db: Db, worker: string, job: Job, fault: unknown, now: number): Promise<void> {
  const hopeless = fault instanceof Hopeless
  const last = hopeless || job.attempts >= mostAttempts
  const error = fault instanceof Error ? fault.message : String(fault)
  await db
    .updateTable('job')
    .set({
      ...(hopeless && { payload: '{}' }),
      state: last ? 'failed' : 'waiting',
      run_at: now + 1000 * 4 ** job.attempts,
      lease_until: 0,
      worker: '',
      error: error.slice(0, 2000),
      updated_at: now,
    })
    .where('id', '=', job.id)
    .where('worker', '=', worker)
    .where('state', '=', 'running')
    .execute()
}

/** What a stopping worker had not finished goes back at once, and the attempt does not count. */
export async function handBack(db: Db, worker: string): Promise<void> {
  await db
    .updateTable('job')
    .set((eb) => ({ state: 'waiting', lease_until: 0, worker: '', attempts: eb('attempts', '-', 1) }))
    .where('worker', '=', worker)
    .where('state', '=', 'running')
    .execute()
}

/** A job that takes its worker down with it never says so: it is given up when its last lease ends. */
export async function giveUp(db: Db, now: number): Promise<void> {
  await db
    .updateTable('job')
    .set({ state: 'failed', worker: '', error: '处理它的进程一再中断', updated_at: now })
    .where('state', '=', 'running')
    .where('lease_until', '<', now)
    .where('attempts', '>=', mostAttempts)
    .execute()
}
