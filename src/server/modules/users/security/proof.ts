import type { proofs } from '#shared/contract/account-security.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { MemberCtx } from '#server/context.ts'
import { verifyFactor } from '#server/modules/auth/second-factor/verify-factor.ts'
import { noteProof } from '#server/modules/auth/sessions.ts'
import { assertOwnPassword } from '../users.policy.ts'
import { findUser } from '../users.queries.ts'

/** By the second factor; those who have none prove by their password, or by a passkey. */
export async function giveProof(ctx: MemberCtx, input: Input<typeof proofs.give>): Promise<void> {
  if (ctx.viewer.hasSecondFactor || input.passkey)
    await verifyFactor(ctx, ctx.viewer.id, { ...input, purpose: 'proof' })
  else await proveByPassword(ctx, input.password)
  await noteProof(ctx)
}

async function proveByPassword(ctx: MemberCtx, password: string): Promise<void> {
  const user = await findUser(ctx.db, ctx.viewer.id)
  if (!user?.password) throw errors.security.noProof()
  await assertOwnPassword(ctx, password)
}
