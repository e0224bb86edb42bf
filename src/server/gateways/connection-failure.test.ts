import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTcpServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { explainConnection, findConnectionCause } from './connection-failure.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listen(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

async function failureOf(url: string, timeoutMs = 5000): Promise<unknown> {
  return fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).then(
    () => undefined,
    (error: unknown) => error,
  )
}

test('what fetch could not do is told by kind', async () => {
  const closed = await listen(createTcpServer())
  servers.splice(0)[0]?.close()
  const silent = await listen(createTcpServer())
  const rude = await listen(createTcpServer((socket) => socket.destroy()))
  const plain = await listen(createServer())
  const causes = [
    await failureOf(`http://127.0.0.1:${closed}`),
    await failureOf(`http://127.0.0.1:${silent}`, 200),
    await failureOf(`http://127.0.0.1:${rude}`),
    await failureOf(`https://127.0.0.1:${plain}`),
  ].map(findConnectionCause)
  expect(causes).toEqual(['refused', 'timeout', 'closed', 'noTls'])
})

test.each([
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND pay.example', '找不到它的域名'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'TLS 证书不受信任'],
  ['CERT_HAS_EXPIRED', 'certificate has expired', 'TLS 证书不受信任'],
  ['ENETUNREACH', 'connect ENETUNREACH', '网络不通'],
])('%s, somewhere below', (code, message, words) => {
  const attempt = Object.assign(new Error(message), { code })
  const error = new TypeError('fetch failed', { cause: new AggregateError([attempt]) })
  expect(explainConnection('支付宝', error)).toMatch(new RegExp(`^连接不上支付宝：.*${words}`))
})

test('what is no connection is not made one', () => {
  expect(explainConnection('支付宝', new Error('bad port'))).toBe('连接不上支付宝，请检查网络和接口地址')
})
