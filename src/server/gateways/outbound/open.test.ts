import { generateKeyPairSync } from 'node:crypto'
import { lookup as resolveName } from 'node:dns'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type LookupFunction, type Server } from 'node:net'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeCertificate } from '../../testing/pay/self-signed-certificate.ts'
import { openOutside, type OpenOptions } from './open.ts'
import { OutboundError } from './outbound-error.ts'

const megabyte = 1024 * 1024
const local: OpenOptions = { maxBytes: megabyte, deadlineMs: 10_000, allowsPrivate: () => true }

test('a response is opened with its address, status and headers', async () => {
  const origin = await serve((request, response) => {
    response.writeHead(201, { 'x-seen': JSON.stringify(request.headers) }).end('hello')
  })
  const opened = await openOutside(`${origin}/a?b=1`, { ...local, headers: { 'user-agent': 'WendouBot/1' } })
  expect(opened).toMatchObject({ status: 201, url: new URL(`${origin}/a?b=1`) })
  expect(JSON.parse(String(opened.headers['x-seen']))).toMatchObject({
    'user-agent': 'WendouBot/1',
    'accept-encoding': 'gzip, br',
    connection: 'close',
  })
  expect(await text(opened.body)).toBe('hello')
})

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['BR', brotliCompressSync],
  ['deflate', deflateSync],
  ['identity', (content: Buffer) => content],
])('a body in %s is decompressed', async (coding, compress) => {
  const content = Buffer.from('文库 '.repeat(5000))
  const origin = await serve((_, response) => response.setHeader('content-encoding', coding).end(compress(content)))
  const { body } = await openOutside(origin, local)
  expect((await buffer(body)).equals(content)).toBe(true)
})

test.each(['gzip, gzip', 'gzip,br', 'zstd', 'compress', 'constructor'])('the coding %j is refused', async (coding) => {
  const origin = await serve((_, response) => response.setHeader('content-encoding', coding).end('…'))
  await expect(openOutside(origin, local)).rejects.toMatchObject({ reason: 'encoding' })
})

test('an answer without a body may name a coding', async () => {
  const origin = await serve((_, response) => response.writeHead(304, { 'content-encoding': 'gzip' }).end())
  const { status, body } = await openOutside(origin, local)
  expect([status, await text(body)]).toEqual([304, ''])
})

test('a damaged or cut compressed body is an error, not a short content', async () => {
  const whole = gzipSync(Buffer.from('文库'.repeat(5000)))
  const bodies = [Buffer.from('no gzip at all'), whole.subarray(0, whole.length - 12)]
  for (const damaged of bodies) {
    const origin = await serve((_, response) => response.setHeader('content-encoding', 'gzip').end(damaged))
    expect(await readFailure(origin)).toBe('malformed')
  }
  const origin = await serve((_, response) => response.setHeader('content-encoding', 'br').end('no brotli at all'))
  expect(await readFailure(origin)).toBe('malformed')
})

test('what is not HTTP is an error', async () => {
  const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
  const origin = `http://127.0.0.1:${await listen(server)}`
  await expect(openOutside(origin, local)).rejects.toMatchObject({ reason: 'malformed' })
})

test('the bytes received are limited', async () => {
  const origin = await serve((_, response) => drip(response, Buffer.alloc(4096)))
  expect(await readFailure(origin, { maxBytes: 10_000 })).toBe('too-long')
})

test('a content of just the limit is read', async () => {
  const origin = await serve((_, response) => response.end(Buffer.alloc(10_000)))
  const { body } = await openOutside(origin, { ...local, maxBytes: 10_000 })
  expect(await buffer(body)).toHaveLength(10_000)
})

test('the bytes after decompression are limited', async () => {
  const origin = await serve((_, response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(500_000))),
  )
  expect(await readFailure(origin, { maxBytes: 400_000 })).toBe('too-long')
})

test('a decompression bomb is stopped long before the limit', async () => {
  let sent = 0
  const origin = await serve((_, response) => {
    response.setHeader('content-encoding', 'gzip')
    const bomb = Readable.from(endlessZeros()).pipe(createGzip())
    bomb.on('data', (chunk: Buffer) => (sent += chunk.length))
    bomb.pipe(response)
    response.on('close', () => bomb.destroy())
  })
  expect(await readFailure(origin, { maxBytes: 1024 * megabyte })).toBe('inflated')
  expect(sent).toBeLessThan(megabyte)
})

test('a text that compresses well is no bomb', async () => {
  const content = Buffer.from(Array.from({ length: 200_000 }, (_, row) => `<tr><td>${row % 977}</td></tr>`).join('\n'))
  const origin = await serve((_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(content)))
  const { body } = await openOutside(origin, { ...local, maxBytes: 100 * megabyte })
  expect(await buffer(body)).toHaveLength(content.length)
})

test('a length that is too great is refused before the body; one that lies does not help', async () => {
  const origin = await serve((request, response) => {
    response.setHeader('content-length', request.url === '/great' ? 2 * megabyte : 100)
    response.write('a')
    if (request.url === '/cut') response.socket?.destroySoon()
  })
  await expect(openOutside(`${origin}/great`, local)).rejects.toMatchObject({ reason: 'too-long' })
  expect(await readFailure(`${origin}/cut`)).toBe('interrupted')
})

test('what comes after the length that was told is not read', async () => {
  const server = createTcpServer((socket) =>
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n${'a'.repeat(100)}`),
  )
  const { body } = await openOutside(`http://127.0.0.1:${await listen(server)}`, local)
  expect(await text(body)).toBe('aaaaa')
})

test('a server that accepts and says nothing is given up', async () => {
  const origin = await serve(() => undefined)
  await expect(openOutside(origin, { ...local, limits: { headersMs: 50 } })).rejects.toMatchObject({
    reason: 'timeout',
  })
})

test('a connection that is not made is given up', async () => {
  const lookup: LookupFunction = () => undefined
  const opened = openOutside('http://silent.test/', { ...local, limits: { connectMs: 50 }, lookup })
  await expect(opened).rejects.toMatchObject({ reason: 'timeout' })
})

test('a TLS handshake that is not answered is given up', async () => {
  const port = await listen(createTcpServer(() => undefined))
  const opened = openOutside(`https://127.0.0.1:${port}`, { ...local, limits: { connectMs: 50 } })
  await expect(opened).rejects.toMatchObject({ reason: 'timeout' })
})

test('a body that stops is given up, unless it is the reader who waits', async () => {
  const origin = await serve((_, response) => void response.write(Buffer.alloc(500_000)))
  expect(await readFailure(origin, { limits: { idleMs: 50 } })).toBe('timeout')

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { body } = await openOutside(origin, local)
  body.read(0)
  while (body.readableLength < body.readableHighWaterMark) await new Promise(setImmediate)
  vi.advanceTimersByTime(60_000)
  expect(body.destroyed).toBe(false)
  body.destroy()
})

test('a body that drips for ever ends with the deadline', async () => {
  const origin = await serve((_, response) => drip(response, '.'))
  expect(await readFailure(origin, { deadlineMs: 200, limits: { idleMs: 5000 } })).toBe('timeout')
})

test('a body that is not read before the deadline fails when it is read', async () => {
  const origin = await serve((_, response) => response.end('short'))
  const { body } = await openOutside(origin, { ...local, deadlineMs: 100 })
  await vi.waitFor(() => expect(body.destroyed).toBe(true))
  await expect(text(body)).rejects.toMatchObject({ reason: 'timeout' })
})

test('the deadline is one for all redirects', async () => {
  const origin = await serve((_, response) => {
    const late = setTimeout(() => response.writeHead(302, { location: '/' }).end(), 80)
    response.on('close', () => clearTimeout(late))
  })
  await expect(openOutside(origin, { ...local, deadlineMs: 200 })).rejects.toMatchObject({ reason: 'timeout' })
})

test('the caller can stop it at any time', async () => {
  const origin = await serve((request, response) => request.url === '/body' && drip(response, '.'))
  await expect(openOutside(origin, { ...local, signal: AbortSignal.abort() })).rejects.toMatchObject({
    reason: 'aborted',
  })
  const caller = new AbortController()
  const opened = openOutside(origin, { ...local, signal: caller.signal, limits: { headersMs: 5000 } })
  caller.abort()
  await expect(opened).rejects.toMatchObject({ reason: 'aborted' })

  const second = new AbortController()
  const { body } = await openOutside(`${origin}/body`, { ...local, signal: second.signal })
  const read = text(body)
  second.abort()
  await expect(read).rejects.toMatchObject({ reason: 'aborted' })
})

test.each(['/plain', '/gzip'])('a body that is destroyed early closes the connection (%s)', async (path) => {
  const closed = vi.fn<() => void>()
  const origin = await serve((request, response) => {
    response.on('close', closed)
    if (request.url === '/gzip') response.setHeader('content-encoding', 'gzip')
    response.write(gzipSync('the beginning').subarray(0, 20))
  })
  const { body } = await openOutside(`${origin}${path}`, local)
  body.destroy()
  await vi.waitFor(() => expect(closed).toHaveBeenCalled())

  const half = await openOutside(`${origin}/plain`, local)
  for await (const chunk of half.body) {
    expect(chunk).toBeDefined()
    break
  }
  await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(2))
})

test('no connection is left open after a body was read, nor after redirects and refusals', async () => {
  const [origin, server] = await serveWith((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/end' }).write('not ended')
    else if (request.url === '/great') response.setHeader('content-length', 2 * megabyte).write('a')
    else response.end('end')
  })
  const { body } = await openOutside(`${origin}/moved`, local)
  expect(await text(body)).toBe('end')
  await expect(openOutside(`${origin}/great`, local)).rejects.toBeInstanceOf(OutboundError)
  const countConnections = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
  await vi.waitFor(async () => expect(await countConnections()).toBe(0))
})

test('redirects are followed, each asked for before', async () => {
  const origin = await serve((request, response) => {
    const hop = Number(request.url?.slice(1))
    if (hop < 5) response.writeHead([301, 302, 303, 307, 308][hop] ?? 0, { location: `./${hop + 1}` }).end()
    else response.end('here')
  })
  const asked: string[] = []
  const opened = await openOutside(`${origin}/0`, { ...local, admit: ({ pathname }) => void asked.push(pathname) })
  expect([opened.url.pathname, await text(opened.body)]).toEqual(['/5', 'here'])
  expect(asked).toEqual(['/0', '/1', '/2', '/3', '/4', '/5'])
})

test('a sixth redirect is not followed, nor a loop', async () => {
  let visits = 0
  const origin = await serve((_, response) => {
    visits += 1
    response.writeHead(302, { location: '/' }).end()
  })
  await expect(openOutside(origin, local)).rejects.toMatchObject({ reason: 'redirects' })
  expect(visits).toBe(6)
})

test('a redirect that is not admitted is not dialled', async () => {
  const visited: (string | undefined)[] = []
  const origin = await serve((request, response) => {
    visited.push(request.url)
    response.writeHead(302, { location: '/secret' }).end()
  })
  const admit = async (url: URL) => {
    if (url.pathname === '/secret') throw new Error('robots.txt forbids it')
  }
  await expect(openOutside(`${origin}/open`, { ...local, admit })).rejects.toThrow('robots.txt forbids it')
  expect(visited).toEqual(['/open'])
})

test('an answer with a status of redirects but without an address is an answer', async () => {
  const origin = await serve((_, response) => response.writeHead(302).end('where?'))
  expect((await openOutside(origin, local)).status).toBe(302)
})

test.each([
  ['UTF-8', '文库?q=豆', '/%E6%96%87%E5%BA%93?q=%E8%B1%86'],
  ['GBK', Buffer.from('cec4bfe2', 'hex'), '/%CE%C4%BF%E2'],
])('an address of a redirect may be in %s', async (_, path, encoded) => {
  const origin = await serve((request, response) => {
    if (request.url !== '/') return response.end(request.url)
    const parts = ['HTTP/1.1 302 Found\r\nlocation: /', path, '\r\nconnection: close\r\n\r\n']
    return response.socket?.end(Buffer.concat(parts.map((part) => Buffer.from(part))))
  })
  expect((await text((await openOutside(origin, local)).body)).toUpperCase()).toBe(encoded.toUpperCase())
})

test.each(['ftp://example.com/', 'file:///etc/passwd', 'http://name:word@127.0.0.1/', 'javascript:1', 'http://'])(
  'a redirect to %j is refused, and so is the address itself',
  async (location) => {
    const origin = await serve((_, response) => response.writeHead(302, { location }).end())
    await expect(openOutside(origin, local)).rejects.toMatchObject({ reason: 'address' })
    await expect(openOutside(location, local)).rejects.toMatchObject({ reason: 'address' })
  },
)

test('the third hop may not be a private address', async () => {
  let visits = 0
  const secret = await serve((_, response) => response.end(String((visits += 1))))
  const hops = ['/1', '/2', secret]
  const origin = await serve((request, response) => {
    response.writeHead(302, { location: hops[Number(request.url?.slice(1))] }).end()
  })
  const allowsPrivate = (url: URL) => url.origin === origin
  await expect(openOutside(`${origin}/0`, { ...local, allowsPrivate })).rejects.toMatchObject({ reason: 'private' })
  expect(visits).toBe(0)
})

test.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x7f000001', '2130706433', '127.1', '0', 'localhost', '[::]'])(
  'the private address %s is not dialled',
  async (host) => {
    let visits = 0
    const { port } = new URL(await serve((_, response) => response.end(String((visits += 1)))))
    const options = { maxBytes: 100, deadlineMs: 10_000 }
    await expect(openOutside(`http://${host}:${port}/`, options)).rejects.toMatchObject({ reason: 'private' })
    await expect(openOutside(`https://${host}:${port}/`, options)).rejects.toMatchObject({ reason: 'private' })
    expect(visits).toBe(0)
  },
)

test('a name that turns into a private address after it was checked is not dialled', async () => {
  let visits = 0
  const { port } = new URL(await serve((_, response) => response.end(String((visits += 1)))))
  const answers = ['93.184.215.14', '127.0.0.1']
  const rebinding: LookupFunction = (_, { all }, callback) => {
    const address = answers.shift() ?? '127.0.0.1'
    if (all) callback(null, [{ address, family: 4 }])
    else callback(null, address, 4)
  }
  const admit = (url: URL) =>
    new Promise<void>((resolve) => {
      rebinding(url.hostname, {}, (_, address) => {
        expect(address).toBe('93.184.215.14')
        resolve()
      })
    })
  const opened = openOutside(`http://rebinding.test:${port}/`, {
    maxBytes: 100,
    deadlineMs: 10_000,
    admit,
    lookup: rebinding,
  })
  await expect(opened).rejects.toMatchObject({ reason: 'private' })
  expect([visits, answers]).toEqual([0, []])
})

test('cookies and authorization stay at the origin they were given for', async () => {
  const seen: IncomingHttpHeaders[] = []
  const elsewhere = await serve((request, response) => {
    seen.push(request.headers)
    response.end()
  })
  const origin = await serve((request, response) => {
    seen.push(request.headers)
    response.writeHead(302, { location: request.url === '/1' ? '/2' : elsewhere, 'set-cookie': 'a=1' }).end()
  })
  const headers = { Authorization: 'Bearer x', Cookie: 'session=1', 'if-none-match': '"e"' }
  await openOutside(`${origin}/1`, { ...local, headers })
  expect(seen.map(({ authorization, cookie }) => [authorization, cookie])).toEqual([
    ['Bearer x', 'session=1'],
    ['Bearer x', 'session=1'],
    [undefined, undefined],
  ])
  expect(seen[2]).toMatchObject({ 'if-none-match': '"e"' })
})

test('a redirect from https to http is refused, and so is a certificate for another name', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [validFrom, validTo] = [Date.now() - 86_400_000, Date.now() + 86_400_000]
  const cert = makeCertificate({ privateKey, serial: '1', commonName: 'secure.test', validFrom, validTo })
  const server = createTlsServer({ key: privateKey.export({ type: 'pkcs8', format: 'pem' }), cert }, (_, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1/' }).end()
  })
  const port = await listen(server)
  const usual = getCACertificates('default')
  setDefaultCACertificates([cert])
  onTestFinished(() => setDefaultCACertificates(usual))
  const lookup: LookupFunction = (_, options, callback) => resolveName('127.0.0.1', options, callback)
  const open = (host: string) => openOutside(`https://${host}:${port}`, { ...local, lookup })
  await expect(open('secure.test')).rejects.toMatchObject({ reason: 'downgrade' })
  await expect(open('other.test')).rejects.toMatchObject({ reason: 'unreachable' })
})

test('proxies of the environment are not used', async () => {
  let proxied = 0
  const proxy = await serve((_, response) => response.end(String((proxied += 1))))
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) vi.stubEnv(name, proxy)
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const origin = await serve((_, response) => response.end('direct'))
  expect(await text((await openOutside(origin, local)).body)).toBe('direct')
  expect(proxied).toBe(0)
})

async function readFailure(address: string, options: Partial<OpenOptions> = {}): Promise<unknown> {
  const { body } = await openOutside(address, { ...local, ...options })
  const error = await buffer(body).catch((error: unknown) => error)
  return error instanceof OutboundError ? error.reason : error
}

/** One piece after the other, as long as the client listens. */
function drip(response: ServerResponse, piece: string | Buffer): void {
  const timer = setInterval(() => response.write(piece), 10)
  response.on('close', () => clearInterval(timer))
}

function* endlessZeros(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(65_536)
}

async function serve(listener: RequestListener): Promise<string> {
  const [origin] = await serveWith(listener)
  return origin
}

async function serveWith(listener: RequestListener): Promise<[string, Server]> {
  const server = createServer(listener)
  const port = await listen(server)
  onTestFinished(() => server.closeAllConnections())
  return [`http://127.0.0.1:${port}`, server]
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
