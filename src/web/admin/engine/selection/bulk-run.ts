import { ApiError } from '#shared/errors.ts'
import type { Row } from '#web/admin/resource.ts'

export interface BulkProgress {
  total: number
  done: number
  /** Rows that the server left as they were, as their state does not allow the action. */
  skipped: number
  /** The rows that could not be changed, and those that were not tried any more. */
  failed: Row[]
  untried: Row[]
  /** The last one, in words for the user. */
  error?: unknown
}

interface BulkOptions {
  /** Gives how many were skipped. */
  send: (rows: Row[]) => Promise<number>
  signal: AbortSignal
  onProgress: (progress: BulkProgress) => void
}

/** So many rows go to the server at once; they succeed or fail together. */
export const batchSize = 100

/** After so many failures in a row the others would most likely fail, too. */
const maxFailures = 3

/** Takes an action on any number of rows. A batch that fails does not stop the others, unless the cause concerns them all. */
export async function runInBatches(rows: readonly Row[], { send, signal, onProgress }: BulkOptions) {
  const failed: Row[] = []
  let [done, skipped, next, failures, error]: [number, number, number, number, unknown] = [0, 0, 0, 0, undefined]
  const report = (): BulkProgress => {
    const progress = { total: rows.length, done, skipped, failed: [...failed], untried: rows.slice(next), error }
    onProgress(progress)
    return progress
  }
  report()
  while (next < rows.length && !signal.aborted && failures < maxFailures) {
    const batch = rows.slice(next, next + batchSize)
    try {
      const left = await send(batch)
      failures = 0
      skipped += left
      done += batch.length - left
    } catch (thrown) {
      error = thrown
      failures = concernsRowsOnly(thrown) ? failures + 1 : maxFailures
      failed.push(...batch)
    }
    next += batch.length
    if (next < rows.length) report()
  }
  return report()
}

/** Other errors are about the user, the request or the server. */
function concernsRowsOnly(error: unknown): boolean {
  return error instanceof ApiError && [400, 404, 409].includes(error.status)
}
