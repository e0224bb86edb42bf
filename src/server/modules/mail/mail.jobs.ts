import type { Selectable } from 'kysely'
import type { Ctx } from '#server/context.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Delivery } from '#server/gateways/mail.ts'
import type { JobHandlers, JobSchedule } from '#server/jobs.ts'
import { PermanentJobError } from '#server/jobs/queue.ts'
import { purgeMails } from './mail.retention.ts'
import { parseParams, renderTemplate, TemplateName } from './mail.templates.ts'

type MailRow = Selectable<Tables['mail']>

const sendMail: JobHandlers['mail.send'] = async (ctx, { mail: id }, { last, signal }) => {
  const mail = await ctx.db
    .selectFrom('mail')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (!mail) return
  const delivery = await deliver(ctx, mail, signal)
  if (delivery.accepted) return record(ctx, mail, { state: 'sent', params: '', error: '' })
  const { reason } = delivery
  // Interrupted by the stop: the job is released, as if it had not been tried.
  if (signal.aborted) throw new Error(reason)
  const retried = delivery.retryable && !last
  await record(ctx, mail, { state: retried ? 'waiting' : 'failed', error: reason })
  throw retried ? new Error(reason) : new PermanentJobError(reason)
}

async function deliver(ctx: Ctx, mail: MailRow, signal: AbortSignal): Promise<Delivery> {
  const failed = (reason: string): Delivery => ({ accepted: false, reason, retryable: false })
  if (ctx.now() >= mail.expires_at) return failed('发送之前已经过期')
  const { data: template } = TemplateName.safeParse(mail.template)
  const params = template && parseParams(template, parseJson(mail.params))
  if (!params) return failed('邮件内容不完整，请重新操作一次')
  const { message_id: id, recipient: to, unsubscribe } = mail
  const message = { id, to, unsubscribe, ...renderTemplate(ctx.settings, template, params, unsubscribe) }
  try {
    return await ctx.mail.send(ctx.settings, message, signal)
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}

async function record(
  ctx: Ctx,
  { id }: MailRow,
  result: Pick<MailRow, 'state' | 'error'> & Partial<Pick<MailRow, 'params'>>,
): Promise<void> {
  await ctx.db
    .updateTable('mail')
    .set((eb) => ({ ...result, attempts: eb('attempts', '+', 1), updated_at: ctx.now() }))
    .where('id', '=', id)
    .execute()
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

export const mailJobs = { 'mail.send': sendMail, 'mail.purge': purgeMails } satisfies Partial<JobHandlers>
export const mailSchedules: JobSchedule[] = [{ kind: 'mail.purge', everyMs: 10 * 60_000 }]
