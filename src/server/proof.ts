import type { Proof } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from './context.ts'

/** How long a proof is fresh. */
const freshMs = 10 * 60_000

/** Throws unless the viewer has lately proven to be the owner of the account, if that is asked of the viewer. */
export function assertProven({ viewer, now }: Pick<Ctx, 'viewer' | 'now'>, proof: Proof): void {
  if (proof === 'enrolled' && !viewer.hasSecondFactor) return
  if (viewer.provenAt <= now() - freshMs) throw errors.security.proofNeeded()
}
