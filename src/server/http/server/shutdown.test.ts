import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { gracefulShutdown } from './shutdown.ts'

test('a server that closes answers pending requests, and no further ones on the same connection', async () => {
  const pending: (() => void)[] = []
  const server = createServer((_request, response) => {
    pending.push(() => response.end('done'))
  })
  // Waiting for the end of the grace period would exceed the timeout of the test.
  const close = gracefulShutdown(server, 3_600_000)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const connections: string[] = []
  // As our pages do: the next request follows the response, on the same connection.
  const send = () => {
    const sent = request({ port, host: '127.0.0.1', agent }, async (response) => {
      connections.push(response.headers.connection ?? '')
      response.resume()
      await once(response, 'end')
      send()
    })
    sent.on('error', () => connections.push('refused'))
    sent.end()
  }
  send()
  await expect.poll(() => pending.length).toBe(1)
  pending.shift()?.()
  await expect.poll(() => pending.length).toBe(1)
  const closed = close()
  pending.shift()?.()
  await closed
  await expect.poll(() => connections).toEqual(['keep-alive', 'close', 'refused'])
  agent.destroy()
})
