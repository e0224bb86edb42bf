import { apiBase } from '#web/lib/api-base.ts'
import { ApiError, networkFailure } from '#shared/errors.ts'
import { currentSession, endSession } from '#web/lib/session.ts'

/** Uploads a picture as a form; returns the address under which the site serves it. */
export async function uploadPicture(
  use: 'avatar' | 'config' | 'banner' | 'category' | 'order',
  file: File,
): Promise<string> {
  const body = new FormData()
  body.append('file', file)
  const { token } = currentSession()
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${apiBase()}/api/v1/upload/${use}`, { method: 'POST', headers, body }).catch(
    () => undefined,
  )
  if (!response) throw new ApiError({ status: networkFailure, message: '网络连接失败，请检查网络后重试' })
  if (response.status === 401) endSession(token)
  const reply = (await response.json().catch(() => ({}))) as { message?: string; data?: { path?: string } }
  if (!response.ok) throw new ApiError({ status: response.status, message: reply.message ?? '上传失败，请稍后重试' })
  return reply.data?.path ?? ''
}
