import { DocumentStatus } from '#shared/document-status.ts'
import type { Call } from '#shared/client.ts'
import { documents } from '#shared/contract/documents.ts'
import { failureReasons } from '#shared/conversion.ts'
import { blockedReasons, failureMessage } from '#server/modules/renditions/failures.ts'

/** A document is shown, kept for download only, waiting for a program to be installed, or failed. */
export type Outcome = { state: 'shown'; pages: number; seconds: number } | { state: OtherState; reason: string }
type OtherState = 'kept' | 'waiting' | 'failed'

const waitSeconds = 5
const timeoutMs = 10 * 60_000
const blockedMessages = new Set(blockedReasons.map(failureMessage))

/** Long-polls, as its owner, until a document's conversion has ended. Another process may be the one that converts it. */
export async function waitForOutcome(call: Call, id: number): Promise<Outcome> {
  const startedAt = performance.now()
  let version = ''
  let seconds = 0
  while (performance.now() - startedAt < timeoutMs) {
    const progress = await call(documents.progress, { id: [id], wait: waitSeconds, known: version })
    version = progress.known
    const { status, pages = 0, read = 0, convert_error: reason = '' } = progress.document[0] ?? {}
    if (status === DocumentStatus.Failed)
      return { state: reason === failureReasons.unsupported.message ? 'kept' : 'failed', reason }
    if (blockedMessages.has(reason)) return { state: 'waiting', reason }
    if (status !== DocumentStatus.Converted) continue
    seconds ||= (performance.now() - startedAt) / 1000
    if (read >= pages) return { state: 'shown', pages, seconds }
  }
  return { state: 'failed', reason: '十分钟内没有转换完' }
}
