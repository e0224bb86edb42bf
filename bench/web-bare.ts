import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The baseline: a bare `node:http` server with responses in memory. */

interface StoredResponse {
  path: string
  headers: Record<string, string>
  /** In base64. */
  body: string
}

const pages = new Map<string, { headers: Record<string, string>; body: Buffer }>()
process.on('message', ({ path, headers, body }: StoredResponse) => {
  pages.set(path, { headers, body: Buffer.from(body, 'base64') })
  process.send?.('stored')
})

const server = createServer((request, response) => {
  const page = pages.get(request.url ?? '')
  if (!page) return response.writeHead(404).end()
  return response.writeHead(200, page.headers).end(page.body)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
