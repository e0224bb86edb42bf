import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readStoredSite, storeSite } from '#web/domain/stored-site.ts'
import type { Site } from '#web/domain/site.ts'

const stored = new Map<string, string>()
const rest = { navigations: [], categories: '1^理学', ads: [], accent: {}, year: 2026 }
const site = { settings: { default_group: {}, payment: {}, score: {} }, ...rest } as unknown as Site

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('the next start finds the settings and categories of the last one', () => {
  expect(readStoredSite()).toBeUndefined()
  storeSite(site)
  expect(readStoredSite()).toEqual(site)
})

test.each([
  'nonsense',
  '{}',
  '[]',
  'null',
  '{"settings":{}}',
  JSON.stringify({ settings: { default_group: {} }, ...rest }),
])('%s of another version is no site', (text) => {
  stored.set('wendou-site', text)
  expect(readStoredSite()).toBeUndefined()
})
