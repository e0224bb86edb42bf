import { sql } from 'kysely'
import { getEngine } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import { type Job, leaseMs, maxAttempts } from './queue.ts'

/** Which job a worker gets: the most urgent of its kinds, however many wait. */

const maxClaimTries = 3

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
