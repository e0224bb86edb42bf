import { expect, onTestFinished, test, vi } from 'vitest'
import { apiBase } from './api-base.ts'

test.each([
  { built: '', started: '', expected: 'https://site.example' },
  { built: '/wenku/', started: '', expected: 'https://site.example/wenku' },
  { built: 'https://api.example', started: '', expected: 'https://api.example' },
  { built: 'https://api.example', started: '/other', expected: 'https://site.example/other' },
])('the API built with "$built" and started with "$started" is at $expected', ({ built, started, expected }) => {
  onTestFinished(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })
  vi.stubEnv('VITE_API_BASE_URL', built)
  vi.stubGlobal('location', { origin: 'https://site.example' })
  vi.stubGlobal('document', { querySelector: () => started && { content: started } })
  expect(apiBase()).toBe(expected)
})
