import { type FailureReason, failureReasons } from '#shared/conversion.ts'
import { Unconvertible } from '#server/convert/converter.ts'

const heldUp: ReadonlySet<FailureReason> = new Set(['noTool', 'noSandbox', 'diskFull'])

/** Nothing is wrong with the document: it goes on when the machine has what it needs. */
export function isHeldUp(reason: FailureReason): boolean {
  return heldUp.has(reason)
}

export const heldUpReasons: readonly FailureReason[] = [...heldUp]

export function failureOf(error: unknown): { reason: FailureReason; detail: string } {
  const { reason, detail } = read(error)
  // A database text holds no NUL, and programs say more than anybody reads.
  return { reason, detail: detail.replaceAll('\0', '').slice(0, 4000).toWellFormed() }
}

/** The sentence for a stored reason; empty for none. */
export function sentenceFor(reason: string): string {
  return Object.hasOwn(failureReasons, reason) ? failureReasons[reason as FailureReason].message : ''
}

function read(error: unknown): { reason: FailureReason; detail: string } {
  if (error instanceof Unconvertible) return error
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const full = code === 'ENOSPC' || code === 'EDQUOT'
  return { reason: full ? 'diskFull' : 'crashed', detail: String(error) }
}
