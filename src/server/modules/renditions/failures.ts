import { type FailureReason, failureReasons } from '#shared/conversion.ts'
import { Unconvertible } from '#server/convert/converter.ts'

/** Reasons that lie with the machine, not with the document: its conversion is retried until they are gone. */
export const blockedReasons: readonly FailureReason[] = ['noTool', 'noSandbox', 'diskFull']

const maxDetailLength = 4000

export function isBlocked(reason: FailureReason): boolean {
  return blockedReasons.includes(reason)
}

export function toFailure(error: unknown): { reason: FailureReason; detail: string } {
  const { reason, detail } = classify(error)
  // Databases refuse NUL, and programs print more than anyone reads.
  return { reason, detail: detail.replaceAll('\0', '').slice(0, maxDetailLength).toWellFormed() }
}

/** The sentence for a stored reason; empty for none. */
export function failureMessage(reason: string): string {
  return Object.hasOwn(failureReasons, reason) ? failureReasons[reason as FailureReason].message : ''
}

function classify(error: unknown): { reason: FailureReason; detail: string } {
  if (error instanceof Unconvertible) return error
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const isDiskFull = code === 'ENOSPC' || code === 'EDQUOT'
  return { reason: isDiskFull ? 'diskFull' : 'crashed', detail: String(error) }
}
