import * as z from 'zod/mini'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { requireMail } from '#server/gateways/mail.ts'
import { enqueue, Hopeless } from '#server/jobs/queue.ts'
import type { Schedule } from '#server/jobs/schedule.ts'
import type { JobHandler, Lane } from '#server/jobs/worker.ts'
import { LetterName, type Letters, readTold, writeLetter } from './mail.templates.ts'

interface Posted<N extends LetterName> {
  to: string
  name: N
  told: Letters[N]
  /** What the letter brings is worth nothing after this: it is not sent any more. */
  until: number
}

const Waiting = z.object({ id: z.string(), to: z.string(), name: LetterName, told: z.unknown(), until: z.number() })

const keptMs = 7 * 24 * 60 * 60_000

/**
 * Puts a letter into the queue: who asked for it does not wait for the mail server. It arrives at least once. A site that
 * stops breaks off what the server has not got all of, and waits some seconds for its thanks otherwise; a process killed
 * before they came sends the letter again, under the same number.
 */
export async function postLetter<N extends LetterName>(ctx: Ctx, letter: Posted<N>): Promise<void> {
  requireMail(ctx.settings)
  await enqueue(ctx, { kind: 'mail.send', payload: { ...letter, id: ctx.id() } })
}

const send: JobHandler = async (ctx, payload, { last, signal }) => {
  const { id, to, name, told, until } = read(payload)
  if (ctx.now() >= until) throw new Hopeless('发送之前已经过期')
  const written = { id, to, ...writeLetter(ctx.settings.system.sitename, name, told) }
  const delivery = await ctx.mail.send(ctx.settings, written, signal).catch((error: unknown) => {
    throw new Hopeless(error instanceof Error ? error.message : String(error))
  })
  if (delivery.taken) return
  const { message } = errors.mail.failed(delivery.reason)
  throw delivery.again && !last ? new Error(message) : new Hopeless(message)
}

/** Another version may have left it. */
function read(payload: unknown) {
  const { data } = z.safeParse(Waiting, payload)
  const told = data && readTold(data.name, data.told)
  if (!told) throw new Hopeless('排队的邮件内容不完整，请重新操作一次')
  return { ...data, told }
}

/** A slow mail server holds up nothing but mail, and nothing holds up mail. */
export const mailLane: Lane = { handlers: { 'mail.send': send }, concurrency: 2 }

/** Letters that were given up stay for a week for people to see why, without what was in them. */
async function forgetLetters(ctx: Ctx): Promise<void> {
  const given = ctx.db.updateTable('job').set({ payload: '{}' }).where('payload', '<>', '{}')
  await given.where('kind', '=', 'mail.send').where('state', '=', 'failed').execute()
  await ctx.db
    .deleteFrom('job')
    .where('kind', '=', 'mail.send')
    .where('state', '=', 'failed')
    .where('updated_at', '<', ctx.now() - keptMs)
    .execute()
}

export const mailJobs: Record<string, JobHandler> = { 'mail.forget': forgetLetters }
export const mailSchedules: Schedule[] = [{ kind: 'mail.forget', everyMs: 10 * 60_000 }]
