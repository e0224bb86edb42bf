import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSite, type Site } from '#server/testing/site.ts'
import { pagePolicy } from '../pages/csp.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

describe.each([
  ['a reply', '/api/v1/settings', 200],
  ['a refusal', '/api/v1/user', 401],
  ['an unknown API path', '/api/v1/nothing', 404],
  ['an unknown path', '/nothing', 404],
  ['the health check', '/healthz', 200],
  ['the OpenAPI document', '/api/v1/openapi.json', 200],
])('%s', (_what, path, status) => {
  test('has a closed content security policy, and is never sniffed or framed', async () => {
    const response = await site.send('GET', path)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; frame-ancestors 'none'/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN')
    expect(response.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
  })

  test('has a unique request id', async () => {
    const [first, second] = [await site.send('GET', path), await site.send('GET', path)]
    expect(first.headers.get('x-request-id')).toMatch(/^[\w-]{12}$/)
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  })

  test('does not name the server software', async () => {
    const { headers } = await site.send('GET', path)
    expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null])
  })
})

test('the API documentation may have styles and nothing else', async () => {
  const { headers, text } = await site.send('GET', '/api/docs')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; /)
  expect(headers.get('content-type')).toContain('text/html')
  expect(text).not.toMatch(/<script|\son\w+=/i)
  expect(text).toContain('/api/v1/user/login')
})

test('pages allow only inline scripts with a listed hash', () => {
  const policy = pagePolicy(['abc='], { dev: false })
  expect(policy).toContain("script-src 'self' 'sha256-abc=';")
  expect(/script-src[^;]*/.exec(policy)?.[0]).not.toContain('unsafe')
  expect(policy).toContain("object-src 'none'")
  expect(policy).toContain("base-uri 'self'")
})

test('analytics of the owner may load from and report to the named origins only', () => {
  const policy = pagePolicy(['abc='], {
    dev: false,
    origins: ['https://a.example'],
    reportOrigins: ['https://a.example', 'https://*.b.example'],
  })
  expect(policy).toContain("script-src 'self' 'sha256-abc=' https://a.example;")
  expect(policy).toContain("connect-src 'self' https://a.example https://*.b.example;")
  expect(pagePolicy([], { dev: false })).toContain("connect-src 'self';")
})

test('other sites may call the API, without cookies', async () => {
  const { status, headers } = await site.send('OPTIONS', '/api/v1/user/login', {
    headers: {
      origin: 'https://app.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  })
  expect(status).toBe(204)
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  expect(headers.get('access-control-allow-headers')).toContain('authorization')
})

describe('health', () => {
  test('is reported', async () => {
    expect((await site.send('GET', '/healthz')).json).toEqual({ status: 'ok' })
    expect((await site.send('GET', '/readyz')).json).toEqual({ status: 'ok' })
  })

  test('a site that is stopping is alive but not ready', async () => {
    const stopping = await openSite()
    stopping.app.drain()
    expect((await stopping.send('GET', '/healthz')).status).toBe(200)
    const ready = await stopping.send('GET', '/readyz')
    expect([ready.status, ready.json]).toEqual([503, { status: 'stopping' }])
    await stopping.close()
  })

  test('a site without its database is not ready', async () => {
    const broken = await openSite()
    await broken.db.schema.dropTable('migration').execute()
    const ready = await broken.send('GET', '/readyz')
    expect([ready.status, ready.json]).toEqual([503, { status: 'database unreachable' }])
    await broken.close()
  })
})

test.each([
  '/.git/config',
  '/.git/HEAD',
  '/.env',
  '/package.json',
  '/data/wendou.db',
  '/src/server/main.ts',
  '/assets/',
  '/uploads/',
  '/backup.zip',
  '/backup.sql',
  '/wendou.db',
  '/wendou.db-wal',
  '/backups/',
  '/icons/',
  '/sitemap/',
  '/feed/',
  '/view/',
  '/download/',
  '/assets/root.js.map',
  '/service-worker.js.map',
  '/icons/..%2f..%2fpackage.json',
  '/icons/%252e%252e%252fpackage.json',
  '/uploads/..%2f..%2fwendou.db',
  '/uploads/config/%2e%2e%2f%2e%2e%2fwendou.db',
  '/uploads/config/%252e%252e%252fwendou.db',
  '/view/page/..%2f..%2f..%2fwendou.db/1.svg',
  '/sitemap/..%2f..%2fpackage.json',
  '/..%2f..%2fetc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/%252e%252e%252fetc%252fpasswd',
  '/..%5c..%5cwindows%5cwin.ini',
  '/%c0%ae%c0%ae/etc/passwd',
  '/a/../../etc/passwd',
  '//etc/passwd',
  '/api/v1/..%2f..%2f.git/config',
  '/api/v1/%2e%2e/%2e%2e/.env',
  '/%00',
  '/%',
  '/%zz',
  '/;/etc/passwd',
])('there is nothing at %s', async (path) => {
  const { status, text } = await site.send('GET', `http://localhost${path}`)
  expect(status).toBe(404)
  expect(text).not.toMatch(/root:|\[core\]|"dependencies"/)
})
