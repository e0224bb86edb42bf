import { uploads } from '#shared/contract/attachments.ts'
import { documents } from '#shared/contract/documents.ts'
import { ApiError } from '#shared/errors.ts'
import { emptyServerState, parsePrice, type UploadItem } from '#web/features/documents/upload/row.ts'
import type { RowEvent } from '#web/features/documents/upload/row-state.ts'
import { hashFile, proveFile } from '#web/features/documents/upload/transfer/hashing.ts'
import { retryUntilOnline } from '#web/features/documents/upload/transfer/retry-until-online.ts'
import { type SentFile, sendFile } from '#web/features/documents/upload/transfer/send-file.ts'
import { transferSpeed } from '#web/features/documents/upload/transfer/transfer-speed.ts'
import { reusableState, unfinishedUploads } from '#web/features/documents/upload/transfer/unfinished-uploads.ts'
import { toInput } from '#web/features/documents/visibility/audience.ts'
import { api } from '#web/lib/api.ts'
import { currentSession } from '#web/lib/session.ts'

export interface UploadJob {
  /** The current row: its title may change while the file is being sent. */
  row: () => UploadItem
  transition: (event: RowEvent, change?: Partial<UploadItem>) => void
  update: (change: Partial<UploadItem>) => void
  signal: AbortSignal
  /** The document whose file it is to replace. */
  replaced?: number
}

/** Uploads a file and publishes the document. A retry skips the steps that have succeeded. */
export async function uploadFile(job: UploadJob): Promise<void> {
  if (job.row().server.attachment === 0) await transferFile(job)
  job.transition('publish')
  const document = (await publish(job)) ?? (await publishAgain(job))
  if ('duplicate' in document) return job.transition('repeat', document)
  unfinishedUploads.remove(currentSession().user.id, job.row().file)
  job.transition('published', { document })
}

/** The server may have the file already; otherwise it is sent. Leaves the attachment in the row. */
export async function transferFile(job: UploadJob): Promise<void> {
  const { file, server, unfinished } = job.row()
  job.transition('hash', { read: 0, sent: 0, speed: 0, isInstant: false })
  const hash = server.hash || (await hashFile(file, { signal: job.signal, onProgress: (read) => job.update({ read }) }))
  const reusable = reusableState(unfinished ?? server, hash)
  job.update({ server: reusable, unfinished: undefined })
  if (reusable.attachment > 0) return
  const claimed = hash && !reusable.url ? await claim(job, hash) : 0
  if (claimed > 0) return saveState(job, { attachment: claimed, isInstant: true })
  job.transition('send')
  const { upload, attachment } = await send(job)
  saveState(job, { attachment: attachment || (await findResult(job, upload)) })
}

async function findResult(job: UploadJob, upload: string): Promise<number> {
  const { id } = await retryUntilOnline(() => api(uploads.result, { upload }), retryOptions(job))
  return id
}

/** Proves possession of a file that the server has; returns 0 if it does not have it. */
async function claim(job: UploadJob, hash: string): Promise<number> {
  const { file } = job.row()
  const request = { hash, size: file.size, name: file.name, document_id: job.replaced ?? 0 }
  const { challenge, nonce, range } = await retryUntilOnline(() => api(uploads.challenge, request), retryOptions(job))
  const proof = await proveFile(file, { nonce, ranges: range, signal: job.signal })
  if (!proof) return 0
  const { id } = await retryUntilOnline(() => api(uploads.claim, { challenge, proof }), retryOptions(job))
  return id
}

async function send(job: UploadJob): Promise<SentFile> {
  const { file, server } = job.row()
  const speed = transferSpeed()
  try {
    return await sendFile(file, {
      ...server,
      replaced: job.replaced,
      signal: job.signal,
      onUrl: (url) => saveState(job, { url }),
      onSent: (sent) => job.update({ sent, speed: speed.measure(sent, Date.now()) }),
      onStored: (sent) => saveState(job, { sent }),
      onReconnecting: (isReconnecting) => {
        if (isReconnecting) speed.reset()
        if (isReconnecting !== job.row().isReconnecting) job.update({ isReconnecting, speed: 0 })
      },
    })
  } catch (error) {
    // The server would refuse it again: the next attempt starts from the beginning.
    if (error instanceof ApiError && error.status < 500) {
      unfinishedUploads.remove(currentSession().user.id, file)
      job.update({ server: { ...job.row().server, url: '' }, sent: 0 })
    }
    throw error
  }
}

interface StateChange {
  url?: string
  attachment?: number
  sent?: number
  isInstant?: boolean
}

/** For a retry on this page, and for the next visit. */
function saveState(job: UploadJob, change: StateChange): void {
  const { file, title, server, sent } = job.row()
  const { url = server.url, attachment = server.attachment } = change
  job.update({ server: { ...server, url, attachment }, ...(change.isInstant && { isInstant: true, sent: file.size }) })
  unfinishedUploads.save({
    user: currentSession().user.id,
    name: file.name,
    size: file.size,
    lastModified: file.lastModified,
    hash: server.hash,
    url,
    attachment,
    sent: change.sent ?? sent,
    title,
    at: Date.now(),
  })
}

type PublishedDocument = NonNullable<UploadItem['document']> | { duplicate: NonNullable<UploadItem['duplicate']> }

/** Undefined if the server no longer has the file. */
async function publish(job: UploadJob): Promise<PublishedDocument | undefined> {
  const {
    category,
    owner,
    audience,
    server,
    title,
    keywords,
    description,
    language = '',
    price = '',
    isAgain,
  } = job.row()
  const item = { title, keywords, description, language, price: parsePrice(price), attachment_id: server.attachment }
  try {
    const input = { category_id: [...category], ...toInput(audience), document: [item], again: isAgain }
    const reply = await retryUntilOnline(
      () => (owner > 0 ? api(documents.createFor, { ...input, user_id: owner }) : api(documents.create, input)),
      retryOptions(job),
    )
    const [duplicate] = reply.duplicate
    return duplicate ? { duplicate } : reply.document[0]
  } catch (error) {
    const isGone = error instanceof ApiError && ['documents.noFiles', 'documents.filesUnusable'].includes(error.reason)
    if (!isGone) throw error
    return findPublished(job, server.attachment)
  }
}

/** The document may be published although the response was lost. */
async function findPublished(job: UploadJob, attachment: number): Promise<PublishedDocument | undefined> {
  const id = job.row().owner || currentSession().user.id
  const own = await retryUntilOnline(() => api(documents.list, { user_id: [id], page: 1, size: 50 }), retryOptions(job))
  return own.document.find((document) => document.attachment.id === attachment)
}

async function publishAgain(job: UploadJob): Promise<PublishedDocument> {
  job.update({ server: { ...emptyServerState, hash: job.row().server.hash } })
  await transferFile(job)
  job.transition('publish')
  const document = await publish(job)
  if (!document) throw new Error('the server lost the file right after the upload')
  return document
}

function retryOptions({ signal, update }: UploadJob) {
  return { signal, onReconnecting: (isReconnecting: boolean) => update({ isReconnecting }) }
}
