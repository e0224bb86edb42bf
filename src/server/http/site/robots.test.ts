import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSite, type Site } from '#server/testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('crawlers may read public pages, and find the sitemap', async () => {
  const { status, text, headers } = await site.send('GET', '/robots.txt')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8'])
  const rules = text.split('\n')
  for (const rule of ['User-agent: *', 'Disallow: /admin/', 'Disallow: /me/', 'Disallow: /api/'])
    expect(rules).toContain(rule)
  expect(rules).not.toContain('Disallow: /')
  expect(rules).not.toContain('Sitemap')
  await site.configure({ 'system.domain': 'https://wenku.example.com' })
  expect((await site.send('GET', '/robots.txt')).text).toContain('Sitemap: https://wenku.example.com/sitemap.xml')
})

test.each(['security.is_close', 'security.login_required'])('with %s they may read nothing', async (setting) => {
  await site.configure({ [setting]: 'true' })
  expect((await site.send('GET', '/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n')
  await site.configure({ [setting]: 'false' })
})
