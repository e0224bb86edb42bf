import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { client } from '#shared/client.ts'
import { navigations } from '#shared/contract/site.ts'
import { settings } from '#shared/contract/system.ts'
import { openLog } from '#server/log.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import type { Memory, Web } from './page-cache.ts'

const ours = 'window.theme = "light"'

/** The smallest web part: pages that show the site's name, its navigation, and what they were asked. */
const asked: Request[] = []
const memories: Memory[] = []
let held: Promise<void> | undefined
const web: Web = {
  dev: false,
  async render(request, { fetch, nonce, memory }) {
    const api = client({ fetch, origin: 'http://localhost' })
    asked.push(request)
    memories.push(memory)
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/moved') return new Response(null, { status: 302, headers: { location: '/new' } })
    if (pathname === '/broken') throw new Error('the page has a fault: secret-of-the-page')
    const { system } = await api(settings.get)
    const { navigation } = await api(navigations.list)
    await held
    const filling = pathname === '/large' ? 'x'.repeat(2 * 1024 * 1024) : ''
    const html = `<!doctype html>${filling}<title>${system.sitename}</title>${navigation.map(({ title }) => title).join()}
      <p>${searchParams.get('q')} ${request.url}</p><script nonce="${nonce}">${ours}</script><script>alert("theirs")</script>`
    const status = pathname === '/gone' ? 404 : 200
    return new Response(html, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
  },
}

let site: Site
beforeAll(async () => {
  site = await openSite({}, { web })
})
afterAll(() => site.close())
beforeEach(() => {
  asked.length = 0
  memories.length = 0
})

test('made-up addresses cannot keep the server rendering: kept pages stay free', async () => {
  const crowded = await openSite({}, { web })
  await crowded.send('GET', '/kept')
  const answers = await Promise.all(Array.from({ length: 400 }, (_, n) => crowded.send('GET', `/?n=${n}`)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeLessThan(330)
  expect(statuses).toContain(429)
  expect((await crowded.send('GET', '/kept')).status).toBe(200)
  await crowded.close()
})

test('of many pages that are wanted at once only a few are in the making', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  const answers = Array.from({ length: 30 }, (_, n) => site.send('GET', `/many?n=${n}`))
  await expect.poll(() => asked.length).toBe(8)
  held = undefined
  resolve()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(asked).toHaveLength(30)
})

test('without a cache every visitor gets a page that was made for them', async () => {
  const uncached = await openSite({}, { web })
  await uncached.configure({ 'ssr.cache_seconds': '0' })
  await uncached.send('GET', '/twice')
  await uncached.send('GET', '/twice')
  expect(asked.filter(({ url }) => url.endsWith('/twice'))).toHaveLength(2)
  await uncached.close()
})

// On a busy machine a second is short: of three tries one must keep it.
test('what pages ask for is remembered as long as pages are kept, and not beyond a change', async () => {
  await site.send('GET', '/one')
  await site.send('GET', '/two')
  await site.configure({ 'system.keywords': '另一些' })
  await site.send('GET', '/three')
  expect(memories[1]).toBe(memories[0])
  expect(memories[2]).not.toBe(memories[0])

  const forgetful = await openSite({}, { web })
  await forgetful.configure({ 'ssr.cache_seconds': '0' })
  await forgetful.send('GET', '/one')
  await forgetful.send('GET', '/two')
  expect(memories.at(-1)).not.toBe(memories.at(-2))
  await forgetful.close()
})

test('when too many wait for pages, the next is told to come back', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  const crowded = await openSite({}, { web })
  const answers = Array.from({ length: 200 }, (_, n) => crowded.send('GET', `/crowd?n=${n}`))
  await expect.poll(() => asked.length).toBe(8)
  expect((await crowded.send('GET', '/crowd?n=200')).status).toBe(429)
  held = undefined
  resolve()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200))
  await crowded.close()
})

test("another process's change is on this one's pages within a second", { retry: 2 }, async () => {
  const shared = await openSite({}, { web })
  onTestFinished(() => shared.close())
  const before = await shared.send('GET', '/navigated')
  const sibling = await shared.sibling()
  const added = new Request('http://localhost/api/v1/navigation', {
    method: 'POST',
    headers: { authorization: `Bearer ${shared.root.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: '新栏目', href: '/new', enable: true }),
  })
  expect((await sibling.fetch(added)).status).toBe(200)
  expect(before.text).not.toContain('新栏目')
  await expect.poll(async () => (await shared.send('GET', '/navigated')).text, { timeout: 1000 }).toContain('新栏目')
})

describe('a page', () => {
  test('is rendered with what every visitor may see', async () => {
    const { status, text, headers } = await site.send('GET', '/')
    expect(status).toBe(200)
    expect(text).toContain('<title>文豆</title>首页')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-cache')
  })

  test('runs our scripts, named by their hashes, and no others', async () => {
    const { text, headers } = await site.send('GET', '/scripts')
    const policy = headers.get('content-security-policy') ?? ''
    const scripts = /script-src[^;]*/.exec(policy)?.[0]
    expect(scripts).toBe(`script-src 'self' 'sha256-${createHash('sha256').update(ours).digest('base64')}'`)
    expect(text).toContain(`<script>${ours}</script>`)
    expect(text).not.toContain('nonce')
    expect(policy).not.toContain('nonce')
  })

  test('is the same for everyone: who asks, and by which name of ours, does not reach it', async () => {
    const headers = {
      authorization: `Bearer ${site.root.token}`,
      cookie: 'token=x',
      'x-forwarded-host': 'evil.example',
    }
    const { text } = await site.send('GET', 'https://evil.example/hosts?q=1', { headers })
    expect(text).not.toContain('evil.example')
    expect([...(asked[0]?.headers ?? [])]).toEqual([['accept', 'text/html']])
    expect((await site.send('GET', '/hosts?q=1')).text).toBe(text)
    expect(asked).toHaveLength(1)
  })

  test('is sent compressed as the browser likes', async () => {
    const plain = await site.send('GET', '/compressed')
    const get = async (accepted: string) => {
      const response = await site.request('/compressed', { headers: { 'accept-encoding': accepted } })
      expect(response.headers.get('content-encoding')).toBe(accepted)
      expect(response.headers.get('vary')).toContain('accept-encoding')
      return Buffer.from(await response.arrayBuffer())
    }
    expect(brotliDecompressSync(await get('br')).toString()).toBe(plain.text)
    expect(gunzipSync(await get('gzip')).toString()).toBe(plain.text)
  })

  test('is not sent again to who has it, nor to who only asks about it', async () => {
    const { headers } = await site.send('GET', '/etag')
    const etag = headers.get('etag') ?? ''
    const again = await site.send('GET', '/etag', { headers: { 'if-none-match': etag } })
    expect([again.status, again.text]).toEqual([304, ''])
    expect(again.headers.get('content-security-policy')).toContain('script-src')
    const head = await site.send('HEAD', '/etag')
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag])
  })

  test('that leads elsewhere does so', async () => {
    const { status, headers } = await site.send('GET', '/moved')
    expect([status, headers.get('location')]).toEqual([302, '/new'])
  })

  test('that fails says so without telling why', async () => {
    const { status, text } = await site.send('GET', '/broken')
    expect(status).toBe(500)
    expect(text).not.toContain('secret-of-the-page')
  })
})

describe('a page is kept', () => {
  test('for a few seconds, each address for itself', async () => {
    await site.send('GET', '/kept?q=1')
    await site.send('GET', '/kept?q=1')
    await site.send('GET', '/kept?q=2')
    expect(asked).toHaveLength(2)
  })

  test('and given at once, with the same headers and a line in the log', async () => {
    const lines: string[] = []
    const log = openLog('info', { write: (line: string) => lines.push(line) })
    const logged = await openSite({}, { web, log })
    onTestFinished(() => logged.close())
    for (const method of ['GET', 'HEAD']) {
      const ask = () => logged.app.fetch(new Request('http://localhost/at-once?q=1', { method }))
      const made = await ask()
      lines.length = 0
      const kept = ask()
      if (kept instanceof Promise) expect.fail('a kept page need not be waited for')
      const headersOf = ({ headers }: Response) =>
        Object.fromEntries([...headers].filter(([name]) => name !== 'x-request-id'))
      expect(headersOf(kept)).toEqual(headersOf(made))
      expect(headersOf(kept)).toHaveProperty('x-frame-options')
      expect(await kept.text()).toBe(await made.text())
      const id = kept.headers.get('x-request-id')
      expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
        { id, method, path: '/at-once', status: 200, ms: expect.any(Number) },
      ])
    }
  })

  test('and given by Node itself, while everything else is left to the site', async () => {
    const server = createServer((incoming, outgoing) => {
      if (!site.app.kept(incoming, outgoing)) outgoing.writeHead(404).end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const made = await site.request('/by-node', { headers: { 'accept-encoding': 'br' } })
    const etag = made.headers.get('etag') ?? ''
    const ask = async (path: string, init: RequestInit = {}) => {
      // Whoever asks the site lets it look whether anything has changed; for a moment it then knows.
      await site.request('/by-node', { headers: { 'accept-encoding': 'br' } })
      return fetch(`http://127.0.0.1:${port}${path}`, init)
    }
    const statusOf = (path: string, init?: RequestInit) => expect.poll(async () => (await ask(path, init)).status)
    await statusOf('/by-node', { headers: { 'accept-encoding': 'br' } }).toBe(200)
    await statusOf('/by-node', { headers: { 'if-none-match': etag } }).toBe(304)
    await statusOf('/by-node', { method: 'POST' }).toBe(404)
    await statusOf('/never-seen').toBe(404)
    await expect
      .poll(async () => Object.fromEntries((await ask('/by-node', { headers: { 'accept-encoding': 'br' } })).headers))
      .toMatchObject({ etag, 'content-security-policy': made.headers.get('content-security-policy') })
  })

  test('while there is room: the oldest goes first', async () => {
    for (let n = 0; n < 10; n++) await site.send('GET', `/large?n=${n}`)
    await site.send('GET', '/large?n=9')
    expect(asked).toHaveLength(10)
    await site.send('GET', '/large?n=0')
    expect(asked).toHaveLength(11)
  })

  test('and made once for all who ask at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => site.send('GET', '/crowd')))
    expect(asked).toHaveLength(1)
  })

  test('but not when it was not found', async () => {
    expect((await site.send('GET', '/gone')).status).toBe(404)
    expect((await site.send('GET', '/gone')).status).toBe(404)
    expect(asked).toHaveLength(2)
  })

  test('until a setting or the navigation changes', async () => {
    await site.send('GET', '/fresh')
    await site.configure({ 'system.sitename': '另一个名字' })
    expect((await site.send('GET', '/fresh')).text).toContain('<title>另一个名字</title>')
    await site.root.call(navigations.create, { title: '新栏目', enable: true })
    expect((await site.send('GET', '/fresh')).text).toContain('新栏目')
  })

  test('not if something changed while it was being made', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    const early = site.send('GET', '/late')
    await expect.poll(() => asked.length).toBe(1)
    await site.root.call(navigations.create, { title: '迟到的栏目', enable: true })
    held = undefined
    const meanwhile = await site.send('GET', '/late')
    expect(meanwhile.text).toContain('迟到的栏目')
    resolve()
    expect((await early).status).toBe(200)
    expect((await site.send('GET', '/late')).text).toContain('迟到的栏目')
  })

  test('once, if it was still waiting for its turn when something changed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    const busy = Array.from({ length: 8 }, (_, n) => site.send('GET', `/busy?n=${n}`))
    await expect.poll(() => asked.length).toBe(8)
    const early = site.send('GET', '/in-line')
    // Until it stands in line.
    await site.send('GET', '/healthz')
    await site.root.call(navigations.create, { title: '排队时的栏目', enable: true })
    await site.configure({ 'system.keywords': '排队时的设置' })
    const late = site.send('GET', '/in-line')
    held = undefined
    resolve()
    await Promise.all(busy)
    expect((await early).text).toContain('排队时的栏目')
    expect((await late).text).toBe((await early).text)
    expect(asked.filter(({ url }) => url.endsWith('/in-line'))).toHaveLength(1)
  })

  test('no longer than the owner of the site says, and once more while it is made anew', async () => {
    await site.configure({ 'ssr.cache_seconds': '5', 'ssr.stale_seconds': '60' })
    vi.useFakeTimers({ toFake: ['Date'] })
    await site.send('GET', '/stale')
    vi.setSystemTime(Date.now() + 4900)
    await site.send('GET', '/stale')
    expect(asked).toHaveLength(1)
    vi.setSystemTime(Date.now() + 200)
    await site.send('GET', '/stale')
    expect(asked).toHaveLength(2)
    await site.send('GET', '/expired')
    vi.setSystemTime(Date.now() + 65_000)
    await site.send('GET', '/expired')
    expect(asked).toHaveLength(4)
    vi.useRealTimers()
  })
})
