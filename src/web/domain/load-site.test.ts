import { afterEach, expect, test, vi } from 'vitest'
import type { Call } from '#shared/client.ts'
import { loadAds } from '#web/domain/load-site.ts'
import { anonymous, clearSession, updateSession } from '#web/lib/session.ts'

afterEach(() => clearSession())

const ad = { id: 1, position: 'global_top', content: '<p>广告</p>', allow_scripts: false }

/** Counts the requests. */
function answering() {
  const call = vi.fn(() => Promise.resolve({ advertisement: [ad] }))
  return { api: call as unknown as Call, requests: () => call.mock.calls.length }
}

function signIn(is_vip: boolean) {
  updateSession({ token: 'token', user: { ...anonymous.user, id: 7, is_vip } })
}

test('visitors and members without VIP get the advertisements', async () => {
  const { api, requests } = answering()
  expect(await loadAds(api, ['global_top'])).toEqual([ad])
  signIn(false)
  expect(await loadAds(api, ['global_top'])).toEqual([ad])
  expect(requests()).toBe(2)
})

test('no advertisement is requested for a VIP member', async () => {
  const { api, requests } = answering()
  signIn(true)
  expect(await loadAds(api, ['global_top'])).toEqual([])
  expect(requests()).toBe(0)
})
