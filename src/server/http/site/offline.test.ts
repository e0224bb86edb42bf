import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSite, type Site } from '#server/testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('the offline page is self-contained', async () => {
  await site.configure({ 'system.sitename': '<b>某文库</b>' })
  const { text, headers } = await site.send('GET', '/offline')
  expect(text).toContain('重试')
  expect(text).not.toContain('<b>')
  expect(text).not.toMatch(/<link|<img|\ssrc=|url\(|https?:/)
  const policy = headers.get('content-security-policy') ?? ''
  const [, code = ''] = /<script>(.*?)<\/script>/s.exec(text) ?? []
  expect(policy).toContain(`'sha256-${createHash('sha256').update(code).digest('base64')}'`)
  expect(policy).toMatch(/^default-src 'none'/)
  expect(headers.get('x-robots-tag')).toBe('noindex')
})

test('the service worker may connect to this site only, and changes with the page', async () => {
  const before = await site.send('GET', '/service-worker.js')
  expect(before.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(before.headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'")
  expect(before.headers.get('cache-control')).toBe('no-cache')
  expect((await site.send('GET', '/service-worker.js')).text).toBe(before.text)
  await site.configure({ 'system.sitename': '另一个名字' })
  expect((await site.send('GET', '/service-worker.js')).text).not.toBe(before.text)
})
