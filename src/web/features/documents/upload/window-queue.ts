import { watchConversions } from '#web/features/documents/upload/conversions.ts'
import { createQueue, type QueueState } from '#web/features/documents/upload/queue.ts'
import { abandonUpload } from '#web/features/documents/upload/transfer/send-file.ts'
import { unfinishedUploads } from '#web/features/documents/upload/transfer/unfinished-uploads.ts'
import { uploadFile } from '#web/features/documents/upload/transfer/upload-file.ts'
import { currentSession } from '#web/lib/session.ts'
import { useStore } from '#web/lib/store.ts'

/** The queue of this window. It outlives the page: members can go on reading, or log in again, while files upload. */
export const queue = createQueue({
  upload: uploadFile,
  onPublished: () => watch(),
  abandon({ file, server, unfinished }) {
    unfinishedUploads.remove(currentSession().user.id, file)
    const url = server.url || unfinished?.url
    if (url && !server.attachment) void abandonUpload(url)
  },
  async readTitle(file, ext) {
    const { readTitle } = await import('#web/features/documents/upload/file-title/read-title.ts')
    return readTitle(file, ext)
  },
})

export function useQueue(): QueueState {
  return useStore({ subscribe: queue.subscribe, get: queue.state }, queue.state())
}

/** A member who logs in after another in the same window must not see the other's files. */
export function claimQueue(user: number): void {
  if (owner !== undefined && owner !== user) queue.clear()
  owner = user
}

let owner: number | undefined

const watch = watchConversions({
  ids: queue.convertingIds,
  isGrowing: queue.isBusy,
  onProgress: queue.updateProgress,
})

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

queue.subscribe(() => {
  if (queue.isBusy()) addEventListener('beforeunload', warn)
  else removeEventListener('beforeunload', warn)
})
