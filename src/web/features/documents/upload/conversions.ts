import { documents, type Progress } from '#shared/contract/documents.ts'
import { api } from '#web/lib/api.ts'

interface Watched {
  ids: () => number[]
  /** More may have to be watched any moment: questions must not hang for long. */
  isGrowing: () => boolean
  note: (asked: readonly number[], found: readonly Progress[]) => void
}

const restMs = 3000

/** Asks how conversions go for as long as there are any. Gives what is to be called when there are more. */
export function watchConversions({ ids, isGrowing, note }: Watched): () => void {
  let isAsking = false
  return async () => {
    if (isAsking) return
    isAsking = true
    let known = ''
    for (let asked = ids(); asked.length > 0; asked = ids()) {
      try {
        const wait = isGrowing() ? 1 : 10
        const reply = await api(documents.progress, { id: asked, wait: known === '' ? 0 : wait, known })
        known = reply.known
        note(asked, reply.document)
      } catch {
        await new Promise((resolve) => setTimeout(resolve, restMs))
      }
    }
    isAsking = false
  }
}
