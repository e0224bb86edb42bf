import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { closer } from './shutdown.ts'

test('a server that closes answers who is waiting, and no further question of theirs', async () => {
  const waiting: (() => void)[] = []
  const server = createServer((_request, response) => {
    waiting.push(() => response.end('answer'))
  })
  const close = closer(server, 10_000)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const answers: string[] = []
  // As our pages do: the next question follows the answer, over the same connection.
  const ask = () => {
    const asked = request({ port, host: '127.0.0.1', agent }, async (response) => {
      answers.push(response.headers.connection ?? '')
      response.resume()
      await once(response, 'end')
      ask()
    })
    asked.on('error', () => answers.push('refused'))
    asked.end()
  }
  ask()
  await expect.poll(() => waiting.length).toBe(1)
  waiting.shift()?.()
  await expect.poll(() => waiting.length).toBe(1)
  const began = performance.now()
  const closed = close()
  waiting.shift()?.()
  await closed
  expect(performance.now() - began).toBeLessThan(8000)
  await expect.poll(() => answers).toEqual(['keep-alive', 'close', 'refused'])
  agent.destroy()
})
