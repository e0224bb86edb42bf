import type { DetailedError, Upload } from 'tus-js-client'
import { ApiError } from '#shared/errors.ts'
import { isReadable, Unreadable } from '#web/features/documents/upload/hashing.ts'
import { isPassing, LoginLost } from '#web/features/documents/upload/patience.ts'
import { clearSession, currentSession } from '#web/lib/session.ts'

const endpoint = '/api/v1/upload/tus'
const chunkSize = 8 * 1024 * 1024
/** Hours of trying: who leaves the page open overnight finds the upload finished. */
const retryDelays = [500, 1000, 2000, 4000, 8000, ...Array.from({ length: 500 }, () => 15_000)]

const stallMs = 60_000

interface Sending {
  hash: string
  /** Where an earlier attempt has got to; empty for a new one. */
  url: string
  signal: AbortSignal
  onUrl: (url: string) => void
  /** Bytes on their way, and those the server has. */
  onSent: (bytes: number) => void
  onKept: (bytes: number) => void
  onWaiting: (isWaiting: boolean) => void
}

/** Sends a file by tus, going on where it stopped as often as it must. Gives the name of the finished upload. */
export async function sendFile(file: File, sending: Sending): Promise<string> {
  sending.signal.throwIfAborted()
  if (!sending.url) return send(file, sending)
  return send(file, sending).catch((error: unknown) => {
    // The server has it no more, or it was somebody else's.
    if (error instanceof ApiError && (error.status === 404 || error.status === 410)) {
      return send(file, { ...sending, url: '' })
    }
    throw error
  })
}

async function send(file: File, sending: Sending): Promise<string> {
  const { Upload } = await import('tus-js-client')
  const over = new AbortController()
  let sent = 0
  let isWaiting = false
  let stall: ReturnType<typeof setTimeout> | undefined
  const sign = (waiting: boolean) => {
    isWaiting = waiting
    sending.onWaiting(waiting)
  }
  const work = new Promise<string>((finish, fail) => {
    const again = () => void upload.abort().then(() => over.signal.aborted || upload.start())
    /** A connection can be dead without anybody being told. What was sent whole may take the server its time. */
    const watch = () => {
      clearTimeout(stall)
      stall = setTimeout(() => sent < file.size && again(), stallMs)
    }
    const giveUpUnreadable = async () => {
      if (!(await isReadable(file))) fail(new Unreadable())
    }
    const upload = new Upload(file, {
      ...optionsFor(file, sending),
      onUploadUrlAvailable() {
        // From here on only our own word decides whether it begins anew, and not any failed question for its offset.
        upload.options.endpoint = null
        sending.onUrl(upload.url ?? '')
      },
      onProgress(bytes) {
        sent = bytes
        sign(false)
        watch()
        sending.onSent(bytes)
      },
      onShouldRetry(error) {
        const answer = answerIn(error)
        const goesOn = isPassing(answer) || answer.reason === 'uploads.wrongOffset'
        sign(goesOn)
        if (goesOn) void giveUpUnreadable()
        return goesOn
      },
      onSuccess: () => finish(nameOf(upload)),
      onError: (error) => fail(reasonFor(error)),
    })
    addEventListener('online', () => isWaiting && again(), { signal: over.signal })
    sending.signal.addEventListener('abort', () => fail(sending.signal.reason), { signal: over.signal })
    over.signal.addEventListener('abort', () => void upload.abort())
    upload.start()
    watch()
  })
  return work.finally(() => {
    clearTimeout(stall)
    over.abort()
  })
}

/** Tells the server that nobody will finish this. It forgets by itself if it does not hear of it. */
export async function dropUpload(url: string): Promise<void> {
  const headers = { authorization: `Bearer ${currentSession().token}`, 'tus-resumable': '1.0.0' }
  await fetch(url, { method: 'DELETE', headers }).catch(() => undefined)
}

function optionsFor(file: File, { hash, url, onKept }: Sending) {
  return {
    endpoint: url ? null : endpoint,
    uploadUrl: url || null,
    chunkSize,
    retryDelays,
    storeFingerprintForResuming: false,
    metadata: { filename: file.name, ...(hash && { sha256: hash }) },
    // Asked each time: somebody may have logged in again meanwhile.
    onBeforeRequest: (request: { setHeader(name: string, value: string): void }) =>
      request.setHeader('authorization', `Bearer ${currentSession().token}`),
    onChunkComplete: (_size: number, accepted: number) => onKept(accepted),
  }
}

function nameOf({ url }: Upload): string {
  return new URL(url ?? '', location.origin).pathname.split('/').at(-1) ?? ''
}

function reasonFor(error: Error | DetailedError): Error {
  if (!('originalRequest' in error)) return error
  const answer = answerIn(error)
  if (answer.status !== 401) return answer
  clearSession()
  return new LoginLost()
}

/** What the server said, in its own words. */
function answerIn({ originalResponse }: DetailedError): ApiError {
  const status = originalResponse?.getStatus() ?? 0
  const { message = '', reason = '' } = parsed(originalResponse?.getBody() ?? '')
  return new ApiError({ status, reason, message: message || `上传没有成功，请稍后重试（${status}）` })
}

function parsed(body: string): { message?: string; reason?: string } {
  try {
    const data: unknown = JSON.parse(body)
    return typeof data === 'object' && data !== null ? data : {}
  } catch {
    return {}
  }
}
