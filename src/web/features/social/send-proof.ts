import { ApiError, networkFailure } from '#shared/errors.ts'
import { apiBase } from '#web/lib/api-base.ts'
import { currentSession, endSession } from '#web/lib/session.ts'

/** Uploads a file that is to prove a report; returns its number. */
export async function sendProof(file: File): Promise<number> {
  const body = new FormData()
  body.append('file', file)
  const { token } = currentSession()
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${apiBase()}/api/v1/upload/report`, { method: 'POST', headers, body }).catch(
    () => undefined,
  )
  if (!response) throw new ApiError({ status: networkFailure, message: '网络连接失败，请检查网络后重试' })
  if (response.status === 401) endSession(token)
  const reply = (await response.json().catch(() => ({}))) as { message?: string; data?: { id?: number } }
  if (!response.ok) throw new ApiError({ status: response.status, message: reply.message ?? '上传失败，请稍后重试' })
  return reply.data?.id ?? 0
}
