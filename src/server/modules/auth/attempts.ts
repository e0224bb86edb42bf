import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'

export interface Patience {
  /** So many attempts cost nothing. */
  free: number
  /** Then each makes the next wait twice as long, up to this. */
  longestMs: number
}

const forgetMs = 60 * 60_000

/**
 * Counts an attempt before it is made, so that many at once cannot slip through, and refuses it if the last one was
 * too recent. Kept in the database: it holds across processes and restarts.
 */
export async function countAttempt(ctx: Ctx, key: string, patience: Patience): Promise<void> {
  if (!(await counted(ctx, key, patience))) throw errors.users.slowDown(await secondsLeft(ctx, key))
}

/** Lets one through in so many ms, however many ask at once. Says how many seconds are left, or 0 to the one. */
export async function takeTurn(ctx: Ctx, key: string, everyMs: number): Promise<number> {
  const now = ctx.now()
  const taken = await ctx.db
    .insertInto('attempt')
    .values({ key, count: 1, until: now + everyMs })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ until: now + everyMs })
        .where('attempt.until', '<=', now),
    )
    .returning('key')
    .executeTakeFirst()
  return taken ? 0 : secondsLeft(ctx, key)
}

/** One attempt that was no guess does not count. What it makes others wait stays. */
export async function uncountAttempt(ctx: Ctx, key: string): Promise<void> {
  await ctx.db
    .updateTable('attempt')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('key', '=', key)
    .where('count', '>', 0)
    .execute()
}

export async function forgetAttempts(ctx: Ctx, keys: readonly string[]): Promise<void> {
  await ctx.db.deleteFrom('attempt').where('key', 'in', keys).execute()
}

export async function purgeAttempts(ctx: Ctx): Promise<void> {
  await ctx.db
    .deleteFrom('attempt')
    .where('until', '<', ctx.now() - forgetMs)
    .execute()
}

/** One transaction: nobody gets in between the counting and the delay that it brings. */
function counted(ctx: Ctx, key: string, { free, longestMs }: Patience): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const now = ctx.now()
    const row = await ctx.db
      .insertInto('attempt')
      .values({ key, count: 1, until: now })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet((eb) => ({
            count: eb
              .case()
              .when('attempt.until', '<', now - forgetMs)
              .then(1)
              .else(eb('attempt.count', '+', 1))
              .end(),
            until: now,
          }))
          .where((where) => where.or([where('attempt.count', '<', free), where('attempt.until', '<=', now)])),
      )
      .returning('count')
      .executeTakeFirst()
    if (!row) return false
    const over = row.count - free
    if (over < 0) return true
    const delay = Math.min(1000 * 2 ** Math.min(over, 30), longestMs)
    await ctx.db
      .updateTable('attempt')
      .set({ until: now + delay })
      .where('key', '=', key)
      .execute()
    return true
  })
}

async function secondsLeft(ctx: Ctx, key: string): Promise<number> {
  const row = await ctx.db.selectFrom('attempt').select('until').where('key', '=', key).executeTakeFirst()
  return Math.max(1, Math.ceil(((row?.until ?? 0) - ctx.now()) / 1000))
}
