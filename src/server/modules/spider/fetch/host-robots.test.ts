import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Routes, serveLocally } from '../../../testing/spider/local-server.ts'
import { openSite, type Site } from '../../../testing/site.ts'
import { robotsFor } from './host-robots.ts'
import { getReadyAt } from './hosts.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
let site: Site
beforeAll(async () => {
  site = await openSite()
  site.freezeClock()
  await site.configure({ 'spider.delay_ms': '0' })
})
afterAll(() => site.close())

/** A server that the owner allows, and a way to ask what its robots.txt allows. */
async function openHost(routes: Routes) {
  const server = await serveLocally(routes)
  await site.configure({ 'spider.private_hosts': server.address })
  return {
    ...server,
    robots: async () => robotsFor(await site.app.context(), new URL('/any', server.origin)),
    async allows(path: string): Promise<boolean> {
      const { rules } = await robotsFor(await site.app.context(), new URL(path, server.origin))
      return rules.isAllowed(new URL(path, server.origin))
    },
  }
}

/** Answers with a status that the test can change. */
function answering(status: number, headers: Record<string, string> = {}) {
  const answer = { status }
  const routes: Routes = {
    '/robots.txt': (_, response) => response.writeHead(answer.status, headers).end('User-agent: *\nDisallow: /private'),
  }
  return { answer, routes }
}

test('robots.txt is asked for once a day, under the name of the crawler', async () => {
  const agents: (string | undefined)[] = []
  const host = await openHost({
    '/robots.txt': (request, response) => {
      agents.push(request.headers['user-agent'])
      response.end('User-agent: wendoubot\nDisallow: /private\nCrawl-delay: 3')
    },
  })
  expect([await host.allows('/open'), await host.allows('/private')]).toEqual([true, false])
  expect((await host.robots()).rules.crawlDelayMs).toBe(3000)
  site.advanceClock(day - 1)
  await host.robots()
  expect(host.requests).toHaveLength(1)
  expect(agents[0]).toMatch(/^WendouBot\//)
  site.advanceClock(1)
  await host.robots()
  expect(host.requests).toHaveLength(2)
})

test('the delay that it asks for counts from the request for it', async () => {
  const host = await openHost({ '/robots.txt': 'User-agent: *\nCrawl-delay: 7' })
  await host.robots()
  const ctx = await site.app.context()
  expect(await getReadyAt(ctx, host.origin)).toBe(ctx.now() + 7000)
})

test.each([400, 401, 403, 404, 410])('with status %i everything is allowed', async (status) => {
  const host = await openHost(answering(status).routes)
  expect(await host.allows('/private')).toBe(true)
  expect(await host.allows('/other')).toBe(true)
  expect(host.requests).toHaveLength(1)
})

test('an owner who is strict does not crawl where robots.txt is refused', async () => {
  const refused = await openHost(answering(403).routes)
  expect(await refused.allows('/open')).toBe(true)
  await site.configure({ 'spider.strict_robots': 'true' })
  expect(await refused.allows('/open')).toBe(false)
  const missing = await openHost(answering(404).routes)
  expect(await missing.allows('/open')).toBe(true)
  await site.configure({ 'spider.strict_robots': 'false' })
})

test.each([429, 500, 503])('with status %i nothing is allowed, until it is asked for again', async (status) => {
  const { answer, routes } = answering(status)
  const host = await openHost(routes)
  expect(await host.allows('/open')).toBe(false)
  expect((await host.robots()).unknownUntil).toBe((await site.app.context()).now() + minute)
  expect(host.requests).toHaveLength(1)
  site.advanceClock(minute)
  expect(await host.allows('/open')).toBe(false)
  expect(host.requests).toHaveLength(2)
  answer.status = 200
  site.advanceClock(2 * minute)
  expect([await host.allows('/open'), await host.allows('/private')]).toEqual([true, false])
})

test('a host that cannot be reached allows nothing', async () => {
  const host = await openHost({})
  await host.close()
  expect(await host.allows('/open')).toBe(false)
  expect((await host.robots()).unknownUntil).toBeDefined()
})

test('Retry-After of robots.txt is kept to', async () => {
  const host = await openHost(answering(503, { 'retry-after': '7200' }).routes)
  await host.robots()
  const ctx = await site.app.context()
  expect(await getReadyAt(ctx, host.origin)).toBe(ctx.now() + 2 * hour)
  site.advanceClock(minute)
  await expect(host.robots()).rejects.toMatchObject({ reason: 'waiting' })
  expect(host.requests).toHaveLength(1)
})

test('five redirects are followed; more are a missing robots.txt', async () => {
  const moved: Routes = Object.fromEntries(
    Array.from({ length: 5 }, (_, hop) => [
      `/${hop}`,
      (_request, response) => response.writeHead(302, { location: `/${hop + 1}` }).end(),
    ]),
  )
  const five = await openHost({
    ...moved,
    '/robots.txt': (_, response) => response.writeHead(301, { location: '/1' }).end(),
    '/5': 'User-agent: *\nDisallow: /',
  })
  expect(await five.allows('/')).toBe(false)
  const loop = await openHost({
    '/robots.txt': (_, response) => response.writeHead(301, { location: '/robots.txt' }).end(),
  })
  expect(await loop.allows('/')).toBe(true)
  expect(loop.requests).toHaveLength(6)
})

test('a redirect to a private address gives no robots.txt', async () => {
  const secret = await serveLocally({ '/': 'User-agent: *\nAllow: /' })
  const host = await openHost({
    '/robots.txt': (_, response) => response.writeHead(302, { location: secret.origin }).end(),
  })
  expect(await host.allows('/')).toBe(false)
  expect(secret.requests).toEqual([])
})

test('a private host is refused, not taken for one that does not answer', async () => {
  const host = await openHost({ '/robots.txt': '' })
  await site.configure({ 'spider.private_hosts': '' })
  const ctx = await site.app.context()
  const { port } = new URL(host.origin)
  await expect(robotsFor(ctx, new URL(host.origin), { port: Number(port) })).rejects.toMatchObject({
    reason: 'private',
  })
  await expect(robotsFor(ctx, new URL(host.origin))).rejects.toMatchObject({ reason: 'port' })
  expect(host.requests).toEqual([])
})

test('of a file of 2 MB the first 500 KiB count', async () => {
  const filler = `# ${'x'.repeat(97)}\n`
  const host = await openHost({
    '/robots.txt': `\ufeffUser-agent: *\nDisallow: /first\n${filler.repeat(6000)}Disallow: /last\n${filler.repeat(14_000)}`,
  })
  expect([await host.allows('/first'), await host.allows('/last')]).toEqual([false, true])
})

test('bytes that are no text do no harm', async () => {
  const host = await openHost({
    '/robots.txt': (_, response) =>
      response.end(Buffer.from('User-agent: *\0\nDisallow: /a\xff\nDisallow: /b', 'latin1')),
  })
  expect([await host.allows('/b'), await host.allows('/c')]).toEqual([false, true])
})

// Last: sessions do not last that long.
test('a robots.txt that cannot be read for 30 days is treated as missing; it is asked for less and less often', async () => {
  const { answer, routes } = answering(500)
  const host = await openHost(routes)
  await host.robots()
  const requestsBefore = (ms: number) => {
    site.advanceClock(ms)
    return host.robots().then(() => host.requests.length)
  }
  expect(await requestsBefore(minute)).toBe(2)
  expect(await requestsBefore(20 * minute)).toBe(3)
  expect(await requestsBefore(20 * minute)).toBe(3)
  expect(await requestsBefore(day)).toBe(4)
  expect(await requestsBefore(hour - 1)).toBe(4)
  expect(await host.allows('/private')).toBe(false)
  site.advanceClock(30 * day)
  expect(await host.allows('/private')).toBe(true)
  answer.status = 200
  site.advanceClock(hour)
  expect(await host.allows('/private')).toBe(false)
})
