import { errors } from '#shared/errors.ts'
import type { MemberCtx } from '#server/context.ts'
import { assertOwnPassword } from '../users.policy.ts'
import { findUser } from '../users.queries.ts'

/** What a member gives to prove that the session is not stolen. */
export interface OwnerProof {
  password: string
}

/** For what cannot be undone, beside the second factor that the endpoint asks for. Guesses are throttled. */
export async function proveOwner(ctx: MemberCtx, { password }: OwnerProof): Promise<void> {
  const user = await findUser(ctx.db, ctx.viewer.id)
  if (user?.password === '') {
    if (ctx.viewer.hasSecondFactor) return
    throw errors.privacy.passwordNeeded()
  }
  await assertOwnPassword(ctx, password)
}
