import * as z from 'zod/mini'
import { ApiError } from '#shared/errors.ts'
import { clearSession, currentSession } from '#web/lib/session.ts'

export type MediaKind = 'image' | 'video'

export interface Media {
  url: string
  alt: string
}

interface Sending {
  signal: AbortSignal
  /** From 0 to 1. */
  onSent: (share: number) => void
}

/** Sends a picture or a video of an article. Not by `fetch`, which cannot tell how far it has got. */
export function sendMedia(kind: MediaKind, file: File, { signal, onSent }: Sending): Promise<Media> {
  const { token } = currentSession()
  const body = new FormData()
  body.append('file', file)
  return new Promise((finish, fail) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/api/v1/upload/article?type=${kind}`)
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0))
    request.addEventListener('error', () => fail(refusal(0, '网络连接失败，请检查网络后重试')))
    request.addEventListener('load', () => {
      if (request.status === 401 && token === currentSession().token) clearSession()
      const { message, msg, data } = read(request.responseText)
      if (request.status === 200 && data.url) finish(data)
      else fail(refusal(request.status, message || msg || '上传失败，请稍后重试'))
    })
    request.addEventListener('abort', () => fail(refusal(0, '已取消上传')))
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

function read(text: string): z.output<typeof Reply> {
  return z.parse(Reply, z.safeParse(Reply, parsed(text)).data ?? {})
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function refusal(status: number, message: string): ApiError {
  return new ApiError({ status, message })
}
