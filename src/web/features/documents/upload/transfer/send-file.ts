import type { DetailedError, Upload } from 'tus-js-client'
import { attachmentHeader } from '#shared/contract/attachments.ts'
import { ApiError, networkFailure } from '#shared/errors.ts'
import { isReadable, UnreadableFile } from '#web/features/documents/upload/transfer/hashing.ts'
import { isTransient, SessionExpired } from '#web/features/documents/upload/transfer/retry-until-online.ts'
import { apiBase } from '#web/lib/api-base.ts'
import { clearSession, currentSession } from '#web/lib/session.ts'

const uploadPath = '/api/v1/upload/tus'
const chunkSize = 8 * 1024 * 1024
/** Some two hours of retries. */
const retryDelays = [500, 1000, 2000, 4000, 8000, ...Array.from({ length: 500 }, () => 15_000)]

const stallMs = 60_000

interface SendOptions {
  hash: string
  /** Of an unfinished upload; empty for a new one. */
  url: string
  /** The document whose file it is to replace. */
  replaced: number | undefined
  signal: AbortSignal
  onUrl: (url: string) => void
  /** Bytes sent, and bytes that the server has stored. */
  onSent: (bytes: number) => void
  onStored: (bytes: number) => void
  onReconnecting: (isReconnecting: boolean) => void
}

export interface SentFile {
  /** The name of the upload. */
  upload: string
  /** 0 if the last response, which tells it, was missed. */
  attachment: number
}

/** Sends a file by tus, resuming after interruptions. */
export async function sendFile(file: File, options: SendOptions): Promise<SentFile> {
  options.signal.throwIfAborted()
  if (!options.url) return send(file, options)
  return send(file, options).catch((error: unknown) => {
    // The upload has expired, or belongs to another user.
    if (error instanceof ApiError && (error.status === 404 || error.status === 410)) {
      return send(file, { ...options, url: '' })
    }
    throw error
  })
}

async function send(file: File, options: SendOptions): Promise<SentFile> {
  const { Upload } = await import('tus-js-client')
  const ended = new AbortController()
  let sent = 0
  let isReconnecting = false
  let stallTimer: ReturnType<typeof setTimeout> | undefined
  const setReconnecting = (next: boolean) => {
    isReconnecting = next
    options.onReconnecting(next)
  }
  const work = new Promise<SentFile>((resolve, reject) => {
    const restart = () => void upload.abort().then(() => ended.signal.aborted || upload.start())
    /** A dead connection reports no error. After the last byte the server may take its time to check the file. */
    const restartIfStalled = () => {
      clearTimeout(stallTimer)
      stallTimer = setTimeout(() => sent < file.size && restart(), stallMs)
    }
    const failIfUnreadable = async () => {
      if (!(await isReadable(file))) reject(new UnreadableFile())
    }
    const upload = new Upload(file, {
      ...tusOptions(file, options),
      onUploadUrlAvailable() {
        // Without an endpoint tus does not create a new upload when the offset request fails; `sendFile` decides that.
        upload.options.endpoint = null
        options.onUrl(upload.url ?? '')
      },
      onProgress(bytes) {
        sent = bytes
        setReconnecting(false)
        restartIfStalled()
        options.onSent(bytes)
      },
      onShouldRetry(error) {
        const apiError = toApiError(error)
        const retries = isTransient(apiError) || apiError.reason === 'uploads.wrongOffset'
        setReconnecting(retries)
        if (retries) void failIfUnreadable()
        return retries
      },
      onSuccess: ({ lastResponse }) =>
        resolve({ upload: nameOf(upload), attachment: Number(lastResponse.getHeader(attachmentHeader)) || 0 }),
      onError: (error) => reject(toUploadError(error)),
    })
    addEventListener('online', () => isReconnecting && restart(), { signal: ended.signal })
    options.signal.addEventListener('abort', () => reject(options.signal.reason), { signal: ended.signal })
    ended.signal.addEventListener('abort', () => void upload.abort())
    upload.start()
    restartIfStalled()
  })
  return work.finally(() => {
    clearTimeout(stallTimer)
    ended.abort()
  })
}

/** Deletes an unfinished upload; without this request the server expires it. */
export async function abandonUpload(url: string): Promise<void> {
  const headers = { authorization: `Bearer ${currentSession().token}`, 'tus-resumable': '1.0.0' }
  await fetch(url, { method: 'DELETE', headers }).catch(() => undefined)
}

function tusOptions(file: File, { hash, url, replaced, onStored }: SendOptions) {
  return {
    endpoint: url ? null : apiBase() + uploadPath,
    uploadUrl: url || null,
    chunkSize,
    retryDelays,
    storeFingerprintForResuming: false,
    metadata: { filename: file.name, ...(hash && { sha256: hash }), ...(replaced && { document: String(replaced) }) },
    // Read for each request: the member may have logged in again meanwhile.
    onBeforeRequest: (request: { setHeader(name: string, value: string): void }) =>
      request.setHeader('authorization', `Bearer ${currentSession().token}`),
    onChunkComplete: (_size: number, accepted: number) => onStored(accepted),
  }
}

function nameOf({ url }: Upload): string {
  return new URL(url ?? '', location.origin).pathname.split('/').at(-1) ?? ''
}

function toUploadError(error: Error | DetailedError): Error {
  if (!('originalRequest' in error)) return error
  const apiError = toApiError(error)
  if (apiError.status !== 401) return apiError
  clearSession()
  return new SessionExpired()
}

function toApiError({ originalResponse }: DetailedError): ApiError {
  const status = originalResponse?.getStatus() ?? networkFailure
  const { message = '', reason = '' } = parseBody(originalResponse?.getBody() ?? '')
  return new ApiError({ status, reason, message: message || `上传没有成功，请稍后重试（${status}）` })
}

function parseBody(body: string): { message?: string; reason?: string } {
  try {
    const data: unknown = JSON.parse(body)
    return typeof data === 'object' && data !== null ? data : {}
  } catch {
    return {}
  }
}
