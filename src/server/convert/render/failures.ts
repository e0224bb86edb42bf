import type { FailureReason } from '#shared/conversion.ts'

/** A document cannot be read; the reason is for people. */
export class Refused extends Error {
  readonly reason: FailureReason | 'noPage'

  constructor(reason: FailureReason | 'noPage', detail = '') {
    super(detail)
    this.reason = reason
  }
}

/** The library's own complaints become nothing; what leaves it in disorder goes on. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    rethrowFatal(error)
    return undefined
  }
}

/** After these the library's memory can no longer be trusted: the process has to end. */
export function rethrowFatal(error: unknown): void {
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error
}
