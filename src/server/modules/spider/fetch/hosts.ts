import { noAnswer } from '#shared/spider.ts'
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, transaction } from '#server/context.ts'
import { AdvisoryLock } from '#server/db/advisory-locks.ts'
import { getEngine } from '#server/db/engine.ts'
import type { Db } from '#server/db/open.ts'

/**
 * Politeness to web servers, over all processes: the table `spider_host` says who may request an origin, and when.
 */

/** Proof that a worker holds an origin: no other one requests it. */
export interface HostLease {
  origin: string
  worker: string
}

const leaseMs = 60_000
const minute = 60_000
const maxBackOffMs = 60 * minute
/** A worker has better things to do than to wait longer. */
const defaultPatienceMs = 10_000

/** Undefined when another worker holds the origin, or when as many origins are held as the owner allows. */
export async function claimHost(
  ctx: Ctx,
  origin: string,
  { isBeyondLimit = false } = {},
): Promise<HostLease | undefined> {
  await addHost(ctx, origin)
  return transaction(ctx, async (ctx) => {
    // Two workers must not both take the last place. SQLite has one writer at a time and needs no lock.
    if (getEngine(ctx.db) === 'postgres')
      await sql`select pg_advisory_xact_lock(${AdvisoryLock.SpiderHosts})`.execute(ctx.db)
    const now = ctx.now()
    const lease = { origin, worker: ctx.id() }
    const busy = ctx.db
      .selectFrom('spider_host')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('busy_until', '>', now)
    const { numUpdatedRows } = await ctx.db
      .updateTable('spider_host')
      .set({ busy_until: now + leaseMs, worker: lease.worker, updated_at: now })
      .where('origin', '=', origin)
      .where('busy_until', '<=', now)
      .$if(!isBeyondLimit, (query) => query.where(busy, '<', ctx.settings.spider.concurrency))
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0 ? lease : undefined
  })
}

/** False when the lease ended and another worker has the origin now. */
export async function extendHost(ctx: Ctx, { origin, worker }: HostLease): Promise<boolean> {
  const now = ctx.now()
  const { numUpdatedRows } = await ctx.db
    .updateTable('spider_host')
    .set({ busy_until: now + leaseMs, updated_at: now })
    .where('origin', '=', origin)
    .where('worker', '=', worker)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

/** False when another worker has, or had, the origin since. */
export async function isHeld({ db }: Ctx, { origin, worker }: HostLease): Promise<boolean> {
  const row = await db.selectFrom('spider_host').select('worker').where('origin', '=', origin).executeTakeFirst()
  return row?.worker === worker
}

export async function releaseHost(ctx: Ctx, { origin, worker }: HostLease): Promise<void> {
  await ctx.db
    .updateTable('spider_host')
    .set({ busy_until: 0, worker: '', updated_at: ctx.now() })
    .where('origin', '=', origin)
    .where('worker', '=', worker)
    .execute()
}

/** When the origin may next be requested; a time in the past if it may be now. */
export async function getReadyAt({ db }: Ctx, origin: string): Promise<number> {
  const row = await db.selectFrom('spider_host').select('next_at').where('origin', '=', origin).executeTakeFirst()
  return row?.next_at ?? 0
}

export interface Turn {
  at: number
  /** False when it is more than `patienceMs` away: then it has not been reserved, and is to be asked for again at that time. */
  isReserved: boolean
}

/** Reserves the earliest time for a request, and keeps the next one `delayMs`, at least the site's delay, away from it. */
export async function nextTurn(
  ctx: Ctx,
  origin: string,
  delayMs: number,
  patienceMs = defaultPatienceMs,
): Promise<Turn> {
  const now = ctx.now()
  const delay = Math.max(Math.round(delayMs), ctx.settings.spider.delay_ms)
  const reserved = await ctx.db
    .updateTable('spider_host')
    .set({ next_at: sql<number>`${later(ctx.db, now)} + ${delay}`, updated_at: now })
    .where('origin', '=', origin)
    .where('next_at', '<=', now + patienceMs)
    .returning('next_at')
    .executeTakeFirst()
  if (reserved) return { at: reserved.next_at - delay, isReserved: true }
  await addHost(ctx, origin)
  const at = await getReadyAt(ctx, origin)
  // The host was new, to this worker at least.
  if (at <= now + patienceMs) return nextTurn(ctx, origin, delayMs, patienceMs)
  return { at, isReserved: false }
}

/** No request before that time. */
export async function postponeHost(ctx: Ctx, origin: string, at: number): Promise<void> {
  await ctx.db
    .updateTable('spider_host')
    .set({ next_at: later(ctx.db, at), updated_at: ctx.now() })
    .where('origin', '=', origin)
    .execute()
}

export interface Answer {
  /** The HTTP status; 0 when there was no answer. */
  status: number
  /** From `Retry-After`. */
  retryAt?: number | undefined
}

/**
 * Slows down when an origin fails, the more so the longer it does, and when it asks for it; any other answer ends that.
 * Returns when it may next be requested.
 */
export async function noteAnswer(ctx: Ctx, origin: string, { status, retryAt }: Answer): Promise<number> {
  const now = ctx.now()
  if (!isTroubled(status)) {
    await ctx.db
      .updateTable('spider_host')
      .set({ failures: 0, updated_at: now })
      .where('origin', '=', origin)
      .where('failures', '>', 0)
      .execute()
    return getReadyAt(ctx, origin)
  }
  const host = await ctx.db
    .updateTable('spider_host')
    .set((eb) => ({ failures: eb('failures', '+', 1), updated_at: now }))
    .where('origin', '=', origin)
    .returning('failures')
    .executeTakeFirst()
  const isAsked = retryAt !== undefined && retryAt > now
  await postponeHost(ctx, origin, isAsked ? retryAt : now + getBackOff(status, host?.failures ?? 1))
  return getReadyAt(ctx, origin)
}

/** No answer, or one that says that the server cannot keep up. */
export function isTroubled(status: number): boolean {
  return status === noAnswer || status === 429 || status >= 500
}

function getBackOff(status: number, failures: number): number {
  const first = status === 429 ? minute : 5000
  return Math.min(first * 2 ** Math.min(failures - 1, 20), maxBackOffMs)
}

async function addHost({ db, now }: Ctx, origin: string): Promise<void> {
  const known = await db.selectFrom('spider_host').select('origin').where('origin', '=', origin).executeTakeFirst()
  if (known) return
  const at = now()
  await db
    .insertInto('spider_host')
    .values({ origin, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.column('origin').doNothing())
    .execute()
}

function later(db: Db, at: number): RawBuilder<number> {
  return sql<number>`${sql.raw(getEngine(db) === 'postgres' ? 'greatest' : 'max')}(next_at, ${at})`
}
