import { errors } from '#shared/errors.ts'
import type { MemberCtx } from '#server/context.ts'
import { assertOwnPassword } from '../users.policy.ts'
import { findUser } from '../users.queries.ts'

/** What a member gives to prove that the session is not stolen. A second factor is added here. */
export interface OwnerProof {
  password: string
}

/** For what cannot be undone. Guesses are throttled. */
export async function proveOwner(ctx: MemberCtx, { password }: OwnerProof): Promise<void> {
  const user = await findUser(ctx.db, ctx.viewer.id)
  if (user?.password === '') throw errors.privacy.passwordNeeded()
  await assertOwnPassword(ctx, password)
}
