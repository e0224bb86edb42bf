import type { Selectable } from 'kysely'
import * as z from 'zod/mini'
import { type Ctx, transaction } from '#server/context.ts'
import type { Tables } from '#server/db/tables.ts'
import { type Delivery, requireMail } from '#server/gateways/mail.ts'
import { Hopeless } from '#server/jobs/queue.ts'
import type { Schedule } from '#server/jobs/schedule.ts'
import type { JobHandler, Lane } from '#server/jobs/worker.ts'
import { forgetLetters } from './mail.retention.ts'
import { queueLetter } from './mail.service.ts'
import { LetterName, type Letters, readTold, writeLetter } from './mail.templates.ts'

interface Posted<N extends LetterName> {
  to: string
  name: N
  told: Letters[N]
  /** What the letter brings is worth nothing after this: it is not sent any more. */
  until: number
}

type Letter = Selectable<Tables['letter']>

const Payload = z.object({ letter: z.number() })

/**
 * Puts a letter into the queue: who asked for it does not wait for the mail server. It arrives at least once. A site that
 * stops breaks off what the server has not got all of, and waits some seconds for its thanks otherwise; a process killed
 * before they came sends the letter again, under the same number.
 */
export async function postLetter<N extends LetterName>(ctx: Ctx, { to, name, told, until }: Posted<N>): Promise<void> {
  requireMail(ctx.settings)
  const at = ctx.now()
  const letter = { recipient: to, name, told: JSON.stringify(told), number: ctx.id(), until }
  await transaction(ctx, async (ctx) => {
    const { id } = await ctx.db
      .insertInto('letter')
      .values({ ...letter, state: 'waiting', created_at: at, updated_at: at })
      .returning('id')
      .executeTakeFirstOrThrow()
    await queueLetter(ctx, id)
  })
}

const send: JobHandler = async (ctx, payload, { last, signal }) => {
  const { data } = z.safeParse(Payload, payload)
  // Another version may have left it.
  if (!data) throw new Hopeless('排队的邮件内容不完整，请重新操作一次')
  const letter = await ctx.db
    .selectFrom('letter')
    .selectAll()
    .where('id', '=', data.letter)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (!letter) return
  const delivery = await deliver(ctx, letter, signal)
  if (delivery.taken) return record(ctx, letter, { state: 'sent', told: '', error: '' })
  const { reason } = delivery
  // Cut short by the stop: it is handed back, as if it had not been tried.
  if (signal.aborted) throw new Error(reason)
  const again = delivery.again && !last
  await record(ctx, letter, { state: again ? 'waiting' : 'failed', error: reason })
  throw again ? new Error(reason) : new Hopeless(reason)
}

async function deliver(ctx: Ctx, letter: Letter, signal: AbortSignal): Promise<Delivery> {
  const refused = (reason: string): Delivery => ({ taken: false, reason, again: false })
  if (ctx.now() >= letter.until) return refused('发送之前已经过期')
  const { data: name } = LetterName.safeParse(letter.name)
  const told = name && readTold(name, parsed(letter.told))
  if (!told) return refused('邮件内容不完整，请重新操作一次')
  const { sitename } = ctx.settings.system
  const written = { id: letter.number, to: letter.recipient, ...writeLetter(sitename, name, told) }
  try {
    return await ctx.mail.send(ctx.settings, written, signal)
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error))
  }
}

async function record(
  ctx: Ctx,
  { id }: Letter,
  outcome: Pick<Letter, 'state' | 'error'> & Partial<Pick<Letter, 'told'>>,
): Promise<void> {
  await ctx.db
    .updateTable('letter')
    .set((eb) => ({ ...outcome, attempts: eb('attempts', '+', 1), updated_at: ctx.now() }))
    .where('id', '=', id)
    .execute()
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** A slow mail server holds up nothing but mail, and nothing holds up mail. */
export const mailLane: Lane = { handlers: { 'mail.send': send }, concurrency: 2 }

export const mailJobs: Record<string, JobHandler> = { 'mail.forget': forgetLetters }
export const mailSchedules: Schedule[] = [{ kind: 'mail.forget', everyMs: 10 * 60_000 }]
