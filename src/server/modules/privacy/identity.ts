import type { privacy } from '#shared/contract/privacy.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { MemberCtx } from '#server/context.ts'
import { openAuditTrail } from '#server/modules/audit/audit.log.ts'
import { decryptIdentity } from '#server/modules/users/identity/identity-columns.ts'
import { assertCanManage } from '#server/modules/users/users.policy.ts'
import { findUser } from '#server/modules/users/users.queries.ts'

/** The only reply with the whole name and number. Each look by staff is written into the audit log first. */
export async function revealIdentity(
  ctx: MemberCtx,
  input: Input<typeof privacy.identity>,
): Promise<Reply<typeof privacy.identity>> {
  const id = input.id || ctx.viewer.id
  const isOwn = id === ctx.viewer.id
  if (!isOwn && !ctx.viewer.can('UserAPI/GetUserIdentity')) throw errors.access.denied()
  const user = await findUser(ctx.db, id)
  if (!user) throw errors.users.notFound()
  if (!isOwn) {
    await assertCanManage(ctx, id)
    const trail = await openAuditTrail(ctx, { area: 'privacy', action: 'identity', input: { id } })
    await trail.finish(ctx, {})
  }
  const identity = decryptIdentity(ctx.cipher, user)
  if (!identity) throw errors.users.identityUnreadable()
  return identity
}
