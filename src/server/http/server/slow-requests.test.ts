import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { endSlowRequests } from './slow-requests.ts'

test('a request that does not arrive is closed, unless it is an upload or has arrived completely', async () => {
  const server = createServer(async (request, response) => {
    request.resume()
    await once(request, 'end').catch(() => {})
    await sleep(120)
    response.end('done')
  })
  endSlowRequests(server, (path) => path.startsWith('/upload'), 60)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const send = async (path: string, body: string) => {
    const socket = connect(port, '127.0.0.1')
    const state = { closed: false, text: '' }
    socket.on('data', (data) => (state.text += data.toString()))
    socket.on('error', () => {})
    socket.on('close', () => (state.closed = true))
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\n${body}`)
    return { socket, state }
  }
  const slow = await send('/other', 'ab')
  const upload = await send('/upload', 'ab')
  const quick = await send('/other', 'abcd')
  await expect.poll(() => slow.state).toEqual({ closed: true, text: '' })
  await expect.poll(() => quick.state.text).toContain('done')
  expect(upload.state).toEqual({ closed: false, text: '' })
  upload.socket.write('cd')
  await expect.poll(() => upload.state.text).toContain('done')
  for (const { socket } of [upload, quick]) socket.destroy()
  server.close()
})
