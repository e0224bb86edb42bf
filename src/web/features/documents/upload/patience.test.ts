import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#shared/errors.ts'
import { isPassing, LoginLost, patiently } from './patience.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const target = new EventTarget()

function answers(...given: (ApiError | string)[]) {
  const left = [...given]
  return async () => {
    const next = left.shift() ?? ''
    if (next instanceof ApiError) throw next
    return next
  }
}

const cut = new ApiError({ status: 0, message: '网络连接失败' })
const restarting = new ApiError({ status: 502, message: 'Bad Gateway' })

test('a lost connection and a restarting server are waited for', async () => {
  const waits: boolean[] = []
  const { signal } = new AbortController()
  const work = patiently(answers(cut, restarting, 'ok'), { signal, onWaiting: (isWaiting) => waits.push(isWaiting) })
  await vi.advanceTimersByTimeAsync(1400)
  expect(waits).toEqual([true, true])
  await vi.advanceTimersByTimeAsync(200)
  expect(await work).toBe('ok')
  expect(waits).toEqual([true, true, false])
})

test('when the connection is back, nobody waits any longer', async () => {
  const { signal } = new AbortController()
  const work = patiently(answers(cut, 'ok'), { signal, onWaiting: () => {} })
  await vi.advanceTimersByTimeAsync(1)
  target.dispatchEvent(new Event('online'))
  expect(await work).toBe('ok')
})

test('a refusal is final, an ended session is told apart, and a cancelled wait ends', async () => {
  const { signal } = new AbortController()
  const refused = new ApiError({ status: 403, message: '该文件已被禁止上传', reason: 'uploads.banned' })
  await expect(patiently(answers(refused), { signal, onWaiting: () => {} })).rejects.toBe(refused)
  const ended = new ApiError({ status: 401, message: '请先登录' })
  await expect(patiently(answers(ended), { signal, onWaiting: () => {} })).rejects.toBeInstanceOf(LoginLost)
  const leaving = new AbortController()
  const waiting = patiently(answers(cut, 'ok'), { signal: leaving.signal, onWaiting: () => {} })
  const ends = expect(waiting).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(1)
  leaving.abort()
  await ends
})

test('too many requests pass, a used-up quota does not, nor does a full disk', () => {
  expect(isPassing({ status: 429, reason: 'request.tooMany' })).toBe(true)
  expect(isPassing({ status: 429, reason: 'uploads.quotaCount' })).toBe(false)
  expect(isPassing({ status: 507, reason: 'uploads.diskFull' })).toBe(false)
})
