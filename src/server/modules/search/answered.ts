import * as z from 'zod/mini'
import type { searches } from '#shared/contract/search.ts'
import type { Input } from '#shared/endpoint.ts'
import { ContentType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { code } from '#shared/fields.ts'
import type { Ctx } from '#server/context.ts'
import type { AnsweredSearch } from '#server/events.ts'
import { fingerprint, hmac, timingSafeEqualText } from '#server/keys.ts'
import { throttle } from '#server/modules/auth/attempts.ts'

/** A search record's facts of the search itself; the request of the visitor who sees the results tells who searched. */
type SearchOutcome = Pick<AnsweredSearch, 'type' | 'words' | 'total' | 'page' | 'ms'>

const Ticket = z.object({
  type: code(ContentType),
  words: z.string(),
  total: z.int(),
  page: z.int(),
  ms: z.number(),
  until: z.int(),
})

/** A cached page is shown for some minutes; an older one was saved by a visitor. */
const ticketMs = 3_600_000
/** Records keep no more of the words. */
const maxWords = 64

export function tell(ctx: Ctx, answered: SearchOutcome): void {
  ctx.emit('search.answered', { ...answered, viewer: ctx.viewer.id, ...ctx.origin })
}

/** Pages are rendered for a visitor and shown to many: each of them sends back the ticket, which says what was answered. */
export function issueTicket(ctx: Ctx, { words, ...answered }: SearchOutcome): string {
  const short = words.slice(0, maxWords).toWellFormed()
  const facts = JSON.stringify({ ...answered, words: short, until: ctx.now() + ticketMs })
  const text = Buffer.from(facts).toString('base64url')
  return `${text}.${sign(ctx, text)}`
}

export async function recordShown(ctx: Ctx, { ticket }: Input<typeof searches.shown>): Promise<void> {
  const [text = '', signature = ''] = ticket.split('.')
  if (!timingSafeEqualText(signature, sign(ctx, text))) throw errors.request.invalid('搜索凭据不正确')
  const { until, ...answered } = z.parse(Ticket, JSON.parse(Buffer.from(text, 'base64url').toString()))
  if (until < ctx.now()) return
  // A ticket lies in every copy of the page: one reader would fill the records with it.
  const reader = ctx.viewer.id > 0 ? ctx.viewer.id : ctx.origin.network
  const isRepeat = (await throttle(ctx, `search.shown:${fingerprint(text)}:${reader}`, ticketMs)) > 0
  if (!isRepeat) tell(ctx, answered)
}

function sign(ctx: Ctx, text: string): string {
  return hmac(ctx.keys.links, `search.shown:${text}`)
}
