import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

const pieceBytes = 400
/** Longer than a frame: the browser can paint after each piece. */
const pauseMs = 25

/** The site as over a slow line: the body of a page comes in small pieces. Returns its address. */
export async function serveSlowly(origin: string): Promise<string> {
  const server = createServer((request, response) => void answer(origin + request.url, response))
  server.listen(0)
  await new Promise((listening) => server.once('listening', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

async function answer(address: string, response: ServerResponse): Promise<void> {
  const reply = await fetch(address)
  const type = reply.headers.get('content-type') ?? ''
  const bytes = Buffer.from(await reply.arrayBuffer())
  response.writeHead(reply.status, { 'content-type': type })
  if (!type.startsWith('text/html')) return void response.end(bytes)
  const body = bytes.indexOf('<body')
  // After the footer come only data and scripts.
  const end = bytes.indexOf('</footer>')
  response.write(bytes.subarray(0, body))
  for (let at = body; at < end; at += pieceBytes) {
    response.write(bytes.subarray(at, Math.min(at + pieceBytes, end)))
    await setTimeout(pauseMs)
  }
  response.end(bytes.subarray(end))
}
