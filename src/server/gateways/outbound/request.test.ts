import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { privateAddresses } from './private-addresses.ts'
import { requestOutside } from './request.ts'

test('an answer is returned with its status and headers', async () => {
  const port = await serve((request, response) => {
    response.writeHead(201, { 'x-seen': request.headers['user-agent'] }).end(`${request.method} ${request.url}`)
  })
  const answer = await requestOutside(`http://127.0.0.1:${port}/a?b=1`, { method: 'POST', allowsPrivate: true })
  expect(answer).toMatchObject({ status: 201, headers: { 'x-seen': 'wendou' } })
  expect(answer.body.toString()).toBe('POST /a?b=1')
})

test.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x7f000001', '2130706433', '127.1', '0', 'localhost', '[::]'])(
  'the private address %s is not dialled',
  async (host) => {
    let visits = 0
    const port = await serve((_, response) => {
      visits += 1
      response.end()
    })
    await expect(requestOutside(`http://${host}:${port}/`)).rejects.toMatchObject({ reason: 'private' })
    await expect(requestOutside(`https://${host}:${port}/`)).rejects.toMatchObject({ reason: 'private' })
    expect(visits).toBe(0)
  },
)

test('public addresses are not among the private ones', () => {
  expect(['8.8.8.8', '223.5.5.5'].map((ip) => privateAddresses.check(ip))).toEqual([false, false])
  expect(['2606:4700::1', '::ffff:8.8.8.8'].map((ip) => privateAddresses.check(ip, 'ipv6'))).toEqual([false, false])
  expect(['100.100.100.200', '169.254.169.254'].map((ip) => privateAddresses.check(ip))).toEqual([true, true])
})

test.each(['ftp://example.com/', 'file:///etc/passwd', 'http://name:word@example.com/', 'javascript:1', ''])(
  'the address %j is refused',
  (address) => {
    expect(() => requestOutside(address)).toThrow(/地址不对/)
  },
)

test('a redirect is not followed', async () => {
  const port = await serve((_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  const answer = await requestOutside(`http://127.0.0.1:${port}/`, { allowsPrivate: true })
  expect(answer).toMatchObject({ status: 302, headers: { location: '/elsewhere' } })
})

test('an answer that does not end is given up', async () => {
  const port = await serve((_, response) => {
    const drip = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(drip))
  })
  const url = `http://127.0.0.1:${port}/`
  await expect(requestOutside(url, { allowsPrivate: true, timeoutMs: 200 })).rejects.toMatchObject({
    reason: 'timeout',
  })
  await expect(requestOutside(url, { allowsPrivate: true, maxBytes: 5 })).rejects.toMatchObject({ reason: 'too-long' })
})

test('a failure does not tell the address', async () => {
  const port = await serve(() => undefined)
  // No TLS is spoken there.
  const refused = requestOutside(`https://127.0.0.1:${port}/?secret=abc`, { allowsPrivate: true })
  await expect(refused).rejects.toMatchObject({ reason: 'unreachable' })
  await expect(refused).rejects.not.toThrow(/abc/)
})

function serve(listener: RequestListener): Promise<number> {
  return listen(createServer(listener))
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
