import type { Proof } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx, Viewer } from './context.ts'

/** How long a proof is fresh. */
const freshMs = 10 * 60_000

/** Throws unless the viewer has lately proven to be the owner of the account, if that is asked of the viewer. */
export function assertProven({ viewer, now }: Pick<Ctx, 'viewer' | 'now'>, proof: Proof): void {
  if (proof === 'enrolled' && !viewer.hasSecondFactor) return
  if (viewer.provenAt <= now() - freshMs) throw errors.security.proofNeeded()
}

/** Staff who have let the grace period of a second factor pass. */
export function owesSecondFactor({ viewer, now }: Pick<Ctx, 'viewer' | 'now'>): boolean {
  return viewer.secondFactorDueAt > 0 && viewer.secondFactorDueAt <= now()
}

/** Whether another person has typed the password. Calls that concern only the user stay open, to change it. */
export function owesPassword({ viewer }: Pick<Ctx, 'viewer'>): boolean {
  return viewer.mustChangePassword
}

/** Still the same user, who sees what every member sees. */
export function withoutRights(viewer: Viewer): Viewer {
  return { ...viewer, isStaff: false, isAdministrator: false, isRoot: false, can: () => false }
}
