import type { mails } from '#shared/contract/system.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'
import { requireMail } from '#server/gateways/mail.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { subjectOf } from './mail.templates.ts'

/** What the wire says of a letter, in this order from 0 on. */
const states = ['waiting', 'sent', 'failed'] as const

/** To whom, of which kind, and what became of it; never what is in it. */
export async function listLetters(
  ctx: Ctx,
  { status, ...input }: Input<typeof mails.list>,
): Promise<Reply<typeof mails.list>> {
  const wanted = states.filter((_state, index) => status.includes(index))
  let query = ctx.db.selectFrom('letter').selectAll()
  if (status.length > 0) query = query.where('state', 'in', wanted)
  const { total, rows } = await listRows(query, input, {
    search: ['recipient'],
    order: [['id', 'desc']],
    sortable: ['attempts', 'created_at', 'updated_at'],
    sizes: { min: 1, max: 100, default: 20 },
  })
  const mail = rows.map((row) => ({
    id: row.id,
    email: row.recipient,
    title: subjectOf(row.name),
    status: states.indexOf(row.state),
    attempts: row.attempts,
    error: row.error,
    is_expired: row.until <= ctx.now(),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }))
  return { total, mail }
}

/** Sends given-up letters once more. Those whose code or link has run out would only mislead. */
export async function retryLetters(ctx: Ctx, ids: readonly number[]): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const again = await ctx.db
      .updateTable('letter')
      .set({ state: 'waiting', updated_at: ctx.now() })
      .where('id', 'in', ids)
      .where('state', '=', 'failed')
      .where('told', '<>', '')
      .where('until', '>', ctx.now())
      .returning('id')
      .execute()
    if (again.length === 0) throw errors.mail.notAgain()
    requireMail(ctx.settings)
    const given = again.map(({ id }) => id)
    await forgetJobs(ctx, given)
    for (const id of given) await queueLetter(ctx, id)
  })
}

/** A letter under way cannot be called back: it stays until it is known what became of it. */
export async function deleteLetters(ctx: Ctx, ids: readonly number[]): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const gone = await ctx.db
      .deleteFrom('letter')
      .where('id', 'in', ids)
      .where('state', '<>', 'waiting')
      .returning('id')
      .execute()
    if (gone.length === 0) throw errors.mail.underWay()
    await forgetJobs(
      ctx,
      gone.map(({ id }) => id),
    )
  })
}

export async function queueLetter(ctx: Ctx, id: number): Promise<void> {
  await enqueue(ctx, { kind: 'mail.send', key: keyOf(id), payload: { letter: id } })
}

/** The names of the jobs that carry these letters. */
function keyOf(id: number): string {
  return `mail.send:${id}`
}

/** What was given up before counts as failed no more. */
async function forgetJobs({ db }: Ctx, ids: readonly number[]): Promise<void> {
  const failed = db.deleteFrom('job').where('kind', '=', 'mail.send').where('state', '=', 'failed')
  await failed.where('key', 'in', ids.map(keyOf)).execute()
}
