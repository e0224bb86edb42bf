import { sql } from 'kysely'
import type { Ctx } from '#server/context.ts'

const keptMs = 7 * 24 * 60 * 60_000

/**
 * What became of letters can be seen for a week. What was in them goes as soon as it is worth nothing: until then, one
 * that was given up may be sent once more.
 */
export async function forgetLetters(ctx: Ctx): Promise<void> {
  await giveUpLost(ctx)
  const told = ctx.db.updateTable('letter').set({ told: '' }).where('told', '<>', '')
  await told.where('state', '=', 'failed').where('until', '<=', ctx.now()).execute()
  const past = ctx.now() - keptMs
  await ctx.db.deleteFrom('letter').where('state', 'in', ['sent', 'failed']).where('updated_at', '<', past).execute()
  const jobs = ctx.db.deleteFrom('job').where('kind', '=', 'mail.send').where('state', '=', 'failed')
  await jobs.where('updated_at', '<', past).execute()
}

/** Nobody carries them any more: each that tried was killed. */
async function giveUpLost({ db, now }: Ctx): Promise<void> {
  const carriers = db
    .selectFrom('job')
    .select('id')
    .where('kind', '=', 'mail.send')
    .where('state', 'in', ['waiting', 'running'])
    .where('key', '=', sql<string>`'mail.send:' || letter.id`)
  await db
    .updateTable('letter')
    .set({ state: 'failed', error: '发送它的进程一再中断', updated_at: now() })
    .where('state', '=', 'waiting')
    .where(({ not, exists }) => not(exists(carriers)))
    .execute()
}
