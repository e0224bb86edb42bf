import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSite, type Person, type Site } from '#server/testing/site.ts'

let site: Site
let server: Server
let member: Person
beforeAll(async () => {
  site = await openSite()
  member = await site.member()
  server = createServer(getRequestListener((request, env) => site.app.fetch(request, env))).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await site.close()
})

/** Sends the beginning of a body, and waits for the server to close the connection. */
async function send(head: readonly string[], body: string): Promise<string> {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  let reply = ''
  socket.on('data', (data) => (reply += data.toString()))
  // What the server has not read is answered with a reset.
  socket.on('error', () => undefined)
  socket.on('close', () => resolve())
  socket.write([...head, 'host: localhost', `authorization: Bearer ${member.token}`, '', body].join('\r\n'))
  await closed
  return reply
}

const json = 'content-type: application/json'
const form = 'content-type: multipart/form-data; boundary=b'
const declared = 'content-length: 999999999'
const megabyte = 'x'.repeat(1024 * 1024)

test.each([
  ['that says so', ['POST /api/v1/user/login HTTP/1.1', json, declared], '{'],
  ['in chunks', ['POST /api/v1/user/login HTTP/1.1', json, 'transfer-encoding: chunked'], `100001\r\n${megabyte}xx`],
  ['of a form', ['POST /api/v1/upload/avatar HTTP/1.1', form, declared], '--b\r\n'],
  ['of an upload', ['POST /api/v1/upload/tus HTTP/1.1', 'tus-resumable: 1.0.0', 'upload-length: 99999999999'], ''],
])('a body that is too large, %s, is refused and its connection closed', async (_, head, body) => {
  const reply = await send(head, body)
  expect(reply).toMatch(/^HTTP\/1.1 413 /)
  expect(reply.toLowerCase()).toContain('connection: close')
})
