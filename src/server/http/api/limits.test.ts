import { Hono } from 'hono'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openLog } from '#server/log.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { toAppError, toErrorResponse } from './errors.ts'
import { timeLimit } from './limits.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

describe('too many requests from one address', () => {
  // With a frozen clock no tokens are added meanwhile.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('are refused with the usual error, while other addresses are served', async () => {
    const statuses = await flood('198.51.100.1', 450)
    expect(statuses.filter((status) => status === 404)).toHaveLength(400)
    const refused = await send('198.51.100.1')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.json).toMatchObject({ code: 8, reason: 'request.tooMany' })
    expect(refused.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await send('198.51.100.2')).status).toBe(404)
  })

  test('are served again after a second', async () => {
    await flood('198.51.100.3', 450)
    expect((await send('198.51.100.3')).status).toBe(429)
    vi.setSystemTime(Date.now() + 1000)
    const statuses = await flood('198.51.100.3', 60)
    expect(statuses.filter((status) => status === 404)).toHaveLength(50)
  })

  test('do not affect the health check', async () => {
    await flood('198.51.100.4', 450)
    expect((await site.send('GET', '/healthz', { ip: '198.51.100.4' })).status).toBe(200)
  })

  async function flood(ip: string, times: number): Promise<number[]> {
    const answers = await Promise.all(Array.from({ length: times }, () => send(ip)))
    return answers.map(({ status }) => status)
  }

  function send(ip: string) {
    return site.send('GET', '/api/v1/nothing', { ip })
  }
})

test('a request that hangs fails after half a minute', async () => {
  vi.useFakeTimers()
  const app = new Hono()
  app.onError((error, context) => toErrorResponse(toAppError(error, 'id', openLog('silent')), context))
  app.use(timeLimit)
  app.get('/hangs', () => new Promise<never>(() => {}))
  const answer = app.request('/hangs')
  await vi.advanceTimersByTimeAsync(29_999)
  const early = await Promise.race([answer, Promise.resolve('still waiting')])
  await vi.advanceTimersByTimeAsync(1)
  vi.useRealTimers()
  expect(early).toBe('still waiting')
  const response = await answer
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ code: 14, reason: 'request.timeout' })
})
