import { afterEach, expect, test, vi } from 'vitest'
import { mayReload, reloadIfGone } from '#web/lib/browser/reload.ts'

const now = 1_800_000_000_000

test.each([
  ['never before', null, true],
  ['a moment ago', now, false],
  ['59.999 s ago', now - 59_999, false],
  ['60 s ago', now - 60_000, true],
  ['an hour ago', now - 3_600_000, true],
  ['in the future, after the clock was set back', now + 3_600_000, true],
  ['nonsense', 'x', true],
])('last reload %s', (_name, last, allowed) => {
  expect(mayReload(last === null ? null : String(last), now)).toBe(allowed)
})

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['there is no network', () => Promise.reject(new TypeError('Failed to fetch')), 0],
  ['the proxy does not reach the server', () => answer(502), 0],
  ['the build is still the same', () => answer(200), 0],
  ['the build is gone', () => answer(404), 1],
])('a script is missing and %s', async (_name, fetch, expected) => {
  let reloads = 0
  const stored = new Map<string, string>()
  vi.stubGlobal('fetch', fetch)
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  vi.stubGlobal('location', { reload: () => (reloads += 1) })
  const isDecided = await Promise.race([
    reloadIfGone('/assets/manifest-1.js', mayReload, 'key').then(() => true),
    new Promise((done) => setTimeout(done, 0)).then(() => false),
  ])
  expect(reloads).toBe(expected)
  expect(isDecided, 'whoever waits goes on only if the page stays').toBe(expected === 0)
})

async function answer(status: number): Promise<Response> {
  return new Response(null, { status })
}
