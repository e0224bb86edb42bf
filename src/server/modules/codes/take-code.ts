import { creditName } from '#shared/credit-name.ts'
import { readDownloadCode } from '#shared/download-code.ts'
import { DownloadCodeKind } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { formatTime } from '#shared/format.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { hmac } from '#server/keys.ts'
import { isOwnGain } from '#server/modules/access/access.policy.ts'
import { countAttempt, uncountAttempt } from '#server/modules/auth/attempts.ts'

const maxDelayMs = 60 * 60_000

/** Unknown codes that are let pass in an hour; then each guess waits longer. Many members may share a network. */
const guesses = { ofMember: { free: 20, maxDelayMs }, ofNetwork: { free: 60, maxDelayMs } }

export type DownloadCode = NonNullable<Awaited<ReturnType<typeof findCode>>>

/**
 * Uses a code up, in the transaction of what is bought with it: once, however many ask at once. `buy` refuses a code that
 * is not for its purpose, and gives the order.
 */
export async function takeCode<T extends { id: number }>(
  ctx: MemberCtx,
  typed: string,
  buy: (ctx: MemberCtx, code: DownloadCode) => Promise<T>,
): Promise<T> {
  if (!ctx.settings.download.enable_code_download) throw errors.codes.off()
  const plain = readDownloadCode(typed)
  if (plain === undefined) throw errors.codes.mistyped()
  const { id } = await guess(ctx, plain)
  return transaction(ctx, async (ctx) => {
    const code = await claim(ctx, id)
    assertValid(ctx, code)
    if (await isOwnGain(ctx, code.made_by, [ctx.viewer.id])) throw errors.codes.ownKept()
    const order = await buy(ctx, code)
    await ctx.db.updateTable('download_code').set({ order_id: order.id }).where('id', '=', id).execute()
    return order
  })
}

export type ReleasedCode = 'usable' | 'unusable'

/** The code whose purchase is withdrawn is as if it had not been used. Undefined if no code paid the order. */
export async function releaseCode(ctx: Ctx, orderId: number): Promise<ReleasedCode | undefined> {
  const state = await findReleasable(ctx, orderId)
  await ctx.db
    .updateTable('download_code')
    .set({ used_at: null, user_id: 0, order_id: 0 })
    .where('order_id', '=', orderId)
    .execute()
  return state
}

/** The state that the code that paid an order would have, if it were unused again. */
export async function findReleasable(ctx: Ctx, orderId: number): Promise<ReleasedCode | undefined> {
  const row = await ctx.db
    .selectFrom('download_code')
    .innerJoin('download_code_batch as batch', 'batch.id', 'download_code.batch_id')
    .select(['batch.valid_until', 'batch.voided_at'])
    .where('download_code.order_id', '=', orderId)
    .executeTakeFirst()
  if (!row) return undefined
  const isOver = row.voided_at !== null || (row.valid_until !== null && row.valid_until <= ctx.now())
  return isOver || !ctx.settings.download.enable_code_download ? 'unusable' : 'usable'
}

export function assertFitsDocument(ctx: Ctx, code: DownloadCode, document: { id: number; price: number }): void {
  if (code.kind === DownloadCodeKind.Credits) throw errors.codes.forCredits(creditName(ctx.settings))
  if (code.kind === DownloadCodeKind.NamedDocuments && !readIds(code.document_ids).includes(document.id))
    throw errors.codes.otherDocument()
  if (code.max_price > 0 && document.price > code.max_price)
    throw errors.codes.tooExpensive(`${code.max_price} ${creditName(ctx.settings)}`)
}

export function readIds(text: string): number[] {
  return text.split(',').filter(Boolean).map(Number)
}

export function hashCode({ keys }: Ctx, plain: string): string {
  return hmac(keys.codes, `download code ${plain}`)
}

/** Counted before it is looked up, so that guesses made at once cannot slip through. */
async function guess(ctx: MemberCtx, plain: string): Promise<{ id: number }> {
  const keys = [
    [`download-code:${ctx.viewer.id}`, guesses.ofMember],
    [`download-code-from:${ctx.origin.network}`, guesses.ofNetwork],
  ] as const
  for (const [key, backoff] of keys) await countAttempt(ctx, key, backoff)
  const row = await ctx.db
    .selectFrom('download_code')
    .select('id')
    .where('hash', '=', hashCode(ctx, plain))
    .executeTakeFirst()
  if (!row) throw errors.codes.unknown()
  for (const [key] of keys) await uncountAttempt(ctx, key)
  return row
}

async function claim(ctx: Ctx, id: number): Promise<DownloadCode> {
  const { db, viewer, now } = ctx
  const { numUpdatedRows } = await db
    .updateTable('download_code')
    .set({ used_at: now(), user_id: viewer.id })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  const code = await findCode(ctx, id)
  if (!code) throw errors.codes.unknown()
  if (numUpdatedRows === 0n) throw errors.codes.used()
  return code
}

function findCode({ db }: Ctx, id: number) {
  return db
    .selectFrom('download_code')
    .innerJoin('download_code_batch as batch', 'batch.id', 'download_code.batch_id')
    .select(['download_code.id', 'batch.kind', 'batch.max_price', 'batch.document_ids', 'batch.credits'])
    .select(['batch.valid_from', 'batch.valid_until', 'batch.voided_at', 'batch.user_id as made_by'])
    .where('download_code.id', '=', id)
    .executeTakeFirst()
}

function assertValid({ now }: Ctx, { valid_from, valid_until, voided_at }: DownloadCode): void {
  if (voided_at !== null) throw errors.codes.voided()
  if (valid_from !== null && now() < valid_from) throw errors.codes.notYet(formatTime(valid_from))
  if (valid_until !== null && now() >= valid_until) throw errors.codes.expired(formatTime(valid_until))
}
