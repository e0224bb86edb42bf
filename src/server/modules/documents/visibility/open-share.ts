import type { documentShares } from '#shared/contract/document-shares.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { type Backoff, countAttempt, uncountAttempt } from '#server/modules/auth/attempts.ts'
import { passwordMatches } from '#server/modules/auth/passwords.ts'
import { findDocument } from '../documents.queries.ts'
import { makeShareKey } from './share-keys.ts'
import { isEnded, presentDownloads, type ShareRow } from './shares.ts'
import { canSee } from './visibility.policy.ts'

/** Wrong tokens from one network. A person may copy half a link a few times. */
const guesses: Backoff = { free: 20, maxDelayMs: 10 * 60_000 }
/** Wrong passwords for one link, from one network and from everywhere. */
const ownPasswords: Backoff = { free: 5, maxDelayMs: 15 * 60_000 }
const allPasswords: Backoff = { free: 50, maxDelayMs: 60_000 }

/** Checks a link and its password; the key in the reply opens the document for as long as the link lasts. */
export async function openShare(
  ctx: Ctx,
  { token, password }: Input<typeof documentShares.open>,
): Promise<Reply<typeof documentShares.open>> {
  const share = await findByToken(ctx, token)
  const document = await findDocument(ctx.db, { id: share.document_id })
  if (!document || document.deleted_at !== null) throw errors.shares.ended()
  const facts = { uuid: document.uuid, ends_at: share.ends_at, ...presentDownloads(share) }
  if (await canSee(ctx, document)) return { key: '', ...facts }
  if (isEnded(ctx, share)) throw errors.shares.ended()
  const { id, document_id, downloads_left } = share
  const viewer = { ...ctx.viewer, shares: [{ id, document_id, downloads_left }] }
  if (!(await canSee({ db: ctx.db, viewer }, document))) throw errors.shares.closed()
  if (share.password !== '') await assertPassword(ctx, share, password)
  return { key: makeShareKey(ctx, id), ...facts }
}

async function findByToken(ctx: Ctx, token: string): Promise<ShareRow> {
  const key = `share.guess:${ctx.origin.network}`
  await countAttempt(ctx, key, guesses)
  const share = await ctx.db.selectFrom('document_share').selectAll().where('token', '=', token).executeTakeFirst()
  if (!share) throw errors.shares.notFound()
  await uncountAttempt(ctx, key)
  return share
}

async function assertPassword(ctx: Ctx, { id, password: hash }: ShareRow, password: string): Promise<void> {
  if (password === '') throw errors.shares.passwordNeeded()
  const [own, all] = [`share.password:${id}:${ctx.origin.network}`, `share.password:${id}`]
  await countAttempt(ctx, own, ownPasswords)
  await countAttempt(ctx, all, allPasswords)
  if (!(await passwordMatches(hash, password))) throw errors.shares.passwordWrong()
  await uncountAttempt(ctx, own)
  await uncountAttempt(ctx, all)
}
