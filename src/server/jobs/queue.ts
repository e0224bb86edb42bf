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

const leaseMs = 60_000
const maxClaimTries = 3
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

interface ClaimOptions {
  kinds: readonly string[]
  now: number
  /** Owners whose jobs are left for later. */
  exceptOwners?: readonly number[]
}

/** Leases one due job to a worker. */
export async function claim(db: Db, worker: string, options: ClaimOptions): Promise<Job | undefined> {
  for (let tries = 0; tries < maxClaimTries; tries++) {
    const next = await findMostUrgent(db, options)
    if (!next) return undefined
    const job = await lease(db, worker, { ...options, source: next })
    // Another worker was quicker: there may be jobs of another kind.
    if (job) return job
  }
  return undefined
}

interface KindAndState {
  kind: string
  state: 'waiting' | 'running'
}

/** Reads only the first job of each kind that has any, however many wait. */
async function findMostUrgent(db: Db, options: ClaimOptions): Promise<KindAndState | undefined> {
  const { kinds, exceptOwners = [] } = options
  const sources = (await findKinds(db)).filter(({ kind }) => kinds.includes(kind))
  // Without this, all jobs of an owner who is left out would be walked through to find that there are no others.
  const candidates = exceptOwners.length > 0 ? await withOtherOwners(db, sources, exceptOwners) : sources
  const [first, ...others] = candidates.map((source) =>
    db
      .selectFrom(
        selectDue(db, { ...options, source })
          .select(['kind', 'state', 'priority', 'round', 'run_at', 'id'])
          .as('due'),
      )
      .selectAll(),
  )
  const rows = first && (await others.reduce((query, other) => query.unionAll(other), first).execute())
  const [next] =
    rows?.toSorted((a, b) => b.priority - a.priority || a.round - b.round || a.run_at - b.run_at || a.id - b.id) ?? []
  return next as KindAndState | undefined
}

/** The kinds of which there are jobs: one look into the index for each, however many jobs it has (a loose index scan). */
async function findKinds(db: Db): Promise<KindAndState[]> {
  const { rows } = await sql<KindAndState>`with recursive present (state, kind) as (
      select 'waiting', (select min(kind) from job where state = 'waiting')
      union all select 'running', (select min(kind) from job where state = 'running')
      union all select state, (select min(kind) from job where job.state = present.state and job.kind > present.kind)
        from present where kind is not null)
    select state, kind from present where kind is not null`.execute(db)
  return rows
}

/** Those with a job of an owner who is not among these: one look into the index for each gap between them. */
async function withOtherOwners(
  db: Db,
  sources: readonly KindAndState[],
  owners: readonly number[],
): Promise<KindAndState[]> {
  const sorted = owners.toSorted((a, b) => a - b)
  const gaps = [-1, ...sorted].map((after, n) => ({ after, before: sorted[n] ?? Number.MAX_SAFE_INTEGER }))
  const looks = sources.flatMap((source) => gaps.map((gap) => ({ ...source, ...gap })))
  const [first, ...others] = looks.map(({ kind, state, after, before }) =>
    db
      .selectFrom(
        db
          .selectFrom('job')
          .select(['kind', 'state'])
          .where('state', '=', state)
          .where('kind', '=', kind)
          .where('owner', '>', after)
          .where('owner', '<', before)
          .orderBy('owner')
          .limit(1)
          .as('other'),
      )
      .selectAll(),
  )
  const rows = first ? await others.reduce((query, other) => query.unionAll(other), first).execute() : []
  return sources.filter(({ kind, state }) => rows.some((row) => row.kind === kind && row.state === state))
}

/** Undefined when there is no such job any more. */
async function lease(db: Db, worker: string, due: DueOptions): Promise<Job | undefined> {
  const { source, now } = due
  const next = selectDue(db, due).select('id')
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
    .returning(['id', 'kind', 'payload', 'attempts', 'priority', 'owner'])
    .executeTakeFirst()
  return row && { ...row, payload: JSON.parse(row.payload) as unknown }
}

interface DueOptions extends Omit<ClaimOptions, 'kinds'> {
  source: KindAndState
}

/** The first waiting job of a kind, or the first running one whose lease has ended. */
function selectDue(db: Db, { source: { kind, state }, now, exceptOwners = [] }: DueOptions) {
  return db
    .selectFrom('job')
    .$if(exceptOwners.length > 0, (query) => query.where('owner', 'not in', exceptOwners))
    .where('state', '=', state)
    .where('kind', '=', kind)
    .where('run_at', '<=', now)
    .where('lease_until', '<', now)
    .where('attempts', '<', maxAttempts)
    .orderBy('priority', 'desc')
    .orderBy('round')
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
