import { ApiError } from '#shared/errors.ts'
import type { Row } from '#web/admin/resource.ts'

export interface BulkProgress {
  total: number
  done: number
  /** The rows that could not be changed, and those that were not tried any more. */
  failed: Row[]
  untried: Row[]
  /** The last one, in words for the user. */
  error?: unknown
}

interface BulkOptions {
  send: (rows: Row[]) => Promise<void>
  signal: AbortSignal
  onProgress: (progress: BulkProgress) => void
}

/** So many rows go to the server at once; they succeed or fail together. */
export const batchSize = 100

/** After so many failures in a row the others would most likely fail, too. */
const maxFailures = 3

/** Takes an action on any number of rows. A batch that fails does not stop the others, unless the cause concerns them all. */
export async function runInBatches(rows: readonly Row[], { send, signal, onProgress }: BulkOptions) {
  let progress: BulkProgress = { total: rows.length, done: 0, failed: [], untried: [...rows] }
  let failures = 0
  onProgress(progress)
  while (progress.untried.length > 0 && !signal.aborted && failures < maxFailures) {
    const batch = progress.untried.slice(0, batchSize)
    const untried = progress.untried.slice(batchSize)
    try {
      await send(batch)
      failures = 0
      progress = { ...progress, untried, done: progress.done + batch.length }
    } catch (error) {
      failures = concernsRowsOnly(error) ? failures + 1 : maxFailures
      progress = { ...progress, untried, failed: [...progress.failed, ...batch], error }
    }
    onProgress(progress)
  }
  return progress
}

/** Other errors are about the user, the request or the server. */
function concernsRowsOnly(error: unknown): boolean {
  return error instanceof ApiError && [400, 404, 409].includes(error.status)
}
