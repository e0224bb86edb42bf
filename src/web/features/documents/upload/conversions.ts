import { documents, type Progress } from '#shared/contract/documents.ts'
import { api } from '#web/lib/api.ts'

interface WatchOptions {
  ids: () => number[]
  /** While uploads are running, more documents follow soon: the long poll must be short. */
  isGrowing: () => boolean
  onProgress: (ids: readonly number[], latest: readonly Progress[]) => void
}

const retryMs = 3000

/** Polls the progress of conversions until all are finished. Returns the function to call when there are new ones. */
export function watchConversions({ ids, isGrowing, onProgress }: WatchOptions): () => void {
  let isPolling = false
  return async () => {
    if (isPolling) return
    isPolling = true
    let known = ''
    for (let watched = ids(); watched.length > 0; watched = ids()) {
      try {
        const wait = isGrowing() ? 1 : 10
        const reply = await api(documents.progress, { id: watched, wait: known === '' ? 0 : wait, known })
        known = reply.known
        onProgress(watched, reply.document)
      } catch {
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
    isPolling = false
  }
}
