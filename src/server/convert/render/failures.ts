import type { FailureReason } from '#shared/conversion.ts'

/** A document cannot be read. `noPage`: it has fewer pages than that. */
export class RenderFailure extends Error {
  readonly reason: FailureReason | 'noPage'

  constructor(reason: FailureReason | 'noPage', detail = '') {
    super(detail)
    this.reason = reason
  }
}

/** A page that browsers could not handle as SVG: it is shown as an image instead. */
export class TooComplex extends Error {}

/** Undefined where MuPDF reports an error; fatal errors are thrown. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    rethrowFatal(error)
    return undefined
  }
}

/** After these errors the state of the WebAssembly memory is unknown: the process has to end. */
export function rethrowFatal(error: unknown): void {
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error
}
