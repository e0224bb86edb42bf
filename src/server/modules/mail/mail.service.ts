import type { mails } from '#shared/contract/mail.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { MailStatus } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { MailTemplate, TemplateParams } from '#shared/mail-templates.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { listRows, within } from '#server/db/list.ts'
import { assertMailEnabled } from '#server/gateways/mail.ts'
import { enqueue, jobKey } from '#server/jobs.ts'
import { titleOf } from './mail.templates.ts'

interface NewMail<T extends MailTemplate> {
  to: string
  template: T
  params: TemplateParams[T]
  /** Its code or link is of no use after this: it is not sent any more. */
  expiresAt: number
  /** Where the recipient ends such mails, as an address that takes a POST too (RFC 8058). */
  unsubscribe?: string
}

const statusByState = { waiting: MailStatus.Waiting, sent: MailStatus.Sent, failed: MailStatus.Failed } as const
const states = ['waiting', 'sent', 'failed'] as const

/**
 * Sent by a job, so that the request does not wait for the mail server. It arrives at least once: a process that is killed
 * after the mail server took the message, and before that was recorded, sends it again under the same Message-ID.
 */
export async function enqueueMail<T extends MailTemplate>(
  ctx: Ctx,
  { to, template, params, expiresAt, unsubscribe = '' }: NewMail<T>,
): Promise<void> {
  assertMailEnabled(ctx.settings)
  const now = ctx.now()
  await transaction(ctx, async (ctx) => {
    const { id } = await ctx.db
      .insertInto('mail')
      .values({
        recipient: to,
        template,
        params: JSON.stringify(params),
        message_id: ctx.id(),
        expires_at: expiresAt,
        unsubscribe,
        state: 'waiting',
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await enqueue(ctx, 'mail.send', { mail: id })
  })
}

/** A page of the site as a mail links to it; empty where the site has no domain. */
export function pageLink({ settings: { system } }: Pick<Ctx, 'settings'>, path: string): string {
  return system.domain ? new URL(path, system.domain).href : ''
}

/** Recipient, subject and result; never the contents. */
export async function listMails(
  ctx: Ctx,
  { status, created_at, ...input }: Input<typeof mails.list>,
): Promise<Reply<typeof mails.list>> {
  let query = ctx.db.selectFrom('mail').selectAll().where(within('created_at', created_at))
  if (status.length > 0) {
    const wanted = states.filter((state) => status.includes(statusByState[state]))
    query = query.where('state', 'in', wanted)
  }
  const { total, rows } = await listRows(query, input, {
    search: ['recipient'],
    order: [['id', 'desc']],
    sortable: ['attempts', 'created_at', 'updated_at'],
    sizes: { min: 1, max: 100, default: 20 },
  })
  const mail = rows.map((row) => ({
    id: row.id,
    email: row.recipient,
    title: titleOf(row.template),
    status: statusByState[row.state],
    attempts: row.attempts,
    error: row.error,
    is_expired: row.expires_at <= ctx.now(),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }))
  return { total, mail }
}

/** Sends failed mails once more, but for those whose code or link has expired. */
export async function retryMails(ctx: Ctx, ids: readonly number[]): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const retried = await ctx.db
      .updateTable('mail')
      .set({ state: 'waiting', updated_at: ctx.now() })
      .where('id', 'in', ids)
      .where('state', '=', 'failed')
      .where('params', '<>', '')
      .where('expires_at', '>', ctx.now())
      .returning('id')
      .execute()
    if (retried.length === 0) throw errors.mail.notAgain()
    assertMailEnabled(ctx.settings)
    const retriedIds = retried.map(({ id }) => id).toSorted((a, b) => a - b)
    await deleteFailedJobs(ctx, retriedIds)
    for (const id of retriedIds) await enqueue(ctx, 'mail.send', { mail: id })
  })
}

/** A mail that waits to be sent stays until its result is known. */
export async function deleteMails(ctx: Ctx, ids: readonly number[]): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const deleted = await ctx.db
      .deleteFrom('mail')
      .where('id', 'in', ids)
      .where('state', '<>', 'waiting')
      .returning('id')
      .execute()
    if (deleted.length === 0) throw errors.mail.underWay()
    await deleteFailedJobs(
      ctx,
      deleted.map(({ id }) => id),
    )
  })
}

/** What failed before does not count as a failed job any more. */
async function deleteFailedJobs({ db }: Ctx, ids: readonly number[]): Promise<void> {
  const keys = ids.map((mail) => jobKey('mail.send', { mail }))
  await db
    .deleteFrom('job')
    .where('kind', '=', 'mail.send')
    .where('state', '=', 'failed')
    .where('key', 'in', keys)
    .execute()
}
