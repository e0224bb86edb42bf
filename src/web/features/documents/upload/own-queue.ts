import { useSyncExternalStore } from 'react'
import { watchConversions } from '#web/features/documents/upload/conversions.ts'
import { leftovers } from '#web/features/documents/upload/leftovers.ts'
import { openQueue, type QueueState } from '#web/features/documents/upload/queue.ts'
import { dropUpload } from '#web/features/documents/upload/send-file.ts'
import { uploadFile } from '#web/features/documents/upload/upload-file.ts'
import { currentSession } from '#web/lib/session.ts'

/** The queue of this window. It outlives the page: people may read on, or log in again, while files go up. */
export const queue = openQueue({
  upload: uploadFile,
  converting: () => watch(),
  drop({ file, kept, leftover }) {
    leftovers.forget(currentSession().user.id, file)
    const url = kept.url || leftover?.url
    if (url && !kept.attachment) void dropUpload(url)
  },
})

export function useQueue(): QueueState {
  return useSyncExternalStore(queue.subscribe, queue.state, queue.state)
}

/** Whoever logs in after another in the same window finds nothing of theirs. */
export function ownQueue(user: number): void {
  if (owner !== undefined && owner !== user) queue.clear()
  owner = user
}

let owner: number | undefined

const watch = watchConversions({ ids: queue.convertingIds, isGrowing: queue.isBusy, note: queue.noteProgress })

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

queue.subscribe(() => {
  if (queue.isBusy()) addEventListener('beforeunload', warn)
  else removeEventListener('beforeunload', warn)
})
