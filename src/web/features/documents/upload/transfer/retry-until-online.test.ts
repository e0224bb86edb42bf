import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, networkFailure } from '#shared/errors.ts'
import {
  isTransient,
  SessionExpired,
  retryUntilOnline,
} from '#web/features/documents/upload/transfer/retry-until-online.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const target = new EventTarget()

function responses(...list: (ApiError | string)[]) {
  const queue = [...list]
  return async () => {
    const next = queue.shift() ?? ''
    if (next instanceof ApiError) throw next
    return next
  }
}

const cut = new ApiError({ status: networkFailure, message: '网络连接失败' })
const restarting = new ApiError({ status: 502, message: 'Bad Gateway' })

test('requests are retried while the connection is lost or the server restarts', async () => {
  const waits: boolean[] = []
  const { signal } = new AbortController()
  const work = retryUntilOnline(responses(cut, restarting, 'ok'), {
    signal,
    onReconnecting: (isReconnecting) => waits.push(isReconnecting),
  })
  await vi.advanceTimersByTimeAsync(1400)
  expect(waits).toEqual([true, true])
  await vi.advanceTimersByTimeAsync(200)
  expect(await work).toBe('ok')
  expect(waits).toEqual([true, true, false])
})

test('the next retry starts as soon as the browser is online', async () => {
  const { signal } = new AbortController()
  const work = retryUntilOnline(responses(cut, 'ok'), { signal, onReconnecting: () => {} })
  await vi.advanceTimersByTimeAsync(1)
  target.dispatchEvent(new Event('online'))
  expect(await work).toBe('ok')
})

test('a refusal and an expired session are not retried, and a wait can be cancelled', async () => {
  const { signal } = new AbortController()
  const refused = new ApiError({ status: 403, message: '该文件已被禁止上传', reason: 'uploads.banned' })
  await expect(retryUntilOnline(responses(refused), { signal, onReconnecting: () => {} })).rejects.toBe(refused)
  const ended = new ApiError({ status: 401, message: '请先登录' })
  await expect(retryUntilOnline(responses(ended), { signal, onReconnecting: () => {} })).rejects.toBeInstanceOf(
    SessionExpired,
  )
  const leaving = new AbortController()
  const waiting = retryUntilOnline(responses(cut, 'ok'), { signal: leaving.signal, onReconnecting: () => {} })
  const ends = expect(waiting).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(1)
  leaving.abort()
  await ends
})

test('too many requests are transient, an exceeded quota and a full disk are not', () => {
  expect(isTransient({ status: 429, reason: 'request.tooMany' })).toBe(true)
  expect(isTransient({ status: 429, reason: 'uploads.quotaCount' })).toBe(false)
  expect(isTransient({ status: 507, reason: 'uploads.diskFull' })).toBe(false)
})
