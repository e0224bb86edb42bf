import { uploads } from '#shared/contract/attachments.ts'
import { documents } from '#shared/contract/documents.ts'
import { ApiError } from '#shared/errors.ts'
import { hashFile, proveFile } from '#web/features/documents/upload/hashing.ts'
import { leftovers, usable } from '#web/features/documents/upload/leftovers.ts'
import { pace } from '#web/features/documents/upload/pace.ts'
import { patiently } from '#web/features/documents/upload/patience.ts'
import { nothingKept, priceOf, type Row } from '#web/features/documents/upload/row.ts'
import type { RowEvent } from '#web/features/documents/upload/row-state.ts'
import { sendFile } from '#web/features/documents/upload/send-file.ts'
import { api } from '#web/lib/api.ts'
import { currentSession } from '#web/lib/session.ts'

export interface Job {
  /** As it is now: its title may be changed while it is being sent. */
  row: () => Row
  move: (event: RowEvent, change?: Partial<Row>) => void
  note: (change: Partial<Row>) => void
  signal: AbortSignal
}

/** Takes one file all the way to a published document. What is done need not be done again if it fails on the way. */
export async function uploadFile(job: Job): Promise<void> {
  if (job.row().kept.attachment === 0) await bring(job)
  job.move('publish')
  const document = (await publish(job)) ?? (await publishAnew(job))
  leftovers.forget(currentSession().user.id, job.row().file)
  job.move('published', { document })
}

/** The file gets to the server: because it is there already, or by being sent. */
async function bring(job: Job): Promise<void> {
  const { file, kept, leftover } = job.row()
  job.move('hash', { read: 0, sent: 0, speed: 0, isInstant: false })
  const hash = kept.hash || (await hashFile(file, { signal: job.signal, tell: (read) => job.note({ read }) }))
  const reusable = usable(leftover ?? kept, hash)
  job.note({ kept: reusable, leftover: undefined })
  if (reusable.attachment > 0) return
  const claimed = hash && !reusable.url ? await claim(job, hash) : 0
  if (claimed > 0) return keep(job, { attachment: claimed, isInstant: true })
  job.move('send')
  const upload = await send(job)
  const { id } = await patiently(() => api(uploads.result, { upload }), trying(job))
  keep(job, { attachment: id })
}

async function claim(job: Job, hash: string): Promise<number> {
  const { file } = job.row()
  const ask = { hash, size: file.size, name: file.name }
  const { challenge, nonce, range } = await patiently(() => api(uploads.challenge, ask), trying(job))
  const proof = await proveFile(file, { nonce, ranges: range, signal: job.signal })
  if (!proof) return 0
  const { id } = await patiently(() => api(uploads.claim, { challenge, proof }), trying(job))
  return id
}

async function send(job: Job): Promise<string> {
  const { file, kept } = job.row()
  const speed = pace()
  try {
    return await sendFile(file, {
      ...kept,
      signal: job.signal,
      onUrl: (url) => keep(job, { url }),
      onSent: (sent) => job.note({ sent, speed: speed.note(sent, Date.now()) }),
      onKept: (sent) => keep(job, { sent }),
      onWaiting: (isWaiting) => {
        if (isWaiting) speed.reset()
        if (isWaiting !== job.row().isWaiting) job.note({ isWaiting, speed: 0 })
      },
    })
  } catch (error) {
    // What was refused would be refused again: the next attempt begins from the start.
    if (error instanceof ApiError && error.status < 500) {
      leftovers.forget(currentSession().user.id, file)
      job.note({ kept: { ...job.row().kept, url: '' }, sent: 0 })
    }
    throw error
  }
}

/** Remembers how far it has come, for this page and for the next visit. */
function keep(job: Job, change: { url?: string; attachment?: number; sent?: number; isInstant?: boolean }): void {
  const { file, title, kept, sent } = job.row()
  const { url = kept.url, attachment = kept.attachment } = change
  job.note({ kept: { ...kept, url, attachment }, ...(change.isInstant && { isInstant: true, sent: file.size }) })
  leftovers.keep({
    user: currentSession().user.id,
    name: file.name,
    size: file.size,
    lastModified: file.lastModified,
    hash: kept.hash,
    url,
    attachment,
    sent: change.sent ?? sent,
    title,
    at: Date.now(),
  })
}

type Published = NonNullable<Row['document']>

/** Undefined when the server does not have the file any more. */
async function publish(job: Job): Promise<Published | undefined> {
  const { category, kept, title, keywords, description, language = '', price = '' } = job.row()
  const item = { title, keywords, description, language, price: priceOf(price), attachment_id: kept.attachment }
  try {
    const reply = await patiently(
      () => api(documents.create, { category_id: [...category], document: [item] }),
      trying(job),
    )
    return reply.document[0]
  } catch (error) {
    const isGone = error instanceof ApiError && ['documents.noFiles', 'documents.filesUnusable'].includes(error.reason)
    if (!isGone) throw error
    return publishedBefore(job, kept.attachment)
  }
}

/** An answer may get lost on its way here although all went well. */
async function publishedBefore(job: Job, attachment: number): Promise<Published | undefined> {
  const { id } = currentSession().user
  const own = await patiently(() => api(documents.list, { user_id: [id], page: 1, size: 50 }), trying(job))
  return own.document.find((document) => document.attachment.id === attachment)
}

async function publishAnew(job: Job): Promise<Published> {
  job.note({ kept: { ...nothingKept, hash: job.row().kept.hash } })
  await bring(job)
  job.move('publish')
  const document = await publish(job)
  if (!document) throw new Error('the file is gone as soon as it has come')
  return document
}

function trying({ signal, note }: Job) {
  return { signal, onWaiting: (isWaiting: boolean) => note({ isWaiting }) }
}
