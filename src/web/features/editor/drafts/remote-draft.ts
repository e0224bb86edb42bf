import type { Content } from '#web/features/editor/drafts/draft.ts'

/** A draft on the server: its id, and when it was saved there last, by which the server knows a change of another window. */
export interface RemoteRef {
  id: number
  updated_at: number
}

interface RemoteOptions {
  send: (content: Content, known: RemoteRef) => Promise<RemoteRef>
  /** `isForked`: another window has changed the draft, so this one goes on in a draft of its own. */
  onSaved: (content: Content, isForked: boolean) => void
  onFailed: (error: unknown) => void
}

const none: RemoteRef = { id: 0, updated_at: 0 }

/** Saves a draft on the server, with one request at a time: of what is written meanwhile, the latest is sent next. */
export function remoteDraft({ send, onSaved, onFailed }: RemoteOptions) {
  let known = none
  let waiting: Content | undefined
  let running: Promise<void> | undefined
  const run = async () => {
    while (waiting) {
      const content = waiting
      const before = known
      waiting = undefined
      try {
        const saved = await send(content, before)
        // Meanwhile the editor may have gone over to another draft.
        if (known !== before) continue
        known = saved
        onSaved(content, before.id > 0 && saved.id !== before.id)
      } catch (error) {
        if (known === before) onFailed(error)
      }
    }
    running = undefined
  }
  return {
    save(content: Content): void {
      waiting = content
      running ??= run()
    },
    /** The editor goes on with that draft, or with a new one. What is being sent stays in the former one. */
    adopt(next: RemoteRef = none): void {
      known = { ...next }
    },
    /** Resolves when everything has been sent, or could not be. */
    flush: async (): Promise<void> => running,
    /** Resolves when nothing is being sent, with the id of the draft. */
    async settle(): Promise<number> {
      waiting = undefined
      await running
      return known.id
    },
  }
}
