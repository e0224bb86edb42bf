import type { Ctx } from '#server/context.ts'
import { jobKeySql } from '#server/jobs.ts'

const retentionMs = 7 * 24 * 60 * 60_000

/** Results are kept for a week; contents only until they expire, so that a failed mail can be retried until then. */
export async function purgeMails(ctx: Ctx): Promise<void> {
  await failWithoutJob(ctx)
  await ctx.db
    .updateTable('mail')
    .set({ params: '' })
    .where('params', '<>', '')
    .where('state', '=', 'failed')
    .where('expires_at', '<=', ctx.now())
    .execute()
  const before = ctx.now() - retentionMs
  await ctx.db.deleteFrom('mail').where('state', 'in', ['sent', 'failed']).where('updated_at', '<', before).execute()
  await ctx.db
    .deleteFrom('job')
    .where('kind', '=', 'mail.send')
    .where('state', '=', 'failed')
    .where('updated_at', '<', before)
    .execute()
}

/** No job sends them any more: every worker that tried was killed. */
async function failWithoutJob({ db, now }: Ctx): Promise<void> {
  const jobs = db
    .selectFrom('job')
    .select('id')
    .where('kind', '=', 'mail.send')
    .where('state', 'in', ['waiting', 'running'])
    .where('key', '=', jobKeySql('mail.send', { mail: 'mail.id' }))
  await db
    .updateTable('mail')
    .set({ state: 'failed', error: '发送它的进程一再中断', updated_at: now() })
    .where('state', '=', 'waiting')
    .where(({ not, exists }) => not(exists(jobs)))
    .execute()
}
