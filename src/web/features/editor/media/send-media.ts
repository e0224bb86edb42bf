import * as z from 'zod/mini'
import { ApiError, networkFailure } from '#shared/errors.ts'
import { apiBase } from '#web/lib/api-base.ts'
import { clearSession, currentSession } from '#web/lib/session.ts'

export type MediaKind = 'image' | 'video'

export interface Media {
  url: string
  alt: string
}

interface SendOptions {
  signal: AbortSignal
  /** From 0 to 1. */
  onProgress: (fraction: number) => void
}

/** Uploads a picture or a video of an article, by XMLHttpRequest: `fetch` reports no upload progress. */
export function sendMedia(kind: MediaKind, file: File, { signal, onProgress }: SendOptions): Promise<Media> {
  const { token } = currentSession()
  const body = new FormData()
  body.append('file', file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `${apiBase()}/api/v1/upload/article?type=${kind}`)
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('error', () => reject(uploadError(networkFailure, '网络连接失败，请检查网络后重试')))
    request.addEventListener('load', () => {
      if (request.status === 401 && token === currentSession().token) clearSession()
      const { message, msg, data } = parseReply(request.responseText)
      if (request.status === 200 && data.url) resolve(data)
      else reject(uploadError(request.status, message || msg || '上传失败，请稍后重试'))
    })
    request.addEventListener('abort', () => reject(uploadError(networkFailure, '已取消上传')))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}

const optionalText = z._default(z.string(), '')
const Reply = z.object({
  message: optionalText,
  msg: optionalText,
  data: z._default(z.object({ url: optionalText, alt: optionalText }), { url: '', alt: '' }),
})

function parseReply(text: string): z.output<typeof Reply> {
  return z.parse(Reply, z.safeParse(Reply, parseJson(text)).data ?? {})
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function uploadError(status: number, message: string): ApiError {
  return new ApiError({ status, message })
}
