import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'

/** Exponential back-off after a number of free attempts. */
export interface Backoff {
  free: number
  maxDelayMs: number
}

const expiryMs = 60 * 60_000

/**
 * Counts an attempt before it is made, so that concurrent ones cannot slip through, and refuses it while the back-off of
 * the last one lasts. In the database: it holds across processes and restarts.
 */
export async function countAttempt(ctx: Ctx, key: string, backoff: Backoff): Promise<void> {
  if (!(await tryCount(ctx, key, backoff))) throw errors.users.slowDown(await secondsLeft(ctx, key))
}

/** Lets one caller through per period, however many try at once: 0 for that one, else the seconds to wait. */
export async function throttle(ctx: Ctx, key: string, everyMs: number): Promise<number> {
  const now = ctx.now()
  const row = await ctx.db
    .insertInto('rate_limit')
    .values({ key, count: 1, blocked_until: now + everyMs })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ blocked_until: now + everyMs })
        .where('rate_limit.blocked_until', '<=', now),
    )
    .returning('key')
    .executeTakeFirst()
  return row ? 0 : secondsLeft(ctx, key)
}

/** Counts failures in a window of time that starts with the first; `blocked_until` is its end. */
export async function countFailure(ctx: Ctx, key: string, windowMs: number): Promise<void> {
  const now = ctx.now()
  await ctx.db
    .insertInto('rate_limit')
    .values({ key, count: 1, blocked_until: now + windowMs })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => {
        const isOver = eb('rate_limit.blocked_until', '<=', now)
        return {
          count: eb
            .case()
            .when(isOver)
            .then(1)
            .else(eb('rate_limit.count', '+', 1))
            .end(),
          blocked_until: eb
            .case()
            .when(isOver)
            .then(now + windowMs)
            .else(eb.ref('rate_limit.blocked_until'))
            .end(),
        }
      }),
    )
    .execute()
}

/** Whether any of these has failed so often in its current window. */
export async function hasFailed(ctx: Ctx, keys: readonly string[], times: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('rate_limit')
    .select('key')
    .where('key', 'in', keys)
    .where('blocked_until', '>', ctx.now())
    .where('count', '>=', times)
    .executeTakeFirst()
  return row !== undefined
}

/** A successful attempt does not count. The back-off of earlier ones stays. */
export async function uncountAttempt(ctx: Ctx, key: string): Promise<void> {
  await ctx.db
    .updateTable('rate_limit')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('key', '=', key)
    .where('count', '>', 0)
    .execute()
}

export async function resetAttempts(ctx: Ctx, keys: readonly string[]): Promise<void> {
  await ctx.db.deleteFrom('rate_limit').where('key', 'in', keys).execute()
}

export async function purgeAttempts(ctx: Ctx): Promise<void> {
  await ctx.db
    .deleteFrom('rate_limit')
    .where('blocked_until', '<', ctx.now() - expiryMs)
    .execute()
}

/** One transaction: no other attempt comes between the counting and the back-off. */
function tryCount(ctx: Ctx, key: string, { free, maxDelayMs }: Backoff): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const now = ctx.now()
    const row = await ctx.db
      .insertInto('rate_limit')
      .values({ key, count: 1, blocked_until: now })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet((eb) => ({
            count: eb
              .case()
              .when('rate_limit.blocked_until', '<', now - expiryMs)
              .then(1)
              .else(eb('rate_limit.count', '+', 1))
              .end(),
            blocked_until: now,
          }))
          .where((where) =>
            where.or([where('rate_limit.count', '<', free), where('rate_limit.blocked_until', '<=', now)]),
          ),
      )
      .returning('count')
      .executeTakeFirst()
    if (!row) return false
    const over = row.count - free
    if (over < 0) return true
    const delay = Math.min(1000 * 2 ** Math.min(over, 30), maxDelayMs)
    await ctx.db
      .updateTable('rate_limit')
      .set({ blocked_until: now + delay })
      .where('key', '=', key)
      .execute()
    return true
  })
}

async function secondsLeft(ctx: Ctx, key: string): Promise<number> {
  const row = await ctx.db.selectFrom('rate_limit').select('blocked_until').where('key', '=', key).executeTakeFirst()
  return Math.max(1, Math.ceil(((row?.blocked_until ?? 0) - ctx.now()) / 1000))
}
