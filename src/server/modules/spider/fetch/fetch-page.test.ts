import { noAnswer } from '#shared/spider.ts'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type LocalServer, type Routes, serveLocally } from '../../../testing/spider/local-server.ts'
import { openSite, type Site } from '../../../testing/site.ts'
import { fetchPage, type PageOutcome } from './fetch-page.ts'
import { claimHost } from './hosts.ts'
import type { FetchRequest } from './open-politely.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())
beforeEach(() => site.configure({ 'spider.delay_ms': '0', 'spider.user_agent': '', 'system.domain': '' }))

const allowing = (...servers: LocalServer[]) =>
  site.configure({ 'spider.private_hosts': servers.map(({ address }) => address).join(',') })

async function open(routes: Routes): Promise<LocalServer> {
  const server = await serveLocally(routes)
  await allowing(server)
  return server
}

async function get(url: string, request: Partial<FetchRequest> = {}): Promise<PageOutcome> {
  const ctx = await site.app.context()
  return fetchPage(ctx, { url, etag: '', lastModified: '', maxBytes: 1024 * 1024, ...request })
}

const html = '<!doctype html><title>文库</title>'

test('a page is returned with what the next visit needs', async () => {
  const server = await open({
    '/page': (_, response) => {
      const headers = { etag: '"1"', 'last-modified': 'Tue, 17 Nov 2026 12:00:00 GMT', 'content-type': 'text/html' }
      response.writeHead(200, headers).end(html)
    },
  })
  expect(await get(`${server.origin}/page`)).toEqual({
    kind: 'page',
    url: `${server.origin}/page`,
    status: 200,
    etag: '"1"',
    lastModified: 'Tue, 17 Nov 2026 12:00:00 GMT',
    contentType: 'text/html',
    nofollow: false,
    noindex: false,
    body: Buffer.from(html),
  })
  expect(server.requests).toEqual(['GET /robots.txt', 'GET /page'])
})

test('the crawler tells its name and where it is explained', async () => {
  const agents: (string | undefined)[] = []
  const server = await open({
    '/': (request, response) => {
      agents.push(request.headers['user-agent'])
      response.end(html)
    },
  })
  await site.configure({ 'system.domain': 'https://wenku.example.com' })
  await get(server.origin)
  await site.configure({ 'spider.user_agent': '  OurBot/2 采集 (mail@example.com)' })
  await get(server.origin)
  expect(agents[0]).toMatch(/^WendouBot\/\d+\.\d+\.\d+ \(\+https:\/\/wenku\.example\.com\/spider\)$/)
  expect(agents[1]).toBe('OurBot/2  (mail@example.com)')
})

test('robots.txt is kept to, by the name that the owner gave', async () => {
  const robots = 'User-agent: WendouBot\nDisallow: /private\n\nUser-agent: OurBot\nDisallow: /open'
  const server = await open({ '/robots.txt': robots, '/private': html, '/open': html })
  expect(await get(`${server.origin}/private`)).toMatchObject({
    kind: 'failed',
    reason: 'robots',
    detail: `${server.origin}/private`,
    isTemporary: false,
  })
  expect(await get(`${server.origin}/open`)).toMatchObject({ kind: 'page' })
  await site.configure({ 'spider.user_agent': 'OurBot' })
  expect(await get(`${server.origin}/open`)).toMatchObject({ reason: 'robots' })
  expect(server.requests).toEqual(['GET /robots.txt', 'GET /open'])
})

test('while robots.txt cannot be read, nothing else is requested', async () => {
  const server = await open({ '/robots.txt': (_, response) => response.writeHead(500).end(), '/': html })
  const outcome = await get(server.origin)
  expect(outcome).toMatchObject({ kind: 'failed', reason: 'robots_unknown', isTemporary: true })
  expect(outcome).toHaveProperty('retryAt')
  expect(server.requests).toEqual(['GET /robots.txt'])
})

test('robots.txt is asked anew for the host that a redirect leads to', async () => {
  const target = await serveLocally({ '/robots.txt': 'User-agent: *\nDisallow: /private', '/private': html })
  const server = await open({
    '/': (_, response) => response.writeHead(302, { location: `${target.origin}/private` }).end(),
  })
  await allowing(server, target)
  expect(await get(server.origin)).toMatchObject({ reason: 'robots', detail: `${target.origin}/private` })
  expect(target.requests).toEqual(['GET /robots.txt'])
})

test('a redirect is followed, and the page has the address where it was found', async () => {
  const target = await serveLocally({ '/new': html })
  const server = await open({
    '/old': (_, response) => response.writeHead(301, { location: `${target.origin}/new` }).end(),
  })
  await allowing(server, target)
  expect(await get(`${server.origin}/old`)).toMatchObject({ kind: 'page', url: `${target.origin}/new` })
  const busy = await site.db.selectFrom('spider_host').select('origin').where('busy_until', '>', 0).execute()
  expect(busy).toEqual([])
})

test('a host that another worker holds is not entered by a redirect', async () => {
  const target = await serveLocally({ '/new': html })
  const server = await open({
    '/old': (_, response) => response.writeHead(301, { location: `${target.origin}/new` }).end(),
  })
  await allowing(server, target)
  const ctx = await site.app.context()
  const own = await claimHost(ctx, server.origin)
  const other = await claimHost(ctx, target.origin)
  expect([own, other]).not.toContain(undefined)
  // Something was sent: it counts as a try.
  expect(await get(`${server.origin}/old`)).toMatchObject({ reason: 'rate_limited', isTemporary: true })
  expect(target.requests).toEqual([])
})

test('a private address at the third hop is not reached, nor another port', async () => {
  const secret = await serveLocally({ '/': html })
  const server = await open({
    '/1': (_, response) => response.writeHead(302, { location: '/2' }).end(),
    '/2': (_, response) => response.writeHead(302, { location: secret.origin }).end(),
  })
  expect(await get(`${server.origin}/1`)).toMatchObject({ reason: 'port', detail: `${secret.origin}/` })
  const port = Number(new URL(secret.origin).port)
  expect(await get(`${server.origin}/1`, { port })).toMatchObject({ reason: 'private', isTemporary: false })
  expect(secret.requests).toEqual([])
})

test('a source may be on a port of its own, an allowed host on any that may be dialled', async () => {
  const server = await serveLocally({ '/': html })
  await site.configure({ 'spider.private_hosts': '127.0.0.1' })
  expect(await get(server.origin)).toMatchObject({ reason: 'port' })
  expect(await get(server.origin, { port: Number(new URL(server.origin).port) })).toMatchObject({ kind: 'page' })
})

test('what has not changed is not sent again', async () => {
  const seen: unknown[] = []
  const server = await open({
    '/': (request, response) => {
      seen.push(request.headers['if-none-match'], request.headers['if-modified-since'])
      response.writeHead(304).end()
    },
  })
  const known = { etag: 'W/"1"', lastModified: 'Tue, 17 Nov 2026 12:00:00 GMT' }
  expect(await get(server.origin, known)).toEqual({ kind: 'unchanged', status: 304 })
  expect(seen).toEqual([known.etag, known.lastModified])
  expect(await get(server.origin)).toMatchObject({ kind: 'failed', reason: 'status', status: 304 })
})

test.each([
  [401, 'forbidden', false],
  [403, 'forbidden', false],
  [404, 'not_found', false],
  [410, 'not_found', false],
  [418, 'status', false],
  [429, 'rate_limited', true],
  [500, 'server_error', true],
  [503, 'server_error', true],
])('the status %i is the failure %s', async (status, reason, isTemporary) => {
  const server = await open({ '/': (_, response) => response.writeHead(status).end('no') })
  const outcome = await get(server.origin)
  expect(outcome).toMatchObject({ kind: 'failed', reason, status, isTemporary })
  expect('retryAt' in outcome).toBe(isTemporary)
})

test.each(['3600', new Date(Date.now() + 3_600_000).toUTCString()])(
  'Retry-After: %s keeps all away',
  async (header) => {
    const server = await open({
      '/': (_, response) => response.writeHead(429, { 'retry-after': header }).end(),
      '/b': html,
    })
    const first = await get(server.origin)
    const retryAt = 'retryAt' in first ? (first.retryAt ?? 0) : 0
    expect(Math.abs(retryAt - Date.now() - 3_600_000)).toBeLessThan(60_000)
    expect(await get(`${server.origin}/b`)).toMatchObject({
      reason: 'waiting',
      status: noAnswer,
      retryAt,
      isTemporary: true,
    })
    expect(server.requests).toEqual(['GET /robots.txt', 'GET /'])
  },
)

test('a host that cannot be reached any more is asked less often', async () => {
  const server = await open({ '/': html })
  expect(await get(server.origin)).toMatchObject({ kind: 'page' })
  await server.close()
  const outcome = await get(server.origin)
  expect(outcome).toMatchObject({ reason: 'unreachable', detail: 'ECONNREFUSED', isTemporary: true })
  const host = site.db.selectFrom('spider_host').select('failures').where('origin', '=', server.origin)
  expect(await host.executeTakeFirst()).toEqual({ failures: 1 })
})

test('requests are as far apart as robots.txt asks, redirects too', async () => {
  const arrivals: number[] = []
  const note =
    (answer: Exclude<Routes[string], string>): Routes[string] =>
    (request, response) => {
      arrivals.push(performance.now())
      answer(request, response)
    }
  const server = await open({
    '/robots.txt': note((_, response) => response.end('User-agent: *\nCrawl-delay: 0.2')),
    '/old': note((_, response) => response.writeHead(302, { location: '/new' }).end()),
    '/new': note((_, response) => response.end(html)),
  })
  expect(await get(`${server.origin}/old`)).toMatchObject({ kind: 'page' })
  expect(await get(`${server.origin}/new`)).toMatchObject({ kind: 'page' })
  const gaps = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? 0))
  expect(gaps).toHaveLength(3)
  // A timer may be a little early, and an arrival late.
  expect(Math.min(...gaps)).toBeGreaterThan(150)
})

test('a file is told by its content, and not read', async () => {
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(100_000, 65)])
  const server = await open({
    '/report': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      // Never ends.
      response.write(pdf)
    },
    '/notes.txt': (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('只是一些笔记'),
  })
  expect(await get(`${server.origin}/report`)).toEqual({ kind: 'file', url: `${server.origin}/report` })
  expect(await get(`${server.origin}/notes.txt`)).toMatchObject({ kind: 'file' })
})

test('a page is told by its content, whatever its header says', async () => {
  const server = await open({
    '/a.pdf': (_, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end(`\n${html}`),
  })
  expect(await get(`${server.origin}/a.pdf`)).toMatchObject({ kind: 'page', contentType: 'application/pdf' })
})

test('a sitemap may be stored compressed', async () => {
  const xml = '<?xml version="1.0"?><urlset></urlset>'
  const server = await open({
    '/sitemap.xml.gz': (_, response) => response.end(gzipSync(xml)),
    '/plain.xml.gz': xml,
    '/bomb.xml.gz': (_, response) => response.end(gzipSync(Buffer.alloc(5_000_000))),
    '/broken.xml.gz': (_, response) => response.end(gzipSync(xml).subarray(0, 20)),
  })
  expect(await get(`${server.origin}/sitemap.xml.gz`)).toMatchObject({ kind: 'page', body: Buffer.from(xml) })
  expect(await get(`${server.origin}/plain.xml.gz`)).toMatchObject({ kind: 'page', body: Buffer.from(xml) })
  expect(await get(`${server.origin}/bomb.xml.gz`)).toMatchObject({ reason: 'too_large' })
  expect(await get(`${server.origin}/broken.xml.gz`)).toMatchObject({ reason: 'malformed' })
})

test('limits are failures in words', async () => {
  const server = await open({
    '/large': (_, response) => response.end(`<html>${' '.repeat(3_000_000)}`),
    '/bomb': (_, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(50_000_000, 60))),
    '/chain': (_, response) => response.setHeader('content-encoding', 'gzip, gzip').end('…'),
    '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
    '/cut': (_, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('<html>')
      response.socket?.destroySoon()
    },
  })
  const failures = async (path: string, maxBytes = 1_000_000) => {
    const outcome = await get(`${server.origin}${path}`, { maxBytes })
    return outcome.kind === 'failed' && [outcome.reason, outcome.isTemporary]
  }
  expect(await failures('/large')).toEqual(['too_large', false])
  expect(await failures('/bomb', 100_000_000)).toEqual(['too_compressed', false])
  expect(await failures('/chain')).toEqual(['encoding', false])
  expect(await failures('/loop')).toEqual(['redirects', false])
  expect(await failures('/cut')).toEqual(['interrupted', true])
  expect(await get('ftp://example.com/')).toMatchObject({ reason: 'address' })
})

test('a page says by its header what may be done with it', async () => {
  const tags: Record<string, string | string[]> = {
    '/a': 'noindex',
    '/b': ['otherbot: noindex', 'WendouBot: nofollow'],
    '/c': 'none',
    '/d': 'unavailable_after: 25 Jun 2030 15:00:00 PST, NOFOLLOW',
  }
  const server = await open(
    Object.fromEntries(
      Object.entries(tags).map(([path, tag]) => [
        path,
        (_request, response) => response.writeHead(200, { 'x-robots-tag': tag }).end(html),
      ]),
    ),
  )
  const read = async (path: string) => {
    const outcome = await get(`${server.origin}${path}`)
    return outcome.kind === 'page' && [outcome.noindex, outcome.nofollow]
  }
  expect(await read('/a')).toEqual([true, false])
  expect(await read('/b')).toEqual([false, true])
  expect(await read('/c')).toEqual([true, true])
  expect(await read('/d')).toEqual([false, true])
})

test('a caller that stops gets no outcome, and the host no blame', async () => {
  const stop = new AbortController()
  const server = await open({ '/': () => stop.abort(new Error('shutting down')) })
  await expect(get(server.origin, { signal: stop.signal })).rejects.toThrow('shutting down')
  const host = site.db.selectFrom('spider_host').select('failures').where('origin', '=', server.origin)
  expect(await host.executeTakeFirst()).toEqual({ failures: 0 })
})
