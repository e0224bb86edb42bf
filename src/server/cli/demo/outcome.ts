import type { Call } from '#shared/client.ts'
import { documents } from '#shared/contract/documents.ts'
import { failureReasons } from '#shared/conversion.ts'
import { heldUpReasons, sentenceFor } from '#server/modules/renditions/failures.ts'

/** What became of a document: it can be read, is only kept, waits for a program to be installed, or has failed. */
export type Outcome = { state: 'shown'; pages: number; seconds: number } | { state: Unread; reason: string }
type Unread = 'kept' | 'waiting' | 'failed'

const waitSeconds = 5
const patienceMs = 10 * 60_000
const heldUp = new Set(heldUpReasons.map(sentenceFor))

/** Watches, as its owner, until a document needs no more watching. Whoever converts it may be another process. */
export async function watch(call: Call, id: number): Promise<Outcome> {
  const began = performance.now()
  let known = ''
  let seconds = 0
  while (performance.now() - began < patienceMs) {
    const seen = await call(documents.progress, { id: [id], wait: waitSeconds, known })
    known = seen.known
    const { status, pages = 0, read = 0, convert_error: reason = '' } = seen.document[0] ?? {}
    if (status === 3) return { state: reason === failureReasons.unsupported.message ? 'kept' : 'failed', reason }
    if (heldUp.has(reason)) return { state: 'waiting', reason }
    if (status !== 2) continue
    seconds ||= (performance.now() - began) / 1000
    if (read >= pages) return { state: 'shown', pages, seconds }
  }
  return { state: 'failed', reason: '十分钟内没有转换完' }
}
