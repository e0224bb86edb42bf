import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { client } from '#shared/client.ts'
import { navigations } from '#shared/contract/site.ts'
import { settings } from '#shared/contract/settings.ts'
import { openLog } from '#server/log.ts'
import { cpuTimeMs } from '#server/testing/cpu-time.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { compressors } from './encodings.ts'
import type { ReplyCache, Web } from './render.ts'

const ownScript = 'window.theme = "light"'

/** A minimal web part: pages that show the site's name, its navigation and their own URL. */
const requests: Request[] = []
const replyCaches: ReplyCache[] = []
let gate: Promise<void> | undefined
const web: Web = {
  dev: false,
  async render(request, { fetch, nonce, replies }) {
    const api = client({ fetch, origin: 'http://localhost' })
    requests.push(request)
    replyCaches.push(replies)
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/moved') return new Response(null, { status: 302, headers: { location: '/new' } })
    if (pathname === '/expensive') burnCpu(300)
    if (pathname === '/broken') throw new Error('the page has a fault: secret-of-the-page')
    const { system } = await api(settings.get)
    const { navigation } = await api(navigations.list)
    await gate
    const filling = pathname === '/large' ? 'x'.repeat(2 * 1024 * 1024) : ''
    const html = `<!doctype html>${filling}<title>${system.sitename}</title>${navigation.map(({ title }) => title).join()}
      <p>${searchParams.get('q')} ${request.url}</p><script nonce="${nonce}">${ownScript}</script><script>alert("theirs")</script>`
    const status = pathname === '/gone' ? 404 : 200
    return new Response(html, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
  },
}

function burnCpu(ms: number): void {
  for (const end = cpuTimeMs() + ms; cpuTimeMs() < end;);
}

let site: Site
beforeAll(async () => {
  site = await openSite({}, { web })
})
afterAll(() => site.close())
beforeEach(() => {
  requests.length = 0
  replyCaches.length = 0
})

test('pages of members answer 401 while visitors may not read the site; those of log-in do not', async () => {
  const render = async () => new Response('<p>', { headers: { 'content-type': 'text/html' } })
  const own = await openSite({}, { web: { dev: false, render } })
  onTestFinished(() => own.close())
  const paths = ['/joinvip', '/order', '/order/topup', '/upload', '/me', '/me/credit', '/login', '/meeting']
  const statuses = async () => Promise.all(paths.map(async (path) => (await own.send('GET', path)).status))
  expect(await statuses()).toEqual(paths.map(() => 200))
  for (const setting of ['security.is_close', 'security.login_required']) {
    await own.configure({ [setting]: 'true' })
    expect(await statuses()).toEqual([401, 401, 401, 401, 401, 401, 200, 200])
    await own.configure({ [setting]: 'false' })
  }
})

describe('rendering is budgeted for each network by CPU time, while cached pages are not:', () => {
  /** Two pages at a time, like a browser that opens links. */
  const visit = async (limited: Site, pages: number, path: string, ip = '10.0.0.1') => {
    const statuses: number[] = []
    for (let n = 0; n < pages; n += 2) {
      const pair = [n, n + 1].map((number) => limited.send('GET', `${path}?n=${number}`, { ip }))
      statuses.push(...(await Promise.all(pair)).map(({ status }) => status))
    }
    return statuses.filter((status) => status === 200).length
  }

  test('many cheap pages are rendered, and few expensive ones', async () => {
    const limited = await openSite({}, { web })
    onTestFinished(() => limited.close())
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    expect(await visit(limited, 300, '/')).toBe(300)
    const expensive = await visit(limited, 40, '/expensive')
    expect(expensive).toBeGreaterThan(2)
    expect(expensive).toBeLessThan(30)
    expect((await limited.send('GET', '/?n=0', { ip: '10.0.0.1' })).status).toBe(200)
    expect(await visit(limited, 2, '/expensive', '10.0.0.2')).toBe(2)
    vi.setSystemTime(Date.now() + 60_000)
    expect(await visit(limited, 2, '/other')).toBe(2)
  })
})

test('a page knows its query keys: others make no other page of it', async () => {
  const keyed = await openSite({}, { web: { ...web, queryKeys: (path) => (path === '/keyed' ? ['q', 'page'] : []) } })
  onTestFinished(() => keyed.close())
  const first = await keyed.send('GET', '/keyed?u=1&page=2&q=a%20b')
  expect(requests.map(({ url }) => url)).toEqual(['http://localhost/keyed?q=a+b&page=2'])
  const second = await keyed.send('GET', '/keyed?q=a+b&q=c&u=2&page=2&__proto__=3')
  expect(second.text).toBe(first.text)
  await keyed.send('GET', 'http://localhost//evil.example/plain?u=1')
  await keyed.send('GET', 'http://localhost//evil.example/plain?u=2')
  expect(requests.map(({ url }) => url).slice(1)).toEqual(['http://localhost//evil.example/plain'])
})

test('other spellings of a path make no other page of it', async () => {
  for (const path of ['/a/文', '/a/%e6%96%87', '/%61/%E6%96%87', '/a/%E6%96%87///']) await site.send('GET', path)
  expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(['/a/%E6%96%87'])
  for (const path of ['/a%2Fb', '/a/b', '/a/%zz', '/%2561']) await site.send('GET', path)
  expect(requests.map(({ url }) => new URL(url).pathname).slice(1)).toEqual(['/a%2Fb', '/a/b', '/a/%zz', '/%2561'])
})

test('only a few pages are rendered at the same time', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  const answers = Array.from({ length: 30 }, (_, n) => site.send('GET', `/many?n=${n}`))
  await expect.poll(() => requests.length).toBe(8)
  gate = undefined
  resolve()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(requests).toHaveLength(30)
})

test('without a cache every request renders its page', async () => {
  const uncached = await openSite({}, { web })
  await uncached.configure({ 'ssr.cache_seconds': '0' })
  await uncached.send('GET', '/twice')
  await uncached.send('GET', '/twice')
  expect(requests.filter(({ url }) => url.endsWith('/twice'))).toHaveLength(2)
  await uncached.close()
})

test('API replies are cached as long as pages, and not beyond a change', async () => {
  await site.send('GET', '/one')
  await site.send('GET', '/two')
  await site.configure({ 'system.keywords': '另一些' })
  await site.send('GET', '/three')
  expect(replyCaches[1]).toBe(replyCaches[0])
  expect(replyCaches[2]).not.toBe(replyCaches[0])

  const uncached = await openSite({}, { web })
  await uncached.configure({ 'ssr.cache_seconds': '0' })
  await uncached.send('GET', '/one')
  await uncached.send('GET', '/two')
  expect(replyCaches.at(-1)).not.toBe(replyCaches.at(-2))
  await uncached.close()
})

test('when too many requests wait for rendering, the next one gets 429', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  const busy = await openSite({}, { web })
  const answers = Array.from({ length: 200 }, (_, n) => busy.send('GET', `/crowd?n=${n}`, { ip: `10.0.0.${n % 4}` }))
  await expect.poll(() => requests.length).toBe(8)
  expect((await busy.send('GET', '/crowd?n=200', { ip: '10.0.1.1' })).status).toBe(429)
  gate = undefined
  resolve()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200))
  await busy.close()
})

test('a change by another process invalidates the pages of this one', async () => {
  const shared = await openSite({}, { web })
  onTestFinished(() => shared.close())
  const before = await shared.send('GET', '/navigated')
  const sibling = await shared.openSecondProcess()
  const added = new Request('http://localhost/api/v1/navigation', {
    method: 'POST',
    headers: { authorization: `Bearer ${shared.root.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: '新栏目', href: '/new', enable: true }),
  })
  expect((await sibling.fetch(added)).status).toBe(200)
  expect(before.text).not.toContain('新栏目')
  await expect.poll(async () => (await shared.send('GET', '/navigated')).text).toContain('新栏目')
})

test('a change of this process makes pages anew once', async () => {
  const own = await openSite({}, { web })
  onTestFinished(() => own.close())
  const times = () => requests.filter(({ url }) => url.endsWith('/anew')).length
  await own.send('GET', '/anew')
  await own.root.call(navigations.create, { title: '又一栏', href: '/more', enable: true })
  expect((await own.send('GET', '/anew')).text).toContain('又一栏')
  await expect
    .poll(() => own.db.selectFrom('revision').select('value').where('name', '=', 'site').execute())
    .not.toEqual([])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300 })
  onTestFinished(() => void vi.useRealTimers())
  await own.send('GET', '/anew')
  expect(times()).toBe(2)
})

describe('a page', () => {
  test('is rendered with what every visitor may see', async () => {
    const { status, text, headers } = await site.send('GET', '/')
    expect(status).toBe(200)
    expect(text).toContain('<title>文豆</title>首页')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-cache')
  })

  test('allows our own scripts by their hashes, and no others', async () => {
    const { text, headers } = await site.send('GET', '/scripts')
    const policy = headers.get('content-security-policy') ?? ''
    const scripts = /script-src[^;]*/.exec(policy)?.[0]
    expect(scripts).toBe(`script-src 'self' 'sha256-${createHash('sha256').update(ownScript).digest('base64')}'`)
    expect(text).toContain(`<script>${ownScript}</script>`)
    expect(text).not.toContain('nonce')
    expect(policy).not.toContain('nonce')
  })

  test('is the same for everyone: it depends neither on the visitor nor on the host', async () => {
    const headers = {
      authorization: `Bearer ${site.root.token}`,
      cookie: 'token=x',
      'x-forwarded-host': 'evil.example',
    }
    const { text } = await site.send('GET', 'https://evil.example/hosts?q=1', { headers })
    expect(text).not.toContain('evil.example')
    expect([...(requests[0]?.headers ?? [])]).toEqual([['accept', 'text/html']])
    expect((await site.send('GET', '/hosts?q=1')).text).toBe(text)
    expect(requests).toHaveLength(1)
  })

  test('is compressed with an encoding that the browser accepts', async () => {
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

  test('is compressed once for all who ask for it at the same time', async () => {
    const compress = vi.spyOn(compressors, 'br')
    onTestFinished(() => compress.mockRestore())
    const headers = { 'accept-encoding': 'br' }
    await Promise.all(Array.from({ length: 20 }, () => site.request('/compressed-once', { headers })))
    expect(compress).toHaveBeenCalledOnce()
  })

  test('is not sent to a browser that has it, nor for HEAD', async () => {
    const { headers } = await site.send('GET', '/etag')
    const etag = headers.get('etag') ?? ''
    const second = await site.send('GET', '/etag', { headers: { 'if-none-match': etag } })
    expect([second.status, second.text]).toEqual([304, ''])
    expect(second.headers.get('content-security-policy')).toContain('script-src')
    const head = await site.send('HEAD', '/etag')
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag])
  })

  test('may redirect', async () => {
    const { status, headers } = await site.send('GET', '/moved')
    expect([status, headers.get('location')]).toEqual([302, '/new'])
  })

  test('that fails gives an error without its cause', async () => {
    const { status, text } = await site.send('GET', '/broken')
    expect(status).toBe(500)
    expect(text).not.toContain('secret-of-the-page')
  })
})

describe('a page is cached', () => {
  test('for a few seconds, by address', async () => {
    await site.send('GET', '/kept?q=1')
    await site.send('GET', '/kept?q=1')
    await site.send('GET', '/kept?q=2')
    expect(requests).toHaveLength(2)
  })

  test('and served synchronously, with the same headers and a log line', async () => {
    const lines: string[] = []
    const log = openLog('info', { write: (line: string) => lines.push(line) })
    const logged = await openSite({}, { web, log })
    onTestFinished(() => logged.close())
    for (const method of ['GET', 'HEAD']) {
      const request = () => logged.app.fetch(new Request('http://localhost/at-once?q=1', { method }))
      const rendered = await request()
      // Only for a moment after a check for changes; on a busy machine the moment may be over.
      const cached = await vi.waitFor(async () => {
        await request()
        lines.length = 0
        const response = request()
        if (response instanceof Promise) throw new Error('not served synchronously')
        return response
      })
      const toHeaders = ({ headers }: Response) =>
        Object.fromEntries([...headers].filter(([name]) => name !== 'x-request-id'))
      expect(toHeaders(cached)).toEqual(toHeaders(rendered))
      expect(toHeaders(cached)).toHaveProperty('x-frame-options')
      expect(await cached.text()).toBe(await rendered.text())
      const id = cached.headers.get('x-request-id')
      expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
        { id, method, path: '/at-once', status: 200, ms: expect.any(Number) },
      ])
    }
  })

  test('and served without Hono, while everything else is left to the site', async () => {
    const server = createServer((incoming, outgoing) => {
      if (!site.app.serveCached(incoming, outgoing)) outgoing.writeHead(404).end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const rendered = await site.request('/by-node', { headers: { 'accept-encoding': 'br' } })
    const etag = rendered.headers.get('etag') ?? ''
    const request = async (path: string, init: RequestInit = {}) => {
      // Makes the site check for changes: for a moment it then knows that the page is fresh.
      await site.request('/by-node', { headers: { 'accept-encoding': 'br' } })
      return fetch(`http://127.0.0.1:${port}${path}`, init)
    }
    const pollStatus = (path: string, init?: RequestInit) => expect.poll(async () => (await request(path, init)).status)
    await pollStatus('/by-node', { headers: { 'accept-encoding': 'br' } }).toBe(200)
    await pollStatus('/by-node', { headers: { 'if-none-match': etag } }).toBe(304)
    await pollStatus('/by-node', { method: 'POST' }).toBe(404)
    await pollStatus('/never-seen').toBe(404)
    await expect
      .poll(async () =>
        Object.fromEntries((await request('/by-node', { headers: { 'accept-encoding': 'br' } })).headers),
      )
      .toMatchObject({ etag, 'content-security-policy': rendered.headers.get('content-security-policy') })
  })

  test('while there is space: the least recently used is evicted first', async () => {
    for (let n = 0; n < 10; n++) await site.send('GET', `/large?n=${n}`)
    await site.send('GET', '/large?n=9')
    expect(requests).toHaveLength(10)
    await site.send('GET', '/large?n=0')
    expect(requests).toHaveLength(11)
  })

  test('and rendered once for concurrent requests', async () => {
    await Promise.all(Array.from({ length: 20 }, () => site.send('GET', '/crowd')))
    expect(requests).toHaveLength(1)
  })

  test('but not when it was not found', async () => {
    expect((await site.send('GET', '/gone')).status).toBe(404)
    expect((await site.send('GET', '/gone')).status).toBe(404)
    expect(requests).toHaveLength(2)
  })

  test('until a setting or the navigation changes', async () => {
    await site.send('GET', '/fresh')
    await site.configure({ 'system.sitename': '另一个名字' })
    expect((await site.send('GET', '/fresh')).text).toContain('<title>另一个名字</title>')
    await site.root.call(navigations.create, { title: '新栏目', enable: true })
    expect((await site.send('GET', '/fresh')).text).toContain('新栏目')
  })

  test('not if something changed while it was rendered', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    const early = site.send('GET', '/late')
    await expect.poll(() => requests.length).toBe(1)
    await site.root.call(navigations.create, { title: '迟到的栏目', enable: true })
    gate = undefined
    const concurrent = await site.send('GET', '/late')
    expect(concurrent.text).toContain('迟到的栏目')
    resolve()
    expect((await early).status).toBe(200)
    expect((await site.send('GET', '/late')).text).toContain('迟到的栏目')
  })

  test('once, if something changed while it was still queued', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    const busy = Array.from({ length: 8 }, (_, n) => site.send('GET', `/busy?n=${n}`))
    await expect.poll(() => requests.length).toBe(8)
    const early = site.send('GET', '/in-line')
    // Until it is queued.
    await site.send('GET', '/healthz')
    await site.root.call(navigations.create, { title: '排队时的栏目', enable: true })
    await site.configure({ 'system.keywords': '排队时的设置' })
    const late = site.send('GET', '/in-line')
    gate = undefined
    resolve()
    await Promise.all(busy)
    expect((await early).text).toContain('排队时的栏目')
    expect((await late).text).toBe((await early).text)
    expect(requests.filter(({ url }) => url.endsWith('/in-line'))).toHaveLength(1)
  })

  test('as long as configured, and served stale while it is revalidated', async () => {
    await site.configure({ 'ssr.cache_seconds': '5', 'ssr.stale_seconds': '60' })
    vi.useFakeTimers({ toFake: ['Date'] })
    await site.send('GET', '/stale')
    vi.setSystemTime(Date.now() + 4900)
    await site.send('GET', '/stale')
    expect(requests).toHaveLength(1)
    vi.setSystemTime(Date.now() + 200)
    await site.send('GET', '/stale')
    expect(requests).toHaveLength(2)
    await site.send('GET', '/expired')
    vi.setSystemTime(Date.now() + 65_000)
    await site.send('GET', '/expired')
    expect(requests).toHaveLength(4)
    vi.useRealTimers()
  })
})
