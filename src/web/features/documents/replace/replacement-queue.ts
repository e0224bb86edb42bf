import { replacements, type Replacement } from '#shared/contract/document-files.ts'
import { createQueue } from '#web/features/documents/upload/queue.ts'
import { abandonUpload } from '#web/features/documents/upload/transfer/send-file.ts'
import { unfinishedUploads } from '#web/features/documents/upload/transfer/unfinished-uploads.ts'
import { transferFile } from '#web/features/documents/upload/transfer/upload-file.ts'
import { api } from '#web/lib/api.ts'
import { currentSession } from '#web/lib/session.ts'

/** Uploads one file as others are, and has it take the place of a document's file. */
export function createReplacementQueue(documentId: number, onSubmitted: (replacement: Replacement) => void) {
  return createQueue({
    async upload(job) {
      if (job.row().server.attachment === 0) await transferFile({ ...job, replaced: documentId })
      job.transition('publish')
      const { file, server } = job.row()
      const replacement = await api(replacements.create, {
        document_id: documentId,
        attachment_id: server.attachment,
      })
      unfinishedUploads.remove(currentSession().user.id, file)
      job.transition('published')
      onSubmitted(replacement)
    },
    onPublished: () => {},
    abandon({ file, server }) {
      unfinishedUploads.remove(currentSession().user.id, file)
      if (server.url && !server.attachment) void abandonUpload(server.url)
    },
  })
}
